//! Five points of a matrix.

use crate::{Done, HAND, PLAIN, RAYON, Row, SKEL, by_hand, floats, vectorised};
use rayon::prelude::*;
use skel::prelude::*;
use std::cell::RefCell;
use tuner::{Budget, Race};

pub(crate) fn rows() -> Vec<Row> {
    [(64, 0.7), (1024, 0.95), (4096, 0.95)]
        .map(|(side, goal)| {
            Row::new(
                format!("5 points f32, {side}²"),
                goal,
                move |name, budget| five_points(name, side, budget),
            )
        })
        .into()
}

#[user_function]
fn laplace(u: Window2<f32, 1, 1>) -> f32 {
    0.25 * (u[(-1, 0)] + u[(1, 0)] + u[(0, -1)] + u[(0, 1)]) - u[(0, 0)]
}

vectorised! {
    /// One row, but for its ends.
    fn row(above: &[f32], here: &[f32], below: &[f32], out: &mut [f32]) {
        let n = out.len();
        let inner = out[1..n - 1].iter_mut().enumerate();
        for (k, out) in inner {
            *out = 0.25 * (above[k + 1] + below[k + 1] + here[k] + here[k + 2]) - here[k + 1];
        }
    }
}

/// The rows from `first` on of those inside; borders are left as they are.
fn rows_by_hand(u: &[f32], side: usize, first: usize, out: &mut [f32]) {
    for (k, out) in out.chunks_exact_mut(side).enumerate() {
        let at = (first + k) * side;
        row(
            &u[at - side..at],
            &u[at..at + side],
            &u[at + side..at + 2 * side],
            out,
        );
    }
}

fn hand(u: &[f32], side: usize, out: &mut [f32]) {
    let inner = &mut out[side..side * (side - 1)];
    let rows = (by_hand::chunk_elems(inner.len(), 8) / side).max(1);
    match rows * side >= inner.len() {
        true => rows_by_hand(u, side, 1, inner),
        false => inner
            .par_chunks_mut(rows * side)
            .enumerate()
            .for_each(|(k, out)| rows_by_hand(u, side, 1 + k * rows, out)),
    }
}

fn five_points(name: &str, side: usize, budget: &Budget) -> Done {
    let n = side * side;
    let u = Matrix::from_vec(side, side, floats(n))?;
    let plain_u = floats(n);
    let skel = map_overlap!(laplace).pad(0.0).on(Cpu);
    let at = |y: usize, x: usize| {
        0.25 * (plain_u[(y - 1) * side + x]
            + plain_u[(y + 1) * side + x]
            + plain_u[y * side + x - 1]
            + plain_u[y * side + x + 1])
            - plain_u[y * side + x]
    };
    let mut of_skel = Matrix::filled(side, side, 0.0_f32);
    skel.run_into((&u,), &mut of_skel)?;
    let out = RefCell::new(vec![0.0_f32; n]);
    hand(&plain_u, side, &mut out.borrow_mut());
    for y in 1..side - 1 {
        for x in 1..side - 1 {
            let expected: f32 = at(y, x);
            for found in [of_skel.host()?[y * side + x], out.borrow()[y * side + x]] {
                assert!((found - expected).abs() < 1e-5, "{y} {x}");
            }
        }
    }
    let of_skel = RefCell::new(of_skel);
    let race = Race::new(name, n, 8 * n)
        .contender(PLAIN, || {
            let mut out = out.borrow_mut();
            for y in 1..side - 1 {
                for x in 1..side - 1 {
                    out[y * side + x] = at(y, x);
                }
            }
        })
        .contender(RAYON, || {
            let mut out = out.borrow_mut();
            let inner = out[side..side * (side - 1)].par_chunks_mut(side);
            inner.enumerate().for_each(|(y, out)| {
                for (x, out) in out.iter_mut().enumerate().take(side - 1).skip(1) {
                    *out = at(y + 1, x);
                }
            });
        })
        .contender(HAND, || hand(&plain_u, side, &mut out.borrow_mut()))
        .contender(SKEL, || skel.run_into((&u,), &mut *of_skel.borrow_mut()));
    Ok(race.run(budget))
}
