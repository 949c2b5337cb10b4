//! Variables, branches, loops, jumps, order of evaluation.

use super::{Case, case};
use skel::prelude::*;
use skel_core::param::Each;

#[user_function]
fn branches(x: f32) -> i32 {
    if x < -1.0 {
        -1
    } else if x > 1.0 {
        let y = x * 2.0;
        if y > 5.0 { 2 } else { 1 }
    } else {
        0
    }
}

#[user_function]
fn early_returns(x: f32, n: u32) -> f32 {
    if n == 0 {
        return 0.0;
    }
    if x.is_nan() {
        return -1.0;
    } else if x > 100.0 {
        return x - 100.0;
    }
    let y = if n > 3 { return x * 2.0 } else { x };
    y + 1.0
}

#[user_function]
fn shadowing(x: f32) -> f32 {
    let y = x + 1.0;
    let y = y * y;
    let z = {
        let y = y - 2.0;
        let x = y * 0.5;
        x + y
    };
    let x = z + y;
    x - z
}

#[user_function]
fn late(n: i32) -> f32 {
    let x;
    let y;
    let z: f32;
    if n > 3 {
        x = 1.5;
        y = 2;
    } else {
        x = 0.25;
        y = 7;
    }
    z = x * 2.0;
    z + y as f32
}

#[user_function]
fn values_of_blocks(a: i32, b: i32) -> i32 {
    let m = if a > b { a } else { b };
    let c = 1 + {
        let t = m / 2;
        t - 3
    } * if b > 0 { 2 } else { 5 };
    let unit = {};
    let _ = unit;
    (if c > 0 { c } else { 0 - c }) + if m == a { 1 } else { 0 }
}

#[user_function]
fn while_loop(n: u32) -> u32 {
    let mut n = n % 1000 + 1;
    let mut steps = 0;
    while n != 1 && steps < 200 {
        n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
        steps += 1;
    }
    steps
}

#[user_function]
fn loop_value(limit: i32) -> i32 {
    let limit = limit & 0xFFF;
    let mut k = 0;
    let square = loop {
        k += 1;
        if k > 100 {
            break -1;
        }
        if k * k > limit {
            break k * k;
        }
    };
    square - limit
}

#[user_function]
fn loop_as_tail(x: f32) -> f32 {
    let mut y = x.abs();
    loop {
        if !(y > 1.0) {
            break y;
        }
        if y > 1.0e6 {
            return -1.0;
        }
        y /= 2.0;
    }
}

#[user_function]
fn nested_loops(n: u32, m: i32) -> i32 {
    let n = n & 15;
    let m = m & 15;
    let mut sum = 0;
    for i in 0..n {
        for j in 1..=m {
            if j % 3 == 0 {
                continue;
            }
            if i * 7 > 60 {
                break;
            }
            sum += j * (i as i32) - 1;
        }
        if sum > 1000 {
            break;
        }
    }
    sum
}

#[user_function]
fn ranges_at_the_edge(a: u32, b: i32) -> u32 {
    let mut count = 0;
    for i in 4294967290..=4294967295u32 {
        if i >= a {
            count += 1;
        }
    }
    for i in i32::MAX - 3..=i32::MAX {
        if i > b {
            count += 10;
        }
    }
    for i in i32::MIN..i32::MIN + 3 {
        if i < b {
            count += 100;
        }
    }
    for _ in 5..2 {
        count += 1000;
    }
    for _ in 3..=2 {
        count += 1000;
    }
    count
}

#[user_function]
fn loop_variable(n: usize) -> usize {
    let n = n % 20;
    let mut product = 1;
    for mut i in 0..n {
        i += 1;
        if i == 7 {
            i = 2;
        }
        product = product * i % 1_000_003;
    }
    product
}

#[user_function]
fn bounds_once(n: u32) -> u32 {
    let mut n = n % 10;
    let mut rounds = 0;
    for _ in 0..n {
        n += 1;
        rounds += 1;
    }
    rounds * 100 + n
}

#[user_function]
fn continue_in_while(n: u32) -> u32 {
    let n = n % 50;
    let mut i = 0;
    let mut odd = 0;
    while i < n {
        i += 1;
        if i % 2 == 0 {
            continue;
        }
        odd += i;
    }
    odd
}

#[user_function]
fn loop_in_loop(n: u32) -> u32 {
    let found;
    let mut candidate = n % 100 + 2;
    loop {
        let mut d = 2;
        let prime = loop {
            if d * d > candidate {
                break true;
            }
            if candidate % d == 0 {
                break false;
            }
            d += 1;
        };
        if prime {
            found = candidate;
            break;
        }
        candidate += 1;
    }
    found
}

#[user_function]
fn order(a: i32, b: i32) -> i32 {
    let mut x = a & 0xFF;
    let first =
        x + {
            x += 1;
            x * 10
        } + x;
    let second = x * {
        if b > 0 {
            x = 3;
        }
        x
    } - {
        x -= 1;
        x
    };
    x += {
        x *= 2;
        x
    };
    first * 1000 + second + x
}

#[user_function]
fn traps_in_order(a: i32, b: i32, c: i32) -> i32 {
    let mut hits = 0;
    let q = a / (b & 3) + {
        hits += 1;
        if c > 5 {
            return hits;
        }
        c
    } % (a & 7);
    q + hits
}

#[user_function]
fn short_circuit(a: i32, b: i32) -> u32 {
    let mut n = 0;
    if b != 0 && a / b > 1 {
        n += 1;
    }
    if b == 0 || a % b == 0 {
        n += 2;
    }
    let both = a > 0 && {
        n += 4;
        b > 0
    };
    if both || {
        n += 8;
        a < -5
    } {
        n += 16;
    }
    while n < 100 && 1000 / (n as i32 + 1) > 3 {
        n += 30;
    }
    n
}

#[user_function]
fn mandelbrot(cx: f32, cy: f32, limit: u32) -> u32 {
    let limit = limit & 63;
    let mut x = 0.0;
    let mut y = 0.0;
    let mut n = 0;
    while n < limit {
        let x2 = x * x;
        let y2 = y * y;
        if x2 + y2 > 4.0 {
            break;
        }
        y = 2.0 * x * y + cy;
        x = x2 - y2 + cx;
        n += 1;
    }
    n
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        case::<branches, (Each<f32>,)>(),
        case::<early_returns, (Each<f32>, Each<u32>)>(),
        case::<shadowing, (Each<f32>,)>(),
        case::<late, (Each<i32>,)>(),
        case::<values_of_blocks, (Each<i32>, Each<i32>)>(),
        case::<while_loop, (Each<u32>,)>(),
        case::<loop_value, (Each<i32>,)>(),
        case::<loop_as_tail, (Each<f32>,)>(),
        case::<nested_loops, (Each<u32>, Each<i32>)>(),
        case::<ranges_at_the_edge, (Each<u32>, Each<i32>)>(),
        case::<loop_variable, (Each<usize>,)>(),
        case::<bounds_once, (Each<u32>,)>(),
        case::<continue_in_while, (Each<u32>,)>(),
        case::<loop_in_loop, (Each<u32>,)>(),
        case::<order, (Each<i32>, Each<i32>)>(),
        case::<traps_in_order, (Each<i32>, Each<i32>, Each<i32>)>(),
        case::<short_circuit, (Each<i32>, Each<i32>)>(),
        case::<mandelbrot, (Each<f32>, Each<f32>, Each<u32>)>(),
    ]
}
