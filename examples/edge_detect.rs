//! Finds the edges in a picture by Sobel's operator, against a plain loop.
//!
//! `cargo run --release --example edge_detect -- examples/data/astronaut.png --out edges.png`

mod support;

use clap::Parser;
use skel::prelude::*;
use std::{path::PathBuf, process::ExitCode};
use support::{Backend, Result, check, image::Image, report};

/// Draws the edges in a picture
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    backend: Backend,
    /// A PNG file in shades of grey
    #[arg(default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/data/astronaut.png"))]
    file: PathBuf,
    /// The file to write
    #[arg(long, default_value = "edge_detect.png", value_name = "FILE")]
    out: PathBuf,
    /// Draw a line between the units' parts
    #[arg(long)]
    show_split: bool,
}

/// How much brighter it is on one side than on the other: across, and down; and the length of both.
#[user_function]
fn sobel(pixels: Window2<u8, 1, 1>) -> u8 {
    let mut across = 0;
    let mut down = 0;
    for k in -1..=1 {
        let weight = if k == 0 { 2 } else { 1 };
        across += weight * (pixels[(k, 1)] as i32 - pixels[(k, -1)] as i32);
        down += weight * (pixels[(1, k)] as i32 - pixels[(-1, k)] as i32);
    }
    let square = across * across + down * down;
    (square as f32).sqrt() as u8
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(options: Options) -> Result {
    let sobel = map_overlap!(sobel).on(options.backend.target()?);
    let image = Image::read_grey(&options.file)?;
    let (width, height) = (image.width, image.height);
    let picture = Matrix::from_vec(height, width, image.bytes)?;

    let (edges, report) = report::of(|| sobel.run((&picture,)))?;
    let mut image = Image::grey(width, height, edges.into_vec()?);
    let plain = plain_sobel(&picture.host()?, width);
    let wrong = plain
        .iter()
        .zip(&image.bytes)
        .filter(|(a, b)| a != b)
        .count();
    let sharp = plain.iter().filter(|pixel| **pixel >= 128).count();
    println!("{sharp} of {} pixels are at edges", plain.len());

    if options.show_split {
        report.calls.iter().for_each(|call| image.draw_split(call));
    }
    image.write(&options.out)?;
    report.print();
    check(wrong == 0, || {
        format!("{wrong} pixels differ from those of a plain loop")
    })
}

/// The same from the two matrices of weights; a pixel beyond an edge is the nearest one within.
fn plain_sobel(pixels: &[u8], width: usize) -> Vec<u8> {
    const ACROSS: [[i64; 3]; 3] = [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]];
    let near = |at: usize, len: usize| [at.saturating_sub(1), at, (at + 1).min(len - 1)];
    let length = |k: usize| {
        let (rows, cols) = (
            near(k / width, pixels.len() / width),
            near(k % width, width),
        );
        let (mut across, mut down) = (0, 0);
        for (i, j) in (0..3).flat_map(|i| (0..3).map(move |j| (i, j))) {
            let pixel = i64::from(pixels[rows[i] * width + cols[j]]);
            across += ACROSS[i][j] * pixel;
            down += ACROSS[j][i] * pixel;
        }
        (across * across + down * down).isqrt().min(255) as u8
    };
    (0..pixels.len()).map(length).collect()
}
