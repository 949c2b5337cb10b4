//! Arrays and tables.

use super::{Case, case};
use skel::prelude::*;
use skel_core::param::{Each, EachMut, Uniform};

const WEIGHTS: [f32; 5] = [0.0625, 0.25, 0.375, 0.25, 0.0625];
static PRIMES: [u32; 8] = [2, 3, 5, 7, 11, 13, 17, 19];
const STEPS: [[i32; 2]; 4] = [[0, 1], [1, 0], [0, -1], [-1, 0]];
const ORDER: usize = 3;

#[user_function]
fn literals(x: f32, k: u32) -> f32 {
    let table = [1.0, x, 3.0, -2.5];
    table[(k % 4) as usize] * table[1] + table[3]
}

#[user_function]
fn tables(k: u32, x: f32) -> f32 {
    let at = (k % 5) as usize;
    WEIGHTS[at] * x + PRIMES[at + 2] as f32 - STEPS[(k & 3) as usize][1] as f32
}

#[user_function]
fn out_of_range(k: usize, x: f32) -> f32 {
    WEIGHTS[k] * x
}

#[user_function]
fn stores(x: i32, n: usize) -> i32 {
    let mut a = [0; 8];
    let mut k = 0;
    while k < a.len() {
        a[k] = x + k as i32;
        a[k] *= 3;
        k += 1;
    }
    a[n % 8] -= 1;
    a[0] ^ a[7] + a[n % 8]
}

#[user_function]
fn stores_out_of_range(x: i32, n: usize) -> i32 {
    let mut a = [x; 4];
    a[n] = 1;
    a[n / 2] += a[n];
    a[0] + a[3]
}

#[user_function]
fn nested(x: f32, i: u32, j: u32) -> f32 {
    let mut m = [[0.0; 3]; 3];
    for r in 0..3 {
        for c in 0..3 {
            m[r][c] = x * (r * 3 + c) as f32;
        }
    }
    m[(i % 3) as usize][(j % 3) as usize] = 1.0;
    m[(i % 4) as usize][(j % 5) as usize] - m[0][1]
}

#[user_function]
fn sum<const N: usize>(values: [f32; N]) -> f32 {
    let mut total = 0.0;
    for k in 0..N {
        total += values[k];
    }
    total
}

#[user_function]
fn passes_arrays(x: f32) -> f32 {
    sum([x, 2.0, 0.5]) + sum([x; ORDER + 1]) * sum([0.25])
}

#[user_function]
fn polynomial<const N: usize>(x: f64, #[uniform] coefficients: [f64; N]) -> f64 {
    let mut y = 0.0;
    let mut k = N;
    while k > 0 {
        k -= 1;
        y = y * x + coefficients[k];
    }
    y
}

#[user_function]
fn gives_array(x: i16, y: i16) -> [i16; 3] {
    if x > y {
        return [x, y, 0];
    }
    [y, x, 1]
}

#[user_function]
fn sorts(a: [u8; 4]) -> [u8; 4] {
    let mut a = a;
    for i in 0..4 {
        for j in (i + 1)..4 {
            if a[j] < a[i] {
                let t = a[i];
                a[i] = a[j];
                a[j] = t;
            }
        }
    }
    a
}

#[user_function]
fn in_place(a: &mut [i32; 3], k: usize) {
    (*a)[k % 3] += 5;
    *a = [(*a)[1], (*a)[2], (*a)[0]];
}

#[user_function]
fn order_of_evaluation(n: usize) -> usize {
    let mut i = n % 3;
    let mut a = [10, 20, 30, 40];
    a[i] = {
        i += 1;
        i * 100
    };
    a[{
        i = (i + 1) % 4;
        i
    }] += a[i % 4] + i;
    a[0] + a[1] * 3 + a[2] * 5 + a[3] * 7 + i
}

#[user_function]
fn compares(a: [u8; 3], b: [u8; 3]) -> u32 {
    let c = [a[0], b[1], a[2]];
    (a == b) as u32 + (c != a) as u32 * 2 + ([a[1], 2, 3] == [2, a[1], 3]) as u32 * 4
}

#[user_function]
fn of_bools(a: [bool; 4], k: usize) -> bool {
    let mut b = a;
    b[k % 4] = !b[k % 4];
    b[0] && b[1] || b[2] != a[3]
}

#[user_function]
fn typed(x: i64) -> u8 {
    let a: [u8; 3] = [1, 2, 250];
    let mut b: [i64; 2] = [0; 2];
    b[1] = x;
    b = [b[1], -3];
    a[(b[0] & 1) as usize] + a[2] * b[1] as u8
}

const NAMED: (u32, [f32; 2]) = (3, [0.5, -1.0]);

#[user_function]
fn tuple_constant(x: f32) -> f32 {
    let named = NAMED;
    x * named.1[0] + NAMED.1[1] * NAMED.0 as f32
}

#[user_function]
fn largest<T: Element + PartialOrd, const N: usize>(all: [T; N]) -> T {
    let mut best = all[0];
    for k in 1..N {
        if all[k] > best {
            best = all[k];
        }
    }
    best
}

#[user_function]
fn of_any_type(a: [i64; 3], x: u8) -> i64 {
    largest(a) - largest([x, 17, x / 2, 3]) as i64
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        case::<literals, (Each<f32>, Each<u32>)>(),
        case::<tables, (Each<u32>, Each<f32>)>(),
        case::<out_of_range, (Each<usize>, Each<f32>)>(),
        case::<stores, (Each<i32>, Each<usize>)>(),
        case::<stores_out_of_range, (Each<i32>, Each<usize>)>(),
        case::<nested, (Each<f32>, Each<u32>, Each<u32>)>(),
        case::<sum, (Each<[f32; 4]>,)>(),
        case::<passes_arrays, (Each<f32>,)>(),
        case::<polynomial, (Each<f64>, Uniform<[f64; 4]>)>(),
        case::<gives_array, (Each<i16>, Each<i16>)>(),
        case::<sorts, (Each<[u8; 4]>,)>(),
        case::<in_place, (EachMut<[i32; 3]>, Each<usize>)>(),
        case::<order_of_evaluation, (Each<usize>,)>(),
        case::<compares, (Each<[u8; 3]>, Each<[u8; 3]>)>(),
        case::<of_bools, (Each<[bool; 4]>, Each<usize>)>(),
        case::<typed, (Each<i64>,)>(),
        case::<tuple_constant, (Each<f32>,)>(),
        case::<largest, (Each<[i16; 5]>,)>(),
        case::<of_any_type, (Each<[i64; 3]>, Each<u8>)>(),
    ]
}
