//! Pearson's product-moment correlation coefficient of two columns of a CSV file.
//!
//! `cargo run --release --example ppmcc -- examples/data/iris.csv petal_length petal_width`

mod support;

use clap::Parser;
use skel::prelude::*;
use std::{path::PathBuf, process::ExitCode};
use support::{Backend, Failure, Result, report, table};

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
    let (x, y) = (shifted(&x), shifted(&y));

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
    for (name, variance) in [(&options.x, xx), (&options.y, yy)] {
        if variance == 0.0 {
            return Err(Failure::file(
                &options.file,
                format!("column `{name}` is constant, so r is not defined"),
            ));
        }
    }
    println!("r = {:.9}", xy / (xx * yy).sqrt());
    println!("{} and {}, {n} rows", options.x, options.y);
    report.print();
    Ok(())
}

/// The differences from the first value: of the same correlation, and of fewer digits than the values.
fn shifted(column: &[f64]) -> Vector<f32> {
    Vector::from_fn(column.len(), |i| (column[i] - column[0]) as f32)
}
