//! e to the power of x, and 2 to the power of x.

use skel_macros::user_function;
use std::f64::consts::{LN_2, LOG2_E};

/// Added to a float below 2⁵¹ in magnitude, it rounds to an integer, which the low bits then hold.
pub(super) const ROUND: f64 = 6_755_399_441_055_744.0;
/// The bits of [`ROUND`].
pub(super) const ROUND_BITS: u64 = 0x4338_0000_0000_0000;
/// ln 2 to 42 bits: its product with an exponent is exact.
pub(super) const LN_2_HIGH: f64 = 0.693_147_180_559_890_3;
/// The rest of ln 2.
pub(super) const LN_2_LOW: f64 = 5.497_923_018_708_371e-14;

/// `x` times 2 to the power of `raised` - 2048, for powers from -1090 to 1100: in two steps, so that the result may be
/// subnormal and the factors are not.
#[user_function]
#[inline(always)]
fn scaled(x: f64, raised: u64) -> f64 {
    let half = raised >> 1;
    let low = f64::from_bits(half.wrapping_sub(1) << 52);
    let high = f64::from_bits(raised.wrapping_sub(half).wrapping_sub(1) << 52);
    x * low * high
}

/// (eʳ - 1 - r) / r² for |r| ≤ ½ ln 2. Error of eʳ - 1: 2⁻⁶⁰.
#[user_function]
#[inline(always)]
fn tail(r: f64) -> f64 {
    let mut p = 2.091_033_921_479_821_2e-9;
    p = p * r + 2.510_913_434_600_337_7e-8;
    p = p * r + 2.755_728_424_512_897_4e-7;
    p = p * r + 2.755_724_402_609_789_5e-6;
    p = p * r + 2.480_158_731_700_820_7e-5;
    p = p * r + 1.984_126_988_619_490_2e-4;
    p = p * r + 1.388_888_888_888_627_9e-3;
    p = p * r + 8.333_333_333_321_66e-3;
    p = p * r + 4.166_666_666_666_666_4e-2;
    p = p * r + 0.166_666_666_666_666_77;
    p * r + 0.5
}

/// e to the power of x, times 2 to the power of `raised` - 2048, which is at most 1 in magnitude.
///
/// x = n · ln 2 + r with |r| ≤ ½ ln 2, and r is kept as a pair of floats.
#[user_function]
#[inline(always)]
pub(super) fn exp_shifted(x: f64, raised: u64) -> f64 {
    // Beyond these the result is infinite or 0, whatever the shift; NaN stays.
    let x = if x > 712.0 { 712.0 } else { x };
    let x = if x < -750.0 { -750.0 } else { x };
    let rounded = x * LOG2_E + ROUND;
    let n = rounded.to_bits().wrapping_sub(ROUND_BITS);
    let k = rounded - ROUND;
    let near = x - k * LN_2_HIGH;
    let low = k * LN_2_LOW;
    let r = near - low;
    let rest = (near - r) - low;
    let value = 1.0 + (r + (r * r * tail(r) + rest));
    scaled(value, n.wrapping_add(raised))
}

/// e to the power of x.
#[user_function]
#[inline(always)]
pub(crate) fn exp(x: f64) -> f64 {
    exp_shifted(x, 2048)
}

/// 2 to the power of `whole + rest`; the latter is less than 2⁻¹⁰ in magnitude.
///
/// The polynomial gives (2ʳ - 1 - r ln 2) / r² for |r| up to ½. Error of 2ʳ: 2⁻⁵⁷.
#[user_function]
#[inline(always)]
pub(super) fn octaves(whole: f64, rest: f64) -> f64 {
    let rounded = whole + ROUND;
    let n = rounded.to_bits().wrapping_sub(ROUND_BITS);
    let near = whole - (rounded - ROUND);
    let r = near + rest;
    let rest = rest - (r - near);
    // r · ln 2 as an exact product and a rest: both factors are cut to 26 bits.
    let cut = f64::from_bits(r.to_bits() & 0xffff_ffff_f800_0000);
    let high = cut * 0.693_147_167_563_438_4;
    let low = (r - cut) * 0.693_147_167_563_438_4 + r * 1.299_650_689_388_988_9e-8 + rest * LN_2;
    let mut p = 4.435_955_780_437_759e-10;
    p = p * r + 7.073_475_343_450_945e-9;
    p = p * r + 1.017_818_665_545_124_4e-7;
    p = p * r + 1.321_543_735_294_347_2e-6;
    p = p * r + 1.525_273_354_355_699_6e-5;
    p = p * r + 1.540_353_045_222_179_7e-4;
    p = p * r + 1.333_355_814_668_693_9e-3;
    p = p * r + 9.618_129_107_598_82e-3;
    p = p * r + 5.550_410_866_482_074_4e-2;
    p = p * r + 0.240_226_506_959_101_17;
    let sum = 1.0 + high;
    let lost = high - (sum - 1.0);
    let value = sum + (lost + (low + r * r * p));
    scaled(value, n.wrapping_add(2048))
}

/// 2 to the power of x.
#[user_function]
#[inline(always)]
pub(crate) fn exp2(x: f64) -> f64 {
    let x = if x > 1030.0 { 1030.0 } else { x };
    let x = if x < -1080.0 { -1080.0 } else { x };
    octaves(x, 0.0)
}

/// e to the power of x, less 1.
///
/// With x = n · ln 2 + r it is (2ⁿ - 1) + 2ⁿ (eʳ - 1), whose first two terms are added without an error.
#[user_function]
#[inline(always)]
pub(crate) fn exp_m1(x: f64) -> f64 {
    // Beyond 709.9 it is infinite, below -40 it is -1.
    let above = if x > 709.9 { 709.9 } else { x };
    let t = if above < -40.0 { -40.0 } else { above };
    let rounded = t * LOG2_E + ROUND;
    let n = rounded.to_bits().wrapping_sub(ROUND_BITS);
    let k = rounded - ROUND;
    let near = t - k * LN_2_HIGH;
    let low = k * LN_2_LOW;
    let r = near - low;
    let rest = (near - r) - low;
    let small = r * r * tail(r) + rest;
    // One octave less, so that the power of 2 is finite; n is from -58 to 1024.
    let power = f64::from_bits(n.wrapping_add(1022) << 52);
    let first = power - 0.5;
    let second = power * r;
    let sum = first + second;
    // Of two terms, the greater comes first.
    let greater = if n == 0 { second } else { first };
    let lesser = if n == 0 { first } else { second };
    // What the first sum loses where 2ⁿ is great, and what the second one does.
    let lost = (-0.5 - (first - power)) + (lesser - (sum - greater));
    let value = 2.0 * (sum + (lost + power * small));
    // So that -0 and subnormal numbers stay.
    if x.abs() < 1.0e-17 { x } else { value }
}
