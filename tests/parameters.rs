//! Kinds of parameters beyond elements: whole containers, tuples of outputs, random numbers.

use skel::prelude::*;

#[user_function]
fn dot(row: Row<f32>, x: &[f32]) -> f32 {
    let mut sum = 0.0;
    for j in 0..row.len() {
        sum += row[j] * x[j];
    }
    sum
}

#[user_function]
fn dot_of(m: MatrixView<f32>, i: usize, x: &[f32]) -> f32 {
    let mut sum = 0.0;
    for j in 0..m.cols() {
        sum += m[(i, j)] * x[j];
    }
    sum
}

#[user_function]
fn by_view(at: Index1, m: MatrixView<f32>, x: &[f32]) -> f32 {
    dot_of(m, at.i, x)
}

#[user_function]
fn noise(x: f32, rng: &mut Random) -> f32 {
    x + rng.uniform_f32()
}

#[test]
fn rows_and_views_give_products() -> skel::Result<()> {
    let m = Matrix::from_fn(5, 3, |i, j| (10 * i + j) as f32);
    let x = [1.0, 2.0, 3.0];
    let expected: Vec<f32> = (0..5).map(|i| (60 * i + 8) as f32).collect();
    let y = map!(dot).run_shaped(5, (&m, &x))?;
    assert_eq!(y.host()?[..], expected);
    let y = map!(by_view).run_shaped(5, (&m, &x))?;
    assert_eq!(y.host()?[..], expected);
    let y = map!(|at: Index1, m: MatrixView<f32>, x: &[f32]| dot_of(m, at.i, x))
        .run_shaped(5, (&m, &x))?;
    assert_eq!(y.host()?[..], expected);
    Ok(())
}

#[test]
fn noise_is_repeatable() -> skel::Result<()> {
    let f = map!(noise).seed(1);
    let g = f.clone();
    let a = f.run((&[0.0; 100],))?.into_vec()?;
    assert_eq!(a, g.run((&[0.0; 100],))?.into_vec()?);
    assert_ne!(a, g.run((&[0.0; 100],))?.into_vec()?);
    let h = map!(|rng: &mut Random| rng.uniform_f32()).seed(1);
    assert_eq!(a, h.run_shaped(100, ())?.into_vec()?);
    Ok(())
}
