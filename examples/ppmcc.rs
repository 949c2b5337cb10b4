//! Pearson's product-moment correlation coefficient of two columns of a CSV file, against a plain program.
//!
//! `cargo run --release --example ppmcc -- examples/data/iris.csv petal_length petal_width`

mod support;

use clap::Parser;
use skel::prelude::*;
use std::{path::PathBuf, process::ExitCode};
use support::{Backend, Failure, Result, check, largest, report, table};

/// Pearson's r of two columns
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    backend: Backend,
    /// A CSV file whose first line names the columns
    #[arg(default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/data/iris.csv"))]
    file: PathBuf,
    /// One column
    #[arg(default_value = "petal_length")]
    x: String,
    /// The other one
    #[arg(default_value = "petal_width")]
    y: String,
}

#[user_function]
fn squared(x: f32, #[uniform] mean: f32) -> f32 {
    (x - mean) * (x - mean)
}

#[user_function]
fn product(x: f32, y: f32, #[uniform] mean_x: f32, #[uniform] mean_y: f32) -> f32 {
    (x - mean_x) * (y - mean_y)
}

#[user_function]
fn add(a: f32, b: f32) -> f32 {
    a + b
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(options: Options) -> Result {
    let target = options.backend.target()?;
    let sum = reduce!(add).on(target.clone());
    let variance = map_reduce!(squared, add).on(target.clone());
    let covariance = map_reduce!(product, add).on(target);
    let [x, y] = table::columns(&options.file, [&options.x, &options.y])?;
    let n = x.len();
    if n < 2 {
        return Err(Failure::file(&options.file, "fewer than two rows"));
    }
    let scaled = |name: &str, column: &[f64]| {
        scaled(column)
            .map_err(|what| Failure::file(&options.file, format!("column `{name}` {what}")))
    };
    let (x, y) = (scaled(&options.x, &x)?, scaled(&options.y, &y)?);
    let exact = plain(&x, &y);
    let single = |column: &[f64]| Vector::from_fn(n, |i| column[i] as f32);
    let (x, y) = (single(&x), single(&y));

    let (sums, report) = report::of(|| -> skel::Result<_> {
        let mean_x = sum.run((&x,))? / n as f32;
        let mean_y = sum.run((&y,))? / n as f32;
        Ok([
            covariance.run((&x, &y, mean_x, mean_y))?,
            variance.run((&x, mean_x))?,
            variance.run((&y, mean_y))?,
        ])
    })?;
    let [xy, xx, yy] = sums.map(f64::from);
    let r = xy / (xx * yy).sqrt();
    println!("r = {r:.9}");
    println!("{} and {}, {n} rows", options.x, options.y);
    report.print();
    check((r - exact).abs() <= 1e-4, || {
        format!("{r} instead of {exact}")
    })
}

/// The differences from the first value, as parts of the largest: of the same correlation, of fewer digits than the values,
/// and with squares that `f32` has.
fn scaled(column: &[f64]) -> std::result::Result<Vec<f64>, &'static str> {
    let gaps = || column.iter().map(|value| value - column[0]);
    match largest(gaps().map(f64::abs)) {
        0.0 => Err("is constant, so r is not defined"),
        most if most.is_finite() => Ok(gaps().map(|gap| gap / most).collect()),
        _ => Err("has differences beyond the numbers of f64"),
    }
}

/// The same in `f64`.
fn plain(x: &[f64], y: &[f64]) -> f64 {
    let n = x.len() as f64;
    let (mean_x, mean_y) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
    let (mut xy, mut xx, mut yy) = (0.0, 0.0, 0.0);
    for (x, y) in x
        .iter()
        .map(|x| x - mean_x)
        .zip(y.iter().map(|y| y - mean_y))
    {
        xy += x * y;
        xx += x * x;
        yy += y * y;
    }
    xy / (xx * yy).sqrt()
}
