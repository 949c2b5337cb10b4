//! stencil2d of the Charm++ paper: a weighted five-point stencil, and how much it changes.

use super::Size;
use crate::app::{App, data};
use skel::{Context, prelude::*};

const CENTER: f32 = 0.4;
const SIDE: f32 = 0.15;
const STEPS: usize = 5;

#[user_function]
fn five_points(w: Window2<f32, 1, 1>) -> f32 {
    CENTER * w[(0, 0)] + SIDE * (w[(-1, 0)] + w[(0, -1)] + w[(0, 1)] + w[(1, 0)])
}

#[user_function]
fn change(a: f32, b: f32) -> f32 {
    (a - b) * (a - b)
}

#[user_function]
fn plus(a: f32, b: f32) -> f32 {
    a + b
}

/// The program.
pub(crate) fn stencil2d(context: &Context, size: Size) -> App {
    let (rows, cols) = match size {
        Size::Tiny => (20, 30),
        Size::Full => (1016, 1024),
    };
    let step = map_overlap!(five_points).within(context.clone());
    let norm = map_reduce!(change, plus).within(context.clone());
    let start = data(rows * cols, 31);
    let expected = plain(&start, cols);
    App::new(
        "stencil2d",
        &["MapOverlap", "MapReduce<2>"],
        rows * cols,
        (expected, 1e-4),
        move |[overlap, map_reduce]| {
            let (step, norm) = (step.clone().on(overlap), norm.clone().on(map_reduce));
            let mut plate = Matrix::from_vec(rows, cols, start.clone())?;
            let mut sum = 0.0;
            for _step in 0..STEPS {
                let next = step.run((&plate,))?;
                sum += f64::from(norm.run((&plate, &next))?);
                plate = next;
            }
            Ok(sum + f64::from(plate.host()?[cols + 1]))
        },
    )
}

/// The same by loops.
fn plain(start: &[f32], cols: usize) -> f64 {
    let (mut plate, rows) = (start.to_vec(), start.len() / cols);
    let mut sum = 0.0;
    for _step in 0..STEPS {
        let at = |row: usize, col: usize| plate[row * cols + col];
        let next: Vec<f32> = (0..plate.len())
            .map(|k| {
                let (row, col) = (k / cols, k % cols);
                let (above, below) = (row.saturating_sub(1), (row + 1).min(rows - 1));
                let (left, right) = (col.saturating_sub(1), (col + 1).min(cols - 1));
                let sides = at(above, col) + at(row, left) + at(row, right) + at(below, col);
                CENTER * at(row, col) + SIDE * sides
            })
            .collect();
        sum += plate
            .iter()
            .zip(&next)
            .map(|(a, b)| f64::from(a - b).powi(2))
            .sum::<f64>();
        plate = next;
    }
    sum + f64::from(plate[cols + 1])
}
