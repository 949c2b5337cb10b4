//! Mandelbrot: rows take more or less, by how much of the set they cross.

use super::Size;
use crate::app::App;
use skel::{Context, prelude::*};

/// When to give up on a point.
const LIMIT: u32 = 256;
const WIDTH: usize = 640;
const HEIGHT: usize = 480;

#[user_function]
fn escape(at: Index2, #[uniform] pixel: f32, #[uniform] limit: u32) -> u32 {
    let cx = -2.25 + pixel * at.col as f32;
    let cy = 1.125 - pixel * at.row as f32;
    let mut x = 0.0;
    let mut y = 0.0;
    let mut n = 0;
    while n < limit {
        let xx = x * x;
        let yy = y * y;
        if xx + yy > 4.0 {
            break;
        }
        y = 2.0 * x * y + cy;
        x = xx - yy + cx;
        n += 1;
    }
    n
}

/// A picture of the whole set.
fn picture(rows: usize, cols: usize) -> Vec<u32> {
    let pixel = 2.25 / rows as f32;
    (0..rows * cols)
        .map(|k| {
            let at = Index2 {
                row: k / cols,
                col: k % cols,
            };
            escape(at, pixel, LIMIT)
        })
        .collect()
}

/// How many times as much as the mean an element takes, by its place in the picture.
pub(crate) fn density() -> impl Fn(f64) -> f64 {
    let rows: Vec<f64> = picture(HEIGHT, WIDTH)
        .chunks(WIDTH)
        .map(|row| row.iter().map(|n| f64::from(*n + 4)).sum())
        .collect();
    let mean = rows.iter().sum::<f64>() / rows.len() as f64;
    move |x| rows[((x * rows.len() as f64) as usize).min(rows.len() - 1)] / mean
}

/// The program.
pub(crate) fn mandelbrot(context: &Context, size: Size) -> App {
    let (rows, cols) = match size {
        Size::Tiny => (24, 32),
        Size::Full => (HEIGHT, WIDTH),
    };
    let f = map!(escape).within(context.clone());
    let expected = picture(rows, cols)
        .iter()
        .map(|n| u64::from(*n))
        .sum::<u64>() as f64;
    let pixel = 2.25 / rows as f32;
    App::new(
        "Mandelbrot",
        &["Map<0>"],
        rows * cols,
        (expected, 0.0),
        move |[at]| {
            let counts = f.clone().on(at).run_shaped((rows, cols), (pixel, LIMIT))?;
            Ok(counts.host()?.iter().map(|n| u64::from(*n)).sum::<u64>() as f64)
        },
    )
}
