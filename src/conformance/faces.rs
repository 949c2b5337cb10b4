//! Faces of containers, written where these live: on a device that has the container, by strides.

use super::{
    Case, Context, Outcome, Target,
    data::{Sample, input, same},
};
use crate::prelude::*;

#[user_function]
fn of_two(at: Index2, x: i32) -> i32 {
    x * 3 + (10 * at.row + at.col) as i32
}

#[user_function]
fn add(x: i32, y: &mut i32) {
    *y += x;
}

/// Two kinds of elements that take several words, or less than one.
#[user_function]
fn parts(x: f32, p: &mut [f32; 3]) -> u8 {
    p[1] += x;
    p[0] as u8
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case::new("faces::of_tensors", of_tensors),
        Case::new("faces::of_other_elements", of_other_elements),
        Case::new("faces::seen_through_windows", through_windows),
    ]
}

/// What the target computes of host data, so that it has all of it and the host has not.
fn copied(context: &Context, target: &Target, from: &Tensor3<i32>) -> crate::Result<Tensor3<i32>> {
    let copy = map!(|x: i32| x).within(context.clone()).on(target);
    copy.run((from,))
}

/// All six faces, the diagonal planes and a sparse block of a tensor, changed by turns and read by kernels between.
fn of_tensors(context: &Context, target: &Target) -> Outcome {
    let (a, b, c) = (5, 7, 9);
    let from = Tensor3::from_vec(a, b, c, input::<i32>(a * b * c, 1))?;
    let mut t = copied(context, target, &from)?;
    let mut expected: Vec<i32> = input(a * b * c, 1);
    let set = map!(of_two).within(context.clone()).on(target);
    let grow = map!(add).within(context.clone()).on(target);
    let x = |rows: usize, cols: usize, seed| {
        Matrix::from_vec(rows, cols, input::<i32>(rows * cols, seed))
    };
    let set_to =
        |x: i32, row: usize, col: usize| x.wrapping_mul(3).wrapping_add((10 * row + col) as i32);
    for (round, at) in [(0, 0), (1, 4)] {
        // Rows are the innermost but one, columns the innermost dimension.
        let face = x(a, b, 2 + round)?;
        let column = if at == 0 { 0 } else { c - 1 };
        set.run_into(
            (&face,),
            t.part_mut(.., .., column..=column)
                .swapped(1, 2)
                .swapped(0, 1)
                .plane(0),
        )?;
        for k in 0..a {
            for i in 0..b {
                let x = i32::sample(k * b + i + 1000 * (2 + round));
                expected[(k * b + i) * c + column] = set_to(x, k, i);
            }
        }
        let face = x(a, c, 4 + round)?;
        let row = if at == 0 { 0 } else { b - 1 };
        grow.run((&face, t.part_mut(.., row..=row, ..).swapped(0, 1).plane(0)))?;
        for k in 0..a {
            for j in 0..c {
                let y = &mut expected[(k * b + row) * c + j];
                *y = y.wrapping_add(i32::sample(k * c + j + 1000 * (4 + round)));
            }
        }
        let face = x(b, c, 6 + round)?;
        grow.run((&face, t.part_mut(.., .., ..).plane(at)))?;
        for i in 0..b * c {
            let y = &mut expected[at * b * c + i];
            *y = y.wrapping_add(i32::sample(i + 1000 * (6 + round)));
        }
    }
    // Every second element along each dimension, backwards along one.
    let block = Tensor3::from_vec(3, 4, 5, input::<i32>(60, 9))?;
    let all = t.part_mut(.., .., ..);
    let sparse = all
        .step_by_along(0, 2)
        .step_by_along(1, 2)
        .step_by_along(2, 2);
    grow.run((&block, sparse.reversed_along(1)))?;
    for k in 0..3 {
        for i in 0..4 {
            for j in 0..5 {
                let y = &mut expected[(2 * k * b + 2 * (3 - i)) * c + 2 * j];
                *y = y.wrapping_add(i32::sample((k * 4 + i) * 5 + j + 9000));
            }
        }
    }
    // Seen by the next call where it is, and by the host.
    let again = copied(context, target, &t)?;
    same("a copy of all of it", &again.host()?, &expected)?;
    same("all of it", &t.host()?, &expected)
}

/// Elements of several words, and of less than one, that neighbours of others are stored between.
fn of_other_elements(context: &Context, target: &Target) -> Outcome {
    let n = 600;
    let make = map!(|at: Index1| [at.i as f32, 1.0, 2.0])
        .within(context.clone())
        .on(target);
    let mut p: Vector<[f32; 3]> = make.run_shaped(2 * n, ())?;
    let bytes = map!(|at: Index1| at.i as u8)
        .within(context.clone())
        .on(target);
    let mut small = Matrix::filled(n, 3, 0_u8);
    bytes.run_into((), small.elements_mut())?;
    let x: Vec<f32> = (0..n).map(|i| i as f32).collect();
    let f = map!(parts).within(context.clone()).on(target);
    f.run_into((&x, p.step_by_mut(2)), small.col_mut(1))?;
    for (i, p) in p.host()?.iter().enumerate() {
        let one = if i % 2 == 0 {
            1.0 + (i / 2) as f32
        } else {
            1.0
        };
        same("an array", p, &[i as f32, one, 2.0])?;
    }
    for (i, row) in small.host()?.chunks(3).enumerate() {
        same(
            "bytes",
            row,
            &[(3 * i) as u8, ((2 * i) as f32) as u8, (3 * i + 2) as u8],
        )?;
    }
    Ok(())
}

/// What a stencil gives is stored apart.
fn through_windows(context: &Context, target: &Target) -> Outcome {
    let n = 500;
    let make = map!(|at: Index1| at.i as i32)
        .within(context.clone())
        .on(target);
    let mut m = Matrix::filled(n, 4, 0_i32);
    make.run_into((), m.elements_mut())?;
    let x: Vec<i32> = input(n, 3);
    let near = map_overlap!(|w: Window1<i32, 1>| w[-1] ^ w[1])
        .within(context.clone())
        .on(target);
    near.run_into((&x,), m.col_mut(2))?;
    let at = |i: usize| x[i.min(n - 1)];
    let expected: Vec<i32> = (0..4 * n)
        .map(|k| match k % 4 {
            2 => at((k / 4).saturating_sub(1)) ^ at(k / 4 + 1),
            _ => k as i32,
        })
        .collect();
    same("a column of a stencil", &m.host()?, &expected)
}
