//! Further built-in methods.

use super::{Case, case};
use skel::prelude::*;
use skel_core::param::Each;

#[user_function]
fn powers_of_integers(a: i32, b: u8, c: i64, n: u32) -> i64 {
    a.pow(n & 7) as i64 + b.pow(3) as i64 - c.pow(n % 40) + 3_i64.pow(2)
}

#[user_function]
fn euclid(a: i32, b: i32, c: u16) -> i32 {
    a.div_euclid(b) * 3 + a.rem_euclid(b) - c.rem_euclid(7) as i32 + i32::div_euclid(a, -3)
}

#[user_function]
fn euclid_narrow(a: i8, b: i8) -> i8 {
    a.div_euclid(b) ^ a.rem_euclid(b)
}

#[user_function]
fn euclid_of_floats(x: f32, y: f32) -> f32 {
    x.div_euclid(y) + x.rem_euclid(y) * 0.5
}

#[user_function]
fn euclid_of_doubles(x: f64, y: f64) -> f64 {
    x.div_euclid(3.0) - x.rem_euclid(y)
}

#[user_function]
fn differences(a: i32, b: i32, c: u8, d: u8) -> u32 {
    a.abs_diff(b) ^ c.abs_diff(d) as u32 + a.unsigned_abs()
}

#[user_function]
fn differences_narrow(a: i8, b: i16) -> u16 {
    a.unsigned_abs() as u16 + b.abs_diff(-300) + b.unsigned_abs()
}

#[user_function]
fn signs_of_integers(a: i32, b: i64, c: i8) -> u32 {
    let mut n = 0;
    if a.is_positive() {
        n += 1;
    }
    if b.is_negative() || c.is_positive() {
        n += 2;
    }
    n + (c.signum() + 1) as u32 + (b.signum() + c.abs() as i64) as u32
}

#[user_function]
fn multiples(a: u32, b: u32, c: u64, d: u8) -> u32 {
    a.is_multiple_of(b) as u32 + c.is_multiple_of(6) as u32 * 2 + d.is_multiple_of(d / 2) as u32 * 4
}

#[user_function]
fn ones(a: u32, b: i8, c: u64) -> u32 {
    a.leading_ones() + b.trailing_ones() * 100 + c.leading_ones() * 10_000 + (b.leading_ones() ^ 5)
}

#[user_function]
fn counts_of_all(a: u8, b: i16, c: i64, d: u64) -> u32 {
    a.count_ones()
        + b.leading_zeros() * 10
        + c.trailing_zeros() * 1000
        + d.leading_zeros() * 100_000
        - a.leading_zeros()
        - b.trailing_zeros()
}

#[user_function]
fn reversals(a: u32, b: i16, c: u64, d: u8) -> u64 {
    a.swap_bytes() as u64
        ^ b.reverse_bits() as u64
        ^ c.swap_bytes()
        ^ c.reverse_bits()
        ^ d.reverse_bits() as u64
        ^ (b.swap_bytes() as u64) << 3
}

#[user_function]
fn rotations(a: u8, b: i16, c: u64, n: u32) -> u64 {
    a.rotate_left(n) as u64 + b.rotate_right(n & 31) as u64 + c.rotate_left(n)
}

#[user_function]
fn saturated(a: i32, b: i32, c: u8, d: u8) -> i32 {
    a.saturating_add(b)
        ^ a.saturating_sub(b)
        ^ c.saturating_add(d) as i32
        ^ c.saturating_sub(d) as i32
}

#[user_function]
fn wrapped(a: i8, b: u16, c: i64, n: u32) -> i64 {
    a.wrapping_mul(77).wrapping_neg() as i64
        + b.wrapping_shl(n).wrapping_sub(9) as i64
        + c.wrapping_shr(n).wrapping_add(c)
        + a.wrapping_shr(n) as i64
}

#[user_function]
fn bits_of_floats(x: f32, y: f64) -> u64 {
    if x.is_nan() || y.is_nan() {
        return 0;
    }
    x.to_bits() as u64 ^ y.to_bits()
}

#[user_function]
fn floats_of_bits(a: u32, b: u64) -> f64 {
    f32::from_bits(a) as f64 + f64::from_bits(b) * f32::from_bits(0x3F00_0000) as f64
}

