//! Methods of integers that are written out in terms of others.

use super::{Case, case};
use skel::prelude::*;
use skel_core::param::Each;

#[user_function]
fn quotients_that_wrap<T: Integer>(x: T, y: T) -> T {
    x.wrapping_div(y) ^ x.wrapping_rem(y) * (T::ONE + T::ONE)
}

#[user_function]
fn euclid_that_wraps<T: Integer>(x: T, y: T) -> T {
    x.wrapping_div_euclid(y) ^ x.wrapping_rem_euclid(y)
}

#[user_function]
fn products_that_stop<T: Integer>(x: T, y: T) -> T {
    x.saturating_mul(y)
}

#[user_function]
fn quotients_that_stop<T: Integer>(x: T, y: T) -> T {
    x.saturating_div(y)
}

#[user_function]
fn powers_that_stop<T: Integer>(x: T, n: u32) -> T {
    x.saturating_pow(n)
}

#[user_function]
fn powers_that_wrap<T: Integer>(x: T, n: u32) -> T {
    let (power, over) = x.overflowing_pow(n % 13);
    if over { power } else { x.wrapping_pow(n) }
}

#[user_function]
fn sums_that_overflow<T: Integer>(x: T, y: T) -> (T, bool) {
    let (sum, over) = x.overflowing_add(y);
    let (left, under) = x.overflowing_sub(y);
    (sum ^ left.rotate_left(1), over != under)
}

#[user_function]
fn products_that_overflow<T: Integer>(x: T, y: T) -> (T, bool) {
    x.overflowing_mul(y)
}

#[user_function]
fn quotients_that_overflow<T: Integer>(x: T, y: T) -> (T, u32) {
    let ((quotient, a), (rest, b)) = (x.overflowing_div(y), x.overflowing_rem(y));
    let (floor, c) = x.overflowing_div_euclid(y);
    let (modulus, d) = x.overflowing_rem_euclid(y);
    let values = quotient ^ rest.rotate_left(1) ^ floor.rotate_left(2) ^ modulus.rotate_left(3);
    (
        values,
        a as u32 + b as u32 * 2 + c as u32 * 4 + d as u32 * 8,
    )
}

macro_rules! of_both_signs {
    ($($signed:ident $unsigned:ident $i:ident $u:ident;)*) => { $(
        #[user_function]
        fn $signed(x: $i, y: $u) -> ($i, $i, u32) {
            let ((sum, over), (left, under)) = (x.overflowing_add_unsigned(y), x.overflowing_sub_unsigned(y));
            let wraps = x.wrapping_add_unsigned(y) == sum && x.wrapping_sub_unsigned(y) == left;
            let stops = x.saturating_add_unsigned(y) / 2 - x.saturating_sub_unsigned(y) / 2;
            let same = x.cast_unsigned() == y;
            (sum ^ left.rotate_left(1), stops, over as u32 + under as u32 * 2 + wraps as u32 * 4 + same as u32 * 8)
        }

        #[user_function]
        fn $unsigned(x: $u, y: $i) -> ($u, $u, u32) {
            let (sum, over) = x.overflowing_add_signed(y);
            let wraps = x.wrapping_add_signed(y) == sum;
            let same = x.cast_signed() == y;
            (sum, x.saturating_add_signed(y), over as u32 + wraps as u32 * 2 + same as u32 * 4)
        }
    )* };
}

of_both_signs! {
    of_i8_and_u8 of_u8_and_i8 i8 u8;
    of_i16_and_u16 of_u16_and_i16 i16 u16;
    of_i32_and_u32 of_u32_and_i32 i32 u32;
    of_i64_and_u64 of_u64_and_i64 i64 u64;
}

/// A place and how far it is moved.
#[user_function]
fn moved(k: u32, by: i32) -> u32 {
    let place = (k % 1000) as usize;
    place.saturating_add_signed((by % 2000) as isize) as u32
}

#[user_function]
fn signs_that_overflow<T: Integer>(x: T) -> (T, bool) {
    x.overflowing_neg()
}

#[user_function]
fn shifts_that_overflow<T: Integer>(x: T, n: u32) -> (T, u32) {
    let (left, over) = x.overflowing_shl(n & 127);
    let (right, under) = x.overflowing_shr(n >> 25);
    (left ^ right, over as u32 * 2 + under as u32)
}

#[user_function]
fn midpoints<T: Integer>(x: T, y: T) -> T {
    x.midpoint(y)
}

#[user_function]
fn roots<T: Integer>(x: T) -> T {
    x.isqrt()
}

#[user_function]
fn logarithms<T: Integer>(x: T, base: T) -> u32 {
    x.ilog2() * 10_000 + x.ilog10() * 100 + x.ilog(base)
}

#[user_function]
fn zeros<T: Integer>(x: T) -> u32 {
    x.count_zeros()
}

