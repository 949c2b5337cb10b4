#![allow(unused)]
use skel::prelude::*;

#[user_function]
struct NotAFunction {
    x: f32,
}

#[user_function(fast)]
fn option(x: f32) -> f32 {
    x
}

struct Two(f32);

#[user_function]
impl Two {
    fn double(self) -> f32 {
        2.0 * self.0
    }
}

#[user_function]
mod functions {}

fn main() {}
