//! Vectors that serve whole rows or columns, and all pairs of their elements.

use super::{
    Case, Check, Context, Failure, Outcome, Sizes, Target,
    data::{Sample, input, same},
    refusals::if_bound,
};
use crate::prelude::*;

#[user_function]
fn weigh<T: Number>(a: T, b: T, #[uniform] k: T) -> T {
    a * k - b
}

#[user_function]
fn four_of(a: u32, b: u32, c: u32, d: u32) -> (u32, bool) {
    (a + 3 * b + 5 * c + 7 * d, a > c)
}

pub(super) fn cases(sizes: Sizes) -> Vec<Case> {
    let elems = sizes.elems();
    let checks: [(&str, Check); 3] = [
        ("spread::with_matrices", with_matrices),
        ("spread::pairs", pairs),
        ("spread::several", several),
    ];
    let cases: Vec<Case> = checks
        .into_iter()
        .map(|(name, check)| {
            let ns = elems.clone();
            Case::new(name, move |context, target| {
                ns.iter()
                    .try_for_each(|n| if_bound(check(context, target, *n)))
            })
        })
        .collect();
    cases
}

fn with_matrices(context: &Context, target: &Target, n: usize) -> Outcome {
    for (rows, cols) in [(n / 37, 37), (5, n / 5), (n, 1), (n, 0)] {
        let m = Matrix::from_vec(rows, cols, input::<i32>(rows * cols, 1))?;
        let (down_rows, over_cols) = (input::<i32>(rows, 2), Vector::from(input::<i32>(cols, 3)));
        let f = map!(|x: i32, v: i32, h: i32| x - 2 * v + 5 * h);
        let f = f.within(context.clone()).on(target);
        let found = f.run((&m, down(&down_rows), across(over_cols.part(..))))?;
        let expected: Vec<i32> = (0..rows * cols)
            .map(|k| {
                i32::sample(k + 1000)
                    .wrapping_sub(down_rows[k / cols].wrapping_mul(2))
                    .wrapping_add(i32::sample(k % cols + 3000).wrapping_mul(5))
            })
            .collect();
        same("a matrix and vectors", &found.host()?, &expected)?;
    }
    Ok(())
}

fn pairs(context: &Context, target: &Target, n: usize) -> Outcome {
    for (rows, cols) in [
        (n.min(300), n / 300 + 1),
        (n / 17, 17),
        (1, n),
        (0, n),
        (n, 0),
    ] {
        let (v, h) = (Vector::from(input::<f32>(rows, 1)), input::<f32>(cols, 2));
        let f = map_pairs!(weigh).within(context.clone()).on(target);
        let found: Matrix<f32> = f.run((down(&v), across(&h), 0.5))?;
        if (found.rows(), found.cols()) != (rows, cols) {
            return Err(Failure::Wrong(format!("{found:?} of {rows} and {cols}")));
        }
        let expected: Vec<f32> = (0..rows * cols)
            .map(|k| f32::sample(k / cols + 1000) * 0.5 - h[k % cols])
            .collect();
        same("pairs", &found.host()?, &expected)?;
        let mut into = Matrix::filled(rows, cols, 0.0);
        f.run_into((across(&h), down(&v), 2.0), &mut into)?;
        let expected: Vec<f32> = (0..rows * cols)
            .map(|k| h[k % cols] * 2.0 - f32::sample(k / cols + 1000))
            .collect();
        same("the other way round", &into.host()?, &expected)?;
    }
    Ok(())
}

/// Several vectors of each kind, one of them backwards, and two outputs.
fn several(context: &Context, target: &Target, n: usize) -> Outcome {
    let (rows, cols) = (n / 29, 29);
    let (a, b) = (input::<u32>(rows, 1), Vector::from(input::<u32>(rows, 2)));
    let (c, d) = (
        Vector::from(input::<u32>(2 * cols, 3)),
        input::<u32>(cols, 4),
    );
    let f = map_pairs!(four_of).within(context.clone()).on(target);
    let args = (
        down(&a),
        down(b.reversed()),
        across(c.step_by(2)),
        across(&d),
    );
    let (sums, flags) = f.run(args)?;
    let of = |k: usize| (k / cols, k % cols);
    let expected: Vec<u32> = (0..rows * cols)
        .map(of)
        .map(|(i, j)| {
            let [b, c] = [u32::sample(rows - 1 - i + 2000), u32::sample(2 * j + 3000)];
            a[i].wrapping_add(b.wrapping_mul(3))
                .wrapping_add(c.wrapping_mul(5))
                .wrapping_add(d[j].wrapping_mul(7))
        })
        .collect();
    same("sums", &sums.host()?, &expected)?;
    let expected: Vec<bool> = (0..rows * cols)
        .map(of)
        .map(|(i, j)| a[i] > u32::sample(2 * j + 3000))
        .collect();
    same("flags", &flags.host()?, &expected)
}
