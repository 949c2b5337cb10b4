#![allow(unused)]
use skel::prelude::*;

#[user_function]
fn recursion(n: u32) -> u32 {
    if n < 2 { n } else { recursion(n - 1) + recursion(n - 2) }
}

#[user_function]
fn of_std(x: f32) -> f32 {
    let mut a = x;
    let mut b = 2.0;
    std::mem::swap(&mut a, &mut b);
    std::cmp::max(1, 2) as f32 + a
}

#[user_function]
fn of_types(x: f32) -> f32 {
    let v = Vec::new();
    let b = Box::new(x);
    let d: f32 = Default::default();
    x + f32::hypot(x, d)
}

#[user_function]
fn of_variables(x: f32) -> f32 {
    let f = |y: f32| y + 1.0;
    f(x)
}

#[user_function]
fn in_place(y: &mut f32) {
    *y += 1.0;
}

#[user_function]
fn passes_in_place(x: f32, z: &mut f32) -> f32 {
    let mut y = x;
    in_place(&mut y);
    in_place(z);
    y
}

#[user_function]
fn by_reference(y: &mut f32) {
    y = y + 1.0;
    let z = y.sqrt();
}

#[user_function]
fn not_a_place(x: f32) -> f32 {
    x + 1.0 = 2.0;
    f32::MAX = 1.0;
    x
}

#[user_function]
fn items(x: f32) -> f32 {
    const K: f32 = 2.0;
    fn helper(x: f32) -> f32 {
        x
    }
    x * K
}

fn main() {}
