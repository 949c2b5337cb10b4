//! Named constants.

use super::{Case, case};
use skel::prelude::*;
use skel_core::param::Each;

const BAILOUT: f32 = 4.0;
const STEPS: u32 = 3 * 4;
static OFFSET: i32 = -17;

pub struct Limits;

impl Limits {
    pub const LOW: f64 = -1.5;
    pub const ON: bool = true;
}

pub mod table {
    pub const SCALE: f32 = 1.0 / 3.0;
}

#[user_function]
fn own(x: f32, n: u32) -> f32 {
    if x > BAILOUT && Limits::ON {
        return table::SCALE * x;
    }
    (n % STEPS) as f32 + OFFSET as f32 * Limits::LOW as f32
}

#[user_function]
fn of_std(x: f32, n: i32) -> f32 {
    let limit = f32::MAX;
    let tau = 2.0 * std::f32::consts::PI;
    if x >= limit || n == i32::MIN || x == f32::NEG_INFINITY {
        return f32::EPSILON;
    }
    x * tau + u32::MAX as f32 + f32::MIN_POSITIVE + std::f64::consts::E as f32
}

#[user_function]
fn power<const N: u32>(x: f32) -> f32 {
    let mut r = 1.0;
    for _ in 0..N {
        r *= x;
    }
    r
}

#[user_function]
fn selected<const WHICH: bool, const BIAS: i32>(x: i32) -> i32 {
    if WHICH { x + BIAS } else { x - BIAS }
}

#[user_function]
fn uses_const_generics(x: f32, n: i32) -> f32 {
    power::<3>(x) - power::<0>(x) + (selected::<true, -4>(n) - selected::<false, 9>(n)) as f32
}

const LOGS: [f32; 12] = [
    f32::NEG_INFINITY,
    0.0,
    1.0,
    1.6,
    2.0,
    f32::NAN,
    2.6,
    2.8,
    3.0,
    -0.0,
    1e-45,
    f32::INFINITY,
];
const WIDE: [f64; 9] = [f64::INFINITY, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 5e-324];
const COLOURS: [[u32; 16]; 3] = [
    [7; 16],
    [11; 16],
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
];

/// Long constants with what C++ has no literals for, and in others.
#[user_function]
fn tables(k: u32, n: u32) -> u32 {
    let (k, n) = (k as usize, n as usize);
    let logs = LOGS[k % 12].to_bits() ^ LOGS[n % 12].to_bits();
    logs ^ COLOURS[k % 3][n % 16] ^ WIDE[(k ^ n) % 9].to_bits() as u32
}

#[derive(Element, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Row {
    weights: [f32; 9],
}

const ROW: Row = Row {
    weights: [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0],
};
const ROWS: [Row; 9] = [
    ROW,
    ROW,
    ROW,
    ROW,
    ROW,
    ROW,
    ROW,
    ROW,
    Row { weights: [0.5; 9] },
];

#[user_function]
fn tables_in_tables(k: u32, n: u32) -> f32 {
    ROWS[(k % 9) as usize].weights[(n % 9) as usize] - ROW.weights[(k % 7) as usize]
}

/// Places that are known when it is compiled, of what is known as well.
#[user_function]
fn known_places(x: u32, y: f32) -> f32 {
    let mut t = [x; 2];
    for k in 0..2 {
        t[k] ^= [0x9E37_79B9_u32, 0x85EB_CA6B][k] << 13;
    }
    let large = [f32::MAX, 1.0][0] * 10.0;
    let infinite = 1.0 / [0.0_f32, 1.0][0];
    (t[0] ^ t[1]) as f32
        + if y > large || y < infinite {
            [-1.0_f32, 4.0][1].sqrt()
        } else {
            y
        }
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        case::<own, (Each<f32>, Each<u32>)>(),
        case::<of_std, (Each<f32>, Each<i32>)>(),
        case::<power<5>, (Each<f32>,)>(),
        case::<uses_const_generics, (Each<f32>, Each<i32>)>(),
        case::<tables, (Each<u32>, Each<u32>)>(),
        case::<tables_in_tables, (Each<u32>, Each<u32>)>(),
        case::<known_places, (Each<u32>, Each<f32>)>(),
    ]
}
