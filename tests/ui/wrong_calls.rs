//! Calls that do not fit the user function: the caret is on the argument.

use skel::prelude::*;

#[user_function]
fn saxpy(x: f32, y: f32, #[uniform] a: f32) -> f32 {
    a * x + y
}

#[user_function]
fn bump(x: &mut f32) {
    *x += 1.0;
}

fn main() {
    let x = Vector::from(vec![1.0_f32]);
    let i = Vector::from(vec![1_i32]);
    let map = map!(saxpy);

    let _ = map.run((&x, &i, 2.0)); // an element type
    let _ = map.run((&x, &x)); // too few
    let _ = map.run((&x, &x, 2.0, 3.0)); // too many
    let _ = map.run((&x, 2.0, &x)); // swapped
    let _ = map.run((&x, x, 2.0)); // a forgotten `&`
    let _ = map.run((&x, &x, 2)); // a whole number
    let _ = map.run(&x); // no tuple

    let _ = map!(bump).run((&x,)); // a forgotten `mut`
    let _ = reduce!(saxpy).run((&x,)); // no operator
    let _ = map.run_into((&x, &x, 1.0), &mut i); // another output
}
