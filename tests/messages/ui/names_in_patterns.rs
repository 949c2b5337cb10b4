//! A name in a pattern is a constant for rustc if there is one. For the macro, if it begins with a
//! capital letter.
#![allow(unused)]
use skel::prelude::*;

#[allow(non_upper_case_globals)]
const seven: u32 = 7;

#[user_function]
fn a_constant_in_lower_case(n: u32) -> u32 {
    match n {
        seven => 1,
        _ => n,
    }
}

#[user_function]
fn no_such_constant(n: u32) -> u32 {
    match n {
        EIGHT => 1,
        _ => n,
    }
}

#[user_function]
fn a_variable_in_upper_case(n: u32) -> u32 {
    match n {
        N => N + 1,
    }
}

fn main() {}
