//! Values of more than one number, and text.
#![allow(unused)]
use skel::prelude::*;

struct Pair {
    a: f32,
    b: f32,
}

#[user_function]
fn tuples(x: f32) -> f32 {
    let (a, b) = (x, 2.0);
    let t = (x, x);
    t.0 + a * b
}

#[user_function]
fn arrays(x: f32) -> f32 {
    let table = [1.0, x, 3.0];
    let zeros = [0.0; 8];
    table[1] + zeros[0]
}

#[user_function]
fn structs(x: f32) -> f32 {
    let p = Pair { a: x, b: 2.0 };
    let Pair { a, b } = p;
    a + b
}

#[user_function]
fn text(x: f32) -> f32 {
    let s = "text";
    let c = 'c';
    x
}

#[user_function]
fn options(x: f32) -> f32 {
    let some = Some(x);
    let none: Option<f32> = None;
    x
}

#[user_function]
fn references(x: f32) -> f32 {
    let r = &x;
    let mut y = x;
    let m = &mut y;
    *m = 1.0;
    *r
}

#[user_function]
fn literals(x: f32) -> f32 {
    (x as u8) as f32 + 1u64 as f32 + (3_i16 as f32)
}

fn main() {}
