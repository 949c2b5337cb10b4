#![allow(unused)]
use skel::prelude::*;

#[user_function]
fn matches(n: i32) -> i32 {
    match n {
        0 => 1,
        _ => 2,
    }
}

#[user_function]
fn if_lets(x: f32) -> f32 {
    if let 0.0 = x {
        return 1.0;
    }
    while let 1.0 = x {}
    let 2.0 = x else { return 0.0 };
    x
}

#[user_function]
fn labels(n: u32) -> u32 {
    let mut k = 0;
    'outer: for i in 0..n {
        for j in 0..n {
            if i * j > 7 {
                break 'outer;
            }
            k += 1;
        }
    }
    'block: {
        if k > 3 {
            break 'block;
        }
    }
    k
}

#[user_function]
fn iterators(n: u32) -> u32 {
    let mut sum = 0;
    for i in (0..n).rev() {
        sum += i;
    }
    for i in (0..n).step_by(2) {
        sum += i;
    }
    let r = 0..n;
    for i in r {
        sum += i;
    }
    (0..n).sum()
}

#[user_function]
fn question(x: f32) -> f32 {
    let y = halve(x)?;
    y
}

#[user_function]
fn other_blocks(x: f32) -> f32 {
    let a = unsafe { x };
    let b = const { 3.0 };
    a + b
}

#[user_function]
fn conditional(x: f32) -> f32 {
    #[cfg(debug_assertions)]
    let x = x + 1.0;
    x
}

fn main() {}
