//! Logarithms.

use super::exp::{LN_2_HIGH, LN_2_LOW, ROUND};
use skel_macros::user_function;
use std::f64::consts::{LOG2_E, LOG10_E};

/// The exponent n and the mantissa m, from √½ to √2, of a positive finite x = 2ⁿ · m; of others, whichever.
#[user_function]
#[inline(always)]
pub(super) fn parts(x: f64) -> (f64, f64) {
    let tiny = x < f64::MIN_POSITIVE;
    let normal = if tiny {
        x * 18_014_398_509_481_984.0
    } else {
        x
    };
    // What 2⁵² with the biased exponent in its low bits has too much.
    let more = if tiny {
        4_503_599_627_371_573.0
    } else {
        4_503_599_627_371_519.0
    };
    // More by 1 less the bits of √½: so the exponent changes there.
    let bits = normal.to_bits().wrapping_add(0x0009_5f61_9980_c433);
    let n = f64::from_bits((bits >> 52) | 0x4330_0000_0000_0000) - more;
    let m = f64::from_bits((bits & 0x000f_ffff_ffff_ffff).wrapping_add(0x3fe6_a09e_667f_3bcd));
    (n, m)
}

/// ln(1 + f) - f + ½f² for 1 + f from √½ to √2, where `half` is ½f².
///
/// With s = f / (2 + f) the logarithm is f - ½f² + s (½f² + s² p(s²)), whose p is (ln((1 + s) / (1 - s)) - 2s) / s³.
/// Error of the logarithm: 2⁻⁵⁹.
#[user_function]
#[inline(always)]
pub(super) fn tail(f: f64, half: f64) -> f64 {
    let s = f / (2.0 + f);
    let z = s * s;
    let mut p = 0.147_734_964_162_784_25;
    p = p * z + 0.153_164_572_369_579_45;
    p = p * z + 0.181_834_624_040_868_86;
    p = p * z + 0.222_222_007_279_115_76;
    p = p * z + 0.285_714_287_188_480_35;
    p = p * z + 0.399_999_999_995_371_34;
    p = p * z + 0.666_666_666_666_671_2;
    s * (half + z * p)
}

/// `value`, unless the logarithm's argument x is 0, negative, infinite or NaN.
#[user_function]
#[inline(always)]
fn defined(x: f64, value: f64) -> f64 {
    let value = if x <= f64::MAX { value } else { x };
    let value = if x == 0.0 { f64::NEG_INFINITY } else { value };
    if x < 0.0 { f64::NAN } else { value }
}

/// Natural logarithm.
#[user_function]
#[inline(always)]
pub(crate) fn ln(x: f64) -> f64 {
    let (n, m) = parts(x);
    let f = m - 1.0;
    let half = 0.5 * f * f;
    let first = n * LN_2_HIGH;
    let sum = first + f;
    let lost = f - (sum - first);
    let rest = n * LN_2_LOW + (tail(f, half) - half);
    defined(x, sum + (lost + rest))
}

/// ln(1 + f) as a sum of a float of 26 bits and a rest.
#[user_function]
#[inline(always)]
fn pair(f: f64) -> (f64, f64) {
    let half = 0.5 * f * f;
    let near = f - half;
    let high = f64::from_bits(near.to_bits() & 0xffff_ffff_f800_0000);
    let low = ((f - high) - half) + tail(f, half);
    (high, low)
}

/// Logarithm to base 2.
#[user_function]
#[inline(always)]
pub(crate) fn log2(x: f64) -> f64 {
    let (n, m) = parts(x);
    let (high, low) = pair(m - 1.0);
    // 1 / ln 2 in 26 bits and a rest: the first product is exact.
    let first = high * 1.442_695_021_629_333_5;
    let rest = low * LOG2_E + high * 1.925_962_991_126_617_5e-8;
    let sum = n + first;
    let lost = first - (sum - n);
    defined(x, sum + (lost + rest))
}

/// Logarithm to base 10.
#[user_function]
#[inline(always)]
pub(crate) fn log10(x: f64) -> f64 {
    let (n, m) = parts(x);
    let (high, low) = pair(m - 1.0);
    let first = n * 0.301_029_995_663_839_14;
    let second = high * 0.434_294_477_105_140_7;
    let rest = n * 1.420_502_322_726_61e-13 + (low * LOG10_E + high * 4.798_111_141_615_973e-9);
    let sum = first + second;
    let lost = second - (sum - first);
    defined(x, sum + (lost + rest))
}

/// ln(1 + x).
///
/// What 1 + x loses by rounding is added to the mantissa again.
#[user_function]
#[inline(always)]
pub(crate) fn ln_1p(x: f64) -> f64 {
    let sum = 1.0 + x;
    let greater = if x > 1.0 { x } else { 1.0 };
    let lesser = if x > 1.0 { 1.0 } else { x };
    let lost = lesser - (sum - greater);
    let (n, m) = parts(sum);
    // 2 to the power of -n: n is from -53 to 1024, and what is lost is 0 from 107 on.
    let reach = if n > 200.0 { 200.0 } else { n };
    let inverse =
        f64::from_bits(0x3ff0_0000_0000_0000_u64.wrapping_sub((reach + ROUND).to_bits() << 52));
    let near = n == 0.0;
    let f = if near { x } else { m - 1.0 };
    let c = if near { 0.0 } else { lost * inverse };
    let square = f * f;
    let half = 0.5 * square;
    let first = n * LN_2_HIGH;
    let whole = first + f;
    let part = f - (whole - first);
    // The derivative of ln(1 + f), to some bits.
    let slope = 1.0 - f + square - square * f;
    let rest = n * LN_2_LOW + ((tail(f, half) - half) + c * slope);
    let value = defined(sum, whole + (part + rest));
    // So that -0 stays.
    if x == 0.0 { x } else { value }
}
