#![allow(unused)]
use skel::prelude::*;

#[user_function]
fn asserts(x: f32, n: u32) -> f32 {
    assert!(x > 0.0, "{x} is not positive");
    assert!(x > 0.0, "{} is not positive", x);
    assert_eq!(n, 3, "not {}", 3);
    assert_eq!(n);
    assert!();
    debug_assert!(x < 1.0, MESSAGE);
    if x > 2.0 {
        panic!("{n}");
    }
    if x > 3.0 { unreachable!("{:?}", x) } else { x }
}

const MESSAGE: &str = "message";

#[user_function]
fn prints(x: f32) -> f32 {
    println!("{x}");
    dbg!(x)
}

#[user_function]
fn allocates(x: f32) -> f32 {
    let v = vec![x];
    let s = format!("{x}");
    x
}

macro_rules! twice {
    ($x:expr) => {
        $x * 2.0
    };
}

#[user_function]
fn own_macro(x: f32) -> f32 {
    twice!(x)
}

fn main() {}
