//! Arc sine, arc cosine, arc tangent.

use skel_macros::user_function;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

/// (asin √z - √z) / √z³ for z from 0 to ¼. Error of the arc sine: 2⁻⁵⁹.
#[user_function]
#[inline(always)]
fn tail(z: f64) -> f64 {
    let mut p = 3.191_917_682_222_975e-2;
    p = p * z - 1.981_336_574_873_060_8e-2;
    p = p * z + 2.082_873_500_905_397e-2;
    p = p * z + 4.086_665_285_950_49e-3;
    p = p * z + 1.067_377_075_111_164_8e-2;
    p = p * z + 1.141_911_470_982_371_3e-2;
    p = p * z + 1.397_817_812_321_896_9e-2;
    p = p * z + 1.735_184_973_094_145e-2;
    p = p * z + 2.237_220_057_809_367_2e-2;
    p = p * z + 3.038_194_327_163_123_3e-2;
    p = p * z + 4.464_285_716_143_318e-2;
    p = p * z + 7.499_999_999_986_681e-2;
    p * z + 0.166_666_666_666_666_9
}

/// Arc sine. Beyond ½ it is π/2 less twice that of √(½(1 - x)).
#[user_function]
#[inline(always)]
pub(crate) fn asin(x: f64) -> f64 {
    let positive = x.abs();
    let small = positive < 0.5;
    let z = if small { x * x } else { 0.5 * (1.0 - positive) };
    let s = if small { positive } else { z.sqrt() };
    let rest = s * z * tail(z);
    // The root as 26 bits and a rest, and π/2 as π/4 twice: so the difference is nearly exact.
    let cut = f64::from_bits(s.to_bits() & 0xffff_ffff_f800_0000);
    let sum = if z == 0.0 { 1.0 } else { s + cut };
    let lost = (z - cut * cut) / sum;
    let taken = 2.0 * rest + (2.0 * lost - 6.123_233_995_736_766e-17);
    let value = if small {
        s + rest
    } else {
        FRAC_PI_4 - (taken - (FRAC_PI_4 - 2.0 * cut))
    };
    value.copysign(x)
}

/// Arc cosine.
#[user_function]
#[inline(always)]
pub(crate) fn acos(x: f64) -> f64 {
    let positive = x.abs();
    let small = positive < 0.5;
    let z = if small { x * x } else { 0.5 * (1.0 - positive) };
    let s = if small { x } else { z.sqrt() };
    let rest = s * z * tail(z);
    if small {
        FRAC_PI_2 - (s + (rest - 6.123_233_995_736_766e-17))
    } else {
        let half = s + rest;
        if x > 0.0 {
            2.0 * half
        } else {
            PI - (2.0 * half - 1.224_646_799_147_353_2e-16)
        }
    }
}

/// The arc tangent of above / below, neither of which is negative, and which are not both 0 or infinite.
///
/// The quotient is brought below tan π/8: to its reciprocal's negative, from π/2, or to that of
/// (above - below) / (above + below), from π/4. The polynomial gives (atan r - r) / r³. Error: 2⁻⁵⁹.
#[user_function]
#[inline(always)]
fn of_quotient(above: f64, below: f64) -> f64 {
    let small = above < 0.414_213_562_373_095_03 * below;
    let large = below < 0.414_213_562_373_095_03 * above;
    let num = if small {
        above
    } else {
        if large { -below } else { above - below }
    };
    let den = if small {
        below
    } else {
        if large { above } else { above + below }
    };
    let high = if small {
        0.0
    } else {
        if large { FRAC_PI_2 } else { FRAC_PI_4 }
    };
    let low = if small {
        0.0
    } else {
        if large {
            6.123_233_995_736_766e-17
        } else {
            3.061_616_997_868_383e-17
        }
    };
    let r = num / den;
    let z = r * r;
    let mut p = -1.816_236_167_334_675_2e-2;
    p = p * z + 3.831_119_163_457_6e-2;
    p = p * z - 5.049_626_321_443_350_5e-2;
    p = p * z + 5.850_338_000_818_952e-2;
    p = p * z - 6.663_466_102_422_089e-2;
    p = p * z + 7.692_094_752_950_357e-2;
    p = p * z - 9.090_899_884_350_574e-2;
    p = p * z + 0.111_111_108_655_328_5;
    p = p * z - 0.142_857_142_820_516_12;
    p = p * z + 0.199_999_999_999_749_63;
    p = p * z - 0.333_333_333_333_332_87;
    high + (r + (r * z * p + low))
}

/// Arc tangent.
#[user_function]
#[inline(always)]
pub(crate) fn atan(x: f64) -> f64 {
    let positive = x.abs();
    // 2⁵⁶ is as good as infinity.
    let bounded = if positive > 72_057_594_037_927_936.0 {
        72_057_594_037_927_936.0
    } else {
        positive
    };
    of_quotient(bounded, 1.0).copysign(x)
}

/// The angle of the point (x, y).
#[user_function]
#[inline(always)]
pub(crate) fn atan2(y: f64, x: f64) -> f64 {
    let above = y.abs();
    let below = x.abs();
    // Two infinities are as two ones, and two zeros as 0 above 1.
    let infinite = above > f64::MAX && below > f64::MAX;
    let zero = above == 0.0 && below == 0.0;
    let above = if infinite { 1.0 } else { above };
    let below = if infinite || zero { 1.0 } else { below };
    // So that the sum of both is finite, and the products of subnormal numbers are none.
    let greater = if above > below { above } else { below };
    let tiny = if greater < 1.0e-290 {
        18_446_744_073_709_551_616.0
    } else {
        1.0
    };
    let factor = if greater > 1.0e300 { 0.25 } else { tiny };
    let angle = of_quotient(above * factor, below * factor);
    let value = if x.is_sign_negative() {
        PI - (angle - 1.224_646_799_147_353_2e-16)
    } else {
        angle
    };
    let value = value.copysign(y);
    if y.is_nan() || x.is_nan() {
        f64::NAN
    } else {
        value
    }
}
