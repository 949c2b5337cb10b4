//! Sine, cosine and tangent.

use super::{
    angle::{NEAR, angle, near},
    power::product,
};
use skel_macros::user_function;
use std::cell::Cell;

/// The sine of r + rest, for |r| up to π/4, and what its rounding loses.
#[user_function]
#[inline(always)]
fn sine_pair(r: f32, rest: f32) -> (f32, f32) {
    let z = r * r;
    let mut p = 2.832_446_2e-6;
    p = p * z - 1.985_306e-4;
    p = p * z + 8.333_379e-3;
    p = p * z - 1.666_666_7e-1;
    let tail = r * z * p + rest;
    let value = r + tail;
    (value, tail - (value - r))
}

/// The cosine of r + rest, for |r| up to π/4, and what its rounding loses.
#[user_function]
#[inline(always)]
fn cosine_pair(r: f32, rest: f32) -> (f32, f32) {
    let z = r * r;
    let mut p = 2.443_210_2e-5;
    p = p * z - 1.388_730_8e-3;
    p = p * z + 4.166_664_6e-2;
    let half = 0.5 * z;
    let first = 1.0 - half;
    let tail = ((1.0 - first) - half) + (z * z * p - r * rest);
    let value = first + tail;
    (value, tail - (value - first))
}

/// The sine of r + rest, for |r| up to π/4.
#[user_function]
#[inline(always)]
fn sine(r: f32, rest: f32) -> f32 {
    let (value, _) = sine_pair(r, rest);
    value
}

/// The cosine of r + rest, for |r| up to π/4.
#[user_function]
#[inline(always)]
fn cosine(r: f32, rest: f32) -> f32 {
    let (value, _) = cosine_pair(r, rest);
    value
}

/// `value` with the sign turned where `turn`, whose other bits are 0, has the sign bit; NaN where x has no angle.
#[user_function]
#[inline(always)]
fn turned(x: f32, value: f32, turn: u32) -> f32 {
    let value = f32::from_bits(value.to_bits() ^ turn);
    if x <= f32::MAX { value } else { f32::NAN }
}

/// The sine of x, whose angle is given.
#[user_function]
#[inline(always)]
fn sin_of(x: f32, angle: (u32, f32, f32)) -> f32 {
    let positive = x.abs();
    let (n, r, rest) = angle;
    let (s, c) = (sine(r, rest), cosine(r, rest));
    let value = if (n & 1) == 0 { s } else { c };
    let turn = (x.to_bits() & 0x8000_0000) ^ ((n & 2) << 30);
    turned(positive, value, turn)
}

/// The cosine of x, whose angle is given.
#[user_function]
#[inline(always)]
fn cos_of(x: f32, angle: (u32, f32, f32)) -> f32 {
    let positive = x.abs();
    let (n, r, rest) = angle;
    let (s, c) = (sine(r, rest), cosine(r, rest));
    let value = if (n & 1) == 0 { c } else { s };
    turned(positive, value, (n.wrapping_add(1) & 2) << 30)
}

/// The tangent of x, whose angle is given: the quotient of both, each with what its rounding loses.
#[user_function]
#[inline(always)]
fn tan_of(x: f32, angle: (u32, f32, f32)) -> f32 {
    let positive = x.abs();
    let (n, r, rest) = angle;
    let (s, s_lost) = sine_pair(r, rest);
    let (c, c_lost) = cosine_pair(r, rest);
    let even = (n & 1) == 0;
    let above = if even { s } else { c };
    let above_lost = if even { s_lost } else { c_lost };
    let below = if even { c } else { s };
    let below_lost = if even { c_lost } else { s_lost };
    let inverse = 1.0 / below;
    let quotient = above * inverse;
    let (back, back_lost) = product(quotient, below);
    let left = ((above - back) - back_lost) + (above_lost - quotient * below_lost);
    let value = quotient + left * inverse;
    // So that -0 stays.
    let value = if positive == 0.0 { 0.0 } else { value };
    let turn = (x.to_bits() & 0x8000_0000) ^ ((n & 1) << 31);
    turned(positive, value, turn)
}

/// A function of an angle, and the same for small angles alone, as most are: `far` is set where one is not, and the value
/// is that of another angle then, so that what follows does not see what no angle has.
macro_rules! of_angle {
    ($($doc:literal $name:ident $of:ident $near:ident;)*) => { $(
        #[doc = $doc]
        #[user_function]
        #[inline(always)]
        pub(crate) fn $name(x: f32) -> f32 {
            $of(x, angle(x.abs()))
        }

        #[doc = $doc]
        #[inline(always)]
        pub(crate) fn $near(x: f32, far: &Cell<bool>) -> f32 {
            let is_far = x.abs() >= NEAR;
            far.set(far.get() | is_far);
            let x = if is_far { 0.0 } else { x };
            $of(x, near(x.abs()))
        }
    )* };
}
of_angle! {
    "Sine." sin sin_of near_sin;
    "Cosine." cos cos_of near_cos;
    "Tangent." tan tan_of near_tan;
}
