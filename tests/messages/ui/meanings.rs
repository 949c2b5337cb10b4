//! What would mean something else on a device is refused.

use skel::prelude::*;

#[allow(non_upper_case_globals)]
const y: i32 = 3;

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct Pair {
    x: i32,
    y: i32,
}

#[user_function]
fn shorthand(p: Pair) -> i32 {
    match p {
        Pair { x: 0, y } => 1,
        _ => 2,
    }
}

#[user_function]
fn place_first<T: Number>(a: T, b: T) -> T {
    let mut all = [a, b];
    let mut i = 0;
    all[i] += {
        i = 1;
        a
    };
    all[0] - all[1]
}

fn main() {}
