//! The dot product of two long vectors, against its closed form.
//!
//! `cargo run --release --example dotproduct -- --n 100000000`

mod support;

use clap::Parser;
use skel::prelude::*;
use std::process::ExitCode;
use support::{Backend, Result, check, report};

/// Multiplies two vectors, and checks the result
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    backend: Backend,
    /// The number of elements
    #[arg(long, default_value_t = 1 << 24, value_name = "N")]
    n: usize,
}

#[user_function]
fn mult(a: f32, b: f32) -> f32 {
    a * b
}

#[user_function]
fn add<T: Number>(a: T, b: T) -> T {
    a + b
}

/// The elements repeat after so many.
const CYCLE: usize = 16;

fn main() -> ExitCode {
    support::main(run)
}

fn run(options: Options) -> Result {
    let n = options.n;
    let dot = map_reduce!(mult, add)
        .identity(0.0)
        .on(options.backend.target()?);
    let x = Vector::try_from_fn(n, |i| (i % CYCLE) as f32)?;
    let y = Vector::try_from_fn(n, |i| if i % 2 == 0 { 0.5 } else { 0.25 })?;

    let (result, report) = report::of(|| dot.run((&x, &y)))?;
    let (result, exact) = (f64::from(result), closed_form(n));
    let error = (result - exact).abs() / exact.max(1.0);
    println!("x · y = {result}, closed form {exact}, relative error {error:.1e}");
    report.print();
    check(error <= 1e-4, || format!("{result} instead of {exact}"))
}

/// Whole cycles, and what is left over.
fn closed_form(n: usize) -> f64 {
    let sum = |k: usize| -> f64 {
        (0..k)
            .map(|i| i as f64 * if i % 2 == 0 { 0.5 } else { 0.25 })
            .sum()
    };
    (n / CYCLE) as f64 * sum(CYCLE) + sum(n % CYCLE)
}
