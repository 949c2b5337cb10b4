#![allow(unused)]
use skel::prelude::*;

#[user_function]
fn wide(a: i64, b: u64, c: u8, d: i16, e: u128, f: char) -> f32 {
    0.0
}

#[user_function]
fn containers(b: &f32, c: Vec<f32>, f: Option<f32>, g: &str) -> f32 {
    0.0
}

#[user_function]
fn pattern((a, b): (f32, f32)) -> f32 {
    a + b
}

#[user_function]
fn indices(at: Index1, here: Index2) -> f32 {
    at.i as f32
}

#[user_function]
fn uniform_index(#[uniform] at: Index1, #[uniform] y: &mut f32) {
    *y = at.i as f32;
}

#[user_function]
fn opaque(x: impl Copy) -> u64 {
    0
}

#[user_function]
fn too_many(
    a: f32, b: f32, c: f32, d: f32, e: f32, f: f32, g: f32, h: f32, i: f32, j: f32, k: f32, l: f32, m: f32,
) -> f32 {
    a
}

fn main() {}
