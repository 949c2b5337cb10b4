//! Windows beside other parameters, several windows, several outputs.

use super::{Sizes, Whole, input};
use crate::{
    conformance::{Failure, Outcome, data::same},
    prelude::*,
};

#[user_function]
fn weighed(k: u32, w: Window1<u32, 1>, at: Index1, #[uniform] c: u32, table: &[u32]) -> u32 {
    k.wrapping_mul(w[1]) ^ w[-1].wrapping_add(c) ^ (at.i as u32).wrapping_add(table[at.i % 3])
}

#[user_function]
fn two(a: Window2<u32, 1, 0>, b: Window2<i32, 0, 2>) -> (u32, i32) {
    (a[(-1, 0)] ^ a[(1, 0)], b[(0, -2)].wrapping_sub(b[(0, 2)]))
}

#[user_function]
fn in_place(w: Window1<u32, 1>, count: &mut u32) {
    *count = count.wrapping_add(w[-1] ^ w[1]);
}

#[user_function]
fn place(w: Window2<u32, 1, 1>, at: Index2) -> u32 {
    w[(-1, 1)].wrapping_add((1000 * at.row + at.col) as u32)
}

pub(super) const CHECKS: &[(&str, Whole)] = &[
    ("beside::all_kinds", all_kinds),
    ("beside::two_windows_two_outputs", two_windows),
    ("beside::in_place", changed_in_place),
    ("beside::index", index),
    ("slices", slices),
];

fn all_kinds(context: &crate::Context, target: &Target, _: Sizes) -> Outcome {
    let (table, n) = ([7, 8, 9], 1001);
    let (k, x) = (super::super::data::input::<u32>(n, 8), input::<u32>(n));
    let f = map_overlap!(weighed).within(context.clone()).on(target);
    let expected: Vec<u32> = (0..n)
        .map(|i| {
            let (before, after) = (x[(i + n - 1) % n], x[(i + 1) % n]);
            k[i].wrapping_mul(after)
                ^ before.wrapping_add(5)
                ^ (i as u32).wrapping_add(table[i % 3])
        })
        .collect();
    let (k, x) = (Vector::from(k), Vector::from(x));
    let y = f.clone().edge(Edge::Cyclic).run((&k, &x, 5, &table))?;
    same("around", &y.host()?, &expected)?;
    // Without edges, what is passed element by element has the shape of the result, which begins where
    // the first window does.
    let (k, x) = (k.to_vec()?, x.to_vec()?);
    let expected: Vec<u32> = (0..n - 2)
        .map(|i| {
            k[i].wrapping_mul(x[i + 2])
                ^ x[i].wrapping_add(5)
                ^ (i as u32).wrapping_add(table[i % 3])
        })
        .collect();
    let y = f.edge(Edge::None).run((&k[..n - 2], &x, 5, &table))?;
    same("inside", &y.host()?, &expected)
}

fn two_windows(context: &crate::Context, target: &Target, _: Sizes) -> Outcome {
    let (rows, cols) = (23, 31);
    let (a, b) = (input::<u32>(rows * cols), input::<i32>(rows * cols));
    let (x, y) = (
        Matrix::from_vec(rows, cols, a.clone())?,
        Matrix::from_vec(rows, cols, b.clone())?,
    );
    let f = map_overlap!(two).within(context.clone()).on(target);
    let (p, q) = f.clone().edge(Edge::None).run((&x, &y))?;
    if (p.rows(), q.cols()) != (rows - 2, cols - 4) {
        return Err(Failure::Wrong(format!("{p:?}, {q:?}")));
    }
    let inside = |f: &dyn Fn(usize, usize) -> u32| -> Vec<u32> {
        let at = (1..rows - 1).flat_map(|i| (2..cols - 2).map(move |j| (i, j)));
        at.map(|(i, j)| f(i, j)).collect()
    };
    let up_and_down = |i: usize, j: usize| a[(i - 1) * cols + j] ^ a[(i + 1) * cols + j];
    let across = |i: usize, j: usize| b[i * cols + j - 2].wrapping_sub(b[i * cols + j + 2]) as u32;
    same("the first", &p.host()?, &inside(&up_and_down))?;
    let q: Vec<u32> = q.host()?.iter().map(|q| *q as u32).collect();
    same("the second", &q, &inside(&across))?;
    let (mut p, mut q) = (Matrix::filled(rows, cols, 0), Matrix::filled(rows, cols, 0));
    f.edge(Edge::Cyclic).run_into((&x, &y), (&mut p, &mut q))?;
    let around: Vec<u32> = (0..rows * cols)
        .map(|k| a[(k + (rows - 1) * cols) % (rows * cols)] ^ a[(k + cols) % (rows * cols)])
        .collect();
    same("around", &p.host()?, &around)
}

fn changed_in_place(context: &crate::Context, target: &Target, _: Sizes) -> Outcome {
    let n = 777;
    let (x, before) = (input::<u32>(n), super::super::data::input::<u32>(n, 9));
    let mut count = Vector::from(before.clone());
    let f = map_overlap!(in_place).within(context.clone()).on(target);
    f.run((&Vector::from(x.clone()), &mut count))?;
    let expected: Vec<u32> = (0..n)
        .map(|i| before[i].wrapping_add(x[i.saturating_sub(1)] ^ x[(i + 1).min(n - 1)]))
        .collect();
    same("in place", &count.host()?, &expected)
}

fn index(context: &crate::Context, target: &Target, _: Sizes) -> Outcome {
    let (rows, cols) = (9, 70);
    let x = Matrix::from_vec(rows, cols, input::<u32>(rows * cols))?;
    let f = map_overlap!(place).within(context.clone()).on(target);
    let y = f.pad(3).run((&x,))?;
    let data = x.host()?;
    let expected: Vec<u32> = (0..rows * cols)
        .map(|k| {
            let (i, j) = (k / cols, k % cols);
            let seen = if i == 0 || j + 1 == cols {
                3
            } else {
                data[(i - 1) * cols + j + 1]
            };
            seen.wrapping_add((1000 * i + j) as u32)
        })
        .collect();
    same("row and column", &y.host()?, &expected)
}

fn slices(context: &crate::Context, target: &Target, _: Sizes) -> Outcome {
    let n = 1011;
    let (k, x) = (super::super::data::input::<u32>(n, 8), input::<u32>(n));
    let mut y = vec![0; n];
    let f = map_overlap!(weighed).within(context.clone()).on(target);
    f.edge(Edge::Reflect)
        .run_into((&k, &x, 2, &[1, 2, 3]), &mut y)?;
    let expected: Vec<u32> = (0..n)
        .map(|i| {
            let before = x[if i == 0 { 1 } else { i - 1 }];
            let after = x[if i + 1 == n { n - 2 } else { i + 1 }];
            k[i].wrapping_mul(after)
                ^ before.wrapping_add(2)
                ^ (i as u32).wrapping_add(i as u32 % 3 + 1)
        })
        .collect();
    same("from slices into a slice", &y, &expected)
}
