//! The integral of a polynomial as a sum of narrow strips, against its antiderivative.
//!
//! `cargo run --release --example riemann_sum -- --coefficients=-1,0,3 --from 0 --to 2`

mod support;

use clap::Parser;
use skel::prelude::*;
use std::process::ExitCode;
use support::{Backend, Failure, Result, check, parse, report};

/// Integrates a polynomial by the midpoint rule
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    backend: Backend,
    /// The coefficients of 1, x, x², …
    #[arg(
        long,
        default_value = "2,-3,0,5,-1",
        value_name = "C,C,…",
        value_delimiter = ',',
        allow_hyphen_values = true,
        value_parser = parse::finite
    )]
    coefficients: Vec<f64>,
    /// Where the integral begins
    #[arg(
        long,
        default_value_t = -1.0,
        value_name = "X",
        allow_hyphen_values = true,
        value_parser = parse::finite
    )]
    from: f64,
    /// Where it ends
    #[arg(
        long,
        default_value_t = 3.0,
        value_name = "X",
        allow_hyphen_values = true,
        value_parser = parse::finite
    )]
    to: f64,
    /// The number of strips
    #[arg(long, default_value_t = 10_000_000, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    strips: u32,
}

/// Horner's rule.
#[user_function]
fn polynomial(x: f64, coefficients: &[f64]) -> f64 {
    let mut y = 0.0;
    for k in (0..coefficients.len()).rev() {
        y = y * x + coefficients[k];
    }
    y
}

/// The area of a strip: its width times its height in the middle.
#[user_function]
fn strip(at: Index1, coefficients: &[f64], #[uniform] from: f64, #[uniform] width: f64) -> f64 {
    let middle = from + (at.i as f64 + 0.5) * width;
    width * polynomial(middle, coefficients)
}

#[user_function]
fn add<T: Number>(a: T, b: T) -> T {
    a + b
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(options: Options) -> Result {
    let Options {
        coefficients,
        from,
        to,
        strips,
        ..
    } = options;
    let integral = map_reduce!(strip, add).on(options.backend.target()?);
    let width = (to - from) / f64::from(strips);
    let exact = exact(&coefficients, from, to);
    let bound = error_bound(&coefficients, from, to, strips);
    if !bound.is_finite() {
        return Err(Failure::new(format!(
            "--from {from:e} --to {to:e}: the integral may be too large a number"
        )));
    }

    let (sum, report) =
        report::of(|| integral.run_shaped(strips as usize, (&coefficients, from, width)))?;
    println!("∫ ≈ {sum}, exactly {exact}");
    println!(
        "off by {:.1e}, at most {bound:.1e} may be",
        (sum - exact).abs()
    );
    report.print();
    check((sum - exact).abs() <= bound, || {
        format!("{sum} instead of {exact}")
    })
}

/// How much the antiderivative grows. Of its terms c xᵏ⁺¹ / (k + 1), the difference is by bᵏ⁺¹ − aᵏ⁺¹ = (b − a) Σ aʲ bᵏ⁻ʲ:
/// far from 0, two large values that are nearly the same would leave few digits.
fn exact(coefficients: &[f64], from: f64, to: f64) -> f64 {
    let terms = coefficients.iter().zip(0..).map(|(c, k)| {
        let powers = (0..=k).map(|j| from.powi(j) * to.powi(k - j));
        c * powers.sum::<f64>() / f64::from(k + 1)
    });
    (to - from) * terms.sum::<f64>()
}

/// What the rule leaves out, length · width² / 24 · max |f″|, and what rounding may add to it.
fn error_bound(coefficients: &[f64], from: f64, to: f64, strips: u32) -> f64 {
    let (length, most) = ((to - from).abs(), from.abs().max(to.abs()));
    let sum_of = |f: fn(f64, f64, i32) -> f64| -> f64 {
        let terms = coefficients.iter().zip(0..);
        terms.map(|(c, k)| f(c.abs(), most, k)).sum()
    };
    let bend = sum_of(|c, x, k| c * f64::from(k * (k - 1)) * x.powi((k - 2).max(0)));
    let height = sum_of(|c, x, k| c * x.powi(k));
    let width = length / f64::from(strips);
    // Of each strip one, and of each coefficient some, here and there.
    let roundings = f64::from(strips) + 4.0 * coefficients.len() as f64;
    length * (width * width / 24.0 * bend + roundings * f64::EPSILON * height)
}
