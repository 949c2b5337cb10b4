//! Generic functions.

use super::{Case, case};
use skel::prelude::*;
use skel_core::param::{Each, Uniform};
use std::ops::{AddAssign, Mul, Neg, Sub};

#[user_function]
fn add<T: Number>(a: T, b: T) -> T {
    a + b
}

#[user_function]
fn lerp<T: Float>(a: T, b: T, t: T) -> T {
    a * (T::ONE - t) + b * t
}

#[user_function]
fn sum_of_squares<T: Number>(n: T) -> T {
    let mut sum = T::ZERO;
    let mut k = T::ONE;
    while k < n && k < T::ONE + T::ONE + T::ONE {
        sum += k * k;
        k += T::ONE;
        if sum == n {
            sum -= T::ONE;
        }
    }
    sum
}

#[user_function]
fn within<T: Number>(x: T, low: T, high: T) -> T {
    x.max(low).min(high)
}

#[user_function]
fn hypotenuse<T: Float>(x: T, y: T) -> T {
    let sum = x * x + y * y;
    if sum.is_nan() {
        return -T::ONE;
    }
    T::max(sum.sqrt(), x.abs()).mul_add(T::ONE, y.floor().signum())
}

#[user_function]
fn distance<T>(a: T, b: T) -> T
where
    T: Copy + Sub<Output = T> + Mul<Output = T> + PartialOrd,
{
    let d = if a > b { a - b } else { b - a };
    d * d
}

#[user_function]
fn accumulate<T: Copy + AddAssign + Neg<Output = T>>(x: T, #[uniform] step: T) -> T {
    let mut y = -x;
    y += step;
    y
}

#[user_function]
fn mixes(x: f32, n: i32, d: f64) -> f64 {
    let a = add(x, 2.0) as f64 + add(n, 3) as f64 + add::<u32>(1, 2) as f64;
    let b = lerp(d, 1.5, 0.25) + lerp::<f32>(0.5, x, 0.75) as f64;
    let c = distance(n & 0xFF, 3) as f64 + distance(d, 0.5);
    a + b - c + within(n, -3, 3) as f64
}

#[user_function]
fn inferred(n: u32) -> u32 {
    let a = 1 << (n & 7);
    let mut v = 0;
    v += 3;
    let b = v * 2 + a;
    let f = 0.5;
    let g = f * 2.0 + f;
    let h: f64 = g;
    h as u32 + b + n % 9
}

#[user_function]
fn twice_and_one<T: Number>(x: T, #[uniform] n: i32) -> T {
    x * T::from_i32(2) + T::from_i32(n - 1) - T::from_i32(-3)
}

#[user_function]
fn halfway<T>(x: T, y: T) -> T
where
    T: Float,
{
    T::from_f64(0.5) * (x + y) + T::from_f64(0.1)
}

/// A trait of one's own with a function of that name.
#[user_function]
trait Coded {
    fn from_i32(code: i32) -> i32;
}

#[user_function]
impl Coded for u8 {
    fn from_i32(code: i32) -> i32 {
        code * 10
    }
}

#[user_function]
fn coded_as<C: Coded>(x: i32) -> i32 {
    C::from_i32(x) + 1
}

#[user_function]
fn coded(x: i32) -> i32 {
    coded_as::<u8>(x)
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        case::<twice_and_one, (Each<f32>, Uniform<i32>)>(),
        case::<twice_and_one, (Each<f64>, Uniform<i32>)>(),
        case::<twice_and_one, (Each<u8>, Uniform<i32>)>(),
        case::<twice_and_one, (Each<i64>, Uniform<i32>)>(),
        case::<halfway, (Each<f32>, Each<f32>)>(),
        case::<halfway, (Each<f64>, Each<f64>)>(),
        case::<coded, (Each<i32>,)>(),
        case::<add, (Each<f32>, Each<f32>)>(),
        case::<add, (Each<u32>, Each<u32>)>(),
        case::<lerp, (Each<f64>, Each<f64>, Each<f64>)>(),
        case::<sum_of_squares, (Each<i32>,)>(),
        case::<sum_of_squares, (Each<f32>,)>(),
        case::<within, (Each<f32>, Each<f32>, Each<f32>)>(),
        case::<within, (Each<usize>, Each<usize>, Each<usize>)>(),
        case::<hypotenuse, (Each<f32>, Each<f32>)>(),
        case::<hypotenuse, (Each<f64>, Each<f64>)>(),
        case::<distance, (Each<i32>, Each<i32>)>(),
        case::<accumulate, (Each<f32>, Uniform<f32>)>(),
        case::<mixes, (Each<f32>, Each<i32>, Each<f64>)>(),
        case::<inferred, (Each<u32>,)>(),
    ]
}
