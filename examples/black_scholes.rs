//! Prices European options by the formula of Black and Scholes, against put–call parity and a textbook.
//!
//! `cargo run --release --example black_scholes -- --options 10000000`

mod support;

use clap::Parser;
use skel::prelude::*;
use std::process::ExitCode;
use support::{Backend, Result, check, report};

/// Prices options of a made-up market
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    backend: Backend,
    /// The number of options
    #[arg(long, default_value_t = 1 << 22, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    options: u32,
    /// What the market starts from
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
}

/// An option's share price, strike price, and years to go.
#[user_function]
fn quote(rng: &mut Random) -> (f32, f32, f32) {
    let spot = 50.0 + 100.0 * rng.uniform_f32();
    let strike = 50.0 + 100.0 * rng.uniform_f32();
    (spot, strike, 0.1 + 2.0 * rng.uniform_f32())
}

/// The normal distribution (Abramowitz and Stegun 26.2.17, to 7.5e-8).
#[user_function]
fn normal(x: f32) -> f32 {
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let series = t
        * (0.319_381_53
            + t * (-0.356_563_78 + t * (1.781_477_9 + t * (-1.821_255_9 + t * 1.330_274_5))));
    let tail = 0.398_942_3 * (-0.5 * x * x).exp() * series;
    if x < 0.0 { tail } else { 1.0 - tail }
}

/// What the right to buy costs, and the right to sell.
#[user_function]
fn price(
    spot: f32,
    strike: f32,
    years: f32,
    #[uniform] rate: f32,
    #[uniform] volatility: f32,
) -> (f32, f32) {
    let spread = volatility * years.sqrt();
    let d1 = ((spot / strike).ln() + (rate + 0.5 * volatility * volatility) * years) / spread;
    let d2 = d1 - spread;
    let discounted = strike * (-rate * years).exp();
    let call = spot * normal(d1) - discounted * normal(d2);
    let put = discounted * normal(-d2) - spot * normal(-d1);
    (call, put)
}

/// How far a pair of prices is from call − put = spot − discounted strike.
#[user_function]
fn disparity(call: f32, put: f32, spot: f32, strike: f32, years: f32, #[uniform] rate: f32) -> f32 {
    (call - put - (spot - strike * (-rate * years).exp())).abs()
}

#[user_function]
fn larger(a: f32, b: f32) -> f32 {
    a.max(b)
}

const RATE: f32 = 0.1;
const VOLATILITY: f32 = 0.2;

fn main() -> ExitCode {
    support::main(run)
}

fn run(options: Options) -> Result {
    let target = options.backend.target()?;
    let market = map!(quote).seed(options.seed).on(target.clone());
    let price = map!(price).on(target.clone());
    let disparity = map_reduce!(disparity, larger).on(target);

    let n = options.options as usize;
    let (worst, report) = report::of(|| -> skel::Result<_> {
        let (spot, strike, years) = market.run_shaped(n, ())?;
        let (call, put) = price.run((&spot, &strike, &years, RATE, VOLATILITY))?;
        disparity.run((&call, &put, &spot, &strike, &years, RATE))
    })?;
    let (call, put) = price.run((&[42.0], &[40.0], &[0.5], RATE, VOLATILITY))?;
    let (call, put) = (call.host()?[0], put.host()?[0]);
    println!("{n} options keep put–call parity to {worst:.1e}");
    println!("share at 42, strike at 40, half a year: call {call:.2}, put {put:.2}");
    report.print();
    check(worst < 1e-4, || {
        format!("put–call parity is off by {worst}")
    })?;
    // Hull, Options, Futures, and Other Derivatives, in the chapter on the model: to the cent.
    check(
        (call - 4.76).abs() < 0.005 && (put - 0.81).abs() < 0.005,
        || format!("call {call} and put {put} instead of 4.76 and 0.81"),
    )
}
