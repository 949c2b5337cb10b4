//! An angle less the nearest multiple of π/2.

use super::exp::{ROUND, ROUND_BITS};
use skel_macros::user_function;
use std::f32::consts::{FRAC_2_PI, FRAC_PI_2};

/// The upper half of the product.
#[user_function]
#[inline(always)]
fn high_product(a: u32, b: u32) -> u32 {
    let a_low = a & 0xffff;
    let a_high = a >> 16;
    let b_low = b & 0xffff;
    let b_high = b >> 16;
    let carry = a_low.wrapping_mul(b_low) >> 16;
    let middle = a_high.wrapping_mul(b_low).wrapping_add(carry);
    let other = a_low.wrapping_mul(b_high).wrapping_add(middle & 0xffff);
    a_high
        .wrapping_mul(b_high)
        .wrapping_add(middle >> 16)
        .wrapping_add(other >> 16)
}

/// Of a finite x of at least 2¹³: how often π/2 goes into it, modulo 4, and what is left, as a sum of two floats.
///
/// x · 2/π is the product of the 24 bits of x with those 96 bits of 2/π that give its last two integer bits and
/// its fraction (after Payne and Hanek, 1983).
#[user_function]
#[inline(always)]
fn far(x: f32) -> (u32, f32, f32) {
    let bits = x.to_bits();
    let exponent = bits >> 23;
    let m = (bits & 0x007f_ffff) | 0x0080_0000;
    // So many bits of 2/π make multiples of 2π; where that is negative, zeros come before the first bit. Of these,
    // whole words are left out, and x is shifted by the rest.
    let at = exponent.wrapping_sub(152);
    let by = at & 31;
    let high_m = (m >> 1) >> (31 - by);
    let low_m = m << by;
    let two = (at & 64) != 0;
    let w0 = if two { 0xfc27_57d1_u32 } else { 0xa2f9_836e };
    let w1 = if two { 0xf534_ddc0_u32 } else { 0x4e44_1529 };
    let w2 = if two { 0xdb62_9599_u32 } else { 0xfc27_57d1 };
    let w3 = if two { 0x3c43_9041_u32 } else { 0xf534_ddc0 };
    let w4 = if two { 0xfe51_63ab_u32 } else { 0xdb62_9599 };
    let one = (at & 32) != 0;
    let near = exponent < 152;
    let a0 = if near { 0 } else { if one { w1 } else { w0 } };
    let a1 = if near {
        0xa2f9_836e
    } else {
        if one { w2 } else { w1 }
    };
    let a2 = if near {
        0x4e44_1529
    } else {
        if one { w3 } else { w2 }
    };
    let a3 = if near {
        0xfc27_57d1
    } else {
        if one { w4 } else { w3 }
    };
    // The upper two words of the product, with what the third one carries, but for 2⁻⁶⁰ of π/2.
    let first = low_m.wrapping_mul(a1);
    let second = first.wrapping_add(high_m.wrapping_mul(a2));
    // High parts of 32 and of 24 bits, whose sum may carry, too.
    let third = high_product(low_m, a2);
    let fourth = third.wrapping_add(high_product(high_m, a3));
    let low = second.wrapping_add(fourth);
    let carries = if second < first { 1_u32 } else { 0 };
    let carried = if fourth < third { 1_u32 } else { 0 };
    let carry = if low < fourth { 1_u32 } else { 0 };
    let high = low_m
        .wrapping_mul(a0)
        .wrapping_add(high_m.wrapping_mul(a1))
        .wrapping_add(high_product(low_m, a1))
        .wrapping_add(high_product(high_m, a2))
        .wrapping_add(carries)
        .wrapping_add(carried)
        .wrapping_add(carry);
    // Two integer bits and 62 of the fraction; to the nearest integer.
    let n = high.wrapping_add(0x2000_0000) >> 30;
    let upper = (high << 2) | (low >> 30);
    // The fraction's sign, and its size (but for one unit of the last bit): 24, 16 and 16 bits, each a float.
    let sign = upper & 0x8000_0000;
    let flipped = if sign == 0 { 0 } else { 0xffff_ffff_u32 };
    let size = upper ^ flipped;
    let under = (low << 2) ^ flipped;
    let first = ((size >> 8) as i32) as f32 * 5.960_464_5e-8;
    let second = ((((size & 0xff) << 8) | (under >> 24)) as i32) as f32 * 9.094_947e-13;
    let third = (((under >> 8) & 0xffff) as i32) as f32 * 1.387_778_8e-17;
    let turns = first + second;
    let lost = (second - (turns - first)) + third;
    // The product with π/2 as a pair: factors cut to 12 bits have exact products.
    let cut = f32::from_bits(turns.to_bits() & 0xffff_f000);
    let left = turns - cut;
    let r = turns * FRAC_PI_2;
    let error = ((cut * 1.570_800_8 - r) + left * 1.570_800_8) + turns * -4.410_743_7e-6;
    let rest = error + (turns * -4.371_139e-8 + lost * FRAC_PI_2);
    let sum = r + rest;
    let rest = rest - (sum - r);
    let signed = f32::from_bits(sum.to_bits() | sign);
    (n, signed, f32::from_bits(rest.to_bits() ^ sign))
}

/// Angles below this have a multiple of π/2 that is found without [`far`].
pub(super) const NEAR: f32 = 8192.0;

/// [`angle`], where x is below [`NEAR`].
#[user_function]
#[inline(always)]
pub(super) fn near(x: f32) -> (u32, f32, f32) {
    let rounded = x * FRAC_2_PI + ROUND;
    let k = rounded - ROUND;
    // The products with the first three parts of π/2, of 11 bits each, are exact, and so are the first differences.
    let near = (x - k * 1.570_312_5) - k * 4.837_513e-4;
    let third = k * 7.549_533_6e-8;
    let middle = near - third;
    let last = ((near - middle) - third) - k * 2.563_344e-12;
    let r = middle + last;
    let rest = last - (r - middle);
    let n = rounded.to_bits().wrapping_sub(ROUND_BITS);
    (n, r, rest)
}

/// How often π/2 goes into a finite x that is not negative, to the nearest integer, modulo 4, and what is left, as
/// a sum of two floats.
#[user_function]
#[inline(always)]
pub(super) fn angle(x: f32) -> (u32, f32, f32) {
    let found = near(x);
    if x < NEAR { found } else { far(x) }
}
