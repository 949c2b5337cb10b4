//! Whole containers and generators, where they cannot be.
#![allow(unused)]
use skel::prelude::*;

#[user_function]
fn written(a: &mut [f32], b: &mut Vector<f32>, c: &mut Vec<u32>, d: &mut MatrixView<f32>, e: &mut Tensor4<u8>) {
}

#[user_function]
fn owned(a: Vector<f32>, b: Matrix<f32>, c: Vec<f32>, d: Tensor3<f32>) -> f32 {
    0.0
}

#[user_function]
fn uniforms(#[uniform] xs: &[f32], #[uniform] rng: &mut Random) -> f32 {
    xs[0]
}

#[user_function]
fn generators(a: Random, b: &mut Random, c: &mut Random) -> u32 {
    b.next_u32()
}

#[user_function]
fn kept(xs: &[f32], m: MatrixView<f32>, rng: &mut Random) -> f32 {
    let ys = xs;
    let other = rng;
    let n = if m.rows() > 3 { m } else { m };
    ys[0]
}

#[user_function]
fn asked(xs: &[f32], m: MatrixView<f32>, rng: &mut Random) -> f32 {
    let sum: f32 = xs.iter().sum();
    let n = m.transpose();
    rng.gen_range(0, 6) as f32
}

#[user_function]
fn elements(xs: &[char], m: MatrixView<String>) -> f32 {
    0.0
}

#[user_function]
fn given_back(xs: &[f32]) -> &[f32] {
    xs
}

fn main() {}
