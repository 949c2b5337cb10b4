//! Reductions of rows and columns where no argument says how many there are.

use super::{Case, Context, Failure, Outcome, Sizes, Target, data::same};
use crate::{Error, prelude::*};

#[user_function]
fn product(at: Index2, m: MatrixView<i32>, x: &[i32]) -> i32 {
    m[(at.row, at.col)].wrapping_mul(x[at.col])
}

#[user_function]
fn sum(a: i32, b: i32) -> i32 {
    a.wrapping_add(b)
}

#[user_function]
fn shifted(at: Index2, x: i32) -> i32 {
    x + at.col as i32
}

#[user_function]
fn weighed(at: Index1, x: i32) -> i32 {
    x.wrapping_mul(at.i as i32 + 1)
}

pub(super) fn cases(_: Sizes) -> Vec<Case> {
    vec![
        Case::new("along::numbered", numbered),
        Case::new("along::of_a_shape", of_a_shape),
        Case::new("along::of_a_wrong_shape", of_a_wrong_shape),
    ]
}

fn of_a_shape(context: &Context, target: &Target) -> Outcome {
    for (rows, cols) in [(1, 1), (3, 5), (40, 20), (257, 2)] {
        let element = |i: usize, j: usize| (i * 7919 + j * 104_729) as i32;
        let m = Matrix::from_fn(rows, cols, element);
        let x: Vec<i32> = (0..cols as i32).map(|j| 3 - 2 * j).collect();
        let value = |i: usize, j: usize| element(i, j).wrapping_mul(x[j]);
        let fold = |values: &mut dyn Iterator<Item = i32>| values.reduce(i32::wrapping_add);
        let by_row: Vec<i32> = (0..rows)
            .filter_map(|i| fold(&mut (0..cols).map(|j| value(i, j))))
            .collect();
        let by_col: Vec<i32> = (0..cols)
            .filter_map(|j| fold(&mut (0..rows).map(|i| value(i, j))))
            .collect();
        let f = map_reduce!(product, sum).within(context.clone()).on(target);
        let (each_row, each_col) = (f.clone().rows(), f.cols());
        let args = || (&m, &x);
        let found = each_row.run_shaped((rows, cols), args())?;
        same("rows", &found.host()?, &by_row)?;
        let found = each_col.run_shaped((rows, cols), args())?;
        same("columns", &found.host()?, &by_col)?;
    }
    Ok(())
}

fn of_a_wrong_shape(context: &Context, target: &Target) -> Outcome {
    let f = map_reduce!(shifted, sum)
        .within(context.clone())
        .on(target)
        .rows();
    let m = Matrix::filled(2, 3, 1);
    match f.run_shaped((3, 2), (&m,)) {
        Err(Error::ShapeMismatch { argument: 1, .. }) => {}
        found => return Err(Failure::Wrong(format!("{found:?}"))),
    }
    match f.run_shaped((usize::MAX, 2), (&m,)) {
        Err(Error::TooLarge { .. }) => Ok(()),
        found => Err(Failure::Wrong(format!("{found:?}"))),
    }
}

/// Elements that see their number among all of the matrix.
fn numbered(context: &Context, target: &Target) -> Outcome {
    for (rows, cols) in [(1, 1), (3, 5), (40, 20), (257, 2)] {
        let element = |i: usize, j: usize| (i * 7919 + j * 104_729) as i32;
        let m = Matrix::from_fn(rows, cols, element);
        let value = |i: usize, j: usize| element(i, j).wrapping_mul((i * cols + j) as i32 + 1);
        let fold = |values: &mut dyn Iterator<Item = i32>| values.fold(0, i32::wrapping_add);
        let by_row: Vec<i32> = (0..rows)
            .map(|i| fold(&mut (0..cols).map(|j| value(i, j))))
            .collect();
        let by_col: Vec<i32> = (0..cols)
            .map(|j| fold(&mut (0..rows).map(|i| value(i, j))))
            .collect();
        let f = map_reduce!(weighed, sum).within(context.clone()).on(target);
        let found = f.clone().rows().run((&m,))?;
        same("rows", &found.host()?, &by_row)?;
        let found = f.cols().run((&m,))?;
        same("columns", &found.host()?, &by_col)?;
    }
    Ok(())
}
