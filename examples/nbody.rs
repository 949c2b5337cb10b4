//! Bodies that attract each other, against a plain program.
//!
//! `cargo run --release --example nbody -- --bodies 4096 --steps 100`

mod support;

use clap::Parser;
use skel::prelude::*;
use std::process::ExitCode;
use support::{Backend, Result, check, report, vec3::Vec3};

/// Moves bodies by their gravitation
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    backend: Backend,
    /// The number of bodies
    #[arg(long, default_value_t = 1024, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    bodies: u32,
    /// The number of steps
    #[arg(long, default_value_t = 100, value_name = "N")]
    steps: u32,
    /// What their places start from
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
}

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct Body {
    at: Vec3,
    speed: Vec3,
}

/// The time that a step takes.
const DT: f32 = 0.005;
/// No pull is stronger than at this distance.
const SOFT: f32 = 0.05;

/// A body at rest in the unit cube.
#[user_function]
fn anywhere(rng: &mut Random) -> Body {
    let at = Vec3(rng.uniform_f32(), rng.uniform_f32(), rng.uniform_f32());
    Body {
        at,
        speed: at * 0.0,
    }
}

/// Where a body will be in half a step.
#[user_function]
fn halfway(body: Body) -> Vec3 {
    body.at + body.speed * (0.5 * DT)
}

/// One step by the leapfrog rule, among bodies of this mass each.
#[user_function]
fn step(body: Body, all: &[Body], #[uniform] mass: f32) -> Body {
    let at = halfway(body);
    let mut speed = body.speed;
    for &other in all {
        let gap = halfway(other) - at;
        let square = gap.square() + SOFT * SOFT;
        speed = speed + gap * (DT * mass / (square * square.sqrt()));
    }
    let at = at + speed * (0.5 * DT);
    Body { at, speed }
}

/// A body's kinetic energy, and its part of the potential one.
#[user_function]
fn energy(body: Body, all: &[Body], #[uniform] mass: f32) -> f32 {
    let mut sum = body.speed.square();
    for &other in all {
        sum -= mass / ((other.at - body.at).square() + SOFT * SOFT).sqrt();
    }
    0.5 * mass * sum
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(options: Options) -> Result {
    let target = options.backend.target()?;
    let mass = 1.0 / options.bodies as f32;
    let anywhere = map!(anywhere).seed(options.seed).on(target.clone());
    let step = map!(step).on(target.clone());
    let energy = map_reduce!(energy, |a: f32, b: f32| a + b).on(target);

    let mut bodies = anywhere.run_shaped(options.bodies as usize, ())?;
    let mut places: Vec<_> = bodies.host()?.iter().map(|b| b.at.to_f64()).collect();
    let ((before, after), report) = report::of(|| -> skel::Result<_> {
        let before = energy.run((&bodies, &bodies, mass))?;
        for _step in 0..options.steps {
            bodies = step.run((&bodies, &bodies, mass))?;
        }
        Ok((before, energy.run((&bodies, &bodies, mass))?))
    })?;

    plain(&mut places, options.steps);
    let bodies = bodies.host()?;
    let found = bodies.iter().flat_map(|body| body.at.to_f64());
    let gaps = found
        .zip(places.iter().flatten())
        .map(|(a, b)| (a - b).abs());
    let apart = gaps.fold(0.0, f64::max);
    println!("at most {apart:.1e} from where a plain program puts the bodies");
    println!("energy {before:.6} before, {after:.6} after");
    report.print();
    check(apart < 1e-3, || format!("a body is {apart} off"))?;
    check((after / before - 1.0).abs() < 0.01, || {
        format!("energy {after} was {before}")
    })
}

/// The same in `f64`, from half step to half step.
fn plain(places: &mut [[f64; 3]], steps: u32) {
    let (soft, dt, mass) = (f64::from(SOFT), f64::from(DT), 1.0 / places.len() as f64);
    let mut speeds = vec![[0.0; 3]; places.len()];
    for step in 1..=steps {
        for (speed, [x, y, z]) in speeds.iter_mut().zip(&*places) {
            for [a, b, c] in &*places {
                let gap = [a - x, b - y, c - z];
                let square = gap.iter().map(|g| g * g).sum::<f64>() + soft * soft;
                (0..3).for_each(|k| speed[k] += dt * mass * gap[k] / square.powf(1.5));
            }
        }
        let time = if step < steps { dt } else { 0.5 * dt };
        for (x, v) in places.iter_mut().flatten().zip(speeds.iter().flatten()) {
            *x += time * v;
        }
    }
}
