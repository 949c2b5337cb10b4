//! e to the power of x, and 2 to the power of x.

use skel_macros::user_function;
use std::f32::consts::{LN_2, LOG2_E};

/// Added to a float below 2²² in magnitude, it rounds to an integer, which the low bits then hold.
pub(super) const ROUND: f32 = 12_582_912.0;
/// The bits of [`ROUND`].
pub(super) const ROUND_BITS: u32 = 0x4b40_0000;
/// ln 2 to 15 bits: its product with an exponent is exact.
pub(super) const LN_2_HIGH: f32 = 0.693_145_75;
/// The rest of ln 2.
pub(super) const LN_2_LOW: f32 = 1.428_606_8e-6;

/// `x` times 2 to the power of `n`, for n from -252 to 254: in two steps, so that the result may be subnormal and
/// the factors are not.
#[user_function]
#[inline(always)]
pub(super) fn scaled(x: f32, n: i32) -> f32 {
    let half = n >> 1;
    let low = f32::from_bits((half.wrapping_add(127) as u32) << 23);
    let high = f32::from_bits((n.wrapping_sub(half).wrapping_add(127) as u32) << 23);
    x * low * high
}

/// e to the power of x, times 2 to the power of `shift`, which is at most 1 in magnitude.
///
/// x = n · ln 2 + r with |r| ≤ ½ ln 2, and r is kept as a pair of floats. The polynomial gives (eʳ - 1 - r) / r².
#[user_function]
#[inline(always)]
pub(super) fn exp_shifted(x: f32, shift: i32) -> f32 {
    // Beyond these the result is infinite or 0, whatever the shift; NaN stays.
    let x = if x > 90.0 { 90.0 } else { x };
    let x = if x < -106.0 { -106.0 } else { x };
    let rounded = x * LOG2_E + ROUND;
    let n = rounded.to_bits().wrapping_sub(ROUND_BITS) as i32;
    let k = rounded - ROUND;
    let near = x - k * LN_2_HIGH;
    let low = k * LN_2_LOW;
    let r = near - low;
    let rest = (near - r) - low;
    let mut p = 1.384_302_6e-3;
    p = p * r + 8.369_527e-3;
    p = p * r + 4.166_806e-2;
    p = p * r + 1.666_651_4e-1;
    p = p * r + 4.999_999_4e-1;
    let value = 1.0 + (r + (r * r * p + rest));
    scaled(value, n.wrapping_add(shift))
}

/// e to the power of x.
#[user_function]
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
    exp_shifted(x, 0)
}

/// 2 to the power of `whole + rest`; the latter is less than 2⁻¹⁰ in magnitude.
#[user_function]
#[inline(always)]
pub(super) fn octaves(whole: f32, rest: f32) -> f32 {
    let rounded = whole + ROUND;
    let n = rounded.to_bits().wrapping_sub(ROUND_BITS) as i32;
    let near = whole - (rounded - ROUND);
    let r = near + rest;
    let rest = rest - (r - near);
    // r · ln 2 as an exact product and a rest: both factors are cut to 12 bits.
    let cut = f32::from_bits(r.to_bits() & 0xffff_f000);
    let high = cut * 0.693_115_23;
    let low = (r - cut) * 0.693_115_23 + r * 3.194_618_3e-5 + rest * LN_2;
    let mut p = 1.544_129_8e-4;
    p = p * r + 1.339_184_2e-3;
    p = p * r + 9.618_105e-3;
    p = p * r + 5.550_359_2e-2;
    p = p * r + 2.402_265e-1;
    let sum = 1.0 + high;
    let lost = high - (sum - 1.0);
    let value = sum + (lost + (low + r * r * p));
    scaled(value, n)
}

/// 2 to the power of x.
#[user_function]
#[inline(always)]
pub(crate) fn exp2(x: f32) -> f32 {
    let x = if x > 130.0 { 130.0 } else { x };
    let x = if x < -152.0 { -152.0 } else { x };
    octaves(x, 0.0)
}

/// e to the power of x, less 1.
///
/// With x = n · ln 2 + r it is (2ⁿ - 1) + 2ⁿ (eʳ - 1), whose first two terms are added without an error.
#[user_function]
#[inline(always)]
pub(crate) fn exp_m1(x: f32) -> f32 {
    // Beyond 89 it is infinite, below -25 it is -1.
    let above = if x > 89.0 { 89.0 } else { x };
    let t = if above < -25.0 { -25.0 } else { above };
    let rounded = t * LOG2_E + ROUND;
    let n = rounded.to_bits().wrapping_sub(ROUND_BITS) as i32;
    let k = rounded - ROUND;
    let near = t - k * LN_2_HIGH;
    let low = k * LN_2_LOW;
    let r = near - low;
    let rest = (near - r) - low;
    let mut p = 1.478_070_6e-4;
    p = p * r + 1.393_105_7e-3;
    p = p * r + 8.341_934e-3;
    p = p * r + 4.166_650_8e-2;
    p = p * r + 1.666_663_4e-1;
    // Half the square by itself, since twice a half is exact.
    let square = r * r;
    let tail = 0.5 * square + (square * r * p + rest);
    // One octave less, so that the power of 2 is finite; n is from -36 to 128.
    let power = f32::from_bits((n.wrapping_add(126) as u32) << 23);
    let first = power - 0.5;
    let second = power * r;
    let sum = first + second;
    // Of two terms, the greater comes first.
    let greater = if n == 0 { second } else { first };
    let lesser = if n == 0 { first } else { second };
    // What the first sum loses where 2ⁿ is great, and what the second one does.
    let lost = (-0.5 - (first - power)) + (lesser - (sum - greater));
    let value = 2.0 * (sum + (lost + power * tail));
    // So that -0 and subnormal numbers stay.
    if x.abs() < 1.0e-9 { x } else { value }
}
