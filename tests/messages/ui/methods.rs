#![allow(unused)]
use skel::prelude::*;

#[user_function]
fn absent(x: f32, n: i32, b: bool) -> f32 {
    let a = x.tanh() + x.hypot(2.0);
    let c = n.pow(2) + n.checked_add(1).unwrap();
    let d = x.to_string();
    let e = b.then(|| 1.0);
    let f = x.clone();
    let g = x.max::<f32>(1.0);
    a
}

#[user_function]
fn of_bool(a: bool, b: bool) -> bool {
    a.min(b)
}

fn main() {}
