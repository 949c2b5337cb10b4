#![allow(unused)]
use skel::prelude::*;
use std::ops::Add;

#[user_function]
fn no_bound<T: Copy>(a: T, b: T) -> T {
    a + b
}

trait Sum: Copy + Add<Output = Self> {}

#[user_function]
fn hidden_bound<T: Sum>(a: T, b: T) -> T {
    a + b
}

#[user_function]
fn numbers<T: Number>(a: T) -> T {
    a
}

#[user_function]
fn not_a_number(a: bool) -> bool {
    numbers(a)
}

#[user_function]
fn literals<T: Number>(x: T) -> T {
    let y = x * 2 + 1;
    y
}

#[user_function]
fn float_literals<T>(x: T, y: T) -> T
where
    T: Float,
{
    if x > 0.0 { 0.5 * (x + y) } else { x }
}

#[user_function]
fn takes_literals<T: Number + std::ops::Mul<f32, Output = T>>(x: T) -> T {
    x * 2.0
}

fn main() {
    // No error follows from those above.
    let _ = map!(literals).run((&[1, 2],));
}
