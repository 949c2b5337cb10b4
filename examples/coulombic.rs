//! The electric potential of charged atoms on a grid of points, against the direct sum.
//!
//! `cargo run --release --example coulombic -- --size 2048x2048 --atoms 1000`

mod support;

use clap::Parser;
use skel::prelude::*;
use std::process::ExitCode;
use support::{Backend, Result, check, largest, parse, report};

/// Adds up the potential of charged atoms on a grid of points
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    backend: Backend,
    /// Width and height of the grid in points
    #[arg(long, default_value = "512x384", value_name = "WxH", value_parser = parse::size)]
    size: (usize, usize),
    /// The number of atoms
    #[arg(long, default_value_t = 400, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    atoms: u16,
}

/// An atom; the grid lies at z = 0.
#[derive(Clone, Copy, Element)]
#[repr(C)]
struct Atom {
    x: f32,
    y: f32,
    z: f32,
    charge: f32,
}

/// The distance between points.
const SPACING: f32 = 0.1;

#[user_function]
fn potential(at: Index2, atoms: &[Atom]) -> f32 {
    let x = SPACING * at.col as f32;
    let y = SPACING * at.row as f32;
    let mut sum = 0.0;
    for &atom in atoms {
        let dx = atom.x - x;
        let dy = atom.y - y;
        sum += atom.charge / (dx * dx + dy * dy + atom.z * atom.z).sqrt();
    }
    sum
}

/// An atom above the grid or below it, but never nearer than half a spacing.
#[user_function]
fn anywhere(rng: &mut Random, #[uniform] width: f32, #[uniform] height: f32) -> Atom {
    Atom {
        x: width * rng.uniform_f32(),
        y: height * rng.uniform_f32(),
        z: SPACING * (0.5 + 10.0 * rng.uniform_f32()),
        charge: if rng.next_u32().is_multiple_of(2) {
            1.0
        } else {
            -1.0
        },
    }
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(options: Options) -> Result {
    let (width, height) = options.size;
    let potential = map!(potential).on(options.backend.target()?);
    let box_size = (SPACING * width as f32, SPACING * height as f32);
    let atoms = map!(anywhere)
        .on(Cpu)
        .run_shaped(usize::from(options.atoms), box_size)?;

    let (grid, report) = report::of(|| potential.run_shaped((height, width), (&atoms,)))?;
    let (grid, atoms) = (grid.host()?, atoms.host()?);
    let worst = largest(grid.iter().enumerate().map(|(k, value)| {
        let (sum, size) = direct(&atoms, k % width, k / width);
        (sum - f64::from(*value)).abs() / size
    }));
    let (least, most) = grid
        .iter()
        .fold((f32::MAX, f32::MIN), |(a, b), v| (a.min(*v), b.max(*v)));
    println!("potential from {least:.2} to {most:.2}, at most {worst:.1e} of the direct sum off");
    report.print();
    check(worst < 1e-4, || format!("a point is {worst:.1e} off"))
}

/// The potential at a point, and the sum of what each atom adds, whatever its sign.
fn direct(atoms: &[Atom], col: usize, row: usize) -> (f64, f64) {
    let (x, y) = (SPACING * col as f32, SPACING * row as f32);
    let parts = atoms.iter().map(|atom| {
        let gap = [atom.x - x, atom.y - y, atom.z].map(f64::from);
        f64::from(atom.charge) / gap.iter().map(|g| g * g).sum::<f64>().sqrt()
    });
    parts.fold((0.0, 0.0), |(sum, size), part| {
        (sum + part, size + part.abs())
    })
}
