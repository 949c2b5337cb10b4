//! User functions as type parameters, and what is none.
#![allow(unused)]
use skel::prelude::*;

#[user_function]
fn twice<F: Function1<f32, f32>>(x: f32) -> f32 {
    F::call(F::call(x))
}

#[user_function]
fn of_integers(n: i32) -> i32 {
    n + 1
}

fn plain(x: f32) -> f32 {
    x
}

#[user_function]
fn in_place(y: &mut f32) {
    *y += 1.0;
}

#[user_function]
fn wrong_type(x: f32) -> f32 {
    twice::<of_integers>(x)
}

#[user_function]
fn wrong_kind(x: f32) -> f32 {
    twice::<in_place>(x)
}

#[user_function]
fn not_one(x: f32) -> f32 {
    twice::<plain>(x)
}

#[user_function]
fn needs_a_place(x: f32) -> f32 {
    in_place(x);
    x
}

fn main() {}
