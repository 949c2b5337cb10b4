//! Windows and pools, where they cannot be, and offsets beyond them.
#![allow(unused)]
use skel::prelude::*;

#[user_function]
fn beyond(w: Window1<f32, 1>, v: Window2<f32, 0, 2>, p: Pool2<f32, 2, 3>) -> f32 {
    w[2] + w[-2] + w[1] + v[(1, -2)] + v[(0, 3)] + p[(1, 2)] + p[(2, 0)]
}

#[user_function]
fn kept(w: Window1<f32, 1>, #[uniform] v: Window1<f32, 1>) -> f32 {
    let other = w;
    v[0]
}

#[user_function]
fn given_back(w: Window1<f32, 1>) -> Window1<f32, 1> {
    w
}

fn main() {}
