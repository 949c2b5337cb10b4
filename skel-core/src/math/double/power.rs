//! Powers.

use super::{exp::octaves, ln::parts};
use skel_macros::user_function;

/// The product as a sum of two floats: factors cut to 26 bits have exact products.
#[user_function]
#[inline(always)]
pub(super) fn product(a: f64, b: f64) -> (f64, f64) {
    let a_high = f64::from_bits(a.to_bits() & 0xffff_ffff_f800_0000);
    let b_high = f64::from_bits(b.to_bits() & 0xffff_ffff_f800_0000);
    let a_low = a - a_high;
    let b_low = b - b_high;
    let whole = a * b;
    let lost = ((a_high * b_high - whole) + a_high * b_low + a_low * b_high) + a_low * b_low;
    (whole, lost)
}

/// The logarithm to base 2 of a positive finite x, as a sum of two floats with some 65 bits.
///
/// With s = (m - 1) / (m + 1) the logarithm of m is 2/ln 2 · (s + s³/3 + s⁵/5 + …); the polynomial has the terms from s⁵
/// on, with an error of 2⁻⁷² of the logarithm.
#[user_function]
#[inline(always)]
fn log2_pair(x: f64) -> (f64, f64) {
    let (n, m) = parts(x);
    let f = m - 1.0;
    let sum = m + 1.0;
    let sum_rest = m - (sum - 1.0);
    let inverse = 1.0 / sum;
    let s = f * inverse;
    let (back, back_rest) = product(s, sum);
    let s_rest = (((f - back) - back_rest) - s * sum_rest) * inverse;
    let (z, z_lost) = product(s, s);
    let z_rest = z_lost + 2.0 * s * s_rest;
    let mut p = 0.172_279_486_613_532_48;
    p = p * z + 0.168_528_752_887_296_02;
    p = p * z + 0.192_396_782_360_265_56;
    p = p * z + 0.221_952_411_091_618_7;
    p = p * z + 0.262_308_196_194_455;
    p = p * z + 0.320_598_897_936_825_9;
    p = p * z + 0.412_198_583_111_226_9;
    p = p * z + 0.577_078_016_355_585_3;
    let (third, third_lost) = product(z, 0.961_796_693_925_975_6);
    let third_rest = third_lost
        + (z_rest * 0.961_796_693_925_975_6 + (z * 5.057_761_664_812_590_7e-17 + z * z * p));
    let head = 2.885_390_081_777_926_8 + third;
    let head_rest =
        (third - (head - 2.885_390_081_777_926_8)) + (third_rest + 4.071_054_748_186_206_6e-17);
    let (whole, whole_lost) = product(s, head);
    let whole_rest = whole_lost + (s * head_rest + s_rest * head);
    let high = n + whole;
    let low = (whole - (high - n)) + whole_rest;
    let value = high + low;
    (value, low - (value - high))
}

/// x to the power of y.
#[user_function]
#[inline(always)]
pub(crate) fn powf(x: f64, y: f64) -> f64 {
    let base = x.abs();
    let (high, low) = log2_pair(base);
    // Beyond these the result is infinite or 0, and the halves of the product stay finite.
    let bounded = if y > 1.0e25 { 1.0e25 } else { y };
    let bounded = if bounded < -1.0e25 { -1.0e25 } else { bounded };
    let (whole, lost) = product(bounded, high);
    let rest = lost + bounded * low;
    let in_range = whole > -1100.0 && whole < 1100.0;
    let limit = if whole > 0.0 { 1100.0 } else { -1100.0 };
    let value = octaves(
        if in_range { whole } else { limit },
        if in_range { rest } else { 0.0 },
    );
    // Of 0 and infinity.
    let grows = (base > 1.0) == (y > 0.0);
    let end = if grows { f64::INFINITY } else { 0.0 };
    let ends = base == 0.0 || base > f64::MAX;
    let value = if ends { end } else { value };
    // Whether y is an integer, and odd.
    let size = y.abs();
    let large = size >= 4_503_599_627_370_496.0;
    let shifted = if large {
        size
    } else {
        size + 4_503_599_627_370_496.0
    };
    let whole = large || shifted - 4_503_599_627_370_496.0 == size;
    let odd = whole && size < 9_007_199_254_740_992.0 && (shifted.to_bits() & 1) == 1;
    let negative = x.is_sign_negative();
    let value = if negative && odd { -value } else { value };
    let undefined = negative && !whole && !ends;
    let value = if undefined || x.is_nan() || y.is_nan() {
        f64::NAN
    } else {
        value
    };
    let one = x == 1.0 || y == 0.0 || (x == -1.0 && size > f64::MAX);
    if one { 1.0 } else { value }
}
