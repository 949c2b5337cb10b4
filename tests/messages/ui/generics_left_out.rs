//! Generic arguments that nothing says.

use skel::prelude::*;

#[user_function]
fn power<const N: usize>(x: f32) -> f32 {
    let mut y = 1.0;
    for _ in 0..N {
        y *= x;
    }
    y
}

#[user_function]
fn flag<const B: bool, const K: i32>(x: f32) -> f32 {
    if B { x } else { K as f32 - x }
}

#[user_function]
fn apply<F: Function1<f32, f32>>(x: f32) -> f32 {
    F::call(x)
}

fn main() {
    map!(power);
    map!(flag::<true>);
    map!(apply);
    map!(apply::<power>);
    map!(apply::<power::<3>>);
}
