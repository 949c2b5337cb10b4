//! Stencils, step after step: what each step gives is the next one's argument.

use crate::{Done, Goal, HAND, PLAIN, RAYON, Row, SKEL, by_hand, floats, vectorised};
use rayon::prelude::*;
use skel::prelude::*;
use std::cell::RefCell;
use tuner::{Budget, Race};

const STEPS: usize = 16;

pub(crate) fn rows() -> Vec<Row> {
    let (side, elems) = (4096, 1 << 24);
    let matrix = format!("{STEPS} steps of 5 points f32, {side}²");
    let vector = format!("{STEPS} steps of 3 points f32, {elems}");
    vec![
        Row::new(matrix, Goal::OfHand(0.95), move |name, budget| {
            five_points(name, side, budget)
        }),
        Row::new(vector, Goal::OfHand(0.95), move |name, budget| {
            three_points(name, elems, budget)
        }),
    ]
}

#[user_function]
fn five(u: Window2<f32, 1, 1>) -> f32 {
    let around = u[(-1, 0)] + u[(1, 0)] + u[(0, -1)] + u[(0, 1)];
    0.125 * around + 0.5 * u[(0, 0)]
}

#[user_function]
fn three(u: Window1<f32, 1>) -> f32 {
    0.25 * (u[-1] + u[1]) + 0.5 * u[0]
}

vectorised! {
    /// One row, but for its ends.
    fn row_of_five(above: &[f32], here: &[f32], below: &[f32], out: &mut [f32]) {
        let n = out.len();
        for (k, out) in out[1..n - 1].iter_mut().enumerate() {
            let around = above[k + 1] + below[k + 1] + here[k] + here[k + 2];
            *out = 0.125 * around + 0.5 * here[k + 1];
        }
    }
}

vectorised! {
    /// As many elements as `out` has, of which each sees one more on either side.
    fn row_of_three(u: &[f32], out: &mut [f32]) {
        let u = &u[..out.len() + 2];
        for (k, out) in out.iter_mut().enumerate() {
            *out = 0.25 * (u[k] + u[k + 2]) + 0.5 * u[k + 1];
        }
    }
}

/// What a step makes of the elements before it.
type Step<'s> = &'s dyn Fn(&[f32], &mut [f32]);

/// Steps in two arrays that take turns.
fn take(arrays: &mut [Vec<f32>; 2], step: Step<'_>) {
    for _ in 0..STEPS {
        let [from, to] = &mut *arrays;
        step(from, to);
        arrays.swap(0, 1);
    }
}

/// Five points of a matrix with a border of zeros, which stays.
fn five_points(name: &str, side: usize, budget: &Budget) -> Done {
    let (cols, values) = (side + 2, floats(side * side));
    let mut bordered = vec![0.0; cols * cols];
    for (k, row) in values.chunks_exact(side).enumerate() {
        let at = (k + 1) * cols + 1;
        bordered[at..at + side].copy_from_slice(row);
    }
    let inner = cols..cols * (side + 1);
    let loops = |u: &[f32], first: usize, out: &mut [f32]| {
        for (k, out) in out.chunks_exact_mut(cols).enumerate() {
            for (x, out) in out.iter_mut().enumerate().take(side + 1).skip(1) {
                let at = (first + k) * cols + x;
                let around = u[at - cols] + u[at + cols] + u[at - 1] + u[at + 1];
                *out = 0.125 * around + 0.5 * u[at];
            }
        }
    };
    let rows = |u: &[f32], first: usize, out: &mut [f32]| {
        for (k, out) in out.chunks_exact_mut(cols).enumerate() {
            let at = (first + k) * cols;
            let [above, here, below] = [at - cols, at, at + cols].map(|at| &u[at..at + cols]);
            row_of_five(above, here, below, out);
        }
    };
    let steps: [Step<'_>; 3] = [
        &|u, out| loops(u, 1, &mut out[inner.clone()]),
        &|u, out| {
            let rows = out[inner.clone()].par_chunks_mut(cols);
            rows.enumerate().for_each(|(k, out)| loops(u, 1 + k, out));
        },
        &|u, out| {
            let count = (by_hand::chunk_elems(inner.len(), 2 * size_of::<f32>()) / cols).max(1);
            let chunks = out[inner.clone()].par_chunks_mut(count * cols);
            chunks
                .enumerate()
                .for_each(|(k, out)| rows(u, 1 + k * count, out));
        },
    ];
    let f = map_overlap!(five).pad(0.0).on(Cpu);
    let x = f.iterate(STEPS, Matrix::from_vec(side, side, values)?, ())?;
    let found = x.to_vec()?;
    let is_right = |u: &[f32]| {
        let rows = u[inner.clone()]
            .chunks_exact(cols)
            .zip(found.chunks_exact(side));
        rows.into_iter().all(|(u, row)| u[1..=side] == *row)
    };
    let skel = (x, |x| f.iterate(STEPS, x, ()));
    race(name, bordered, steps, &is_right, skel, budget)
}

/// Three points of a vector with a zero at either end, which stays.
fn three_points(name: &str, elems: usize, budget: &Budget) -> Done {
    let values = floats(elems);
    let bordered = [&[0.0], &values[..], &[0.0]].concat();
    let steps: [Step<'_>; 3] = [
        &|u, out| {
            for i in 1..=elems {
                out[i] = 0.25 * (u[i - 1] + u[i + 1]) + 0.5 * u[i];
            }
        },
        &|u, out| {
            let inner = out[1..=elems].par_iter_mut().enumerate();
            inner.for_each(|(i, out)| *out = 0.25 * (u[i] + u[i + 2]) + 0.5 * u[i + 1]);
        },
        &|u, out| by_hand::fill(&mut out[1..=elems], |at, out| row_of_three(&u[at..], out)),
    ];
    let f = map_overlap!(three).pad(0.0).on(Cpu);
    let x = f.iterate(STEPS, Vector::from(values), ())?;
    let found = x.to_vec()?;
    let is_right = |u: &[f32]| u[1..=elems] == found;
    let skel = (x, |x| f.iterate(STEPS, x, ()));
    race(name, bordered, steps, &is_right, skel, budget)
}

/// Steps of three rivals, which must come to what is right, and those of `skel`, which goes on from `x`.
fn race<X>(
    name: &str,
    start: Vec<f32>,
    [plain, par_iter, hand]: [Step<'_>; 3],
    is_right: &dyn Fn(&[f32]) -> bool,
    (x, skel): (X, impl Fn(X) -> skel::Result<X>),
    budget: &Budget,
) -> Done {
    for step in [plain, par_iter, hand] {
        let mut arrays = [start.clone(), start.clone()];
        take(&mut arrays, step);
        assert!(is_right(&arrays[0]), "a rival computes something else");
    }
    // The rivals share theirs: what they go on from makes no difference.
    let (elems, arrays) = (STEPS * start.len(), RefCell::new([start.clone(), start]));
    let steps = |step| take(&mut arrays.borrow_mut(), step);
    let mut x = Some(x);
    let race = Race::new(name, elems, 2 * size_of::<f32>() * elems)
        .contender(PLAIN, || steps(plain))
        .contender(RAYON, || steps(par_iter))
        .contender(HAND, || steps(hand))
        .contender(SKEL, || {
            let from = x.take().expect("what the last steps gave");
            x = Some(skel(from)?);
            skel::Result::Ok(())
        });
    Ok(race.run(budget))
}
