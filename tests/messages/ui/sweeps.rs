//! Sweeps, where they cannot be, and offsets that do not say what comes first.
#![allow(unused)]
use skel::prelude::*;

#[user_function]
fn mixed(w: Sweep2<f32, 1, 1>, v: Sweep3<f32, 1, 1, 2>) -> f32 {
    w[(-1, 1)] + w[(1, -1)] + v[(0, -1, 2)] + w[(-1, -1)] + v[(0, 1, 2)]
}

#[user_function]
fn beyond(w: Sweep1<f32, 2>) -> f32 {
    w[-3] + w[-2] + w[3]
}

#[user_function]
fn unknown(w: Sweep2<f32, 2, 2>, by: isize) -> f32 {
    let mut sum = 0.0;
    for k in 1..3 {
        sum += w[(-k, 0)];
    }
    sum + w[(0, by)]
}

#[user_function]
fn kept(w: Sweep1<f32, 1>, #[uniform] v: Sweep1<f32, 1>) -> f32 {
    let other = w;
    w.len();
    w[0] = 1.0;
    v[0]
}

#[user_function]
fn no_reach(w: Sweep2<u8>) -> u8 {
    w[(0, -1)]
}

#[user_function]
fn changed(w: &mut Sweep1<f32, 1>) -> f32 {
    w[-1]
}

#[user_function]
fn fine(w: Sweep2<f32, 1, 1>) -> f32 {
    w[(0, -1)]
}

#[user_function]
fn other_type(w: Sweep1<f32, 1>) -> u32 {
    w[0] as u32
}

fn main() {
    let mut m = Matrix::filled(2, 2, 1.0_f32);
    let mut v = Vector::filled(2, 1.0_f32);
    sweep!(fine).run((&m,));
    sweep!(fine).run((&mut v,));
    sweep!(fine).pad(1).run((&mut m,));
    sweep!(other_type).run((&mut v,));
    sweep!(|x: f32, w: Sweep1<f32, 1>| w[-1] + x).run((&v, &mut v));
}
