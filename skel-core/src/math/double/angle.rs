//! An angle less the nearest multiple of π/2.

use super::exp::{ROUND, ROUND_BITS};
use skel_macros::user_function;
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

/// 192 bits of 2/π, from one that the exponent says, for exponents from 1040 on: that one is preceded by so many that
/// they make multiples of 4 of a float with this exponent.
///
/// 64 bits are chosen from 19 words by four bits of a number; then all are shifted by what is left.
#[user_function]
#[inline(always)]
fn window(exponent: u64) -> (u64, u64, u64) {
    let at = exponent.wrapping_sub(1040);
    let by = at & 63;
    let eight = (at & 512) != 0;
    let a0 = if eight {
        0xa975_da24_274c_e381_u64
    } else {
        0x0517_cc1b
    };
    let a1 = if eight {
        0x35a2_fbf2_09cc_8eb1_u64
    } else {
        0x7272_20a9_4fe1_3abe
    };
    let a2 = if eight {
        0xcc1a_99cf_a4e4_22fc_u64
    } else {
        0x8fa9_a6ee_06db_14ac
    };
    let a3 = if eight {
        0x5def_c941_d8ff_c4bf_u64
    } else {
        0xc9e2_1c82_0ff2_8b1d
    };
    let a4 = if eight {
        0xfef0_2cc0_7f79_788c_u64
    } else {
        0x5ef5_de2b_0db9_2371
    };
    let a5 = if eight {
        0x5ad0_5368_fb69_b3f6_u64
    } else {
        0xd212_6e97_0032_4977
    };
    let a6 = if eight {
        0x793e_584d_ba7a_31fb_u64
    } else {
        0x504e_8c90_e7f0_ef58
    };
    let a7 = if eight {
        0x34f2_ff51_6ba9_3dd6_u64
    } else {
        0xe589_4d39_f744_11af
    };
    let a8 = if eight {
        0x3f5f_2f8b_d9e8_39cf_u64
    } else {
        0xa975_da24_274c_e381
    };
    let a9 = if eight {
        0xbc52_9497_535f_dafd_u64
    } else {
        0x35a2_fbf2_09cc_8eb1
    };
    let a10 = if eight {
        0x88fc_6ae8_42b0_1982_u64
    } else {
        0xcc1a_99cf_a4e4_22fc
    };
    let four = (at & 256) != 0;
    let b0 = if four { a4 } else { a0 };
    let b1 = if four { a5 } else { a1 };
    let b2 = if four { a6 } else { a2 };
    let b3 = if four { a7 } else { a3 };
    let b4 = if four { a8 } else { a4 };
    let b5 = if four { a9 } else { a5 };
    let b6 = if four { a10 } else { a6 };
    let two = (at & 128) != 0;
    let c0 = if two { b2 } else { b0 };
    let c1 = if two { b3 } else { b1 };
    let c2 = if two { b4 } else { b2 };
    let c3 = if two { b5 } else { b3 };
    let c4 = if two { b6 } else { b4 };
    let one = (at & 64) != 0;
    let d0 = if one { c1 } else { c0 };
    let d1 = if one { c2 } else { c1 };
    let d2 = if one { c3 } else { c2 };
    let d3 = if one { c4 } else { c3 };
    let back = 63 - by;
    (
        (d0 << by) | ((d1 >> 1) >> back),
        (d1 << by) | ((d2 >> 1) >> back),
        (d2 << by) | ((d3 >> 1) >> back),
    )
}

/// An integer below 2⁵² as a float.
#[user_function]
#[inline(always)]
fn float(n: u64) -> f64 {
    f64::from_bits(n | 0x4330_0000_0000_0000) - 4_503_599_627_370_496.0
}

