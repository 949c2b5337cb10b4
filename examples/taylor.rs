//! The logarithm of 1 + x by its Taylor series, against the library's.
//!
//! `cargo run --release --example taylor -- --x -0.5 --terms 100000000`

mod support;

use clap::Parser;
use skel::prelude::*;
use std::process::ExitCode;
use support::{Backend, Failure, Result, check, report};

/// Adds up the Taylor series of the logarithm of 1 + x
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    backend: Backend,
    /// More than −1, and at most 1
    #[arg(
        long,
        default_value_t = 1.0,
        value_name = "X",
        allow_hyphen_values = true
    )]
    x: f32,
    /// The number of terms
    #[arg(long, default_value_t = 10_000_000, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1 << 31))]
    terms: u32,
}

/// −(−x)^k / k, with k from 1.
#[user_function]
fn term(at: Index1, #[uniform] x: f32) -> f32 {
    let k = (at.i + 1) as f32;
    let size = x.abs().powf(k) / k;
    if x < 0.0 || at.i % 2 == 1 {
        -size
    } else {
        size
    }
}

#[user_function]
fn add<T: Number>(a: T, b: T) -> T {
    a + b
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(options: Options) -> Result {
    let Options { x, terms, .. } = options;
    if !(x > -1.0 && x <= 1.0) {
        return Err(Failure::new(format!(
            "--x is {x}, but the series is of numbers above -1, up to 1"
        )));
    }
    let series = map_reduce!(term, add).on(options.backend.target()?);

    let (sum, report) = report::of(|| series.run_shaped(terms as usize, (x,)))?;
    let (sum, exact) = (f64::from(sum), f64::from(x).ln_1p());
    let error = (sum - exact).abs();
    let bound = left_out(x.into(), terms) + 1e-5 * exact.abs();
    println!("ln(1 + {x}) ≈ {sum:.7}, exactly {exact:.7}");
    println!("off by {error:.1e}, at most {bound:.1e} may be");
    report.print();
    check(error <= bound, || format!("{sum} instead of {exact}"))
}

/// The terms that follow sum up to no more: of alternating ones the first is the largest sum; the others
/// are at most those of a geometric series.
fn left_out(x: f64, terms: u32) -> f64 {
    let next = f64::from(terms) + 1.0;
    let first = x.abs().powf(next) / next;
    if x < 0.0 { first / (1.0 + x) } else { first }
}
