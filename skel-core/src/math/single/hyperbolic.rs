//! Hyperbolic sine, cosine and tangent.

use super::exp::exp_shifted;
use skel_macros::user_function;

/// Hyperbolic sine.
#[user_function]
#[inline(always)]
pub(crate) fn sinh(x: f32) -> f32 {
    let positive = x.abs();
    let z = x * x;
    let mut p = 2.782_211_8e-6;
    p = p * z + 1.984_289_6e-4;
    p = p * z + 8.333_310_5e-3;
    p = p * z + 1.666_666_7e-1;
    let near = positive + positive * z * p;
    // Half of the exponential, which is finite where the result is.
    let half = exp_shifted(positive, -1);
    let far = half - 0.25 / half;
    let value = if positive < 1.0 { near } else { far };
    value.copysign(x)
}

/// Hyperbolic cosine.
#[user_function]
#[inline(always)]
pub(crate) fn cosh(x: f32) -> f32 {
    let half = exp_shifted(x.abs(), -1);
    half + 0.25 / half
}

/// Hyperbolic tangent.
#[user_function]
#[inline(always)]
pub(crate) fn tanh(x: f32) -> f32 {
    let positive = x.abs();
    let z = x * x;
    let mut p = 2.133_624_4e-3;
    p = p * z - 8.182_109e-3;
    p = p * z + 2.170_707_7e-2;
    p = p * z - 5.394_853_3e-2;
    p = p * z + 1.333_322_4e-1;
    p = p * z - 3.333_333e-1;
    let near = positive + positive * z * p;
    // From 10 on it is 1.
    let bounded = if positive > 10.0 { 10.0 } else { positive };
    let half = exp_shifted(2.0 * bounded, -1);
    let far = 1.0 - 1.0 / (half + 0.5);
    let value = if positive < 0.55 { near } else { far };
    value.copysign(x)
}
