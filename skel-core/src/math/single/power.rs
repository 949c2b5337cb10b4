//! Powers.

use super::{exp::octaves, ln::parts};
use skel_macros::user_function;

/// The product as a sum of two floats: factors cut to 12 bits have exact products.
#[user_function]
#[inline(always)]
pub(super) fn product(a: f32, b: f32) -> (f32, f32) {
    let a_high = f32::from_bits(a.to_bits() & 0xffff_f000);
    let b_high = f32::from_bits(b.to_bits() & 0xffff_f000);
    let a_low = a - a_high;
    let b_low = b - b_high;
    let whole = a * b;
    let lost = ((a_high * b_high - whole) + a_high * b_low + a_low * b_high) + a_low * b_low;
    (whole, lost)
}

/// The logarithm to base 2 of a positive finite x, as a sum of two floats with some 36 bits.
///
/// With s = (m - 1) / (m + 1) the logarithm of m is 2/ln 2 · (s + s³/3 + s⁵/5 + …).
#[user_function]
#[inline(always)]
fn log2_pair(x: f32) -> (f32, f32) {
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
    let mut p = 3.372_172_7e-1;
    p = p * z + 4.118_796_6e-1;
    p = p * z + 5.770_798_3e-1;
    let (third, third_lost) = product(z, 0.961_796_7);
    let third_rest = third_lost + (z_rest * 0.961_796_7 + (z * -7.028_462e-9 + z * z * p));
    let head = 2.885_39 + third;
    let head_rest = (third - (head - 2.885_39)) + (third_rest + 3.851_926e-8);
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
pub(crate) fn powf(x: f32, y: f32) -> f32 {
    let base = x.abs();
    let (high, low) = log2_pair(base);
    // Beyond these the result is infinite or 0, and the halves of the product stay finite.
    let bounded = if y > 1.0e15 { 1.0e15 } else { y };
    let bounded = if bounded < -1.0e15 { -1.0e15 } else { bounded };
    let (whole, lost) = product(bounded, high);
    let rest = lost + bounded * low;
    let in_range = whole > -160.0 && whole < 160.0;
    let limit = if whole > 0.0 { 160.0 } else { -160.0 };
    let value = octaves(
        if in_range { whole } else { limit },
        if in_range { rest } else { 0.0 },
    );
    // Of 0 and infinity.
    let grows = (base > 1.0) == (y > 0.0);
    let end = if grows { f32::INFINITY } else { 0.0 };
    let ends = base == 0.0 || base > f32::MAX;
    let value = if ends { end } else { value };
    // Whether y is an integer, and odd.
    let size = y.abs();
    let large = size >= 8_388_608.0;
    let shifted = if large { size } else { size + 8_388_608.0 };
    let whole = large || shifted - 8_388_608.0 == size;
    let odd = whole && size < 16_777_216.0 && (shifted.to_bits() & 1) == 1;
    let negative = x.is_sign_negative();
    let value = if negative && odd { -value } else { value };
    let undefined = negative && !whole && !ends;
    let value = if undefined || x.is_nan() || y.is_nan() {
        f32::NAN
    } else {
        value
    };
    let one = x == 1.0 || y == 0.0 || (x == -1.0 && size > f32::MAX);
    if one { 1.0 } else { value }
}
