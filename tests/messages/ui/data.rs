//! Values of several parts, and text: what is not possible.
#![allow(unused)]
use skel::prelude::*;

#[derive(Clone, Copy)]
struct NoElement {
    a: f32,
}

#[derive(Clone, Copy, PartialEq, PartialOrd, Element)]
#[repr(C)]
struct Point {
    x: f32,
    y: f32,
}

#[derive(Clone, Copy, PartialEq, PartialOrd, Element)]
#[repr(u8)]
enum Kind {
    Light,
    Heavy,
}

#[user_function]
fn not_derived(x: f32) -> f32 {
    let p = NoElement { a: x };
    p.a
}

#[user_function]
fn structs_compared(p: Point, q: Point) -> bool {
    p == q
}

#[user_function]
fn enums_ordered(a: Kind, b: Kind) -> bool {
    a < b
}

#[user_function]
fn tuples_ordered(a: f32, b: f32) -> bool {
    (a, 1) < (b, 2)
}

#[user_function]
fn no_elements(x: f32) -> f32 {
    let a: [f32; 0] = [];
    x
}

#[user_function]
fn part_of_array(x: f32) -> f32 {
    let a = [x, 1.0, 2.0];
    let b = a[0..2];
    x
}

#[user_function]
fn text(x: f32) -> f32 {
    let s = "text";
    let c = 'c';
    x
}

#[user_function]
fn options(x: f32) -> f32 {
    let some = Some(x);
    let none: Option<f32> = None;
    x
}

#[user_function]
fn references(x: f32) -> f32 {
    let r = &x;
    let mut y = x;
    let m = &mut y;
    *m = 1.0;
    *r
}

#[user_function]
fn large_integers(x: f32) -> f32 {
    (x as u128) as f32 + 1i128 as f32
}

fn main() {}
