//! Heat spreads over a plate with cold edges in long, implicit steps: the alternating direction method of Peaceman and
//! Rachford, two tridiagonal systems per point line and step, against the known decay of a standing wave.
//!
//! `cargo run --release --example adi_heat -- --size 1000 --steps 200 --courant 20`

mod support;

use clap::Parser;
use skel::prelude::*;
use std::{f64::consts::PI, process::ExitCode};
use support::{Backend, Result, check, largest, parse, report};

/// Lets heat spread over a square plate, in implicit steps
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    backend: Backend,
    /// Points along each side
    #[arg(long, default_value_t = 300, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    size: u16,
    /// The number of steps
    #[arg(long, default_value_t = 50, value_name = "N", value_parser = clap::value_parser!(u32).range(..=100_000))]
    steps: u32,
    /// How many half waves there are along each side
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    waves: u16,
    /// The length of a step in units of h²/α, h the distance of points: explicit steps are unstable above 1/4
    #[arg(long, default_value_t = 20.0, value_name = "R", value_parser = parse::factor)]
    courant: f32,
}

/// Half of the explicit part: what flows in from the neighbours along one dimension.
#[user_function]
fn flow(heat: Window2<f32, 1, 1>, #[uniform] half: f32, #[uniform] down: bool) -> f32 {
    let (before, here, after) = if down {
        (heat[(-1, 0)], heat[(0, 0)], heat[(1, 0)])
    } else {
        (heat[(0, -1)], heat[(0, 0)], heat[(0, 1)])
    };
    here + half * (before - 2.0 * here + after)
}

/// The implicit part along one line: solves `-k x[i - 1] + (1 + 2 k) x[i] - k x[i + 1] = d[i]`, where `x` is `d`
/// before, by Thomas' algorithm. `c` is scratch.
#[user_function]
fn solve(x: &mut Line<f32>, c: &mut Line<f32>, #[uniform] k: f32) {
    let n = x.len();
    let b = 1.0 + 2.0 * k;
    c[0] = -k / b;
    x[0] /= b;
    for i in 1..n {
        let m = 1.0 / (b + k * c[i - 1]);
        c[i] = -k * m;
        x[i] = (x[i] + k * x[i - 1]) * m;
    }
    for i in (0..n - 1).rev() {
        x[i] -= c[i] * x[i + 1];
    }
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(options: Options) -> Result {
    let target = options.backend.target()?;
    let flow = map_overlap!(flow).pad(0.0_f32).on(target.clone());
    let solve = map_lines!(solve).on(target);
    let size = usize::from(options.size);
    // The phase from one point to the next; there is an edge at 0 and at `size` + 1.
    let phase = PI * f64::from(options.waves) / (size + 1) as f64;
    let wave = |row: usize, col: usize| {
        (phase * (row + 1) as f64).sin() * (phase * (col + 1) as f64).sin()
    };
    let half = options.courant / 2.0;

    let mut heat = Matrix::try_from_fn(size, size, |row, col| wave(row, col) as f32)?;
    let mut scratch = Matrix::filled(size, size, 0.0_f32);
    let (end, report) = report::of(|| {
        for _ in 0..options.steps {
            // Explicit down the columns, implicit along the rows; then the other way round.
            for (down, axis) in [(true, 1), (false, 0)] {
                heat = flow.run((&heat, half, down))?;
                solve
                    .clone()
                    .along(axis)
                    .run((&mut heat, &mut scratch, half))?;
            }
        }
        Ok::<_, skel::Error>(heat)
    })?;
    let end = end.host()?;
    // A standing wave keeps its form: each step multiplies it by the same number, however long it is.
    let loss = 2.0 * f64::from(options.courant) * (phase / 2.0).sin().powi(2);
    let factor = ((1.0 - loss) / (1.0 + loss)).powi(2);
    let height = factor.powf(f64::from(options.steps));
    let error =
        |(k, heat): (usize, &f32)| (f64::from(*heat) - height * wave(k / size, k % size)).abs();
    let worst = largest(end.iter().enumerate().map(error));
    println!(
        "the wave keeps {:.2} % of its height, to {worst:.1e}",
        100.0 * height
    );
    report.print();
    // No step makes errors larger; each adds its roundings, of the solver's some for each unit of the step's length.
    let roundings = 8.0 * (1.0 + f64::from(options.courant)) * f64::from(options.steps + 1);
    let bound = f64::from(f32::EPSILON) * roundings;
    check(worst <= bound, || {
        format!("a point is {worst:.1e} off, more than {bound:.1e}")
    })
}
