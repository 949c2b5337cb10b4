//! Built-in methods.

use super::{Case, case};
use skel::prelude::*;
use skel_core::param::Each;

#[user_function]
fn rounding(x: f32) -> f32 {
    x.floor() * 0.5 + x.ceil() - x.round() * 3.0 + x.trunc() / 7.0 + x.fract()
}

#[user_function]
fn rounding_double(x: f64) -> f64 {
    x.floor() * 0.5 + x.ceil() - x.round() * 3.0 + x.trunc() / 7.0 + x.fract()
}

#[user_function]
fn signs(x: f32, y: f32) -> f32 {
    x.abs() * y.signum() + y.copysign(x) * 0.5
}

#[user_function]
fn extremes(x: f32, y: f32) -> f32 {
    let low = x.min(y);
    let high = f32::max(x, y);
    low * 0.25 + high.max(1.0)
}

#[user_function]
fn extremes_double(x: f64, y: f64) -> f64 {
    x.min(y).max(-100.0)
}

#[user_function]
fn clamped(x: f32, low: f32, high: f32) -> f32 {
    x.clamp(-8.0, 8.0) + x.clamp(low, high)
}

#[user_function]
fn roots(x: f32, y: f64) -> f64 {
    x.sqrt() as f64 + y.abs().sqrt()
}

#[user_function]
fn classes(x: f32) -> u32 {
    let mut n = 0;
    if x.is_nan() {
        n += 1;
    }
    if x.is_finite() {
        n += 2;
    }
    if x.is_infinite() {
        n += 4;
    }
    n
}

#[user_function]
fn fused(x: f32, y: f32, z: f32) -> f32 {
    x.mul_add(y, z)
}

#[user_function]
fn trigonometry(x: f32) -> f32 {
    x.sin() * x.cos() + (x * 0.1).tan()
}

#[user_function]
fn exponentials(x: f32) -> f32 {
    x.exp() - (x * 0.5).exp2() + x.abs().ln() * (x * x).log2()
}

#[user_function]
fn powers(x: f32, y: f32, n: i32) -> f32 {
    // No difference of nearly equal numbers, which would show errors that are small.
    (x.abs().powf(y) + x.powi(-2)) * x.powi(n & 7)
}

#[user_function]
fn integers(a: i32, b: i32) -> i32 {
    a.abs().min(b) + a.signum() * b.max(-5) + a.clamp(-10, 10)
}

#[user_function]
fn integers_clamped(a: u32, low: u32, high: u32) -> u32 {
    a.min(7) + a.max(3) + a.clamp(low, high)
}

#[user_function]
fn wrapping_methods(a: i32, b: i32, n: u32) -> i32 {
    a.wrapping_add(b)
        .wrapping_mul(31)
        .wrapping_sub(a.wrapping_neg())
        .wrapping_shl(n)
        ^ b.wrapping_shr(n)
}

#[user_function]
fn hash(x: u32) -> u32 {
    let mut h = x ^ 0x9E37_79B9;
    h ^= h >> 16;
    h = h.wrapping_mul(0x85EB_CA6B);
    h = h.rotate_left(13) ^ h.rotate_right(7);
    h.wrapping_mul(0xC2B2_AE35) ^ x.rotate_left(x & 31)
}

#[user_function]
fn counts(a: u32, b: i32) -> u32 {
    a.count_ones() + (a.leading_zeros() << 8) + (a.trailing_zeros() << 16)
        ^ b.count_ones()
        ^ (b.leading_zeros() << 4)
        ^ (b.trailing_zeros() << 12)
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        case::<rounding, (Each<f32>,)>(),
        case::<rounding_double, (Each<f64>,)>(),
        case::<signs, (Each<f32>, Each<f32>)>(),
        case::<extremes, (Each<f32>, Each<f32>)>(),
        case::<extremes_double, (Each<f64>, Each<f64>)>(),
        case::<clamped, (Each<f32>, Each<f32>, Each<f32>)>(),
        case::<roots, (Each<f32>, Each<f64>)>(),
        case::<classes, (Each<f32>,)>(),
        case::<fused, (Each<f32>, Each<f32>, Each<f32>)>(),
        case::<trigonometry, (Each<f32>,)>(),
        case::<exponentials, (Each<f32>,)>(),
        case::<powers, (Each<f32>, Each<f32>, Each<i32>)>(),
        case::<integers, (Each<i32>, Each<i32>)>(),
        case::<integers_clamped, (Each<u32>, Each<u32>, Each<u32>)>(),
        case::<wrapping_methods, (Each<i32>, Each<i32>, Each<u32>)>(),
        case::<hash, (Each<u32>,)>(),
        case::<counts, (Each<u32>, Each<i32>)>(),
    ]
}
