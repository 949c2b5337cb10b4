//! `impl` blocks and traits with what devices do not have.
#![allow(unused)]
use skel::prelude::*;
use std::ops::{Add, Sub};

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct V {
    x: f32,
}

#[user_function]
impl V {
    fn recursion(self, n: u32) -> f32 {
        if n == 0 { self.x } else { self.recursion(n - 1) }
    }
    fn recursion_by_path(x: f32) -> f32 {
        Self::recursion_by_path(x)
    }
    fn boxed(self: Box<Self>) -> f32 {
        1.0
    }
    fn uniform(self, #[uniform] k: f32) -> f32 {
        k
    }
    fn text(self) -> String {
        String::new()
    }
    fn lifetime<'a>(self, other: &'a V) -> f32 {
        other.x
    }
}

#[user_function]
impl Add<&V> for V {
    type Output = V;
    fn add(self, other: &V) -> V {
        V { x: self.x + other.x }
    }
}

#[user_function]
impl Sub for &V {
    type Output = V;
    fn sub(self, other: &V) -> V {
        V { x: self.x - other.x }
    }
}

#[user_function]
impl PartialOrd for V {
    fn partial_cmp(&self, other: &V) -> Option<std::cmp::Ordering> {
        self.x.partial_cmp(&other.x)
    }
}

#[user_function]
impl From<f32> for V {
    fn from(x: f32) -> V {
        V { x }
    }
}

impl PartialEq for V {
    fn eq(&self, other: &V) -> bool {
        self.x == other.x
    }
}

#[user_function]
trait Bounded {
    fn max(self, other: Self) -> Self;
}

impl V {
    #[user_function]
    fn on_a_method(self) -> f32 {
        self.x
    }
}

fn main() {}
