//! Iterations whose ends differ from element to element.

use super::super::{Case, case};
use skel::prelude::*;
use skel_core::param::{Each, Uniform};

#[user_function]
fn mandelbrot(cx: f32, cy: f32, #[uniform] limit: u8) -> u32 {
    let limit = limit as u32;
    let (mut x, mut y, mut n) = (0.0, 0.0, 0);
    while n < limit {
        let (xx, yy) = (x * x, y * y);
        if xx + yy > 4.0 {
            break;
        }
        y = 2.0 * x * y + cy;
        x = xx - yy + cx;
        n += 1;
    }
    n
}

#[user_function]
fn newton(a: f64) -> f64 {
    if a < 0.0 {
        return -1.0;
    }
    let mut x = a;
    for _ in 0..60 {
        let next = 0.5 * (x + a / x);
        if (next - x).abs() < 1e-12 * next {
            return next;
        }
        x = next;
    }
    x
}

#[user_function]
fn collatz(n: u32) -> u32 {
    let mut n = n % 10_000;
    let mut steps = 0;
    while n > 1 && steps < 300 {
        n = if n & 1 == 0 { n / 2 } else { 3 * n + 1 };
        steps += 1;
    }
    steps
}

#[user_function]
fn hash(x: u32, #[uniform] rounds: u8) -> u32 {
    let mut h = x ^ 0x9e37_79b9;
    for round in 0..rounds as u32 % 20 {
        h = (h ^ (h >> 16))
            .wrapping_mul(0x85eb_ca6b)
            .wrapping_add(round);
        h = h.rotate_left(13);
    }
    h
}

#[user_function]
fn gcd(a: i32, b: i32) -> i32 {
    let (mut a, mut b) = (a % 1000, b % 1000);
    while b != 0 {
        let rest = a % b;
        a = b;
        b = rest;
    }
    a
}

#[user_function]
fn traps_by_division(a: u32, b: u32) -> u32 {
    let mut sum = 0;
    let mut k = b % 8;
    while k < 10 {
        sum += a / (k - 2);
        k += 3;
    }
    sum
}

#[user_function]
fn bits_of(x: i64) -> i64 {
    let (mut rest, mut count) = (x, 0);
    while rest != 0 {
        rest &= rest - 1;
        count += 1;
    }
    count
}

#[user_function]
fn bytes(x: u8, y: u8) -> u8 {
    let (mut x, mut n) = (x, 0u8);
    while x > 3 {
        x = x / 2 ^ (y & 1);
        n = n.wrapping_mul(3).wrapping_add(x);
        if n == y {
            break;
        }
    }
    n
}

#[user_function]
fn never_converges(x: f32) -> (u32, f32) {
    let mut y = x;
    let mut n = 0;
    while (y - 1.0).abs() > 1e-3 || y.is_nan() {
        y = 0.5 * (y + 1.0 / y);
        n += 1;
        if n == 50 {
            break;
        }
    }
    (n, y)
}

#[user_function]
fn generic<T: Number, const R: u32>(x: T, y: T) -> T {
    let mut sum = T::ZERO;
    let mut k = 0;
    while k < R {
        if sum > y {
            return x;
        }
        sum = sum + x;
        k += 1;
    }
    sum
}

#[user_function]
fn generic_at_two_types(x: f32, n: i16) -> (f32, i16) {
    (generic::<f32, 5>(x, 3.0), generic::<i16, 9>(n % 100, 70))
}

#[user_function]
fn square_root(n: u64) -> u64 {
    let (mut low, mut high) = (0, 1u64 << 32);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if middle * middle <= n {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        case::<mandelbrot, (Each<f32>, Each<f32>, Uniform<u8>)>(),
        case::<newton, (Each<f64>,)>(),
        case::<collatz, (Each<u32>,)>(),
        case::<hash, (Each<u32>, Uniform<u8>)>(),
        case::<gcd, (Each<i32>, Each<i32>)>(),
        case::<traps_by_division, (Each<u32>, Each<u32>)>(),
        case::<bits_of, (Each<i64>,)>(),
        case::<bytes, (Each<u8>, Each<u8>)>(),
        case::<never_converges, (Each<f32>,)>(),
        case::<generic<5>, (Each<f32>, Each<f32>)>(),
        case::<generic<9>, (Each<u16>, Each<u16>)>(),
        case::<generic_at_two_types, (Each<f32>, Each<i16>)>(),
        case::<square_root, (Each<u64>,)>(),
    ]
}
