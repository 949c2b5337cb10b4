//! A trait is marked, but not its `impl`, or the other way round.
#![allow(unused)]
use skel::prelude::*;

#[user_function]
trait Marked {
    fn area(self) -> f32;
}

trait Plain {
    fn length(self) -> f32;
}

impl Marked for f32 {
    fn area(self) -> f32 {
        self * self
    }
}

#[user_function]
impl Plain for f32 {
    fn length(self) -> f32 {
        self
    }
}

fn main() {}
