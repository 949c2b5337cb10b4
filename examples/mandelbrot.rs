//! Renders the Mandelbrot set to a PNG file.
//!
//! `cargo run --release --example mandelbrot -- --help`

mod support;

use clap::Parser;
use skel::prelude::*;
use std::{f64::consts::TAU, path::PathBuf, process::ExitCode};
use support::{Backend, Result, image::Image, parse, progress::Progress, report};

/// Renders the Mandelbrot set
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    backend: Backend,
    /// Width and height in pixels
    #[arg(long, default_value = "2048x1536", value_name = "WxH", value_parser = parse::size)]
    size: (usize, usize),
    /// When to give up on a point
    #[arg(long, default_value_t = 1000, value_name = "N")]
    iterations: u32,
    /// The point in the middle of the picture
    #[arg(long, default_value = "-0.75,0", value_name = "X,Y", value_parser = parse::point, allow_hyphen_values = true)]
    center: (f32, f32),
    /// How many times larger than the whole set
    #[arg(long, default_value = "1", value_name = "FACTOR", value_parser = parse::factor)]
    zoom: f32,
    /// The file to write
    #[arg(long, default_value = "mandelbrot.png", value_name = "FILE")]
    out: PathBuf,
    /// Compute the picture in one call, and draw a line between the units' parts
    #[arg(long)]
    show_split: bool,
}

/// How many steps of z → z² + c stay within the circle of radius 2. The picture is computed in bands;
/// `first_row` says where in it the band begins.
#[user_function]
fn escape(
    at: Index2,
    #[uniform] left: f32,
    #[uniform] top: f32,
    #[uniform] pixel: f32,
    #[uniform] first_row: u32,
    #[uniform] limit: u32,
) -> u32 {
    let row = first_row + at.row as u32;
    let cx = left + pixel * at.col as f32;
    let cy = top - pixel * row as f32;
    let mut x = 0.0;
    let mut y = 0.0;
    let mut n = 0;
    while n < limit {
        let xx = x * x;
        let yy = y * y;
        if xx + yy > 4.0 {
            break;
        }
        y = 2.0 * x * y + cy;
        x = xx - yy + cx;
        n += 1;
    }
    n
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(options: Options) -> Result {
    let (width, height) = options.size;
    let pixel = 3.0 / (options.zoom * height as f32);
    let left = options.center.0 - pixel * width as f32 / 2.0;
    let top = options.center.1 + pixel * height as f32 / 2.0;
    let escape = map!(escape).on(options.backend.target()?);
    let band = if options.show_split {
        height
    } else {
        height.div_ceil(32).max(8)
    };

    let (counts, report) = report::of(|| -> skel::Result<_> {
        let mut counts = Vec::with_capacity(width * height);
        let mut progress = Progress::new(height);
        for first in (0..height).step_by(band) {
            let rows = band.min(height - first);
            let limit = options.iterations;
            let part = escape.run_shaped((rows, width), (left, top, pixel, first as u32, limit))?;
            counts.extend_from_slice(&part.host()?);
            progress.advance(rows);
        }
        Ok(counts)
    })?;
    let colours = counts
        .iter()
        .flat_map(|n| colour(*n, options.iterations))
        .collect();
    let mut image = Image::rgb(width, height, colours);
    if options.show_split {
        report.calls.iter().for_each(|call| image.draw_split(call));
    }
    image.write(&options.out)?;
    println!(
        "{}: {width} × {height} pixels, {} iterations",
        options.out.display(),
        options.iterations
    );
    report.print();
    Ok(())
}

/// Black within the set, else a colour that comes round again as the counts double.
fn colour(n: u32, limit: u32) -> [u8; 3] {
    if n >= limit {
        return [0; 3];
    }
    let turn = f64::from(n + 1).log2() / 4.0;
    [0.25, 0.3, 0.37].map(|phase| (127.5 + 127.5 * (TAU * (turn + phase)).cos()) as u8)
}