/// Of a finite x of at least 2¹⁷: how often π/2 goes into it, modulo 4, and what is left, as a sum of two floats.
///
/// x · 2/π is the product of the 53 bits of x with those 192 bits of 2/π that give its last two integer bits and
/// its fraction (after Payne and Hanek, 1983). No float is closer to a multiple of π/2 than 2⁻⁶¹ of it, and what is
/// left out is below 2⁻¹²³.
#[user_function]
#[inline(always)]
fn far(x: f64) -> (u64, f64, f64) {
    let bits = x.to_bits();
    let (upper, middle, lower) = window(bits >> 52);
    let m = (bits & 0x000f_ffff_ffff_ffff) | 0x0010_0000_0000_0000;
    // The product modulo 2¹⁹², by digits of 32 bits, without the lower two but for what these carry.
    let mask = 0xffff_ffff_u64;
    let m0 = m & mask;
    let m1 = m >> 32;
    let v0 = lower & mask;
    let v1 = lower >> 32;
    let v2 = middle & mask;
    let v3 = middle >> 32;
    let v4 = upper & mask;
    let v5 = upper >> 32;
    let carry = (m0.wrapping_mul(v1) >> 32).wrapping_add(m1.wrapping_mul(v0) >> 32);
    let s2 = m0.wrapping_mul(v2).wrapping_add(carry);
    let t2 = m1.wrapping_mul(v1).wrapping_add(s2 & mask);
    let s3 = m0
        .wrapping_mul(v3)
        .wrapping_add((s2 >> 32).wrapping_add(t2 >> 32));
    let t3 = m1.wrapping_mul(v2).wrapping_add(s3 & mask);
    let s4 = m0
        .wrapping_mul(v4)
        .wrapping_add((s3 >> 32).wrapping_add(t3 >> 32));
    let t4 = m1.wrapping_mul(v3).wrapping_add(s4 & mask);
    let t5 = m0
        .wrapping_mul(v5)
        .wrapping_add((s4 >> 32).wrapping_add(t4 >> 32))
        .wrapping_add(m1.wrapping_mul(v4));
    let high = (t5 << 32) | (t4 & mask);
    let low = (t3 << 32) | (t2 & mask);
    // Two integer bits and 126 of the fraction; to the nearest integer.
    let n = high.wrapping_add(0x2000_0000_0000_0000) >> 62;
    let fraction = (high << 2) | (low >> 62);
    // The fraction's sign, and its size (but for one unit of the last bit): 52, 52 and 23 bits, each a float.
    let sign = fraction & 0x8000_0000_0000_0000;
    let flipped = if sign == 0 {
        0
    } else {
        0xffff_ffff_ffff_ffff_u64
    };
    let size = fraction ^ flipped;
    let under = (low << 2) ^ flipped;
    let first = float(size >> 11) * 1.110_223_024_625_156_5e-16;
    let second = float(((size & 0x7ff) << 41) | (under >> 23)) * 2.465_190_328_815_662e-32;
    let third = float(under & 0x007f_ffff) * 2.938_735_877_055_719e-39;
    let turns = first + second;
    let lost = (second - (turns - first)) + third;
    // The product with π/2 as a pair: factors cut to 26 bits have exact products.
    let cut = f64::from_bits(turns.to_bits() & 0xffff_ffff_f800_0000);
    let left = turns - cut;
    let r = turns * FRAC_PI_2;
    let error = ((cut * 1.570_796_310_901_641_8 - r) + left * 1.570_796_310_901_641_8)
        + turns * 1.589_325_471_229_585_7e-8;
    let rest = error + (turns * 6.123_233_995_736_766e-17 + lost * FRAC_PI_2);
    let sum = r + rest;
    let rest = rest - (sum - r);
    let signed = f64::from_bits(sum.to_bits() | sign);
    (n, signed, f64::from_bits(rest.to_bits() ^ sign))
}

/// Angles below this have a multiple of π/2 that is found without [`far`].
pub(super) const NEAR: f64 = 131_072.0;

/// [`angle`], where x is below [`NEAR`].
#[user_function]
#[inline(always)]
pub(super) fn near(x: f64) -> (u64, f64, f64) {
    let rounded = x * FRAC_2_PI + ROUND;
    let k = rounded - ROUND;
    // The products with the first three parts of π/2, of 33, 19 and 36 bits, are exact, and so are the first differences.
    // The parts are π/2 to 2⁻¹⁴¹, and no float below 2¹⁷ is closer to a multiple than 2⁻⁵⁸.
    let near = (x - k * 1.570_796_326_734_125_6) - k * 6.077_094_383_272_197e-11;
    let third = k * 6.123_233_995_707_727e-17;
    let middle = near - third;
    let last = ((near - middle) - third) - k * 2.903_855_973_979_360_5e-28;
    let r = middle + last;
    let rest = last - (r - middle);
    let n = rounded.to_bits().wrapping_sub(ROUND_BITS);
    (n, r, rest)
}

/// How often π/2 goes into a finite x that is not negative, to the nearest integer, modulo 4, and what is left, as
/// a sum of two floats.
#[user_function]
#[inline(always)]
pub(super) fn angle(x: f64) -> (u64, f64, f64) {
    let found = near(x);
    if x < NEAR { found } else { far(x) }
}
