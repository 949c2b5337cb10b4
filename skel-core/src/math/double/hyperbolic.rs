//! Hyperbolic sine, cosine and tangent.

use super::exp::exp_shifted;
use skel_macros::user_function;

/// Hyperbolic sine. The polynomial gives (sinh √z - √z) / √z³ for z up to 1. Error: 2⁻⁶¹.
#[user_function]
#[inline(always)]
pub(crate) fn sinh(x: f64) -> f64 {
    let positive = x.abs();
    let z = x * x;
    let mut p = 7.784_094_682_472_344e-13;
    p = p * z + 1.605_641_749_478_78e-10;
    p = p * z + 2.505_213_397_325_415_5e-8;
    p = p * z + 2.755_731_908_949_498_4e-6;
    p = p * z + 1.984_126_984_163_984e-4;
    p = p * z + 8.333_333_333_332_867e-3;
    p = p * z + 0.166_666_666_666_666_69;
    let near = positive + positive * z * p;
    // Half of the exponential, which is finite where the result is.
    let half = exp_shifted(positive, 2047);
    let far = half - 0.25 / half;
    let value = if positive < 1.0 { near } else { far };
    value.copysign(x)
}

/// Hyperbolic cosine.
#[user_function]
#[inline(always)]
pub(crate) fn cosh(x: f64) -> f64 {
    let half = exp_shifted(x.abs(), 2047);
    half + 0.25 / half
}

/// Hyperbolic tangent. The polynomial gives (tanh √z - √z) / √z³ for z up to 0.3025. Error: 2⁻⁶⁰.
#[user_function]
#[inline(always)]
pub(crate) fn tanh(x: f64) -> f64 {
    let positive = x.abs();
    let z = x * x;
    let mut p = -1.960_004_739_357_174_2e-5;
    p = p * z + 8.351_426_297_906_345e-5;
    p = p * z - 2.335_410_751_881_766e-4;
    p = p * z + 5.885_169_053_733_027e-4;
    p = p * z - 1.455_563_219_104_127_8e-3;
    p = p * z + 3.592_095_710_041_635e-3;
    p = p * z - 8.863_233_028_537_79e-3;
    p = p * z + 2.186_948_841_680_928_4e-2;
    p = p * z - 5.396_825_396_507_000_4e-2;
    p = p * z + 0.133_333_333_333_294_36;
    p = p * z - 0.333_333_333_333_333_2;
    let near = positive + positive * z * p;
    // From 20 on it is 1.
    let bounded = if positive > 20.0 { 20.0 } else { positive };
    let half = exp_shifted(2.0 * bounded, 2047);
    let far = 1.0 - 1.0 / (half + 0.5);
    let value = if positive < 0.55 { near } else { far };
    value.copysign(x)
}
