//! Sums of neighbours in two dimensions and in three, with the nearest element beyond an edge.
//!
//! By hand, a row is computed from the rows around it; its ends by themselves.

use super::contest::Contest;
use rayon::prelude::*;
use skel::prelude::*;
use std::mem::take;

/// What is read and what is written: `side` elements along each dimension.
#[derive(Clone, PartialEq)]
pub(super) struct Arrays {
    side: usize,
    x: Vec<f32>,
    y: Vec<f32>,
}

impl Arrays {
    pub(super) fn new(side: usize, dimensions: u32) -> Self {
        let n = side.pow(dimensions);
        Arrays {
            side,
            x: (0..n).map(|i| (i % 97) as f32).collect(),
            y: vec![0.0; n],
        }
    }

    /// Row `i` of all.
    fn row(x: &[f32], side: usize, i: usize) -> &[f32] {
        &x[i * side..][..side]
    }
}

#[user_function]
fn five_points(w: Window2<f32, 1, 1>) -> f32 {
    0.5 * w[(0, 0)] + 0.125 * (w[(-1, 0)] + w[(1, 0)] + w[(0, -1)] + w[(0, 1)])
}

#[user_function]
fn seven_points(w: Window3<f32, 1, 1, 1>) -> f32 {
    let planes = w[(-1, 0, 0)] + w[(1, 0, 0)];
    let rows = w[(0, -1, 0)] + w[(0, 1, 0)];
    0.4 * w[(0, 0, 0)] + 0.1 * (planes + rows + w[(0, 0, -1)] + w[(0, 0, 1)])
}

/// A row of `y`, by hand.
fn five_by_hand(i: usize, y: &mut [f32], x: &[f32]) {
    let side = y.len();
    let row = |i| Arrays::row(x, side, i);
    let (up, here, down) = (row(i.saturating_sub(1)), row(i), row((i + 1).min(side - 1)));
    let point = |j: usize, left: usize, right: usize| {
        0.5 * here[j] + 0.125 * (up[j] + down[j] + here[left] + here[right])
    };
    y[0] = point(0, 0, 1.min(side - 1));
    for (j, out) in y.iter_mut().enumerate().take(side - 1).skip(1) {
        *out = point(j, j - 1, j + 1);
    }
    y[side - 1] = point(side - 1, side.saturating_sub(2), side - 1);
}

/// Row `i` of all planes of `y`, by hand.
fn seven_by_hand(i: usize, y: &mut [f32], x: &[f32]) {
    let side = y.len();
    let (plane, line) = (i / side, i % side);
    let row = |plane: usize, line: usize| Arrays::row(x, side, plane * side + line);
    let (before, after) = (
        row(plane.saturating_sub(1), line),
        row((plane + 1).min(side - 1), line),
    );
    let (up, down) = (
        row(plane, line.saturating_sub(1)),
        row(plane, (line + 1).min(side - 1)),
    );
    let here = row(plane, line);
    let point = |j: usize, left: usize, right: usize| {
        0.4 * here[j] + 0.1 * (before[j] + after[j] + (up[j] + down[j]) + here[left] + here[right])
    };
    y[0] = point(0, 0, 1.min(side - 1));
    for (j, out) in y.iter_mut().enumerate().take(side - 1).skip(1) {
        *out = point(j, j - 1, j + 1);
    }
    y[side - 1] = point(side - 1, side.saturating_sub(2), side - 1);
}

fn plain(s: &mut Arrays, by_hand: fn(usize, &mut [f32], &[f32])) -> f64 {
    let rows = s.y.chunks_mut(s.side).enumerate();
    rows.for_each(|(i, y)| by_hand(i, y, &s.x));
    0.0
}

fn rayon(s: &mut Arrays, by_hand: fn(usize, &mut [f32], &[f32])) -> f64 {
    let rows = s.y.par_chunks_mut(s.side).enumerate();
    rows.for_each(|(i, y)| by_hand(i, y, &s.x));
    0.0
}

/// The five-point sum over a matrix.
pub(super) fn two_dimensional(side: usize, target: &Target) -> Contest<Arrays> {
    let f = map_overlap!(five_points).on(target.clone());
    Contest {
        name: format!("5 points, {side} × {side}"),
        elems: side.pow(2),
        bytes: 8 * side.pow(2),
        plain: |s| plain(s, five_by_hand),
        rayon: |s| rayon(s, five_by_hand),
        skel: Box::new(move |s| {
            let x = Matrix::from_vec(side, side, take(&mut s.x))?;
            let mut y = Matrix::from_vec(side, side, take(&mut s.y))?;
            f.run_into((&x,), &mut y)?;
            (s.x, s.y) = (x.into_vec()?, y.into_vec()?);
            Ok(0.0)
        }),
    }
}

/// The seven-point sum over a tensor.
pub(super) fn three_dimensional(side: usize, target: &Target) -> Contest<Arrays> {
    let f = map_overlap!(seven_points).on(target.clone());
    Contest {
        name: format!("7 points, {side} × {side} × {side}"),
        elems: side.pow(3),
        bytes: 8 * side.pow(3),
        plain: |s| plain(s, seven_by_hand),
        rayon: |s| rayon(s, seven_by_hand),
        skel: Box::new(move |s| {
            let x = Tensor3::from_vec(side, side, side, take(&mut s.x))?;
            let mut y = Tensor3::from_vec(side, side, side, take(&mut s.y))?;
            f.run_into((&x,), &mut y)?;
            (s.x, s.y) = (x.into_vec()?, y.into_vec()?);
            Ok(0.0)
        }),
    }
}

#[cfg(test)]
mod test {
    use super::{super::contest::test::all_agree, *};

    #[test]
    fn all_contenders_compute_the_same() {
        for side in [2, 3, 31] {
            all_agree(&[two_dimensional(side, &Cpu.into())], &Arrays::new(side, 2));
            all_agree(
                &[three_dimensional(side, &Cpu.into())],
                &Arrays::new(side, 3),
            );
        }
    }
}