#[user_function]
fn fast_inverse_root(x: f32) -> f32 {
    let half = x * 0.5;
    let y = f32::from_bits(0x5F37_59DF - (x.to_bits() >> 1));
    y * (1.5 - half * y * y)
}

#[user_function]
fn reciprocals(x: f32, y: f64) -> f64 {
    x.recip() as f64 + y.recip()
}

#[user_function]
fn ties(x: f32, y: f64) -> f64 {
    x.round_ties_even() as f64 - y.round_ties_even()
}

#[user_function]
fn sign_bits(x: f32, y: f64) -> u32 {
    let x = if x.is_nan() { 0.0 } else { x };
    let y = if y.is_nan() { 0.0 } else { y };
    x.is_sign_negative() as u32 + y.is_sign_positive() as u32 * 2
}

#[user_function]
fn angles(x: f32, y: f64) -> f64 {
    x.to_degrees() as f64 + x.to_radians() as f64 - y.to_radians() + y.to_degrees()
}

#[user_function]
fn arcs(x: f32, y: f32) -> f32 {
    x.sin().asin() + y.cos().acos() + x.atan() * 0.5 + y.atan2(x)
}

#[user_function]
fn hyperbolic(x: f32) -> f32 {
    let x = x.clamp(-20.0, 20.0);
    x.sinh() - x.cosh() * 0.5 + x.tanh()
}

#[user_function]
fn near_zero(x: f32) -> f32 {
    x.clamp(-30.0, 30.0).exp_m1() + x.abs().ln_1p()
}

#[user_function]
fn roots_and_logs(x: f32, y: f32) -> f32 {
    x.cbrt() + x.abs().log10() - x.hypot(y)
}

#[user_function]
fn of_any_float<T: Float>(x: T, y: T) -> T {
    x.atan2(y) + y.recip().tanh() - x.rem_euclid(y).hypot(x)
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        case::<powers_of_integers, (Each<i32>, Each<u8>, Each<i64>, Each<u32>)>(),
        case::<euclid, (Each<i32>, Each<i32>, Each<u16>)>(),
        case::<euclid_narrow, (Each<i8>, Each<i8>)>(),
        case::<euclid_of_floats, (Each<f32>, Each<f32>)>(),
        case::<euclid_of_doubles, (Each<f64>, Each<f64>)>(),
        case::<differences, (Each<i32>, Each<i32>, Each<u8>, Each<u8>)>(),
        case::<differences_narrow, (Each<i8>, Each<i16>)>(),
        case::<signs_of_integers, (Each<i32>, Each<i64>, Each<i8>)>(),
        case::<multiples, (Each<u32>, Each<u32>, Each<u64>, Each<u8>)>(),
        case::<ones, (Each<u32>, Each<i8>, Each<u64>)>(),
        case::<counts_of_all, (Each<u8>, Each<i16>, Each<i64>, Each<u64>)>(),
        case::<reversals, (Each<u32>, Each<i16>, Each<u64>, Each<u8>)>(),
        case::<rotations, (Each<u8>, Each<i16>, Each<u64>, Each<u32>)>(),
        case::<saturated, (Each<i32>, Each<i32>, Each<u8>, Each<u8>)>(),
        case::<wrapped, (Each<i8>, Each<u16>, Each<i64>, Each<u32>)>(),
        case::<bits_of_floats, (Each<f32>, Each<f64>)>(),
        case::<floats_of_bits, (Each<u32>, Each<u64>)>(),
        case::<fast_inverse_root, (Each<f32>,)>(),
        case::<reciprocals, (Each<f32>, Each<f64>)>(),
        case::<ties, (Each<f32>, Each<f64>)>(),
        case::<sign_bits, (Each<f32>, Each<f64>)>(),
        case::<angles, (Each<f32>, Each<f64>)>(),
        case::<arcs, (Each<f32>, Each<f32>)>(),
        case::<hyperbolic, (Each<f32>,)>(),
        case::<near_zero, (Each<f32>,)>(),
        case::<roots_and_logs, (Each<f32>, Each<f32>)>(),
        case::<of_any_float, (Each<f32>, Each<f32>)>(),
    ]
}
