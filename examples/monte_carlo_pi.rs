//! π by throwing darts: how many random points of the unit square lie in the quarter circle.
//!
//! `cargo run --release --example monte_carlo_pi -- --points 1000000000 --seed 7`

mod support;

use clap::Parser;
use skel::prelude::*;
use std::{f64::consts::PI, process::ExitCode};
use support::{Backend, Result, check, report};

/// Estimates π from random points
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    backend: Backend,
    /// The number of points, rounded up to a multiple of 64
    #[arg(long, default_value_t = 100_000_000, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=1 << 31))]
    points: u32,
    /// What the random numbers start from
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
}

/// How many of `points` random points are in the quarter circle.
#[user_function]
fn hits(rng: &mut Random, #[uniform] points: u32) -> u32 {
    let mut hits = 0;
    for _point in 0..points {
        let x = rng.uniform_f32();
        let y = rng.uniform_f32();
        if x * x + y * y < 1.0 {
            hits += 1;
        }
    }
    hits
}

#[user_function]
fn add<T: Number>(a: T, b: T) -> T {
    a + b
}

/// Points per element: enough for its work to outweigh its sum.
const EACH: u32 = 64;

fn main() -> ExitCode {
    support::main(run)
}

fn run(options: Options) -> Result {
    let throw = map_reduce!(hits, add)
        .seed(options.seed)
        .on(options.backend.target()?);
    let elements = options.points.div_ceil(EACH);

    let (hits, report) = report::of(|| throw.run_shaped(elements as usize, (EACH,)))?;
    let points = f64::from(elements * EACH);
    let estimate = 4.0 * f64::from(hits) / points;
    // Each point counts 4 with probability π/4, else 0: that is the variance of their mean.
    let deviation = (PI * (4.0 - PI) / points).sqrt();
    let error = (estimate - PI) / deviation;
    println!("π ≈ {estimate:.6}, from {hits} hits of {points} points");
    println!("off by {error:.2} standard deviations of {deviation:.1e}");
    report.print();
    check(error.abs() < 5.0, || {
        format!("{estimate} is {error:.1} standard deviations from π")
    })
}
