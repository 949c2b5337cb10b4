//! How far a compressed picture is from the original: the peak signal-to-noise ratio of two PNG files.
//!
//! `cargo run --release --example psnr -- examples/data/astronaut.png examples/data/astronaut_q10.png`

mod support;

use clap::Parser;
use skel::prelude::*;
use std::{path::PathBuf, process::ExitCode};
use support::{Backend, Failure, Result, image::Image, report};

/// Peak signal-to-noise ratio of two pictures of the same size
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    backend: Backend,
    /// One PNG file
    a: PathBuf,
    /// The other one
    b: PathBuf,
}

#[user_function]
fn squared_error(a: f32, b: f32) -> f32 {
    (a - b) * (a - b)
}

#[user_function]
fn add(a: f32, b: f32) -> f32 {
    a + b
}

/// Elements per call. Their errors are integers, so an `f32` sum is exact while it is below 2^24:
/// here up to a mean squared error of 1024, more than a picture that is still worth looking at has.
const BAND: usize = 1 << 14;

fn main() -> ExitCode {
    support::main(run)
}

fn run(options: Options) -> Result {
    let sum_of_squares = map_reduce!(squared_error, add).on(options.backend.target()?);
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
    let [a, b] = [a, b].map(|image| {
        image
            .bytes
            .iter()
            .map(|byte| f32::from(*byte))
            .collect::<Vec<_>>()
    });

    let (total, report) = report::of(|| -> skel::Result<_> {
        let mut total = 0.0;
        for (a, b) in a.chunks(BAND).zip(b.chunks(BAND)) {
            total += f64::from(sum_of_squares.run((a, b))?);
        }
        Ok(total)
    })?;
    let mse = total / a.len() as f64;
    println!("PSNR {:.9} dB", 10.0 * (255.0_f64.powi(2) / mse).log10());
    println!("mean squared error {mse} over {} values", a.len());
    report.print();
    Ok(())
}
