//! Charged particles in a periodic box of cells: molecular dynamics, against the direct sum.
//!
//! `cargo run --release --example md -- --cells 5 --particles 256 --steps 100`

mod support;

use clap::Parser;
use skel::prelude::*;
use std::process::ExitCode;
use support::{Backend, Result, check, gravity::Vec3, report};

/// Moves charged particles, each of which feels those in its cell and in the cells around it
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    backend: Backend,
    /// Cells along each side of the box
    #[arg(long, default_value_t = 5, value_name = "N", value_parser = clap::value_parser!(u32).range(3..=64))]
    cells: u32,
    /// Particles in each cell
    #[arg(long, default_value_t = 256, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    particles: u32,
    /// The number of steps
    #[arg(long, default_value_t = 5, value_name = "N")]
    steps: u32,
}

/// A particle of mass 1. Those of a cell follow each other.
#[derive(Clone, Copy, Element)]
#[repr(C)]
struct Particle {
    at: Vec3,
    speed: Vec3,
    charge: f32,
}

/// How many there are of what. A cell is a cube of side 1.
#[derive(Clone, Copy, Element)]
#[repr(C)]
struct Grid {
    cells: u32,
    particles: u32,
}

/// The time that a step takes.
const DT: f32 = 0.002;
/// Nobody feels anything from farther away. Less than a cell: a particle may leave its cell by a tenth, and
/// all that it feels is still at home in the cells around its own.
const REACH: f32 = 0.9;
/// No force is stronger than at this distance.
const SOFT: f32 = 0.1;

/// Along an axis, the shorter way round.
#[user_function]
fn wrapped(gap: f32, side: f32) -> f32 {
    gap - side * (gap / side).round()
}

/// From one particle to another.
#[user_function]
fn gap(from: Vec3, to: Vec3, side: f32) -> Vec3 {
    let gap = to - from;
    Vec3(
        wrapped(gap.0, side),
        wrapped(gap.1, side),
        wrapped(gap.2, side),
    )
}

/// What one particle does to another: Coulomb's force, less what it is at the end of its reach, so that
/// nothing jumps there. (With itself, that is nothing, since the gap is.)
#[user_function]
fn force(a: Particle, b: Particle, side: f32) -> Vec3 {
    let gap = gap(a.at, b.at, side);
    let distance = (gap.square() + SOFT * SOFT).sqrt();
    let mut pull = 0.0;
    if distance < REACH {
        pull = 1.0 / (REACH * REACH) - 1.0 / (distance * distance);
    }
    gap * (a.charge * b.charge * pull / distance)
}

/// The energy of a pair, whose slope is the force.
#[user_function]
fn energy_of_pair(a: Particle, b: Particle, side: f32) -> f32 {
    let distance = (gap(a.at, b.at, side).square() + SOFT * SOFT).sqrt();
    let mut energy = 0.0;
    if distance < REACH {
        energy = 1.0 / distance - 1.0 / REACH + (distance - REACH) / (REACH * REACH);
    }
    a.charge * b.charge * energy
}

/// The cell that is `step` cells on, from one on to three dimensions: −1, 0 or 1 along each.
#[user_function]
fn neighbour(cell: u32, step: u32, cells: u32) -> u32 {
    let x = (cell % cells + step % 3 + cells - 1) % cells;
    let y = (cell / cells % cells + step / 3 % 3 + cells - 1) % cells;
    let z = (cell / (cells * cells) + step / 9 + cells - 1) % cells;
    (z * cells + y) * cells + x
}

/// What all particles in reach do to one.
#[user_function]
fn pull(at: Index1, one: Particle, all: &[Particle], #[uniform] grid: Grid) -> Vec3 {
    let cell = at.i as u32 / grid.particles;
    let mut sum = Vec3(0.0, 0.0, 0.0);
    for step in 0..27_u32 {
        let first = neighbour(cell, step, grid.cells) * grid.particles;
        for k in first..first + grid.particles {
            sum = sum + force(one, all[k as usize], grid.cells as f32);
        }
    }
    sum
}

/// A particle's kinetic energy, and its half of that of its pairs.
#[user_function]
fn energy(at: Index1, one: Particle, all: &[Particle], #[uniform] grid: Grid) -> f32 {
    let cell = at.i as u32 / grid.particles;
    let mut sum = one.speed.square();
    for step in 0..27_u32 {
        let first = neighbour(cell, step, grid.cells) * grid.particles;
        for k in first..first + grid.particles {
            if k != at.i as u32 {
                sum += energy_of_pair(one, all[k as usize], grid.cells as f32);
            }
        }
    }
    0.5 * sum
}

