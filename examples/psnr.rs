//! How far a compressed picture is from the original: the peak signal-to-noise ratio of two PNG files.
//!
//! `cargo run --release --example psnr -- examples/data/astronaut.png examples/data/astronaut_q10.png`

mod support;

use clap::Parser;
use skel::prelude::*;
use std::{path::PathBuf, process::ExitCode};
use support::{Backend, Failure, Result, check, image::Image, report};

/// Peak signal-to-noise ratio of two pictures of the same size
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    backend: Backend,
    /// One PNG file
    #[arg(default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/data/astronaut.png"))]
    a: PathBuf,
    /// The other one
    #[arg(default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/data/astronaut_q10.png"))]
    b: PathBuf,
}

#[user_function]
fn difference(a: f32, b: f32) -> f32 {
    a - b
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
    let target = options.backend.target()?;
    let difference = map!(difference).on(target.clone());
    let dot = map_reduce!(mult, add).on(target);
    let (a, b) = (Image::read(&options.a)?, Image::read(&options.b)?);
    let form = |i: &Image| {
        format!(
            "{} × {} pixels of {} channels",
            i.width, i.height, i.channels
        )
    };
    if form(&a) != form(&b) {
        return Err(Failure::file(
            &options.b,
            format!("{}, but the other has {}", form(&b), form(&a)),
        ));
    }
    let plain = plain(&a.bytes, &b.bytes);
    let [a, b] =
        [a, b].map(|image| Vector::from_fn(image.bytes.len(), |i| f32::from(image.bytes[i])));

    let (total, report) = report::of(|| -> skel::Result<_> {
        let error = difference.run((&a, &b))?;
        dot.run((&error, &error))
    })?;
    let mse = f64::from(total) / a.len() as f64;
    println!("PSNR {:.9} dB", 10.0 * (255.0_f64.powi(2) / mse).log10());
    println!("mean squared error {mse} over {} values", a.len());
    report.print();
    // Roundings of `f32`, from one partial sum to the next.
    check((mse - plain).abs() <= 1e-5 * plain, || {
        format!("mean squared error {mse} instead of {plain}")
    })
}

/// The mean squared error, in integers.
fn plain(a: &[u8], b: &[u8]) -> f64 {
    let squares = a
        .iter()
        .zip(b)
        .map(|(a, b)| u64::from(a.abs_diff(*b)).pow(2));
    squares.sum::<u64>() as f64 / a.len() as f64
}
