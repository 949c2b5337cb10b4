//! What an element that is through must keep, since it is read later.

use super::super::{Case, case};
use skel::prelude::*;
use skel_core::param::{Each, EachMut, Uniform};

/// `s` is mentioned in the inner loop alone, and lasts from one round of the outer one to the next.
#[user_function]
fn lasts_over_rounds(x: u32, y: u32) -> u32 {
    let mut s = x % 10;
    let mut rounds = 0;
    let mut i = 0;
    while i < 6 {
        while (s + i) % 7 != y % 7 {
            s += 1;
            rounds += 1;
        }
        i += 1 + x % 2;
    }
    rounds
}

#[user_function]
fn lasts_over_continue(x: u32, y: u32) -> u32 {
    let (mut i, mut s) = (0, 0);
    loop {
        i += 1;
        if (i + x) % 3 == 0 {
            continue;
        }
        s += i;
        if s > y % 200 || i > 40 {
            return i;
        }
    }
}

#[user_function]
fn loops_after_loops(x: u32, y: u32) -> u32 {
    let (mut a, mut b, mut c) = (x % 20, y % 20, 0);
    while a > 4 {
        a -= 3;
        b += 1;
        c += a;
    }
    while b > 2 {
        b -= 2;
        c ^= b;
    }
    for k in 0..4 {
        c += k * a;
        let mut d = c % 5;
        while d > 1 {
            d -= 1;
            a += 1;
        }
    }
    a + 10 * b + 100 * c
}

#[user_function]
fn narrowed(x: i32, y: i32) -> i8 {
    (x + y) as i8
}

/// A reference is hidden by a variable of another type, and that by one of a third.
#[user_function]
fn hides_a_reference(x: &mut u32, y: u32) -> u32 {
    let by = *x % 4 + 1;
    let mut x: i32 = (y % 50) as i32;
    let mut rounds = 0;
    while rounds < y % 9 {
        rounds += by;
        let mut x = narrowed(x, 1);
        while x > 7 {
            x -= 5;
            rounds += 1;
        }
    }
    x += 1;
    x as u32 + rounds
}

#[user_function]
fn shadows(x: u32, y: u32) -> u32 {
    let x = x % 30;
    let mut y = y % 30;
    while y < 25 {
        let x = x + y;
        y += 1 + x % 3;
        let y2 = y;
        let x = x * y2;
        if x % 7 == 0 {
            let y = x;
            if y > 200 {
                break;
            }
        }
    }
    let y = y + x;
    let mut x = x;
    while x < y {
        x += 4;
    }
    let mut x = x * 2;
    x += y;
    x
}

#[user_function]
fn assigns_before_it_shadows(x: u32) -> u32 {
    let mut k = x % 9;
    let mut v = 1;
    while k < 12 {
        v += k;
        k += 2;
        let v = v * 3;
        if v > 60 {
            k += v % 2;
        }
    }
    v = v + 1;
    let v = v * 2;
    v + k
}

#[user_function]
fn later_values(x: i32) -> i32 {
    let a;
    let mut b: i32;
    if x > 0 {
        a = x % 10;
    } else {
        a = 3;
    }
    b = a;
    let mut last;
    loop {
        last = b * 2;
        if last > 20 {
            break;
        }
        b += a % 3 + 1;
    }
    last - a
}

#[user_function]
fn flags(x: u32, y: u32) -> u32 {
    let (mut done, mut odd, mut n) = (false, x % 2 == 1, 0);
    while !done {
        n += 1;
        odd = odd ^ (n % 3 == y % 3);
        done = n > x % 25 || (odd && n > 12);
    }
    if odd { n + 1000 } else { n }
}

#[user_function]
fn both_sides_of_a_branch(x: u32, y: u32) -> u32 {
    let mut a = x % 16;
    let mut b = 0;
    for k in 0..5 {
        if (a + k) % 2 == 0 {
            let mut i = 0;
            while i < a {
                i += 3;
                b += 1;
            }
            a += 1;
        } else {
            let mut i = a;
            while i > 0 && b < 90 {
                i -= 1;
                b += y % 4;
            }
            a = a / 2 + b % 3;
        }
    }
    a * 1000 + b
}

/// What all elements share keeps its name and value, whatever a block within calls its own.
#[user_function]
fn blocks_hide_what_is_shared(x: u32, #[uniform] k: u32) -> u32 {
    const STEP: u32 = 3;
    let mut sum = x % 17;
    {
        const STEP: u32 = 5;
        let k = 2;
        for i in 0..k {
            sum += i * STEP;
        }
    }
    for _ in 0..k % 8 {
        sum += STEP;
    }
    sum * 10 + k % 7
}

/// A variable within that has the name of one that all elements share, which is read later.
#[user_function]
fn changes_what_hides_the_shared(x: u32, #[uniform] k: u32) -> u32 {
    let (mut left, mut sum) = (x % 13, 0);
    while left > 0 {
        left -= 1;
        {
            let mut k = left;
            k += 2;
            sum += k;
        }
    }
    sum + k
}

/// The value changes what its name hides, which is of another type.
#[user_function]
fn changes_what_its_name_hides(x: u32, y: u32) -> u32 {
    let mut n = x % 11;
    let mut sum = 0;
    while n < 20 {
        n += 1;
        sum += n ^ y;
    }
    let n: (bool, u32) = (
        {
            n += y % 5;
            n > 21
        },
        n,
    );
    let mut left = n.1;
    while left > 0 {
        left /= 2;
        sum += u32::from(n.0) + left;
    }
    sum
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        case::<lasts_over_rounds, (Each<u32>, Each<u32>)>(),
        case::<lasts_over_continue, (Each<u32>, Each<u32>)>(),
        case::<loops_after_loops, (Each<u32>, Each<u32>)>(),
        case::<hides_a_reference, (EachMut<u32>, Each<u32>)>(),
        case::<shadows, (Each<u32>, Each<u32>)>(),
        case::<assigns_before_it_shadows, (Each<u32>,)>(),
        case::<later_values, (Each<i32>,)>(),
        case::<flags, (Each<u32>, Each<u32>)>(),
        case::<both_sides_of_a_branch, (Each<u32>, Each<u32>)>(),
        case::<blocks_hide_what_is_shared, (Each<u32>, Uniform<u32>)>(),
        case::<changes_what_hides_the_shared, (Each<u32>, Uniform<u32>)>(),
        case::<changes_what_its_name_hides, (Each<u32>, Each<u32>)>(),
    ]
}
