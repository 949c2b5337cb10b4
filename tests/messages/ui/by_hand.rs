#![forbid(unsafe_code)]
use skel::prelude::*;

#[user_function(wgsl = "return x;", cuda = "return x;")]
fn without_the_word(x: u32) -> u32 {
    x
}

#[user_function(unsafe(wgsl = "return x;"), cuda = "return x;")]
fn for_one_of_both(x: u32) -> u32 {
    x
}

#[user_function(unsafe(glsl = "return x;"))]
fn another_language(x: u32) -> u32 {
    x
}

#[user_function(unsafe())]
fn nothing(x: u32) -> u32 {
    x
}

fn main() {}