#[user_function]
fn absolutes(a: i8, b: i32, c: i64) -> i64 {
    let (d, over) = b.overflowing_abs();
    let near = a.wrapping_abs() as i64 ^ a.saturating_abs() as i64 ^ a.saturating_neg() as i64;
    near ^ b.saturating_abs() as i64
        ^ c.wrapping_abs()
        ^ c.saturating_neg()
        ^ d as i64 + over as i64
}

#[user_function]
fn powers_of_two(a: u8, b: u32, c: u64) -> u64 {
    let next = (a & 127).next_power_of_two() as u64 + (b >> 1).next_power_of_two() as u64;
    let is = a.is_power_of_two() as u64 + b.is_power_of_two() as u64 * 2;
    next + (c >> 1).next_power_of_two() + is + c.is_power_of_two() as u64 * 4
}

#[user_function]
fn powers_of_two_that_overflow(a: u8) -> u8 {
    a.next_power_of_two()
}

#[user_function]
fn multiples_above(a: u16, b: u16, c: u64, d: u64) -> u64 {
    let near = a as u32;
    let all = near.next_multiple_of(b as u32) as u64 + a.div_ceil(b) as u64;
    all ^ (c >> 2).next_multiple_of(d >> 2) ^ c.div_ceil(d)
}

#[user_function]
fn multiples_that_overflow(a: u8, b: u8) -> u8 {
    a.next_multiple_of(b)
}

/// By their paths, of literals, of parts, and behind `&&`.
#[user_function]
fn in_all_places(p: (u32, i32), x: u32) -> u32 {
    let mut n = u32::isqrt(p.0) + i32::wrapping_div(p.1, -1) as u32 + 1000_u32.ilog10();
    if p.0 > 0 && p.0.ilog2() > 7 || x.is_power_of_two() {
        n += x.saturating_mul(3);
    }
    let mut k = 0;
    while k < 40 && n.saturating_mul(k) < 100_000 {
        k += 1;
    }
    n ^ k
}

#[user_function]
fn calls_it(a: u32, b: i32, x: u32) -> u32 {
    in_all_places((a, b), x)
}

#[user_function]
fn float_logarithms(x: f32, y: f32) -> f32 {
    let (sine, cosine) = y.clamp(-100.0, 100.0).sin_cos();
    (x.abs() + 1.0).log(y.abs() + 2.0) + sine * 0.5 - cosine
}

macro_rules! of_all_integers {
    ($cases:ident: $($t:ty)*) => { $(
        $cases.extend([
            case::<quotients_that_wrap, (Each<$t>, Each<$t>)>(),
            case::<euclid_that_wraps, (Each<$t>, Each<$t>)>(),
            case::<products_that_stop, (Each<$t>, Each<$t>)>(),
            case::<quotients_that_stop, (Each<$t>, Each<$t>)>(),
            case::<powers_that_stop, (Each<$t>, Each<u32>)>(),
            case::<powers_that_wrap, (Each<$t>, Each<u32>)>(),
            case::<sums_that_overflow, (Each<$t>, Each<$t>)>(),
            case::<products_that_overflow, (Each<$t>, Each<$t>)>(),
            case::<quotients_that_overflow, (Each<$t>, Each<$t>)>(),
            case::<signs_that_overflow, (Each<$t>,)>(),
            case::<shifts_that_overflow, (Each<$t>, Each<u32>)>(),
            case::<midpoints, (Each<$t>, Each<$t>)>(),
            case::<roots, (Each<$t>,)>(),
            case::<logarithms, (Each<$t>, Each<$t>)>(),
            case::<zeros, (Each<$t>,)>(),
        ]);
    )* };
}

pub(super) fn cases() -> Vec<Case> {
    let mut cases = vec![
        case::<absolutes, (Each<i8>, Each<i32>, Each<i64>)>(),
        case::<powers_of_two, (Each<u8>, Each<u32>, Each<u64>)>(),
        case::<powers_of_two_that_overflow, (Each<u8>,)>(),
        case::<multiples_above, (Each<u16>, Each<u16>, Each<u64>, Each<u64>)>(),
        case::<multiples_that_overflow, (Each<u8>, Each<u8>)>(),
        case::<calls_it, (Each<u32>, Each<i32>, Each<u32>)>(),
        case::<of_i8_and_u8, (Each<i8>, Each<u8>)>(),
        case::<of_u8_and_i8, (Each<u8>, Each<i8>)>(),
        case::<of_i16_and_u16, (Each<i16>, Each<u16>)>(),
        case::<of_u16_and_i16, (Each<u16>, Each<i16>)>(),
        case::<of_i32_and_u32, (Each<i32>, Each<u32>)>(),
        case::<of_u32_and_i32, (Each<u32>, Each<i32>)>(),
        case::<of_i64_and_u64, (Each<i64>, Each<u64>)>(),
        case::<of_u64_and_i64, (Each<u64>, Each<i64>)>(),
        case::<moved, (Each<u32>, Each<i32>)>(),
        case::<float_logarithms, (Each<f32>, Each<f32>)>(),
    ];
    of_all_integers!(cases: i8 u16 i32 u32 i64 u64);
    cases
}
