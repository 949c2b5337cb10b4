//! Prices European options by the formula of Black and Scholes, against put–call parity, integrals, and a textbook.
//!
//! `cargo run --release --example black_scholes -- --options 10000000`

mod support;

use clap::Parser;
use skel::prelude::*;
use std::{f64::consts::TAU, process::ExitCode};
use support::{Backend, Result, check, largest, report};

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
    // Not `max`, which passes over NaN.
    if a > b || a.is_nan() { a } else { b }
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
    let ((worst, market, prices), report) = report::of(|| -> skel::Result<_> {
        let (spot, strike, years) = market.run_shaped(n, ())?;
        let (call, put) = price.run((&spot, &strike, &years, RATE, VOLATILITY))?;
        let worst = disparity.run((&call, &put, &spot, &strike, &years, RATE))?;
        Ok((worst, (spot, strike, years), (call, put)))
    })?;
    let (spot, strike, years) = (market.0.host()?, market.1.host()?, market.2.host()?);
    let (calls, puts) = (prices.0.host()?, prices.1.host()?);
    // Some of them will do.
    let apart = largest((0..n).step_by(n.div_ceil(64)).flat_map(|k| {
        let [call, put] = expected([spot[k], strike[k], years[k]].map(f64::from));
        [f64::from(calls[k]) - call, f64::from(puts[k]) - put].map(f64::abs)
    }));
    let (call, put) = price.run((&[42.0], &[40.0], &[0.5], RATE, VOLATILITY))?;
    let (call, put) = (call.host()?[0], put.host()?[0]);
    println!("{n} options keep put–call parity to {worst:.1e}");
    println!("at most {apart:.1e} from integrals over what they pay");
    println!("share at 42, strike at 40, half a year: call {call:.2}, put {put:.2}");
    report.print();
    check(worst < 1e-4, || {
        format!("put–call parity is off by {worst}")
    })?;
    check(apart < 1e-3, || format!("a price is off by {apart}"))?;
    // Hull, Options, Futures, and Other Derivatives, in the chapter on the model: to the cent.
    check(
        (call - 4.76).abs() < 0.005 && (put - 0.81).abs() < 0.005,
        || format!("call {call} and put {put} instead of 4.76 and 0.81"),
    )
}

/// Call and put as the mean of what they pay, discounted: an integral over all growth of the share, whose logarithm is
/// normally distributed. Whatever is wrong in `d1` or `d2` keeps parity, but not this.
fn expected([spot, strike, years]: [f64; 3]) -> [f64; 2] {
    const WIDTH: f64 = 1e-3;
    let (rate, volatility) = (f64::from(RATE), f64::from(VOLATILITY));
    let drift = (rate - 0.5 * volatility * volatility) * years;
    let mut paid = [0.0; 2];
    for k in -8000..8000 {
        let z = WIDTH * (f64::from(k) + 0.5);
        let density = (-0.5 * z * z).exp() / TAU.sqrt();
        let gain = spot * (drift + volatility * years.sqrt() * z).exp() - strike;
        paid[0] += density * gain.max(0.0);
        paid[1] += density * (-gain).max(0.0);
    }
    paid.map(|sum| WIDTH * sum * (-rate * years).exp())
}