/// Speeds change for `dt`, and then places for `drift`.
#[user_function]
fn moved(one: Particle, pull: Vec3, #[uniform] dt: f32, #[uniform] drift: f32) -> Particle {
    let speed = one.speed + pull * dt;
    Particle {
        at: one.at + speed * drift,
        speed,
        ..one
    }
}

/// A particle anywhere in its cell; every other one is negative.
#[user_function]
fn anywhere(at: Index1, rng: &mut Random, #[uniform] grid: Grid) -> Particle {
    let cell = at.i as u32 / grid.particles;
    let corner = Vec3(
        (cell % grid.cells) as f32,
        (cell / grid.cells % grid.cells) as f32,
        (cell / (grid.cells * grid.cells)) as f32,
    );
    Particle {
        at: corner + Vec3(rng.uniform_f32(), rng.uniform_f32(), rng.uniform_f32()),
        speed: Vec3(rng.normal_f32(), rng.normal_f32(), rng.normal_f32()),
        charge: if at.i.is_multiple_of(2) { 1.0 } else { -1.0 },
    }
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(options: Options) -> Result {
    let target = options.backend.target()?;
    let grid = Grid {
        cells: options.cells,
        particles: options.particles,
    };
    let n = (options.cells.pow(3) * options.particles) as usize;
    let pulls = map!(pull).on(target.clone());
    let moved = map!(moved).on(target.clone());
    let energy = map_reduce!(energy, |a: f32, b: f32| a + b).on(target);

    let mut all: Vector<Particle> = map!(anywhere).on(Cpu).run_shaped(n, (grid,))?;
    let momentum = momentum_of(&all.host()?);
    let ((before, after, pull), report) = report::of(|| -> skel::Result<_> {
        let before = energy.run((&all, &all, grid))?;
        let mut pull = pulls.run((&all, &all, grid))?;
        for _step in 0..options.steps {
            // Half a kick, the way, half a kick.
            let on_the_way = moved.run((&all, &pull, 0.5 * DT, DT))?;
            pull = pulls.run((&on_the_way, &on_the_way, grid))?;
            all = moved.run((&on_the_way, &pull, 0.5 * DT, 0.0))?;
        }
        Ok((before, energy.run((&all, &all, grid))?, pull))
    })?;

    let (all, pull) = (all.host()?, pull.host()?);
    let apart = apart(&all, &pull, options.cells);
    let drift = f64::from((after - before).abs()) / n as f64;
    let lost = momentum_of(&all)
        .iter()
        .zip(momentum)
        .map(|(a, b)| (a - b).abs() / n as f64)
        .fold(0.0, f64::max);
    println!(
        "{n} particles, energy {before:.3} before, {after:.3} after {} steps",
        options.steps
    );
    println!("forces {apart:.1e} from the direct sum, momentum {lost:.1e} off");
    report.print();
    check(apart < 1e-4, || format!("a force is {apart:.1e} off"))?;
    check(lost < 1e-5, || format!("the momentum is {lost:.1e} off"))?;
    check(drift < 1e-3, || {
        format!("the energy of a particle drifts by {drift:.1e}")
    })
}

/// The sum of all speeds.
fn momentum_of(all: &[Particle]) -> [f64; 3] {
    let speeds = all.iter().map(|one| one.speed.to_f64());
    speeds.fold([0.0; 3], |sum, v| [0, 1, 2].map(|k| sum[k] + v[k]))
}

/// How far forces are from the sum over all other particles, relative to the sum of their sizes. A few
/// particles will do; for each, this looks at all.
fn apart(all: &[Particle], pull: &[Vec3], cells: u32) -> f64 {
    let (side, reach, soft) = (f64::from(cells), f64::from(REACH), f64::from(SOFT));
    let every = all.len().div_ceil(64);
    let mut worst = 0.0_f64;
    for (one, pull) in all.iter().zip(pull).step_by(every) {
        let (mut sum, mut size) = ([0.0; 3], f64::MIN_POSITIVE);
        for other in all {
            let gap = (other.at - one.at).to_f64();
            let gap = gap.map(|g| g - side * (g / side).round());
            let distance = (gap.iter().map(|g| g * g).sum::<f64>() + soft * soft).sqrt();
            if distance < reach {
                let charges = f64::from(one.charge) * f64::from(other.charge);
                let pull = charges * (reach.powi(-2) - distance.powi(-2)) / distance;
                (0..3).for_each(|k| sum[k] += pull * gap[k]);
                size += pull.abs() * distance;
            }
        }
        for (a, b) in pull.to_f64().iter().zip(sum) {
            worst = worst.max((a - b).abs() / size);
        }
    }
    worst
}
