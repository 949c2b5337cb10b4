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

fn main() {}
