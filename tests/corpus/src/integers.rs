//! Integers of all widths.

use super::{Case, case};
use skel::prelude::*;
use skel_core::param::{Each, EachMut, Uniform};

#[user_function]
fn narrow_signed(a: i8, b: i8) -> i8 {
    let c = a * b - 3;
    if c < -100 { c / 7 } else { c % 9 + a }
}

#[user_function]
fn narrow_unsigned(a: u8, b: u8) -> u8 {
    (a + b) / 2 ^ (a - b) % 13 | a * 3
}

#[user_function]
fn halves(a: i16, b: u16) -> i32 {
    let product = a * 257 - (b as i16);
    product as i32 * (b / 3) as i32
}

#[user_function]
fn wide_signed(a: i64, b: i64) -> i64 {
    (a * b) / 1_000_003 + a % (b | 1) - 9_000_000_000
}

#[user_function]
fn wide_unsigned(a: u64, b: u64) -> u64 {
    (a * 0x9E37_79B9_7F4A_7C15) ^ (b / 1_000_003) ^ (a % (b | 1))
}

#[user_function]
fn signed_size(a: isize, b: i32) -> isize {
    a * 3 - b as isize / 7
}

#[user_function]
fn divisions(a: i8, b: i8, c: i16, d: i64) -> i64 {
    (a / b) as i64 + (c % b as i16) as i64 + d / a as i64
}

#[user_function]
fn shifts_of_all(a: i8, b: u16, c: i64, n: u8) -> i64 {
    let x = (a << n) as i64 ^ (a >> 3u64) as i64;
    let y = (b >> n as i16) as i64 | (b << 5) as i64;
    x + y - (c >> n as usize) + (c << (n as i8))
}

#[user_function]
fn bits_of_all(a: u8, b: i16, c: u64) -> u64 {
    (!a & 0x5A) as u64 ^ (b | -256) as u64 ^ !c
}

#[user_function]
fn casts_between_integers(a: i8, b: u16, c: i64, d: u64) -> i64 {
    let narrow = c as i8 as i64 + d as u16 as i64 + b as i8 as i64;
    let wide = a as u64 as i64 ^ a as u8 as u32 as i64 ^ d as i64;
    narrow - wide + (a as i16 as u16 as i64) + (b as usize as u8 as i64)
}

#[user_function]
fn casts_of_floats(x: f32, y: f64) -> i64 {
    let small = x as i8 as i64 + x as u8 as i64 + y as i16 as i64 + y as u16 as i64;
    small ^ x as i64 ^ y as u64 as i64
}

#[user_function]
fn casts_to_floats(a: i8, b: u16, c: i64, d: u64) -> f64 {
    a as f64 * 0.5 + b as f64 - c as f32 as f64 + d as f64 / 3.0 + c as f64
}

#[user_function]
fn lossless(a: u8, b: i16, c: u32, d: bool) -> i64 {
    i64::from(a) - i64::from(b) + i64::from(c) * i64::from(i8::from(d)) + i64::from(i32::from(a))
}

#[user_function]
fn suffixes(a: i64) -> u64 {
    let x = 200u8 + 55;
    let y = -7i16 * 3;
    (a - 5_000_000_000i64) as u64 ^ x as u64 ^ y as u64 ^ 0xFFFF_FFFF_FFFFu64
}

#[user_function]
fn limits(a: i16, b: u64) -> bool {
    a == i16::MIN || b > u64::MAX / 2 || a as i8 == i8::MAX || (b as u8) < u8::MAX / 3
}

#[user_function]
fn counts_down(n: u8) -> u8 {
    let mut k = n;
    let mut steps = 0;
    while k > 0 {
        k /= 2;
        steps += 1;
    }
    steps
}

#[user_function]
fn narrow_in_place(x: &mut u16, #[uniform] k: i8) {
    *x += k as u16;
    *x <<= 3;
    *x ^= 0x0F0F;
}

#[user_function]
fn generic_integer<T: Integer>(a: T, b: T, n: u32) -> T {
    let mut x = (a ^ b) << n | a >> n;
    x += a.rotate_left(3).wrapping_mul(b);
    x &= !b;
    x.max(a.saturating_sub(b)) + T::ONE
}

#[user_function]
fn generic_integers(a: u8, b: i64, n: u32) -> i64 {
    generic_integer(a, a / 3, n) as i64 + generic_integer(b, -5, n)
}

#[user_function]
fn constants<const A: u8, const B: i64, const C: isize, const D: i16>(x: i64) -> i64 {
    x * A as i64 + B - C as i64 % (D as i64)
}

#[user_function]
fn const_generics_of_all(x: i64) -> i64 {
    constants::<200, -9_000_000_000, -3, 7>(x) ^ constants::<1, { i64::MAX }, 4, -2>(x)
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        case::<narrow_signed, (Each<i8>, Each<i8>)>(),
        case::<narrow_unsigned, (Each<u8>, Each<u8>)>(),
        case::<halves, (Each<i16>, Each<u16>)>(),
        case::<wide_signed, (Each<i64>, Each<i64>)>(),
        case::<wide_unsigned, (Each<u64>, Each<u64>)>(),
        case::<signed_size, (Each<isize>, Each<i32>)>(),
        case::<divisions, (Each<i8>, Each<i8>, Each<i16>, Each<i64>)>(),
        case::<shifts_of_all, (Each<i8>, Each<u16>, Each<i64>, Each<u8>)>(),
        case::<bits_of_all, (Each<u8>, Each<i16>, Each<u64>)>(),
        case::<casts_between_integers, (Each<i8>, Each<u16>, Each<i64>, Each<u64>)>(),
        case::<casts_of_floats, (Each<f32>, Each<f64>)>(),
        case::<casts_to_floats, (Each<i8>, Each<u16>, Each<i64>, Each<u64>)>(),
        case::<lossless, (Each<u8>, Each<i16>, Each<u32>, Each<bool>)>(),
        case::<suffixes, (Each<i64>,)>(),
        case::<limits, (Each<i16>, Each<u64>)>(),
        case::<counts_down, (Each<u8>,)>(),
        case::<narrow_in_place, (EachMut<u16>, Uniform<i8>)>(),
        case::<generic_integer, (Each<i16>, Each<i16>, Each<u32>)>(),
        case::<generic_integers, (Each<u8>, Each<i64>, Each<u32>)>(),
        case::<const_generics_of_all, (Each<i64>,)>(),
    ]
}
