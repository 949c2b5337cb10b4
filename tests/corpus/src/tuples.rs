//! Tuples inside of functions.

use super::{Case, case};
use skel::prelude::*;
use skel_core::param::Each;

#[user_function]
fn parts(x: f32, n: u32) -> f32 {
    let t = (x, n, 2.5);
    let nested = ((t.0, 1.0), t.1 % 3);
    t.0 * t.2 + nested.0.1 - nested.1 as f32 + nested.0.0
}

#[user_function]
fn assigned(x: i32, y: i32) -> i32 {
    let mut t = (x, (y, true));
    t.0 += 1;
    t.1.0 *= t.0;
    if t.1.1 {
        t = (t.1.0, (t.0, x > y));
    }
    t.0 ^ t.1.0 + t.1.1 as i32
}

#[user_function]
fn divided(a: i32, b: i32) -> (i32, i32) {
    (a / b, a % b)
}

#[user_function]
fn uses_tuple(a: i32, b: i32) -> i32 {
    let both = divided(a, b);
    let typed: (u8, f32) = (3, 1.5);
    both.0 * b + both.1 + typed.0 as i32 * typed.1 as i32 + divided(b, 7).1
}

#[user_function]
fn takes_tuple(p: (f32, f32), scale: f32) -> f32 {
    p.0 * scale + p.1
}

#[user_function]
fn passes_tuple(x: f32) -> f32 {
    takes_tuple((x, 1.0), 3.0) - takes_tuple((0.5, x), x)
}

#[user_function]
fn chosen(x: i32, y: i32) -> i32 {
    let pair = if x < y { (x, y) } else { (y, x) };
    let found = loop {
        break (pair.1 - pair.0, 3);
    };
    found.0 / found.1
}

#[user_function]
fn compared(a: i32, b: i32) -> bool {
    (a, b % 2) == (b, a % 2) || (a, (true, 1.5)) != (a, (a > b, 1.5))
}

#[user_function]
fn of_arrays(x: f32, k: usize) -> f32 {
    let mut t = ([x, 2.0], [[1u8, 2], [3, 4]]);
    t.0[k % 2] += 0.5;
    t.1[k % 2][1] *= 9;
    t.0[0] * t.0[1] + t.1[1][k & 1] as f32
}

#[user_function]
fn in_arrays(x: f32, k: usize) -> f32 {
    let mut pairs = [(x, 1), (2.0, 7), (x * 0.5, 3)];
    pairs[k % 3].1 += 2;
    pairs[(k + 1) % 3].0 -= pairs[k % 3].0;
    pairs[0].0 * pairs[2].1 as f32 + pairs[1].0
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        case::<parts, (Each<f32>, Each<u32>)>(),
        case::<assigned, (Each<i32>, Each<i32>)>(),
        case::<uses_tuple, (Each<i32>, Each<i32>)>(),
        case::<passes_tuple, (Each<f32>,)>(),
        case::<chosen, (Each<i32>, Each<i32>)>(),
        case::<compared, (Each<i32>, Each<i32>)>(),
        case::<in_arrays, (Each<f32>, Each<usize>)>(),
        case::<of_arrays, (Each<f32>, Each<usize>)>(),
    ]
}
