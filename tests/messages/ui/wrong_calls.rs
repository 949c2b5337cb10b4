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

#[user_function]
fn product(m: MatrixView<f32>, r: Row<f32>, xs: &[f32]) -> (f32, u32) {
    (m[(0, 0)] * r[0] * xs[0], 1)
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

    let m = Matrix::filled(2, 2, 1.0_f32);
    let product = map!(product);
    let _ = product.run_shaped(2, (&x, &m, &x)); // a vector for a matrix
    let _ = product.run_shaped(2, (&m, &x, &x)); // a vector for a row
    let _ = product.run_shaped(2, (&m, &m, &m)); // a matrix for a slice
    let _ = product.run_into((&m, &m, &x), &mut x); // one output for two

    let _ = map!(bump).run((&x,)); // a forgotten `mut`
    let _ = reduce!(saxpy).run((&x,)); // no operator
    let _ = map.run_into((&x, &x, 1.0), &mut i); // another output
}
