//! The squares of a residual of five points, summed: one pass that writes nothing.

use crate::{Done, Goal, HAND, PLAIN, RAYON, Row, SKEL, by_hand, vectorised};
use rayon::prelude::*;
use skel::prelude::*;
use tuner::{Budget, Race};

pub(crate) fn rows() -> Vec<Row> {
    [1024, 4096]
        .map(|side| {
            let name = format!("norm of 5 points f32, {side}²");
            Row::new(name, Goal::OfHand(0.95), move |name, budget| {
                race(name, side, budget)
            })
        })
        .into()
}

#[user_function]
fn squared(u: Window2<f32, 1, 1>) -> f32 {
    let r = 0.25 * (u[(-1, 0)] + u[(1, 0)] + u[(0, -1)] + u[(0, 1)]) - u[(0, 0)];
    r * r
}

#[user_function]
fn add(a: f32, b: f32) -> f32 {
    a + b
}

#[inline(always)]
fn of(up: f32, down: f32, left: f32, right: f32, here: f32) -> f32 {
    let r = 0.25 * (up + down + left + right) - here;
    r * r
}

const LANES: usize = 64;

vectorised! {
    /// Of one row, but for its ends.
    fn row(above: &[f32], here: &[f32], below: &[f32]) -> f32 {
        let n = here.len() - 2;
        let (above, below) = (&above[1..=n], &below[1..=n]);
        let (left, right, here) = (&here[..n], &here[2..], &here[1..=n]);
        let mut sums = [0.0; LANES];
        let whole = n - n % LANES;
        for at in (0..whole).step_by(LANES) {
            let part = |of: &'_ [f32]| -> [f32; LANES] {
                let mut part = [0.0; LANES];
                part.copy_from_slice(&of[at..at + LANES]);
                part
            };
            let (above, below, left) = (part(above), part(below), part(left));
            let (right, here) = (part(right), part(here));
            for (l, sum) in sums.iter_mut().enumerate() {
                *sum += of(above[l], below[l], left[l], right[l], here[l]);
            }
        }
        for k in whole..n {
            sums[k % LANES] += of(above[k], below[k], left[k], right[k], here[k]);
        }
        sums.iter().sum()
    }
}

fn rows_by_hand(u: &[f32], side: usize, rows: std::ops::Range<usize>) -> f32 {
    rows.map(|y| {
        let at = y * side;
        row(
            &u[at - side..at],
            &u[at..at + side],
            &u[at + side..at + 2 * side],
        )
    })
    .sum()
}

/// Borders are left out.
fn hand(u: &[f32], side: usize) -> f32 {
    let rows = (by_hand::chunk_elems(side * side, size_of::<f32>()) / side).max(1);
    let chunks = (side - 2).div_ceil(rows);
    (0..chunks)
        .into_par_iter()
        .map(|k| rows_by_hand(u, side, 1 + k * rows..(1 + (k + 1) * rows).min(side - 1)))
        .sum()
}

fn race(name: &str, side: usize, budget: &Budget) -> Done {
    let n = side * side;
    let values = (0..n).map(|i| (i * 7919 % 251) as f32).collect();
    let u = Matrix::from_vec(side, side, values)?;
    let plain = u.host()?;
    let at = |y: usize, x: usize| {
        let at = y * side + x;
        let (up, down) = (plain[at - side], plain[at + side]);
        of(up, down, plain[at - 1], plain[at + 1], plain[at])
    };
    let of_row = |y: usize| (1..side - 1).map(|x| at(y, x)).sum::<f32>();
    let norm = map_overlap_reduce!(squared, add).pad(0.0).on(Cpu);
    let inside = norm.clone().edge(Edge::None).run((&u,))?;
    let exact: f64 = (1..side - 1).map(|y| f64::from(of_row(y))).sum();
    for found in [inside, hand(&plain, side)] {
        assert!(
            (f64::from(found) / exact - 1.0).abs() < 1e-3,
            "{found} of {exact}"
        );
    }
    let race = Race::new(name, n, size_of::<f32>() * n)
        .contender(PLAIN, || (1..side - 1).map(of_row).sum::<f32>())
        .contender(RAYON, || {
            (1..side - 1).into_par_iter().map(of_row).sum::<f32>()
        })
        .contender(HAND, || hand(&plain, side))
        .contender(SKEL, || norm.run((&u,)));
    Ok(race.run(budget))
}
