//! Charged particles in a periodic box of cells: molecular dynamics, against the direct sum.
//!
//! `cargo run --release --example md -- --cells 4 --particles 100 --steps 200`
//!
//! Now and then the host puts the particles into the order of the cells that they are in; between that, units move
//! them.

mod support;

use clap::Parser;
use skel::prelude::*;
use std::process::ExitCode;
use support::{Backend, Result, check, gravity::Vec3, largest, report};

/// Moves charged particles, each of which feels those in its cell and in the cells around it
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    backend: Backend,
    /// Cells along each side of the box
    #[arg(long, default_value_t = 5, value_name = "N", value_parser = clap::value_parser!(u32).range(3..=64))]
    cells: u32,
    /// Particles in each cell, at first
    #[arg(long, default_value_t = 64, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    particles: u32,
    /// The number of steps
    #[arg(long, default_value_t = 20, value_name = "N")]
    steps: u32,
}

/// A particle of mass 1.
#[derive(Clone, Copy, Element)]
#[repr(C)]
struct Particle {
    at: Vec3,
    speed: Vec3,
    charge: f32,
    /// The cell in which it was when particles were put in order. A cell is a cube of side 1.
    cell: u32,
}

/// The time that a step takes.
const DT: f32 = 0.001;
/// Beyond this distance, nothing is felt.
const REACH: f32 = 0.9;
/// So far a particle may go from its cell: what it feels is still in the cells around its own.
const SKIN: f32 = 0.05;
/// No force is stronger than at about this distance.
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

/// What all particles in reach do to one. Those of cell `c` are at `starts[c]..starts[c + 1]`.
#[user_function]
fn pull(one: Particle, all: &[Particle], starts: &[u32], #[uniform] cells: u32) -> Vec3 {
    let mut sum = Vec3(0.0, 0.0, 0.0);
    for step in 0..27_u32 {
        let near = neighbour(one.cell, step, cells) as usize;
        for k in starts[near]..starts[near + 1] {
            sum = sum + force(one, all[k as usize], cells as f32);
        }
    }
    sum
}

