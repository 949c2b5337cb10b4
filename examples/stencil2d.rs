//! A weighted five-point stencil, over and over, against a plain program.
//!
//! `cargo run --release --example stencil2d -- --size 6144x6096 --steps 100`

mod support;

use clap::Parser;
use skel::prelude::*;
use std::process::ExitCode;
use support::{Backend, Result, check, largest, parse, report};

/// Smooths a plate of points, each with its four neighbours, and says how much the last step changed
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    backend: Backend,
    /// Width and height of the plate in points
    #[arg(long, default_value = "1536x1524", value_name = "WxH", value_parser = parse::size)]
    size: (usize, usize),
    /// The number of steps
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    steps: u32,
}

/// What a point keeps of itself.
const CENTER: f32 = 0.4;
/// What it takes of each neighbour.
const SIDE: f32 = 0.15;

#[user_function]
fn five_points(w: Window2<f32, 1, 1>) -> f32 {
    CENTER * w[(0, 0)] + SIDE * (w[(-1, 0)] + w[(0, -1)] + w[(0, 1)] + w[(1, 0)])
}

#[user_function]
fn squared_difference(a: f32, b: f32) -> f32 {
    (a - b) * (a - b)
}

#[user_function]
fn add<T: Number>(a: T, b: T) -> T {
    a + b
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(options: Options) -> Result {
    let ((width, height), target) = (options.size, options.backend.target()?);
    let step = map_overlap!(five_points).on(target.clone());
    let change = map_reduce!(squared_difference, add).on(target);
    let mut plate = Matrix::try_from_fn(height, width, value)?;

    let (norms, report) = report::of(|| -> skel::Result<_> {
        let mut norms = Vec::new();
        for _step in 0..options.steps {
            let next = step.run((&plate,))?;
            norms.push(f64::from(change.run((&plate, &next))?).sqrt());
            plate = next;
        }
        Ok(norms)
    })?;
    let (expected, expected_norms) = plain(width, height, options.steps);
    let points = plate.host()?;
    let gaps = points.iter().zip(&expected);
    let apart = largest(gaps.map(|(a, b)| f64::from((a - b).abs())));
    let gaps = norms.iter().zip(&expected_norms);
    let wrong = largest(gaps.map(|(a, b)| (a - b).abs() / b.max(f64::from(f32::MIN_POSITIVE))));
    let last = norms.last().copied().unwrap_or_default();
    println!(
        "the last of {} steps changed the plate by {last:.5}",
        options.steps
    );
    println!("{apart:.1e} from a plain program, norms {wrong:.1e}");
    report.print();
    check(apart == 0.0, || format!("a point is {apart:.1e} off"))?;
    check(wrong < 1e-4, || format!("a norm is {wrong:.1e} off"))
}

/// What the plate is at first: any pattern will do that no neighbours share.
fn value(row: usize, col: usize) -> f32 {
    ((row * 37 + col * 101) % 256) as f32 / 256.0
}

/// The same by loops, in the same arithmetic: so the points have the same bits. Norms are summed in `f64`.
fn plain(width: usize, height: usize, steps: u32) -> (Vec<f32>, Vec<f64>) {
    let mut plate: Vec<f32> = (0..width * height)
        .map(|k| value(k / width, k % width))
        .collect();
    let mut norms = Vec::new();
    for _step in 0..steps {
        let mut next = Vec::with_capacity(plate.len());
        for row in 0..height {
            let (above, below) = (row.saturating_sub(1), (row + 1).min(height - 1));
            for col in 0..width {
                let (left, right) = (col.saturating_sub(1), (col + 1).min(width - 1));
                let at = |row: usize, col: usize| plate[row * width + col];
                let sides = at(above, col) + at(row, left) + at(row, right) + at(below, col);
                next.push(CENTER * at(row, col) + SIDE * sides);
            }
        }
        let squares = plate
            .iter()
            .zip(&next)
            .map(|(a, b)| f64::from(a - b).powi(2));
        norms.push(squares.sum::<f64>().sqrt());
        plate = next;
    }
    (plate, norms)
}
