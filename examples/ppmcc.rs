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
    file: PathBuf,
    /// One column
    x: String,
    /// The other one
    y: String,
}

#[user_function]
fn mult(a: f32, b: f32) -> f32 {
    a * b
}

#[user_function]
fn add(a: f32, b: f32) -> f32 {
    a + b
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(options: Options) -> Result {
    let dot = map_reduce!(mult, add).on(options.backend.target()?);
    let [x, y] = table::columns(&options.file, [&options.x, &options.y])?;
    let n = x.len();
    if n < 2 {
        return Err(Failure::file(&options.file, "fewer than two rows"));
    }
    let (x, y) = (centred(&x), centred(&y));

    let (sums, report) = report::of(|| -> skel::Result<_> {
        Ok([dot.run((&x, &y))?, dot.run((&x, &x))?, dot.run((&y, &y))?])
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

/// The differences from the mean, which is taken in `f64`: they need fewer digits than the values.
fn centred(column: &[f64]) -> Vector<f32> {
    let mean = column.iter().sum::<f64>() / column.len() as f64;
    Vector::from(column.iter().map(|v| (v - mean) as f32).collect::<Vec<_>>())
}
