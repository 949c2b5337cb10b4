//! Heat spreads over a plate with cold edges, against the known decay of a standing wave.
//!
//! `cargo run --release --example heat_diffusion -- --size 1024 --steps 5000`

mod support;

use clap::Parser;
use skel::prelude::*;
use std::{f64::consts::PI, path::PathBuf, process::ExitCode};
use support::{Backend, Result, check, image::Image, largest, report};

/// Lets heat spread over a square plate
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    backend: Backend,
    /// Points along each side
    #[arg(long, default_value_t = 512, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    size: u16,
    /// The number of steps
    #[arg(long, default_value_t = 2000, value_name = "N", value_parser = clap::value_parser!(u32).range(..=100_000))]
    steps: u32,
    /// How many half waves there are along each side
    #[arg(long, default_value_t = 5, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    waves: u16,
    /// The file to write
    #[arg(long, default_value = "heat_diffusion.png", value_name = "FILE")]
    out: PathBuf,
    /// Draw a line between the units' parts
    #[arg(long)]
    show_split: bool,
}

/// A point goes towards the mean of its neighbours.
#[user_function]
fn spread(heat: Window2<f32, 1, 1>, #[uniform] k: f32) -> f32 {
    let here = heat[(0, 0)];
    let around = heat[(-1, 0)] + heat[(0, -1)] + heat[(0, 1)] + heat[(1, 0)];
    here + k * (around - 4.0 * here)
}

/// Not more than 1/4, or the steps would not be stable.
const K: f32 = 0.2;

fn main() -> ExitCode {
    support::main(run)
}

fn run(options: Options) -> Result {
    let diffusion = map_overlap!(spread)
        .pad(0.0_f32)
        .on(options.backend.target()?);
    let size = usize::from(options.size);
    // The phase from one point to the next; there is an edge at 0 and at `size` + 1.
    let phase = PI * f64::from(options.waves) / (size + 1) as f64;
    let wave = |row: usize, col: usize| {
        (phase * (row + 1) as f64).sin() * (phase * (col + 1) as f64).sin()
    };
    let start = Matrix::try_from_fn(size, size, |row, col| wave(row, col) as f32)?;

    let (end, report) = report::of(|| diffusion.iterate(options.steps as usize, start, (K,)))?;
    let end = end.host()?;
    // A standing wave keeps its form: each step multiplies it by the same number.
    let factor = 1.0 - 8.0 * f64::from(K) * (phase / 2.0).sin().powi(2);
    let height = factor.powf(f64::from(options.steps));
    let error =
        |(k, heat): (usize, &f32)| (f64::from(*heat) - height * wave(k / size, k % size)).abs();
    let worst = largest(end.iter().enumerate().map(error));
    println!(
        "the wave keeps {:.2} % of its height, to {worst:.1e}",
        100.0 * height
    );

    let mut image = Image::rgb(
        size,
        size,
        end.iter().flat_map(|heat| colour(*heat)).collect(),
    );
    if options.show_split {
        report
            .calls
            .last()
            .into_iter()
            .for_each(|call| image.draw_split(call));
    }
    image.write(&options.out)?;
    report.print();
    // No step makes errors larger; each adds its roundings.
    let bound = 4.0 * f64::from(f32::EPSILON) * f64::from(options.steps + 1);
    check(worst <= bound, || {
        format!("a point is {worst:.1e} off, more than {bound:.1e}")
    })
}

/// From blue at −1 over white to red at 1.
fn colour(heat: f32) -> [u8; 3] {
    let pale = (255.0 * (1.0 - heat.abs())) as u8;
    if heat < 0.0 {
        [pale, pale, 255]
    } else {
        [255, pale, pale]
    }
}
