#![forbid(unsafe_code)]
use skel::prelude::*;

#[user_function(unsafe(wgsl = "return x;"))]
fn forbidden(x: u32) -> u32 {
    x
}

fn main() {}
