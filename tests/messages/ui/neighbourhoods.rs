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

#[user_function]
fn no_reach(w: Window2<u8>, p: Pool1<f32>) -> f32 {
    w[(0, 1)] as f32 + p[1]
}

#[user_function]
fn half_a_reach(w: Window3<f32, 1, 2>) -> f32 {
    w[(0, 0, 1)]
}

fn main() {
    // No error follows from those above.
    let (m, x) = (Matrix::filled(2, 2, 1_u8), [1.0_f32]);
    let _ = map_overlap!(|w: Window2<u8>| w[(0, 1)]).run((&m,));
    let _ = map_pool!(|p: Pool1<f32>| p[1]).run((&x,));
    let _ = map_overlap!(half_a_reach).run((&Tensor3::filled(1, 1, 1, 1.0_f32),));
}
