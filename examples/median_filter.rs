//! Takes salt and pepper out of a picture: each pixel becomes the median of its neighbourhood.
//!
//! `cargo run --release --example median_filter -- --noise 0.2`

mod support;

use clap::Parser;
use skel::prelude::*;
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};
use support::{Backend, Result, check, image::Image, parse, report};

/// The picture that is filtered by default.
const PHOTOGRAPH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/astronaut.png");

/// Strews salt and pepper over a picture, and removes it
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    backend: Backend,
    /// A PNG file in shades of grey
    #[arg(default_value = PHOTOGRAPH)]
    file: PathBuf,
    /// The share of pixels that become black or white
    #[arg(long, default_value_t = 0.1, value_name = "SHARE", value_parser = parse::share)]
    noise: f32,
    /// What the noise starts from
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// The file to write: the picture with noise, and without, side by side
    #[arg(long, default_value = "median_filter.png", value_name = "FILE")]
    out: PathBuf,
    /// Draw a line between the units' parts
    #[arg(long)]
    show_split: bool,
}

#[user_function]
fn salt_and_pepper(pixel: u8, rng: &mut Random, #[uniform] share: f32) -> u8 {
    let x = rng.uniform_f32();
    if x < 0.5 * share {
        0
    } else if x < share {
        255
    } else {
        pixel
    }
}

/// The fifth of nine pixels, in order of brightness.
#[user_function]
fn median(pixels: Window2<u8, 1, 1>) -> u8 {
    let mut sorted = [0; 9];
    let mut count = 0;
    for dy in -1..=1 {
        for dx in -1..=1 {
            let pixel = pixels[(dy, dx)];
            let mut at = count;
            while at > 0 && sorted[at - 1] > pixel {
                sorted[at] = sorted[at - 1];
                at -= 1;
            }
            sorted[at] = pixel;
            count += 1;
        }
    }
    sorted[4]
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(options: Options) -> Result {
    let target = options.backend.target()?;
    let strew = map!(salt_and_pepper).seed(options.seed).on(target.clone());
    let median = map_overlap!(median).on(target);
    let clean = Image::read_grey(&options.file)?;
    let (width, height) = (clean.width, clean.height);
    let picture = Matrix::from_vec(height, width, clean.bytes.clone())?;

    let noisy = strew.run((&picture, options.noise))?;
    let (filtered, report) = report::of(|| median.run((&noisy,)))?;
    let (noisy, filtered) = (noisy.into_vec()?, filtered.into_vec()?);
    let (before, after) = (psnr(&noisy, &clean.bytes), psnr(&filtered, &clean.bytes));
    println!("PSNR {before:.2} dB with noise, {after:.2} dB without");

    let mut image = Image::grey(width, height, filtered);
    let wrong = plain_median(&noisy, width)
        .iter()
        .zip(&image.bytes)
        .filter(|(a, b)| a != b)
        .count();
    if options.show_split {
        report.calls.iter().for_each(|call| image.draw_split(call));
    }
    Image::grey(width, height, noisy)
        .beside(image)
        .write(&options.out)?;
    report.print();
    check(wrong == 0, || format!("{wrong} pixels are no median"))?;
    // Others may gain less: the fields of a chessboard are as small as the noise, and a tiny picture may have none.
    let is_known = options.file == Path::new(PHOTOGRAPH) && options.noise == 0.1;
    check(!is_known || after > before + 10.0, || {
        "the noise is still there".into()
    })
}

/// The peak signal-to-noise ratio in dB.
fn psnr(a: &[u8], b: &[u8]) -> f64 {
    let squares = a
        .iter()
        .zip(b)
        .map(|(a, b)| f64::from(a.abs_diff(*b)).powi(2));
    10.0 * (255.0_f64.powi(2) * a.len() as f64 / squares.sum::<f64>()).log10()
}

/// The same, by sorting; a pixel beyond an edge is the nearest one within.
fn plain_median(pixels: &[u8], width: usize) -> Vec<u8> {
    let near = |at: usize, len: usize| [at.saturating_sub(1), at, (at + 1).min(len - 1)];
    let median = |k: usize| {
        let rows = near(k / width, pixels.len() / width);
        let mut around: Vec<u8> = rows
            .iter()
            .flat_map(|row| near(k % width, width).map(|col| pixels[row * width + col]))
            .collect();
        around.sort_unstable();
        around[4]
    };
    (0..pixels.len()).map(median).collect()
}