/// A particle's kinetic energy, and its half of that of its pairs.
#[user_function]
fn energy(
    at: Index1,
    one: Particle,
    all: &[Particle],
    starts: &[u32],
    #[uniform] cells: u32,
) -> f32 {
    let mut sum = one.speed.square();
    for step in 0..27_u32 {
        let near = neighbour(one.cell, step, cells) as usize;
        for k in starts[near]..starts[near + 1] {
            if k != at.i as u32 {
                sum += energy_of_pair(one, all[k as usize], cells as f32);
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
fn anywhere(
    at: Index1,
    rng: &mut Random,
    #[uniform] cells: u32,
    #[uniform] particles: u32,
) -> Particle {
    let cell = at.i as u32 / particles;
    let corner = Vec3(
        (cell % cells) as f32,
        (cell / cells % cells) as f32,
        (cell / (cells * cells)) as f32,
    );
    Particle {
        at: corner + Vec3(rng.uniform_f32(), rng.uniform_f32(), rng.uniform_f32()),
        speed: Vec3(rng.normal_f32(), rng.normal_f32(), rng.normal_f32()),
        charge: if at.i.is_multiple_of(2) { 1.0 } else { -1.0 },
        cell,
    }
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(options: Options) -> Result {
    let target = options.backend.target()?;
    let (cells, particles) = (options.cells, options.particles);
    let n = (cells.pow(3) * particles) as usize;
    let pulls = map!(pull).on(target.clone());
    let moved = map!(moved).on(target.clone());
    let energy = map_reduce!(energy, |a: f32, b: f32| a + b).on(target);

    let anywhere = map!(anywhere).on(Cpu);
    let all = anywhere.run_shaped(n, (cells, particles))?.into_vec()?;
    let momentum = momentum_of(&all);
    let (mut all, mut starts) = in_order(all, cells);
    let ((before, after, first_pull, pull, all), report) = report::of(|| -> skel::Result<_> {
        let before = energy.run((&all, &all, &starts, cells))?;
        let mut pull = pulls.run((&all, &all, &starts, cells))?;
        let first_pull = pull.host()?.to_vec();
        let mut orderly = orderly_steps(&all.host()?);
        for _step in 0..options.steps {
            if orderly == 0 {
                let now = all.into_vec()?;
                orderly = orderly_steps(&now);
                (all, starts) = in_order(now, cells);
                pull = pulls.run((&all, &all, &starts, cells))?;
            }
            orderly -= 1;
            // Half a kick, the way, half a kick.
            let on_the_way = moved.run((&all, &pull, 0.5 * DT, DT))?;
            pull = pulls.run((&on_the_way, &on_the_way, &starts, cells))?;
            all = moved.run((&on_the_way, &pull, 0.5 * DT, 0.0))?;
        }
        let after = energy.run((&all, &all, &starts, cells))?;
        Ok((before, after, first_pull, pull, all))
    })?;

    let (all, pull) = (all.host()?, pull.host()?);
    let apart = apart(&all, &pull, cells);
    let drift = f64::from((after - before).abs()) / n as f64;
    let most_drift = most_drift(&[&first_pull, &pull], f64::from(before) / n as f64);
    let gaps = momentum_of(&all).into_iter().zip(momentum);
    let lost = largest(gaps.map(|(a, b)| (a - b).abs() / n as f64));
    println!(
        "{n} particles, energy {before:.3} before, {after:.3} after {} steps",
        options.steps
    );
    println!("forces {apart:.1e} from the direct sum, momentum {lost:.1e} off");
    println!("energy of a particle {drift:.1e} off, at most {most_drift:.1e} may be");
    report.print();
    check(apart < 1e-4, || format!("a force is {apart:.1e} off"))?;
    check(lost < 1e-5, || format!("the momentum is {lost:.1e} off"))?;
    check(drift <= most_drift, || {
        format!("the energy of a particle is {drift:.1e} off, more than {most_drift:.1e}")
    })
}

/// The particles by cells, and where each cell's begin.
fn in_order(mut all: Vec<Particle>, cells: u32) -> (Vector<Particle>, Vector<u32>) {
    let side = cells as f32;
    for one in &mut all {
        let Vec3(x, y, z) = one.at;
        let [x, y, z] = [x, y, z].map(|x| x.rem_euclid(side));
        one.at = Vec3(x, y, z);
        // Of what is hardly below 0, the rest is rounded to the side itself.
        let [x, y, z] = [x, y, z].map(|x| (x as u32).min(cells - 1));
        one.cell = (z * cells + y) * cells + x;
    }
    all.sort_by_key(|one| one.cell);
    let start = |cell| all.partition_point(|one| one.cell < cell) as u32;
    let starts: Vec<u32> = (0..=cells.pow(3)).map(start).collect();
    (all.into(), starts.into())
}

/// For how many steps none can go farther from its cell than the skin, if speeds do not double meanwhile.
fn orderly_steps(all: &[Particle]) -> u32 {
    let fastest = all.iter().map(|one| one.speed.square()).fold(0.0, f32::max);
    (SKIN / (2.0 * DT * fastest.sqrt())).clamp(1.0, 1000.0) as u32
}

/// How much of a particle's energy may be lost or won. What the leapfrog rule conserves exactly, but for terms of
/// Δt⁴, is the energy plus Δt² (v·∇∇U·v / 12 − F² / 24), in which both terms are like F² where the temperature is
/// the same everywhere (as ⟨F²⟩ = T ⟨∇²U⟩). So the energy changes by about Δt² F² / 8; it may be twice that, and
/// some roundings.
fn most_drift(pulls: &[&[Vec3]], energy: f64) -> f64 {
    let mean = |pulls: &[Vec3]| {
        let squares = pulls.iter().map(|pull| f64::from(pull.square()));
        squares.sum::<f64>() / pulls.len() as f64
    };
    let square = largest(pulls.iter().map(|pulls| mean(pulls)));
    0.25 * f64::from(DT).powi(2) * square + 64.0 * f64::from(f32::EPSILON) * (1.0 + energy.abs())
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
            worst = largest([worst, (a - b).abs() / size]);
        }
    }
    worst
}
