//! Calls over windows that do not fit.
use skel::prelude::*;

#[user_function]
fn blur(w: Window1<f32, 1>) -> f32 {
    w[-1] + w[1]
}

#[user_function]
fn spread(w: Window2<f32, 1, 1>, k: f32) -> f32 {
    k * w[(0, 1)]
}

#[user_function]
fn second(k: f32, w: Window1<f32, 1>) -> f32 {
    k * w[1]
}

fn main() {
    let (x, m) = (Vector::from(vec![1.0_f32]), Matrix::filled(2, 2, 1.0_f32));
    let i = Vector::from(vec![1_i32]);

    let _ = map_overlap!(blur).run((&i,)); // an element type
    let _ = map_overlap!(spread).run((&x, &m)); // too few dimensions
    let _ = map_overlap!(blur).pad(1_i32).run((&x,)); // another value beyond the edges
    let _ = map_overlap!(second).iterate(3, x, (&x,)); // the window is not the first parameter
}
