//! The cube root, and the length of a vector.

use super::power::product;
use skel_macros::user_function;

/// Cube root.
///
/// An estimate of the inverse root from the bits of x, which two steps of the third order make good to 34 bits; one of
/// Newton's method, with the cube as a sum of two floats, makes it good to all.
#[user_function]
#[inline(always)]
pub(crate) fn cbrt(x: f64) -> f64 {
    let positive = x.abs();
    // Powers of 8 that bring x where nothing in between is subnormal or infinite.
    let small = positive < 1.0e-250;
    let large = positive > 1.0e250;
    let factor = if large {
        6.525_304_467_998_525e-55
    } else {
        1.0
    };
    let factor = if small {
        1.532_495_540_865_889e54
    } else {
        factor
    };
    let back = if large {
        1_152_921_504_606_846_976.0
    } else {
        1.0
    };
    let back = if small {
        8.673_617_379_884_035e-19
    } else {
        back
    };
    // Of infinity something finite.
    let a = if positive <= f64::MAX {
        positive * factor
    } else {
        1.0
    };
    // A third of the upper word.
    let third = (a.to_bits() >> 32).wrapping_mul(0x5555_5556) >> 32;
    let mut i = f64::from_bits(0x553e_f0e8_u64.wrapping_sub(third) << 32);
    let h = 1.0 - a * i * i * i;
    i = i + i * (h * (0.333_333_333_333_333_3 + h * 0.222_222_222_222_222_2));
    let h = 1.0 - a * i * i * i;
    i = i + i * (h * (0.333_333_333_333_333_3 + h * 0.222_222_222_222_222_2));
    let square = i * i;
    let root = a * square;
    let (second, second_lost) = product(root, root);
    let (third, third_lost) = product(second, root);
    let excess = (third - a) + (third_lost + second_lost * root);
    let value = root - excess * square * 0.333_333_333_333_333_3;
    let value = value * back;
    let ends = x == 0.0 || positive > f64::MAX || x.is_nan();
    if ends { x } else { value.copysign(x) }
}

/// The length of the vector (x, y).
#[user_function]
#[inline(always)]
pub(crate) fn hypot(x: f64, y: f64) -> f64 {
    let a = x.abs();
    let b = y.abs();
    let greater = if a > b { a } else { b };
    let lesser = if a > b { b } else { a };
    let large = greater > 1.0e150;
    let small = greater < 1.0e-120;
    // Powers of 2 that bring the squares into range.
    let factor = if large {
        2.409_919_865_102_884e-181
    } else {
        if small {
            4.149_515_568_880_993e180
        } else {
            1.0
        }
    };
    let back = if large {
        4.149_515_568_880_993e180
    } else {
        if small {
            2.409_919_865_102_884e-181
        } else {
            1.0
        }
    };
    let p = greater * factor;
    let q = lesser * factor;
    let (first, first_lost) = product(p, p);
    let (second, second_lost) = product(q, q);
    let sum = first + second;
    let lost = (second - (sum - first)) + (first_lost + second_lost);
    let root = sum.sqrt();
    let (square, square_lost) = product(root, root);
    let rest = ((sum - square) - square_lost) + lost;
    let value = (root + rest * 0.5 / root) * back;
    let infinite = a > f64::MAX || b > f64::MAX;
    let value = if greater == 0.0 { 0.0 } else { value };
    let value = if a.is_nan() || b.is_nan() {
        f64::NAN
    } else {
        value
    };
    if infinite { f64::INFINITY } else { value }
}
