//! `break`, `continue`, `return`, and labels, near the loop and deep inside.

use super::super::{Case, case};
use skel::prelude::*;
use skel_core::param::{Each, EachMut};

#[user_function]
fn continues(x: f32, n: u8) -> u32 {
    let mut count = 0;
    for i in 1..n as u32 {
        let mut y = x * i as f32;
        if !(y < 8.0) {
            continue;
        }
        while y > 1.0 {
            y = y * 0.5 - 0.25;
            count += 1;
        }
        if y < -0.1 {
            count += 2;
        }
    }
    count
}

#[user_function]
fn labels(x: u32, y: u32) -> u32 {
    let mut sum = 0;
    'rows: for i in 0..x % 9 {
        let mut j = 0;
        'cols: loop {
            j += 1;
            if j > 6 {
                break;
            }
            if (i * j) % 5 == y % 5 {
                continue 'rows;
            }
            let mut k = 0;
            while k < j {
                k += 1;
                if (i + j + k) % 11 == y % 11 {
                    break 'rows;
                }
                if k * j == 12 {
                    continue 'cols;
                }
                sum += k;
            }
            sum += 100;
        }
        sum += 1000;
    }
    sum
}

#[user_function]
fn deep_exits(x: u32, y: u32) -> u32 {
    let mut a = x % 50;
    let mut rounds = 0;
    while rounds < 40 {
        rounds += 1;
        match a % 7 {
            0 => break,
            1 => {
                a += 3;
                continue;
            }
            2 if y % 3 == 0 => {
                if a > 20 {
                    return a + 1000;
                } else if a < 5 {
                    a += 9;
                    break;
                }
            }
            _ => a += 1,
        }
        if a % 2 == 0 {
            if y % 2 == 0 {
                a += 5;
                if a > 90 {
                    return rounds;
                }
            } else {
                a += 2;
            }
        } else {
            a = a + y % 4;
        }
    }
    a * 100 + rounds
}

#[user_function]
fn says_and_leaves(x: u32) -> u32 {
    let (mut n, mut last) = (0, 0);
    loop {
        if n > x % 30 {
            last = n * 2;
            n = 7;
            break;
        }
        if n == 17 {
            let seen = n + last;
            return seen + 5000;
        }
        last = n;
        n += 1 + n / 4;
    }
    last * 10 + n
}

#[user_function]
fn values_of_loops(x: u32, y: u32) -> u32 {
    let mut k = 0;
    let found = loop {
        k += 1;
        if k * k > x % 400 {
            break k;
        }
        if k == 15 {
            if y % 2 == 0 {
                break 100 + k;
            }
            return 7;
        }
    };
    let other = if y % 3 == 0 {
        let mut p = 1;
        while p < found {
            p *= 2;
        }
        p
    } else {
        let mut p = found;
        loop {
            if p % 5 == 0 {
                break p;
            }
            p += 1;
        }
    };
    loop {
        if k > other {
            break k + found;
        }
        k += other % 3 + 1;
    }
}

#[user_function]
fn leaves_in_an_initialiser(x: i32) -> i32 {
    let mut sum = 0;
    let mut k = x % 20;
    while k < 30 {
        let step = if k == 13 {
            break;
        } else if k % 4 == 0 {
            k += 1;
            continue;
        } else if sum > 60 {
            return -1;
        } else {
            k % 4
        };
        sum += step;
        k += 1;
    }
    sum
}

#[user_function]
fn returns_and_changes(x: u32, total: &mut u32) -> u32 {
    let mut k = 0;
    while k < x % 12 {
        if *total > 500 {
            return k;
        }
        *total += k * x % 9;
        k += 1;
    }
    *total ^= 1;
    k + 100
}

#[user_function]
fn changes_only(x: u32, y: &mut i32, z: &mut f32) {
    let mut k = x % 10;
    while k > 0 {
        *y = y.wrapping_mul(3) - k as i32;
        if *y < -1000 {
            *z = 0.5;
            return;
        }
        k -= 1;
    }
    *z *= 2.0;
}

#[user_function]
fn branches_with_loops(x: u32, y: u32) -> u32 {
    let mut n = x % 40;
    if y % 4 == 0 {
        while n > 3 {
            n -= 3;
            if n == 11 {
                return 11;
            }
        }
    } else if y % 4 == 1 {
        for k in 0..n {
            n = n ^ k;
        }
    } else {
        n += 1;
        {
            let mut k = y % 5;
            while k < n {
                k += 7;
            }
            n = k;
        }
    }
    if n % 2 == 0 {
        let mut p = 1;
        while p < n {
            p *= 3;
        }
        p
    } else {
        n
    }
}

#[user_function]
fn nothing_is_divided_where_nothing_is_left(x: u32, k: u32) -> u32 {
    if k == 0 {
        return 1;
    }
    let mut sum = 0;
    for i in 0..30 / (k % 8 + 1) {
        for j in 0..12 / k.min(6) {
            sum += i * j + x / k;
        }
    }
    sum
}

#[user_function]
fn asserts_in_loops(x: u32, y: u32) -> u32 {
    let mut k = x % 16;
    while k < 20 {
        assert!(k != y % 50, "no");
        k += 1;
    }
    if y == 1000 {
        panic!("never with these");
    }
    k
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        case::<continues, (Each<f32>, Each<u8>)>(),
        case::<labels, (Each<u32>, Each<u32>)>(),
        case::<deep_exits, (Each<u32>, Each<u32>)>(),
        case::<says_and_leaves, (Each<u32>,)>(),
        case::<values_of_loops, (Each<u32>, Each<u32>)>(),
        case::<leaves_in_an_initialiser, (Each<i32>,)>(),
        case::<returns_and_changes, (Each<u32>, EachMut<u32>)>(),
        case::<changes_only, (Each<u32>, EachMut<i32>, EachMut<f32>)>(),
        case::<branches_with_loops, (Each<u32>, Each<u32>)>(),
        case::<nothing_is_divided_where_nothing_is_left, (Each<u32>, Each<u32>)>(),
        case::<asserts_in_loops, (Each<u32>, Each<u32>)>(),
    ]
}
