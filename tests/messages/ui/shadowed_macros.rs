//! A macro with the name of one of std's, in a function: devices would do what std's does.
#![allow(unused)]
use skel::prelude::*;

macro_rules! assert {
    ($($any:tt)*) => {};
}

mod other {
    macro_rules! lies {
        ($($any:tt)*) => {
            false
        };
    }
    pub(crate) use lies as matches;
}
use other::matches;

#[user_function]
fn checked(x: f32) -> f32 {
    assert!(x > 0.0);
    x
}

#[user_function]
fn matched(x: u32) -> u32 {
    if matches!(x, 1 | 2) { 1 } else { 0 }
}

fn main() {
    // By its path, the macro is the one that is meant.
    let fine = map!(|x: f32| {
        std::assert!(x > 0.0);
        x
    });
}
