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

pub(super) fn cases() -> Vec<Case> {
    vec![
        case::<own, (Each<f32>, Each<u32>)>(),
        case::<of_std, (Each<f32>, Each<i32>)>(),
        case::<power<5>, (Each<f32>,)>(),
        case::<uses_const_generics, (Each<f32>, Each<i32>)>(),
    ]
}
