//! The cumulative moving average of a long series, against plain sums.
//!
//! `cargo run --release --example cma -- --n 100000000`

mod support;

use clap::Parser;
use skel::prelude::*;
use std::{f64::consts::TAU, process::ExitCode};
use support::{Backend, Result, check, largest, report};

/// Averages all values so far, for each value of a series
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    backend: Backend,
    /// The number of values
    #[arg(long, default_value_t = 10_000_000, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    n: u32,
}

#[user_function]
fn add<T: Number>(a: T, b: T) -> T {
    a + b
}

/// The sum of all values so far, divided by their number.
#[user_function]
fn average(at: Index1, sum: f32) -> f32 {
    sum / (at.i + 1) as f32
}

/// A temperature by day and night, and through the year; a value for each hour.
#[user_function]
fn temperature(at: Index1, rng: &mut Random) -> f32 {
    let day = (at.i % 24) as f32 / 24.0;
    let year = (at.i % 8766) as f32 / 8766.0;
    let wave = 4.0 * (TAU as f32 * day).sin() + 10.0 * (TAU as f32 * year).sin();
    9.0 + wave + 2.0 * rng.normal_f32()
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(options: Options) -> Result {
    let target = options.backend.target()?;
    let sums = scan!(add).on(target.clone());
    let average = map!(average).on(target);
    let series: Vector<f32> = map!(temperature)
        .on(Cpu)
        .run_shaped(options.n as usize, ())?;

    let (averages, report) =
        report::of(|| -> skel::Result<_> { average.run((&sums.run((&series,))?,)) })?;
    let (worst, last) = compare(&series.host()?, &averages.host()?);
    println!("mean temperature {last:.4}, at most {worst:.1e} off on the way");
    report.print();
    check(worst < 1e-3, || format!("an average is {worst:.1e} off"))
}

/// The largest difference from averages of plain sums, and the last average.
fn compare(series: &[f32], averages: &[f32]) -> (f64, f64) {
    let mut sum = 0.0;
    let values = series.iter().zip(averages).enumerate();
    let worst = largest(values.map(|(k, (value, average))| {
        sum += f64::from(*value);
        (sum / (k + 1) as f64 - f64::from(*average)).abs()
    }));
    (worst, sum / series.len() as f64)
}
