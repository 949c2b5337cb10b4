//! Several containers, stepped together.

use super::{Sizes, Whole, input};
use crate::{
    Error,
    conformance::{Failure, Outcome, data::same},
    prelude::*,
};

#[user_function]
fn two(a: Window1<u32, 1>, b: Window1<i32, 2>, k: u32) -> (u32, i32) {
    let mixed = a[-1].wrapping_mul(3) ^ a[1] ^ b[2] as u32;
    (mixed.wrapping_add(k), b[-2].wrapping_sub(a[0] as i32))
}

#[user_function]
fn three(
    a: Window2<u32, 1, 0>,
    b: Window2<u32, 0, 1>,
    c: Window2<u32, 1, 1>,
    #[uniform] k: u32,
) -> (u32, u32, u32) {
    let first = a[(1, 0)].wrapping_add(b[(0, -1)]);
    (first, c[(-1, 1)] ^ a[(0, 0)], b[(0, 1)].wrapping_mul(k))
}

pub(super) const CHECKS: &[(&str, Whole)] = &[
    ("iterate::two_vectors", two_vectors),
    ("iterate::three_matrices", three_matrices),
    ("iterate::unlike_shapes", unlike_shapes),
];

fn two_vectors(context: &crate::Context, target: &Target, _: Sizes) -> Outcome {
    for n in [1, 5, 300, 1009] {
        let (mut a, mut b) = (input::<u32>(n), input::<i32>(n));
        let keys = input::<u32>(n);
        let start = (Vector::from(a.clone()), Vector::from(b.clone()));
        let f = map_overlap!(two).within(context.clone()).on(target);
        let f = f.edge(Edge::Cyclic);
        let (found_a, found_b) = f.iterate(5, start, (&keys,))?;
        for _ in 0..5 {
            let at = |i: usize, d: isize| (i as isize + d).rem_euclid(n as isize) as usize;
            let next = |i: usize| {
                let mixed = a[at(i, -1)].wrapping_mul(3) ^ a[at(i, 1)] ^ b[at(i, 2)] as u32;
                let second = b[at(i, -2)].wrapping_sub(a[i] as i32);
                (mixed.wrapping_add(keys[i]), second)
            };
            (a, b) = (0..n).map(next).unzip();
        }
        same("the first", &found_a.host()?, &a)?;
        same("the second", &found_b.host()?, &b)?;
    }
    Ok(())
}

fn three_matrices(context: &crate::Context, target: &Target, _: Sizes) -> Outcome {
    let (rows, cols) = (23, 37);
    let mut all = [1, 2, 3].map(|k| -> Vec<u32> {
        let elements = input::<u32>(rows * cols);
        elements.iter().map(|x| x.wrapping_mul(k)).collect()
    });
    let [a, b, c] = all.clone().map(|x| Matrix::from_vec(rows, cols, x));
    let f = map_overlap!(three).within(context.clone()).on(target);
    let found = f.pad(77).iterate(4, (a?, b?, c?), (5,))?;
    for _ in 0..4 {
        let [a, b, c] = &all;
        let at = |x: &[u32], i: isize, j: isize| {
            let inside = (0..rows as isize).contains(&i) && (0..cols as isize).contains(&j);
            match inside {
                true => x[i as usize * cols + j as usize],
                false => 77,
            }
        };
        let next = |k: usize| {
            let (i, j) = ((k / cols) as isize, (k % cols) as isize);
            [
                at(a, i + 1, j).wrapping_add(at(b, i, j - 1)),
                at(c, i - 1, j + 1) ^ at(a, i, j),
                at(b, i, j + 1).wrapping_mul(5),
            ]
        };
        let after: Vec<[u32; 3]> = (0..rows * cols).map(next).collect();
        all = [0, 1, 2].map(|k| after.iter().map(|x| x[k]).collect());
    }
    same("the first", &found.0.host()?, &all[0])?;
    same("the second", &found.1.host()?, &all[1])?;
    same("the third", &found.2.host()?, &all[2])
}

fn unlike_shapes(context: &crate::Context, target: &Target, _: Sizes) -> Outcome {
    let f = map_overlap!(two).within(context.clone()).on(target);
    let refused = |found: Result<(Vector<u32>, Vector<i32>), Error>, wanted: usize| match found {
        Err(Error::ShapeMismatch { argument, .. }) if argument == wanted => Ok(()),
        found => Err(Failure::Wrong(format!("{found:?} for argument {wanted}"))),
    };
    let start = |n, m| (Vector::filled(n, 1), Vector::filled(m, 1));
    refused(f.iterate(1, start(5, 4), (&[1; 5],)), 2)?;
    refused(f.iterate(1, start(5, 5), (&[1; 4],)), 3)?;
    match f.edge(Edge::None).iterate(1, start(5, 5), (&[1; 1],)) {
        Err(Error::Neighbourhood { .. }) => Ok(()),
        found => Err(Failure::Wrong(format!("{found:?}"))),
    }
}
