//! Patterns that no device has, and items inside of functions.
#![allow(unused)]
use skel::prelude::*;

macro_rules! five {
    () => {
        5
    };
}

#[user_function]
fn options(x: f32) -> f32 {
    if let Some(y) = x.checked() {
        return y;
    }
    match x {
        None => 0.0,
        Ok(y) => y,
        _ => x,
    }
}

#[user_function]
fn references(x: f32, n: u32) -> f32 {
    let ref y = x;
    match n {
        ref k => x,
        &k => x,
    }
}

#[user_function]
fn text(n: u32) -> u32 {
    match n {
        'a' => 1,
        "b" => 2,
        b'c' => 3,
        const { 4 } => 4,
        five!() => 5,
        _ => n,
    }
}

#[user_function]
fn types_inside(n: u32) -> u32 {
    struct Pair(u32, u32);
    enum Mode {
        On,
    }
    macro_rules! three {
        () => {
            3
        };
    }
    mod inner {}
    n
}

#[user_function]
fn errors_inside(n: u32) -> u32 {
    fn vector(n: u32) -> u32 {
        let v = vec![n];
        n
    }
    vector(n)
}

fn main() {}
