//! Arc sine, arc cosine, arc tangent.

use skel_macros::user_function;
use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, PI};

/// (asin √z - √z) / √z³ for z from 0 to ¼.
#[user_function]
#[inline(always)]
fn tail(z: f32) -> f32 {
    let mut p = 3.770_213e-2;
    p = p * z + 1.431_217_2e-2;
    p = p * z + 3.183_952_3e-2;
    p = p * z + 4.451_335_2e-2;
    p = p * z + 7.500_522e-2;
    p * z + 1.666_666e-1
}

/// Arc sine. Beyond ½ it is π/2 less twice that of √(½(1 - x)).
#[user_function]
#[inline(always)]
pub(crate) fn asin(x: f32) -> f32 {
    let positive = x.abs();
    let small = positive < 0.5;
    let z = if small { x * x } else { 0.5 * (1.0 - positive) };
    let s = if small { positive } else { z.sqrt() };
    let rest = s * z * tail(z);
    // The root as 12 bits and a rest, and π/2 as π/4 twice: so the difference is nearly exact.
    let cut = f32::from_bits(s.to_bits() & 0xffff_f000);
    let sum = if z == 0.0 { 1.0 } else { s + cut };
    let lost = (z - cut * cut) / sum;
    let taken = 2.0 * rest + (2.0 * lost + 4.371_139e-8);
    let value = if small {
        s + rest
    } else {
        FRAC_PI_4 - (taken - (FRAC_PI_4 - 2.0 * cut))
    };
    value.copysign(x)
}

/// Arc cosine.
#[user_function]
#[inline(always)]
pub(crate) fn acos(x: f32) -> f32 {
    let positive = x.abs();
    let small = positive < 0.5;
    let z = if small { x * x } else { 0.5 * (1.0 - positive) };
    let s = if small { x } else { z.sqrt() };
    let rest = s * z * tail(z);
    if small {
        FRAC_PI_2 - (s + (rest + 4.371_139e-8))
    } else {
        let half = s + rest;
        if x > 0.0 {
            2.0 * half
        } else {
            PI - (2.0 * half + 8.742_278e-8)
        }
    }
}

/// The arc tangent of above / below, neither of which is negative, and which are not both 0 or infinite.
///
/// The quotient is brought below tan π/8: to its reciprocal's negative, from π/2, or to that of
/// (above - below) / (above + below), from π/4.
#[user_function]
#[inline(always)]
fn of_quotient(above: f32, below: f32) -> f32 {
    let small = above < 0.414_213_57 * below;
    let large = below < 0.414_213_57 * above;
    let num = if small {
        above
    } else {
        if large { -below } else { above - below }
    };
    let den = if small {
        below
    } else {
        if large { above } else { above + below }
    };
    let high = if small {
        0.0
    } else {
        if large { FRAC_PI_2 } else { FRAC_PI_4 }
    };
    let low = if small {
        0.0
    } else {
        if large {
            -4.371_139e-8
        } else {
            -2.185_569_4e-8
        }
    };
    let r = num / den;
    let z = r * r;
    let mut p = -6.088_826e-2;
    p = p * z + 1.059_875_2e-1;
    p = p * z - 1.424_434_6e-1;
    p = p * z + 1.999_852_7e-1;
    p = p * z - 3.333_331_6e-1;
    high + (r + (r * z * p + low))
}

/// Arc tangent.
#[user_function]
#[inline(always)]
pub(crate) fn atan(x: f32) -> f32 {
    let positive = x.abs();
    // 2²⁶ is as good as infinity.
    let bounded = if positive > 67_108_864.0 {
        67_108_864.0
    } else {
        positive
    };
    of_quotient(bounded, 1.0).copysign(x)
}

/// The angle of the point (x, y).
#[user_function]
#[inline(always)]
pub(crate) fn atan2(y: f32, x: f32) -> f32 {
    let above = y.abs();
    let below = x.abs();
    // Two infinities are as two ones, and two zeros as 0 above 1.
    let infinite = above > f32::MAX && below > f32::MAX;
    let zero = above == 0.0 && below == 0.0;
    let above = if infinite { 1.0 } else { above };
    let below = if infinite || zero { 1.0 } else { below };
    // So that the sum of both is finite, and the products of subnormal numbers are none.
    let greater = if above > below { above } else { below };
    let tiny = if greater < 1.0e-30 { 16_777_216.0 } else { 1.0 };
    let factor = if greater > 1.0e30 { 0.25 } else { tiny };
    let angle = of_quotient(above * factor, below * factor);
    let value = if x.is_sign_negative() {
        PI - (angle + 8.742_278e-8)
    } else {
        angle
    };
    let value = value.copysign(y);
    if y.is_nan() || x.is_nan() {
        f32::NAN
    } else {
        value
    }
}
