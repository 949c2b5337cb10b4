//! All errors of a function show at once, and no other error follows from them.
#![allow(unused)]
use skel::prelude::*;

#[user_function]
fn many(x: f32, label: String, table: &[f32]) -> f32 {
    let pair = (x, 2.0);
    println!("{x}");
    match label.len() {
        0 => table[0],
        _ => pair.0.tanh(),
    }
}

#[user_function]
fn body_only(x: f32) -> f32 {
    let y = (x.tanh(), 1.0);
    vec![y.0].len() as f32
}

/// Uses of a function with errors in its body are fine.
#[user_function]
fn caller(x: f32) -> f32 {
    body_only(x) + 1.0
}

fn main() {
    let _ = map!(body_only);
    let _ = map!(|x: f32| body_only(x));
    let _ = many;
}
