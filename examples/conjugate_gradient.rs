//! Poisson's equation by conjugate gradients: how far a square drum skin sags under its own weight.
//!
//! `cargo run --release --example conjugate_gradient -- --level 9`

mod support;

use clap::Parser;
use skel::prelude::*;
use std::process::ExitCode;
use support::{Backend, Result, check, report};

/// Solves −Δu = 1 on the unit square, with u = 0 at its edges
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    backend: Backend,
    /// The grid has 2^K − 1 points along each side
    #[arg(long, default_value_t = 8, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=11))]
    level: u32,
}

/// Row `i` of a sparse matrix times `x`. Its entries are those from `starts[i]` to `starts[i + 1]`.
#[user_function]
fn sparse_row(at: Index1, starts: &[u32], columns: &[u32], values: &[f64], x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for k in starts[at.i] as usize..starts[at.i + 1] as usize {
        sum += values[k] * x[columns[k] as usize];
    }
    sum
}

#[user_function]
fn add_scaled(y: &mut f64, x: f64, #[uniform] k: f64) {
    *y += k * x;
}

#[user_function]
fn turn(direction: &mut f64, residual: f64, #[uniform] k: f64) {
    *direction = residual + k * *direction;
}

/// The deepest point: u(½, ½) = 0.07367135…, from the Fourier series.
const DEEPEST: f64 = 0.073_671_353_28;
/// How much smaller the residual gets.
const TOLERANCE: f64 = 1e-10;

fn main() -> ExitCode {
    support::main(run)
}

fn run(options: Options) -> Result {
    let target = options.backend.target()?;
    let product = map!(sparse_row).on(target.clone());
    let add_scaled = map!(add_scaled).on(target.clone());
    let turn = map!(turn).on(target.clone());
    let dot = map_reduce!(|a: f64, b: f64| a * b, |a: f64, b: f64| a + b).on(target);

    let side = (1 << options.level) - 1;
    let (n, h) = (side * side, 1.0 / (side + 1) as f64);
    let (starts, columns, values) = laplacian(side);

    let mut x = Vector::try_filled(n, 0.0)?;
    let mut residual = Vector::try_filled(n, h * h)?;
    let mut direction = Vector::try_filled(n, h * h)?;
    let (steps, report) = report::of(|| -> skel::Result<_> {
        let first = dot.run((&residual, &residual))?;
        let (mut square, mut steps) = (first, 0);
        while square > TOLERANCE * TOLERANCE * first && steps < n {
            let image = product.run_shaped(n, (&starts, &columns, &values, &direction))?;
            let length = square / dot.run((&direction, &image))?;
            add_scaled.run((&mut x, &direction, length))?;
            add_scaled.run((&mut residual, &image, -length))?;
            let next = dot.run((&residual, &residual))?;
            turn.run((&mut direction, &residual, next / square))?;
            (square, steps) = (next, steps + 1);
        }
        Ok(steps)
    })?;

    let x = x.host()?;
    let (left, deepest) = (plain_residual(&x, side), x[n / 2]);
    println!("{n} unknowns, {steps} steps, relative residual {left:.1e}");
    println!("deepest point {deepest:.8}, in the limit {DEEPEST:.8}");
    report.print();
    check(left < 100.0 * TOLERANCE, || {
        format!("the relative residual is {left:.1e}")
    })?;
    check((deepest - DEEPEST).abs() < 0.1 * h * h, || {
        format!("the deepest point is {deepest} instead of {DEEPEST}")
    })
}

/// Four times a point minus its neighbours, as a sparse matrix.
fn laplacian(side: usize) -> (Vector<u32>, Vector<u32>, Vector<f64>) {
    let (mut starts, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
    for here in 0..side * side {
        let (i, j) = (here / side, here % side);
        let mut entry = |there: bool, column: usize, value: f64| {
            if there {
                columns.push(column as u32);
                values.push(value);
            }
        };
        entry(i > 0, here.wrapping_sub(side), -1.0);
        entry(j > 0, here.wrapping_sub(1), -1.0);
        entry(true, here, 4.0);
        entry(j + 1 < side, here + 1, -1.0);
        entry(i + 1 < side, here + side, -1.0);
        starts.push(columns.len() as u32);
    }
    (starts.into(), columns.into(), values.into())
}

/// ‖b − A x‖ / ‖b‖, without the sparse matrix.
fn plain_residual(x: &[f64], side: usize) -> f64 {
    let (b, wide) = (((side + 1) as f64).powi(-2), side + 2);
    let mut u = vec![0.0; wide * wide]; // x with its edges
    for (u, x) in u.chunks_mut(wide).skip(1).zip(x.chunks(side)) {
        u[1..=side].copy_from_slice(x);
    }
    let inner = (1..=side).flat_map(|i| (1..=side).map(move |j| i * wide + j));
    let left = |k: usize| b - 4.0 * u[k] + u[k - 1] + u[k + 1] + u[k - wide] + u[k + wide];
    inner.map(|k| left(k).powi(2)).sum::<f64>().sqrt() / (b * side as f64)
}
