//! The product of two matrices, said in three ways, against a plain product.
//!
//! `cargo run --release --example matmul -- --n 1024`

mod support;

use clap::Parser;
use skel::prelude::*;
use std::process::ExitCode;
use support::{Backend, Result, check, largest, report};

/// Multiplies two square matrices of random numbers
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    backend: Backend,
    /// The number of rows and of columns, rounded up to a multiple of 8
    #[arg(long, default_value_t = 512, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=8192))]
    n: u32,
    /// What the random numbers start from
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
}

/// The row of `a` and the column of `b` that belong to the element.
#[user_function]
fn row_by_column(row: Row<f32>, col: Col<f32>) -> f32 {
    let mut sum = 0.0;
    for k in 0..row.len() {
        sum += row[k] * col[k];
    }
    sum
}

/// Both matrices, and where the element is.
#[user_function]
fn by_index(at: Index2, a: MatrixView<f32>, b: MatrixView<f32>) -> f32 {
    let mut sum = 0.0;
    for k in 0..a.cols() {
        sum += a[(at.row, k)] * b[(k, at.col)];
    }
    sum
}

/// Eight neighbours of a row at once: each number of `a` is read once for all of them.
#[user_function]
fn by_strip(at: Index2, row: Row<f32>, b: MatrixView<[f32; 8]>) -> [f32; 8] {
    let mut sums = [0.0; 8];
    for k in 0..row.len() {
        let strip = b[(k, at.col)];
        for j in 0..8 {
            sums[j] += row[k] * strip[j];
        }
    }
    sums
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(options: Options) -> Result {
    let target = options.backend.target()?;
    let n = options.n.next_multiple_of(8) as usize;
    let noise = map!(|rng: &mut Random| rng.uniform_f32() - 0.5).seed(options.seed);
    let (a, b) = (noise.run_shaped((n, n), ())?, noise.run_shaped((n, n), ())?);
    let strips = Matrix::from_vec(n, n / 8, b.host()?.as_chunks().0.to_vec())?;

    let row_by_column = map!(row_by_column).named("row × column").on(target.clone());
    let by_index = map!(by_index).named("by index").on(target.clone());
    let by_strip = map!(by_strip).named("by strip").on(target);
    let (products, report) = report::of(|| -> skel::Result<_> {
        Ok([
            row_by_column.run_shaped((n, n), (&a, &b))?.into_vec()?,
            by_index.run_shaped((n, n), (&a, &b))?.into_vec()?,
            by_strip
                .run_shaped((n, n / 8), (&a, &strips))?
                .into_vec()?
                .into_flattened(),
        ])
    })?;

    let (plain, bounds) = plain_product(&a.host()?, &b.host()?, n);
    let mut worst = 0.0_f64;
    for (call, product) in report.calls.iter().zip(&products) {
        let errors = product
            .iter()
            .zip(&plain)
            .map(|(found, exact)| (f64::from(*found) - exact).abs());
        let error = largest(errors.zip(&bounds).map(|(error, bound)| error / bound));
        let speed = 2e-9 * (n as f64).powi(3) / call.elapsed.as_secs_f64();
        println!(
            "{:12} {speed:7.2} GFLOP/s, {error:.3} of the error that may be",
            call.instance
        );
        worst = largest([worst, error]);
    }
    report.print();
    check(worst <= 1.0, || {
        format!("an element is {worst} times as far off as rounding explains")
    })
}

/// The product in `f64`, and how far off an `f32` sum may be: n·u / (1 − n·u) times the sum of the
/// absolute values, where u is half the distance from 1 to the next number.
fn plain_product(a: &[f32], b: &[f32], n: usize) -> (Vec<f64>, Vec<f64>) {
    let nu = n as f64 * f64::from(f32::EPSILON) / 2.0;
    let (mut sums, mut bounds) = (vec![0.0; n * n], vec![0.0; n * n]);
    for (i, k) in (0..n).flat_map(|i| (0..n).map(move |k| (i, k))) {
        let row = i * n..(i + 1) * n;
        let places = sums[row.clone()].iter_mut().zip(&mut bounds[row]);
        for ((sum, bound), b) in places.zip(&b[k * n..]) {
            let product = f64::from(a[i * n + k]) * f64::from(*b);
            *sum += product;
            *bound += nu / (1.0 - nu) * product.abs();
        }
    }
    (sums, bounds)
}
