//! Kinds of parameters.

use super::{Case, case};
use skel::prelude::*;
use skel_core::param::{Each, EachMut, Uniform};

#[user_function]
fn scaled(x: f32, #[uniform] k: f32, #[uniform] on: bool) -> f32 {
    if on { k * x } else { x }
}

#[user_function]
fn in_place(y: &mut f32, x: f32) {
    *y += x;
    if *y > 3.0 {
        return;
    }
    *y = *y * 2.0 - 1.0;
}

#[user_function]
fn in_place_and_result(a: &mut i32, b: &mut u32) -> i32 {
    let old = *a;
    *a = *b as i32;
    *b ^= old as u32;
    *b >>= 1;
    old - (*a).abs()
}

#[user_function]
fn position(at: Index1, x: f32) -> f32 {
    if at.i % 2 == 0 { x } else { -x }
}

#[user_function]
fn grid(#[uniform] w: f32, at: Index2, x: u32) -> u32 {
    let p = at;
    let here = p.row * 3 + at.col;
    (here as f32 * w) as u32 ^ x
}

#[user_function]
fn distance_to(at: Index2, row: usize) -> usize {
    if at.row > row {
        at.row - row
    } else {
        row - at.row
    }
}

#[user_function]
fn passes_the_index_on(at: Index2, #[uniform] row: usize) -> usize {
    distance_to(at, row) + at.col / 2
}

#[user_function]
fn mutable_parameters(mut a: u32, mut b: u32) -> u32 {
    while b != 0 {
        let t = a % b;
        a = b;
        b = t;
    }
    a
}

#[user_function]
fn in_a_tensor(at: Index3, x: usize) -> usize {
    (at.plane * 100 + at.row) * 100 + at.col + x % 2
}

#[user_function]
fn in_four_dimensions(x: u32, at: Index4) -> u32 {
    let Index4 {
        volume,
        plane,
        row,
        col,
    } = at;
    let mut place = volume * 10 + plane;
    place = place * 10 + row;
    (place * 100 + col) as u32 ^ x
}

#[user_function]
fn neighbours_in_a_tensor(at: Index3) -> bool {
    let last = Index3 {
        plane: at.plane,
        row: 3,
        col: 24,
    };
    at.row == last.row || at.col == last.col
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        case::<scaled, (Each<f32>, Uniform<f32>, Uniform<bool>)>(),
        case::<in_place, (EachMut<f32>, Each<f32>)>(),
        case::<in_place_and_result, (EachMut<i32>, EachMut<u32>)>(),
        case::<position, (Each<f32>,)>(),
        case::<grid, (Uniform<f32>, Each<u32>)>(),
        case::<passes_the_index_on, (Uniform<usize>,)>(),
        case::<in_a_tensor, (Each<usize>,)>(),
        case::<in_four_dimensions, (Each<u32>,)>(),
        case::<neighbours_in_a_tensor, ()>(),
        case::<mutable_parameters, (Each<u32>, Each<u32>)>(),
    ]
}
