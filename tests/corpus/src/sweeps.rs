//! What elements of sweeps see.

use super::{Case, case};
use skel::prelude::*;
use skel_core::param::{Each, EachSweep1, EachSweep2, EachSweep3, Uniform, Whole};

#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
struct Score {
    best: i32,
    gaps: [i32; 2],
}

#[user_function]
fn integral<T: Number>(s: Sweep2<T, 1, 1>) -> T {
    s[(0, 0)] + s[(-1, 0)] + s[(0, -1)] - s[(-1, -1)]
}

#[user_function]
fn edit(d: Sweep2<u32, 1, 1>, a: u8, b: u8) -> u32 {
    let gap = d[(-1, 0)].min(d[(0, -1)]).wrapping_add(1);
    let both = d[(-1, -1)].wrapping_add(if a == b { 0 } else { 1 });
    gap.min(both)
}

#[user_function]
fn gap(c: Sweep2<Score, 1, 1>, open: i32) -> [i32; 2] {
    [
        c[(-1, 0)]
            .best
            .wrapping_sub(open)
            .max(c[(-1, 0)].gaps[0].wrapping_sub(1)),
        c[(0, -1)]
            .best
            .wrapping_sub(open)
            .max(c[(0, -1)].gaps[1].wrapping_sub(1)),
    ]
}

/// What is seen is passed on.
#[user_function]
fn align(c: Sweep2<Score, 1, 1>, a: u8, b: u8, #[uniform] open: i32) -> [i32; 3] {
    let gaps = gap(c, open);
    let matched = c[(-1, -1)].best.wrapping_add(if a == b { 5 } else { -4 });
    [matched.max(gaps[0].max(gaps[1])).max(0), gaps[0], gaps[1]]
}

#[user_function]
fn relax(u: Sweep3<f64, 1, 1, 1>, f: f64, #[uniform] omega: f64) -> f64 {
    let before = u[(-1, 0, 0)] + u[(0, -1, 0)] + u[(0, 0, -1)];
    let behind = u[(0, 0, 1)] + u[(0, 1, 0)] + u[(1, 0, 0)];
    u[(0, 0, 0)] + omega * ((before + behind + f) / 6.0 - u[(0, 0, 0)])
}

#[user_function]
fn filter<const R: usize>(x: Sweep1<f32, R>, taps: &[f32]) -> f32 {
    let mut y = x[0];
    if taps.len() > 2 {
        y = y - taps[0] * x[-1] + taps[1] * x[-2];
    }
    y
}

#[user_function]
fn in_a_loop(x: Sweep1<i16, 1>, n: u8) -> i16 {
    let mut y = x[0];
    for k in 0..n % 9 {
        y = y
            .wrapping_mul(3)
            .wrapping_add(if k % 2 == 0 { x[-1] } else { x[1] });
    }
    y
}

#[user_function]
fn divides(x: Sweep2<i32, 1, 0>, by: i32) -> i32 {
    x[(0, 0)].wrapping_add(x[(-1, 0)] / by)
}

#[user_function]
fn of_arrays(v: Sweep1<[f32; 3], 1>) -> [f32; 3] {
    [v[-1][0] * v[0][1], v[-1][1] - v[0][2], v[1][2]]
}

#[user_function]
fn truths(x: Sweep2<bool, 1, 2>) -> bool {
    x[(0, 0)] != (x[(-1, 0)] && x[(0, -2)]) || x[(1, 2)]
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        case::<integral, (EachSweep2<f32, 1, 1>,)>(),
        case::<integral, (EachSweep2<f64, 1, 1>,)>(),
        case::<edit, (EachSweep2<u32, 1, 1>, Each<u8>, Each<u8>)>(),
        case::<align, (EachSweep2<Score, 1, 1>, Each<u8>, Each<u8>, Uniform<i32>)>(),
        case::<relax, (EachSweep3<f64, 1, 1, 1>, Each<f64>, Uniform<f64>)>(),
        case::<filter, (EachSweep1<f32, 2>, Whole<f32>)>(),
        case::<filter, (EachSweep1<f32, 5>, Whole<f32>)>(),
        case::<in_a_loop, (EachSweep1<i16, 1>, Each<u8>)>(),
        case::<divides, (EachSweep2<i32, 1, 0>, Each<i32>)>(),
        case::<of_arrays, (EachSweep1<[f32; 3], 1>,)>(),
        case::<truths, (EachSweep2<bool, 1, 2>,)>(),
    ]
}
