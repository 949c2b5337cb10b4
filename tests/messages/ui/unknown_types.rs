#![allow(unused)]
use skel::prelude::*;

#[derive(Clone, Copy)]
struct Complex {
    re: f32,
}

#[user_function]
fn of_a_struct(z: Complex) -> f32 {
    z.re
}

#[user_function]
fn to_a_struct(re: f32) -> Complex {
    let z: Complex = todo(re);
    z
}

fn todo(re: f32) -> Complex {
    Complex { re }
}

fn main() {}
