//! What is swept: every method and operator of floats, and every cast from and to them, several in one
//! function where they have the same contract.

use skel::{half::f16, prelude::*};

#[user_function]
pub(super) fn rounded<T: Float>(x: T) -> (T, T, T, T) {
    (x.floor(), x.ceil(), x.round(), x.trunc())
}

#[user_function]
pub(super) fn parts<T: Float>(x: T) -> (T, T, T, T) {
    (x.round_ties_even(), x.fract(), x.abs(), x.signum())
}

#[user_function]
pub(super) fn scaled<T: Float>(x: T) -> (T, T, T, T) {
    (x.recip(), x.to_degrees(), x.to_radians(), x.sqrt())
}

#[user_function]
pub(super) fn classes<T: Float>(x: T) -> (bool, bool, bool) {
    (x.is_nan(), x.is_finite(), x.is_infinite())
}

/// The sign of a NaN is open.
#[user_function]
pub(super) fn signs<T: Float>(x: T) -> (bool, bool, T) {
    let y = if x.is_nan() { T::ONE } else { x };
    (y.is_sign_positive(), y.is_sign_negative(), -x)
}

#[user_function]
pub(super) fn sums<T: Float>(x: T, y: T) -> (T, T, T, T) {
    (x + y, x - y, x * y, x / y)
}

#[user_function]
pub(super) fn remainders<T: Float>(x: T, y: T) -> (T, T, T, T) {
    let sign = if y.is_nan() { T::ONE } else { y };
    (x % y, x.div_euclid(y), x.rem_euclid(y), x.copysign(sign))
}

#[user_function]
pub(super) fn ordered<T: Float>(x: T, y: T) -> (bool, bool, bool, bool) {
    (x < y, x <= y, x == y, x != y)
}

#[user_function]
pub(super) fn bounded<T: Float>(x: T, y: T) -> (T, T, bool, bool) {
    (x.min(y), x.max(y), x > y, x >= y)
}

#[user_function]
pub(super) fn clamped<T: Float>(x: T, low: T, high: T) -> T {
    x.clamp(low, high)
}

#[user_function]
pub(super) fn multiplied_and_added<T: Float>(x: T, y: T, z: T) -> T {
    x.mul_add(y, z)
}

/// What `mul_add` is where it is rounded twice.
#[user_function]
pub(super) fn rounded_twice<T: Float>(x: T, y: T, z: T) -> T {
    x * y + z
}

#[user_function]
pub(super) fn exponentials<T: Float>(x: T) -> (T, T, T, T) {
    (x.exp(), x.exp2(), x.ln(), x.log2())
}

#[user_function]
pub(super) fn tame<T: Float>(x: T) -> (T, T, T) {
    (x.acos(), x.ln_1p(), x.tanh())
}

#[user_function]
pub(super) fn wild<T: Float>(x: T) -> (T, T, T, T) {
    (x.asin(), x.atan(), x.sinh(), x.cosh())
}

#[user_function]
pub(super) fn near_zero<T: Float>(x: T) -> (T, T) {
    (x.exp_m1(), x.log10())
}

#[user_function]
pub(super) fn cube_root<T: Float>(x: T) -> T {
    x.cbrt()
}

#[user_function]
pub(super) fn waves<T: Float>(x: T) -> (T, T) {
    (x.sin(), x.cos())
}

#[user_function]
pub(super) fn tangent<T: Float>(x: T) -> T {
    x.tan()
}

#[user_function]
pub(super) fn power<T: Float>(x: T, y: T) -> T {
    x.powf(y)
}

#[user_function]
pub(super) fn angle<T: Float>(x: T, y: T) -> T {
    x.atan2(y)
}

#[user_function]
pub(super) fn length<T: Float>(x: T, y: T) -> T {
    x.hypot(y)
}

#[user_function]
pub(super) fn whole_power<T: Float>(x: T, n: i32) -> T {
    x.powi(n)
}

#[user_function]
pub(super) fn single_to_signed(x: f32) -> (i8, i16, i32, i64) {
    (x as i8, x as i16, x as i32, x as i64)
}

#[user_function]
pub(super) fn single_to_unsigned(x: f32) -> (u8, u16, u32, u64) {
    (x as u8, x as u16, x as u32, x as u64)
}

#[user_function]
pub(super) fn single_to_size(x: f32) -> (isize, usize) {
    (x as isize, x as usize)
}

#[user_function]
pub(super) fn double_to_signed(x: f64) -> (i8, i16, i32, i64) {
    (x as i8, x as i16, x as i32, x as i64)
}

#[user_function]
pub(super) fn double_to_unsigned(x: f64) -> (u8, u16, u32, u64) {
    (x as u8, x as u16, x as u32, x as u64)
}

#[user_function]
pub(super) fn double_to_size(x: f64) -> (isize, usize) {
    (x as isize, x as usize)
}

#[user_function]
pub(super) fn to_double(x: f32) -> f64 {
    x as f64
}

#[user_function]
pub(super) fn to_single(x: f64) -> f32 {
    x as f32
}

#[user_function]
pub(super) fn signed_to_single(a: i8, b: i16, c: i32, d: i64) -> (f32, f32, f32, f32) {
    (a as f32, b as f32, c as f32, d as f32)
}

#[user_function]
pub(super) fn unsigned_to_single(a: u8, b: u16, c: u32, d: u64) -> (f32, f32, f32, f32) {
    (a as f32, b as f32, c as f32, d as f32)
}

#[user_function]
pub(super) fn signed_to_double(a: i8, b: i16, c: i32, d: i64) -> (f64, f64, f64, f64) {
    (a as f64, b as f64, c as f64, d as f64)
}

#[user_function]
pub(super) fn unsigned_to_double(a: u8, b: u16, c: u32, d: u64) -> (f64, f64, f64, f64) {
    (a as f64, b as f64, c as f64, d as f64)
}

#[user_function]
pub(super) fn size_to_float(a: isize, b: usize) -> (f32, f32, f64, f64) {
    (a as f32, b as f32, a as f64, b as f64)
}

#[user_function]
pub(super) fn half_to_wide(x: f16) -> (f32, f64) {
    (x.to_f32(), x.to_f64())
}

#[user_function]
pub(super) fn half_of_single(x: f32) -> f16 {
    f16::from_f32(x)
}

/// Which bits a NaN has is open.
#[user_function]
pub(super) fn single_bits(x: f32, n: u32) -> (u32, f32) {
    let y = if x.is_nan() { 1.0 } else { x };
    (y.to_bits(), f32::from_bits(n))
}

#[user_function]
pub(super) fn double_bits(x: f64, n: u64) -> (u64, f64) {
    let y = if x.is_nan() { 1.0 } else { x };
    (y.to_bits(), f64::from_bits(n))
}

#[user_function]
pub(super) fn half_bits(x: f16, n: u16) -> (u16, f16) {
    let y = if x.is_nan() { f16::ONE } else { x };
    (y.to_bits(), f16::from_bits(n))
}
