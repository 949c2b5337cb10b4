//! A captured variable that is spelled like a constant.
#![allow(unused)]
use skel::prelude::*;

fn main() {
    #[allow(non_snake_case)]
    let LOUD = 3.0_f32;
    let _ = map!(|x: f32| LOUD * x);
}
