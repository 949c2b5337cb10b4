#![allow(unused)]
use skel::prelude::*;

#[user_function]
async fn waits(x: f32) -> f32 {
    x
}

#[user_function]
unsafe fn dares(x: f32) -> f32 {
    x
}

#[user_function]
extern "C" fn speaks_c(x: f32) -> f32 {
    x
}

#[user_function]
fn borrows<'a>(x: f32) -> f32 {
    x
}

#[user_function]
fn counts<const N: u8>(x: f32) -> f32 {
    x
}

#[user_function]
fn f32(x: i32) -> i32 {
    x
}

struct Number(f32);

impl Number {
    #[user_function]
    fn double(&self) -> f32 {
        self.0 + self.0
    }
}

fn main() {}
