#![allow(unused)]
use skel::prelude::*;

const LOUD: f32 = 2.0;

fn main() {
    let k = 3.0;
    let _ = map!(|x: f32| k * x);
    let _ = map!(move |x: f32| LOUD * x);
    let _ = map!(|x| x);
    let _ = map!(|x: f32, #[uniform] k: f64| x.tanh());
    let _ = map!(|(a, b): (f32, f32)| a + b);
    let _ = map_reduce!(|x: f32| x);
    let _ = map!(|x: f32| x, |y: f32| y);
    let _ = map!("text");
}
