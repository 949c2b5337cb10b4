//! Errors that are rustc's own stay where they belong, and show once where that is possible.
#![allow(unused)]
use skel::prelude::*;

#[user_function]
fn wrong_result(x: f32) -> f32 {
    1
}

#[user_function]
fn wrong_condition(n: u32) -> u32 {
    if n { 1 } else { 2 }
}

#[user_function]
fn wrong_argument(n: u32) -> f32 {
    wrong_result(n)
}

#[user_function]
fn unknown_name(x: f32) -> f32 {
    x + y
}

#[user_function]
fn uninitialised(x: f32) -> f32 {
    let y: f32;
    if x > 0.0 {
        y = 1.0;
    }
    y
}

#[user_function]
fn immutable(x: f32) -> f32 {
    let y = x;
    y += 1.0;
    y
}

fn main() {}
