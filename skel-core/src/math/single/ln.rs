//! Logarithms.

use super::exp::{LN_2_HIGH, LN_2_LOW};
use skel_macros::user_function;
use std::f32::consts::{LOG2_E, LOG10_E};

/// The exponent n and the mantissa m, from √½ to √2, of a positive finite x = 2ⁿ · m; of others, whichever.
#[user_function]
#[inline(always)]
pub(super) fn parts(x: f32) -> (f32, f32) {
    let tiny = x < f32::MIN_POSITIVE;
    let normal = if tiny { x * 8_388_608.0 } else { x };
    let less = if tiny { -23 } else { 0 };
    // The bits of √½ less: so the exponent changes there.
    let bits = normal.to_bits().wrapping_sub(0x3f35_04f3);
    let n = (bits as i32 >> 23) + less;
    let m = f32::from_bits((bits & 0x007f_ffff).wrapping_add(0x3f35_04f3));
    (n as f32, m)
}

/// (ln(1 + f) - f + ½f²) / f³ for 1 + f from √½ to √2.
#[user_function]
#[inline(always)]
pub(super) fn tail(f: f32) -> f32 {
    let mut p = -7.626_246e-2;
    p = p * f + 1.277_284_6e-1;
    p = p * f - 1.316_495_2e-1;
    p = p * f + 1.420_048_6e-1;
    p = p * f - 1.662_306e-1;
    p = p * f + 2.000_126_1e-1;
    p = p * f - 2.500_082_3e-1;
    p * f + 3.333_333e-1
}

/// `value`, unless the logarithm's argument x is 0, negative, infinite or NaN.
#[user_function]
#[inline(always)]
fn defined(x: f32, value: f32) -> f32 {
    let value = if x <= f32::MAX { value } else { x };
    let value = if x == 0.0 { f32::NEG_INFINITY } else { value };
    if x < 0.0 { f32::NAN } else { value }
}

/// Natural logarithm.
#[user_function]
#[inline(always)]
pub(crate) fn ln(x: f32) -> f32 {
    let (n, m) = parts(x);
    let f = m - 1.0;
    let square = f * f;
    let first = n * LN_2_HIGH;
    let sum = first + f;
    let lost = f - (sum - first);
    let rest = n * LN_2_LOW + (square * f * tail(f) - 0.5 * square);
    defined(x, sum + (lost + rest))
}

/// ln(1 + f) as a sum of a float of 12 bits and a rest.
#[user_function]
#[inline(always)]
fn pair(f: f32) -> (f32, f32) {
    let square = f * f;
    let half = 0.5 * square;
    let near = f - half;
    let high = f32::from_bits(near.to_bits() & 0xffff_f000);
    let low = ((f - high) - half) + square * f * tail(f);
    (high, low)
}

/// Logarithm to base 2.
#[user_function]
#[inline(always)]
pub(crate) fn log2(x: f32) -> f32 {
    let (n, m) = parts(x);
    let (high, low) = pair(m - 1.0);
    // 1 / ln 2 in 12 bits and a rest: the first product is exact.
    let first = high * 1.442_871_1;
    let rest = low * LOG2_E + high * -1.760_528_5e-4;
    let sum = n + first;
    let lost = first - (sum - n);
    defined(x, sum + (lost + rest))
}

/// Logarithm to base 10.
#[user_function]
#[inline(always)]
pub(crate) fn log10(x: f32) -> f32 {
    let (n, m) = parts(x);
    let (high, low) = pair(m - 1.0);
    let first = n * 0.301_025_4;
    let second = high * 0.434_326_17;
    let rest = n * 4.605_039e-6 + (low * LOG10_E + high * -3.168_997e-5);
    let sum = first + second;
    let lost = second - (sum - first);
    defined(x, sum + (lost + rest))
}

/// ln(1 + x).
///
/// What 1 + x loses by rounding is added to the mantissa again.
#[user_function]
#[inline(always)]
pub(crate) fn ln_1p(x: f32) -> f32 {
    let sum = 1.0 + x;
    let greater = if x > 1.0 { x } else { 1.0 };
    let lesser = if x > 1.0 { 1.0 } else { x };
    let lost = lesser - (sum - greater);
    let (n, m) = parts(sum);
    // 2 to the power of -n: n is from -24 to 128, and what is lost is 0 from 49 on.
    let reach = if n > 100.0 { 100.0 } else { n };
    let inverse = f32::from_bits(0x3f80_0000_u32.wrapping_sub(((reach as i32) as u32) << 23));
    let near = n == 0.0;
    let f = if near { x } else { m - 1.0 };
    let c = if near { 0.0 } else { lost * inverse };
    let square = f * f;
    let first = n * LN_2_HIGH;
    let whole = first + f;
    let part = f - (whole - first);
    // The derivative of ln(1 + f), to some bits.
    let slope = 1.0 - f + square - square * f;
    let rest = n * LN_2_LOW + (square * f * tail(f) - 0.5 * square + c * slope);
    let value = defined(sum, whole + (part + rest));
    // So that -0 stays.
    if x == 0.0 { x } else { value }
}
