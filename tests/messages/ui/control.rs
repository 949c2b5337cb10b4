#![allow(unused)]
use skel::prelude::*;

#[user_function]
fn lets(x: f32, n: u32) -> f32 {
    let both = (let 1.0 = x) && x > 2.0;
    let (a, b);
    x
}

#[user_function]
fn labels(n: u32) -> u32 {
    let mut k = 0;
    'outer: for i in 0..n {
        for j in 0..n {
            if i * j > 7 {
                break 'out;
            }
            k += 1;
        }
    }
    k
}

#[user_function]
fn iterators(n: u32, x: f32) -> u32 {
    let mut sum = 0;
    for i in 0.. {
        sum += i;
    }
    for i in (0..n).step_by(2).rev() {
        sum += i;
    }
    for i in (0..n).rev().rev() {
        sum += i;
    }
    for i in sum.rev() {
        sum += i;
    }
    let r = 0..n;
    for i in r {
        sum += i;
    }
    for (k, i) in (0..n).enumerate() {
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
