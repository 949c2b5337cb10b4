//! The cube root, and the length of a vector.

use super::power::product;
use skel_macros::user_function;

/// Cube root.
///
/// An estimate of the inverse root from the bits of x, which Newton's method makes good to half a float's digits and
/// then to all; the last step is that of a sum of two floats.
#[user_function]
#[inline(always)]
pub(crate) fn cbrt(x: f32) -> f32 {
    let positive = x.abs();
    // Powers of 8 that bring x where nothing in between is subnormal or infinite.
    let small = positive < 1.0e-25;
    let large = positive > 1.0e25;
    let factor = if large { 3.552_713_7e-15 } else { 1.0 };
    let factor = if small { 281_474_976_710_656.0 } else { factor };
    let back = if large { 65_536.0 } else { 1.0 };
    let back = if small { 1.525_878_9e-5 } else { back };
    // Of infinity something finite.
    let a = if positive <= f32::MAX {
        positive * factor
    } else {
        1.0
    };
    let mut i = f32::from_bits(0x54a2_fa8c_u32.wrapping_sub(a.to_bits() / 3));
    i = i * (1.333_333_4 - 0.333_333_34 * a * i * i * i);
    i = i * (1.333_333_4 - 0.333_333_34 * a * i * i * i);
    i = i * (1.333_333_4 - 0.333_333_34 * a * i * i * i);
    let square = i * i;
    let root = a * square;
    let (second, second_lost) = product(root, root);
    let (third, third_lost) = product(second, root);
    let excess = (third - a) + (third_lost + second_lost * root);
    let value = root - excess * square * 0.333_333_34;
    let value = value * back;
    let ends = x == 0.0 || positive > f32::MAX || x.is_nan();
    if ends { x } else { value.copysign(x) }
}

/// The length of the vector (x, y).
#[user_function]
#[inline(always)]
pub(crate) fn hypot(x: f32, y: f32) -> f32 {
    let a = x.abs();
    let b = y.abs();
    let greater = if a > b { a } else { b };
    let lesser = if a > b { b } else { a };
    let large = greater > 1.0e15;
    let small = greater < 1.0e-12;
    // Powers of 2 that bring the squares into range.
    let factor = if large {
        8.271_806e-25
    } else {
        if small { 1.267_650_6e30 } else { 1.0 }
    };
    let back = if large {
        1.208_925_8e24
    } else {
        if small { 7.888_609e-31 } else { 1.0 }
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
    let infinite = a > f32::MAX || b > f32::MAX;
    let value = if greater == 0.0 { 0.0 } else { value };
    let value = if a.is_nan() || b.is_nan() {
        f32::NAN
    } else {
        value
    };
    if infinite { f32::INFINITY } else { value }
}
