//! Floats of 16 bits.

use super::{Case, case};
use skel::{half::f16, prelude::*};
use skel_core::param::{Each, EachMut, Uniform, Whole};

/// A value of 2.5 that the compiler knows.
const SCALE: f16 = f16::from_f32_const(2.5);

#[user_function]
fn arithmetic(a: f16, b: f16) -> f16 {
    (a + b) * (a - b) / SCALE - a % b
}

#[user_function]
fn fused_would_differ(a: f16, b: f16, c: f16) -> f16 {
    a * b + c
}

#[user_function]
fn compared(a: f16, b: f16) -> u32 {
    let mut n = 0;
    if a < b {
        n += 1;
    }
    if a >= b {
        n += 2;
    }
    if a == b {
        n += 4;
    }
    if a != b {
        n += 8;
    }
    if a.is_nan() || b.is_infinite() {
        n += 16;
    }
    if a.is_sign_negative() && b.is_finite() {
        n += 32;
    }
    n
}

#[user_function]
fn from_single(x: f32) -> f16 {
    f16::from_f32(x)
}

#[user_function]
fn to_single(x: f16) -> (f32, f32) {
    (x.to_f32(), f32::from(-x))
}

#[user_function]
fn to_double(x: f16) -> f64 {
    f64::from(x) + x.to_f64()
}

#[user_function]
fn from_small(a: i8, b: u8) -> f16 {
    f16::from(a) / f16::from(b)
}

#[user_function]
fn bits(x: f16, n: u16) -> (u16, f16) {
    // The bits of NaN are open.
    let own = if x.is_nan() { 0 } else { x.to_bits() };
    (own ^ n, f16::from_bits(n) * SCALE)
}

#[user_function]
fn limited(x: f16, y: f16) -> f16 {
    let low = f16::NEG_ONE;
    x.min(y).clamp(low, f16::MAX).max(f16::MIN_POSITIVE) * x.signum().copysign(y)
}

#[user_function]
fn unordered_bounds(x: f16, low: f16, high: f16) -> f16 {
    x.clamp(low, high)
}

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct Packed {
    weights: [f16; 3],
    bias: f16,
    tag: u16,
}
skel_verify::to_value!(Packed);

#[user_function]
fn weighted(p: Packed, x: f16) -> Packed {
    let mut q = p;
    for k in 0..3 {
        q.weights[k] *= x;
        q.bias += q.weights[k];
    }
    if p.weights == q.weights {
        q.tag += 1;
    }
    q
}

#[user_function]
fn in_place(x: &mut f16, #[uniform] k: f16) {
    *x += k;
    *x *= SCALE;
    *x -= f16::EPSILON;
    *x /= k;
}

#[user_function]
fn horner<T: Float>(x: T, a: T, b: T) -> T {
    (a * x + b) * x + T::ONE
}

#[user_function]
fn polynomial(x: f16, a: f16) -> f16 {
    horner(x, a, f16::from_f32(0.1))
}

#[user_function]
fn rooted<T: Float>(x: T, y: T) -> T {
    let root = x.abs().sqrt() - y.floor();
    root.recip() + x.rem_euclid(y) + y.round_ties_even().mul_add(x, y)
}

#[user_function]
fn smooth<T: Float>(x: T) -> T {
    x.sin() * x.abs().ln_1p() + x.powi(2)
}

/// Adds up as `f16`, then as `f32`: the first loses what the second keeps.
#[user_function]
fn sums(xs: &[f16], start: f16) -> f32 {
    let mut short = start;
    let mut long = start.to_f32();
    for i in 0..xs.len() {
        short += xs[i];
        long += xs[i].to_f32();
    }
    long - short.to_f32()
}

const TABLE: [f16; 4] = [f16::ZERO, f16::ONE, f16::PI, f16::MIN_POSITIVE_SUBNORMAL];

#[user_function]
fn looked_up(i: u32, x: f16) -> f16 {
    TABLE[(i % 4) as usize] * x
}

pub fn cases() -> Vec<Case> {
    vec![
        case::<arithmetic, (Each<f16>, Each<f16>)>(),
        case::<fused_would_differ, (Each<f16>, Each<f16>, Each<f16>)>(),
        case::<compared, (Each<f16>, Each<f16>)>(),
        case::<from_single, (Each<f32>,)>(),
        case::<to_single, (Each<f16>,)>(),
        case::<to_double, (Each<f16>,)>(),
        case::<from_small, (Each<i8>, Each<u8>)>(),
        case::<bits, (Each<f16>, Each<u16>)>(),
        case::<limited, (Each<f16>, Each<f16>)>(),
        case::<unordered_bounds, (Each<f16>, Each<f16>, Each<f16>)>(),
        case::<weighted, (Each<Packed>, Each<f16>)>(),
        case::<in_place, (EachMut<f16>, Uniform<f16>)>(),
        case::<horner, (Each<f16>, Each<f16>, Each<f16>)>(),
        case::<polynomial, (Each<f16>, Each<f16>)>(),
        case::<rooted, (Each<f16>, Each<f16>)>(),
        case::<smooth, (Each<f16>,)>(),
        case::<sums, (Whole<f16>, Each<f16>)>(),
        case::<looked_up, (Each<u32>, Each<f16>)>(),
    ]
}
