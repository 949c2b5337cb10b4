//! Functions without #[user_function].
#![allow(unused)]
use skel::prelude::*;

fn plain(x: f32) -> f32 {
    x
}

#[user_function]
fn caller(x: f32) -> f32 {
    plain(x)
}

fn main() {
    let _ = map!(plain);
    let _ = map!(f32);
    let _ = reduce!(3);
}
