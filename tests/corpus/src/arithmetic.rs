//! Operators, casts, literals.

use super::{Case, case};
use skel::prelude::*;
use skel_core::param::Each;

#[user_function]
fn polynomial(x: f32) -> f32 {
    ((1.5 * x - 0.25) * x + 3.0) / (x * x + 1.0) - -x
}

#[user_function]
fn remainder(x: f32, y: f32) -> f32 {
    x % y
}

#[user_function]
fn double(x: f64, y: f64) -> f64 {
    let s = x + y;
    (s - x) * 0.1 - y / 3.0
}

#[user_function]
fn wrapping(a: i32, b: i32) -> i32 {
    a * b + (a - b) * 3 - -a
}

#[user_function]
fn wrapping_unsigned(a: u32, b: u32) -> u32 {
    a * b - (a + b) * 2654435769
}

#[user_function]
fn divide(a: i32, b: i32) -> i32 {
    a / b + a % b
}

#[user_function]
fn divide_unsigned(a: u32, b: u32) -> u32 {
    a / b * 7 + a % b
}

#[user_function]
fn divide_by_constants(a: i32, b: u32) -> i32 {
    a / 7 - a % 16 + (b / 3 % 5) as i32
}

#[user_function]
fn bits(a: u32, b: u32) -> u32 {
    (a & b | !a ^ 0xFF00_00FF) & 0b1111_0000_1111_0000_1111_0000_1111_0000 | 0o17
}

#[user_function]
fn shifts(a: i32, b: u32, n: u32) -> i32 {
    let left = a << (n & 31);
    let right = a >> (n % 32);
    let logical = b >> (n & 31);
    left ^ right ^ (logical as i32) ^ (1 << 3) ^ (b << 2) as i32
}

#[user_function]
fn comparisons(a: f32, b: f32, i: i32, u: u32) -> u32 {
    let mut n = 0;
    if a < b {
        n |= 1;
    }
    if a <= b {
        n |= 2;
    }
    if a > b {
        n |= 4;
    }
    if a >= b {
        n |= 8;
    }
    if a == b {
        n |= 16;
    }
    if a != b {
        n |= 32;
    }
    if (i < 0) == (u > 5) {
        n |= 64;
    }
    if i >= -3 && u != 0 {
        n |= 128;
    }
    n
}

#[user_function]
fn logic(a: bool, b: bool, c: bool) -> bool {
    let eager = a & b | !c ^ a;
    eager == (a && !b || c) || a != b && (c | eager)
}

#[user_function]
fn float_casts(x: f32) -> f64 {
    let i = x as i32;
    let u = x as u32;
    let d = x as f64;
    i as f64 * 0.5 + u as f64 - d
}

#[user_function]
fn double_casts(x: f64) -> f32 {
    (x as f32) + (x as i32 as f32) * 0.5 - (x as u32) as f32 + (x as usize % 1000) as f32
}

#[user_function]
fn integer_casts(i: i32, u: u32, b: bool) -> i32 {
    let n = b as i32 + b as u32 as i32;
    (u as i32) ^ (i as u32 >> 1) as i32 ^ n ^ (u as f32) as i32 ^ (i as f32) as i32
}

#[user_function]
fn lossless(x: f32, u: u32, i: i32, b: bool) -> f64 {
    f64::from(x) + f64::from(u) * f64::from(i) + f64::from(u32::from(b)) + f64::from(f32::from(b))
}

#[user_function]
fn compound(a: i32, b: u32, x: f32) -> f32 {
    let mut i = a;
    let mut u = b;
    let mut f = x;
    i += 3;
    i -= a * 2;
    i *= 5;
    i ^= 0x55;
    i |= 1;
    i &= !2;
    i <<= 1;
    i >>= 2u32;
    u <<= 3;
    u >>= 1i32;
    u /= 3;
    u %= 1000;
    f += u as f32;
    f *= 0.5;
    f -= 1.0;
    f /= 3.0;
    f %= 7.0;
    f + i as f32
}

#[user_function]
fn negative_literals(x: f32) -> f32 {
    let smallest = -2147483648;
    let zero = -0.0;
    let big = 1e10;
    x * -1.5 + smallest as f32 + 1_000.000_1_f32 / (zero + x) - big - 3f32
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        case::<polynomial, (Each<f32>,)>(),
        case::<remainder, (Each<f32>, Each<f32>)>(),
        case::<double, (Each<f64>, Each<f64>)>(),
        case::<wrapping, (Each<i32>, Each<i32>)>(),
        case::<wrapping_unsigned, (Each<u32>, Each<u32>)>(),
        case::<divide, (Each<i32>, Each<i32>)>(),
        case::<divide_unsigned, (Each<u32>, Each<u32>)>(),
        case::<divide_by_constants, (Each<i32>, Each<u32>)>(),
        case::<bits, (Each<u32>, Each<u32>)>(),
        case::<shifts, (Each<i32>, Each<u32>, Each<u32>)>(),
        case::<comparisons, (Each<f32>, Each<f32>, Each<i32>, Each<u32>)>(),
        case::<logic, (Each<bool>, Each<bool>, Each<bool>)>(),
        case::<float_casts, (Each<f32>,)>(),
        case::<double_casts, (Each<f64>,)>(),
        case::<integer_casts, (Each<i32>, Each<u32>, Each<bool>)>(),
        case::<lossless, (Each<f32>, Each<u32>, Each<i32>, Each<bool>)>(),
        case::<compound, (Each<i32>, Each<u32>, Each<f32>)>(),
        case::<negative_literals, (Each<f32>,)>(),
    ]
}
