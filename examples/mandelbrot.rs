//! Renders the Mandelbrot set to a PNG file.
//!
//! `cargo run --release --example mandelbrot -- --help`

mod support;

use clap::Parser;
use skel::prelude::*;
use std::{path::PathBuf, process::ExitCode};
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
    /// Samples of a pixel, along each side: their mean is what is seen
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=16))]
    samples: u32,
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

/// Which part of the plane is computed, and how closely.
#[derive(Clone, Copy, Element)]
#[repr(C)]
struct View {
    left: f32,
    top: f32,
    /// From one sample to the next.
    step: f32,
    /// How many samples a pixel has along each side.
    samples: u32,
    /// The picture is computed in bands: where in it this one begins.
    first_row: u32,
    limit: u32,
}

/// An amount of red, green and blue light, each up to 255².
#[derive(Clone, Copy, Element)]
#[repr(C)]
struct Light(f32, f32, f32);

/// The mean colour of a pixel's samples.
#[user_function]
fn pixel(at: Index2, palette: &[Light], #[uniform] view: View) -> u32 {
    let n = view.samples;
    let (col, row) = (at.col as u32, view.first_row + at.row as u32);
    let mut sum = Light(0.0, 0.0, 0.0);
    for k in 0..n * n {
        let cx = view.left + view.step * ((n * col + k % n) as f32 + 0.5);
        let cy = view.top - view.step * ((n * row + k / n) as f32 + 0.5);
        let steps = escape(cx, cy, view.limit);
        // The set itself stays black.
        if steps > 0.0 {
            // Colours come round again as the steps grow by a factor.
            let turn = FIRST + log2(steps) / OCTAVES;
            let light = palette[(turn * palette.len() as f32) as usize % palette.len()];
            sum = Light(sum.0 + light.0, sum.1 + light.1, sum.2 + light.2);
        }
    }
    let all = (n * n) as f32;
    (byte(sum.0 / all) << 16) | (byte(sum.1 / all) << 8) | byte(sum.2 / all)
}

/// How bright light looks.
#[user_function]
fn byte(light: f32) -> u32 {
    (light.sqrt() + 0.5) as u32
}

/// How many steps of z → z² + c lead far away from 0, at least 1, with a fraction that makes it continuous in c; 0 if
/// `limit` steps do not.
#[user_function]
fn escape(cx: f32, cy: f32, limit: u32) -> f32 {
    // Most of what never escapes is a cardioid and a disc.
    let (right, yy) = (cx - 0.25, cy * cy);
    let q = right * right + yy;
    if q * (q + right) <= 0.25 * yy || (cx + 1.0) * (cx + 1.0) + yy <= 0.0625 {
        return 0.0;
    }
    let (mut x, mut y) = (0.0, 0.0);
    for n in 0..limit {
        let xx = x * x;
        let yy = y * y;
        if xx + yy > FAR {
            // One step more squares |z|, and adds 1 to this logarithm.
            return (n as f32 + 5.0 - log2(log2(xx + yy))).max(1.0);
        }
        y = 2.0 * x * y + cy;
        x = xx - yy + cx;
    }
    0.0
}

/// The logarithm of a number of at least 1, to 4 digits: by arithmetic, which has the same bits on every unit.
/// `f32::log2` has the unit's own.
#[user_function]
fn log2(x: f32) -> f32 {
    let bits = x.to_bits();
    let exponent = (bits >> 23) as f32 - 127.0;
    let mantissa = f32::from_bits((bits & 0x007f_ffff) | 0x3f80_0000);
    // ln m = 2 artanh s, whose series is short where m is from 1 to 2.
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let ss = s * s;
    exponent + s * (2.885_39 + ss * (0.961_797 + ss * (0.577_078 + ss * 0.412_199)))
}

/// |z|² that is far: the larger, the smoother are the colours.
const FAR: f32 = 65536.0;
/// Colours come round again after so many doublings of the number of steps.
const OCTAVES: f32 = 6.0;
/// Where in the round the first step is: what escapes at once is dark blue.
const FIRST: f32 = 0.76;

/// Colours that follow each other smoothly, and where each stands in the round.
const COLOURS: [(f64, [f64; 3]); 7] = [
    (0.0, [2.0, 4.0, 22.0]),
    (0.19, [14.0, 48.0, 128.0]),
    (0.40, [70.0, 165.0, 230.0]),
    (0.54, [250.0, 252.0, 240.0]),
    (0.70, [255.0, 186.0, 56.0]),
    (0.86, [140.0, 32.0, 24.0]),
    (1.0, [2.0, 4.0, 22.0]),
];

/// The whole round, finely.
fn palette() -> Vec<Light> {
    const LEN: usize = 4096;
    let colour = |k: usize| {
        let turn = k as f64 / LEN as f64;
        let next = COLOURS.iter().position(|(at, _)| *at > turn).unwrap_or(1);
        let ((from, a), (to, b)) = (COLOURS[next - 1], COLOURS[next]);
        let t = (turn - from) / (to - from);
        let t = t * t * (3.0 - 2.0 * t);
        let light = |c: usize| (a[c] + t * (b[c] - a[c])).powi(2) as f32;
        Light(light(0), light(1), light(2))
    };
    (0..LEN).map(colour).collect()
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(options: Options) -> Result {
    let (width, height) = options.size;
    let side = 3.0 / (options.zoom * height as f32);
    let view = |first_row: usize| View {
        left: options.center.0 - side * width as f32 / 2.0,
        top: options.center.1 + side * height as f32 / 2.0,
        step: side / options.samples as f32,
        samples: options.samples,
        first_row: first_row as u32,
        limit: options.iterations,
    };
    let pixel = map!(pixel).on(options.backend.target()?);
    let palette = Vector::from(palette());
    let band = if options.show_split {
        height
    } else {
        height.div_ceil(32).max(8)
    };

    let mut colours = support::room(3 * width * height)?;
    let ((), report) = report::of(|| -> skel::Result<_> {
        let mut progress = Progress::new(height);
        for first in (0..height).step_by(band) {
            let rows = band.min(height - first);
            let part = pixel.run_shaped((rows, width), (&palette, view(first)))?;
            let bytes = |pixel: &u32| pixel.to_be_bytes().into_iter().skip(1);
            colours.extend(part.host()?.iter().flat_map(bytes));
            progress.advance(rows);
        }
        Ok(())
    })?;
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
