//! Operators, methods and traits without #[user_function].
#![allow(unused)]
use skel::prelude::*;
use std::ops::{Add, Neg};

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct V {
    x: f32,
}

impl Add for V {
    type Output = V;
    fn add(self, other: V) -> V {
        V { x: self.x + other.x }
    }
}

impl Neg for V {
    type Output = V;
    fn neg(self) -> V {
        V { x: -self.x }
    }
}

impl V {
    fn new(x: f32) -> V {
        V { x }
    }
    fn norm(self) -> f32 {
        self.x
    }
    fn abs(self) -> f32 {
        self.x.abs()
    }
}

trait Area {
    fn area(self) -> f32;
}

impl Area for V {
    fn area(self) -> f32 {
        self.x
    }
}

#[user_function]
fn operators(a: V, b: V) -> V {
    a + -b
}

#[user_function]
fn methods(a: V) -> f32 {
    let b = V::new(2.0);
    a.norm() + b.abs()
}

#[user_function]
fn traits<A: Area>(a: A) -> f32 {
    a.area()
}

fn main() {}
