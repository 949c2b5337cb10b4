//! Bodies that attract each other, against a plain program.
//!
//! `cargo run --release --example nbody -- --bodies 4096 --steps 100`

mod support;

use clap::Parser;
use skel::prelude::*;
use std::process::ExitCode;
use support::{
    Backend, Result, check,
    gravity::{self, Vec3},
    report,
};

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
    /// Add up a matrix of all pairs, instead of a loop in each body's function
    #[arg(long)]
    pairs: bool,
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
/// For so many steps, roundings stay small. Each near encounter multiplies them, so orbits of `f32` and of `f64` part in
/// the end, although each is as good as the other.
const COMPARABLE: u32 = 200;

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

/// What one body of this mass does to the speed of another in one step.
#[user_function]
fn pull(body: Body, other: Body, #[uniform] mass: f32) -> Vec3 {
    let gap = halfway(other) - halfway(body);
    let square = gap.square() + SOFT * SOFT;
    gap * (DT * mass / (square * square.sqrt()))
}

/// A step by the leapfrog rule.
#[user_function]
fn pulled(body: Body, pull: Vec3) -> Body {
    let speed = body.speed + pull;
    let at = halfway(body) + speed * (0.5 * DT);
    Body { at, speed }
}

/// The same, among all bodies.
#[user_function]
fn step(body: Body, all: &[Body], #[uniform] mass: f32) -> Body {
    let mut sum = Vec3(0.0, 0.0, 0.0);
    for &other in all {
        sum = sum + pull(body, other, mass);
    }
    pulled(body, sum)
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
    let step = map!(step).on(target.clone());
    let pulls = map_pairs_reduce!(
        pull,
        #[commutative]
        |a: Vec3, b: Vec3| a + b
    )
    .on(target.clone());
    let pulled = map!(pulled).on(target.clone());
    let energy = map_reduce!(energy, |a: f32, b: f32| a + b).on(target);

    let bodies = map!(anywhere).run_shaped(options.bodies as usize, ())?;
    let advance = |mut bodies: Vector<Body>, steps| -> skel::Result<_> {
        for _step in 0..steps {
            bodies = if options.pairs {
                let pulls = pulls.run((down(&bodies), across(&bodies), mass))?;
                pulled.run((&bodies, &pulls))?
            } else {
                step.run((&bodies, &bodies, mass))?
            };
        }
        Ok(bodies)
    };
    let compared = options.steps.min(COMPARABLE);
    let mut places: Vec<_> = bodies.host()?.iter().map(|b| b.at.to_f64()).collect();
    let ((before, early, after), report) = report::of(|| -> skel::Result<_> {
        let before = energy.run((&bodies, &bodies, mass))?;
        let early = advance(bodies, compared)?;
        let bodies = advance(early.try_clone()?, options.steps - compared)?;
        Ok((before, early, energy.run((&bodies, &bodies, mass))?))
    })?;

    gravity::plain(&mut places, compared, DT.into(), SOFT.into());
    let apart = gravity::apart(early.host()?.iter().map(|body| body.at), &places);
    let drift = (after / before - 1.0).abs();
    println!("at most {apart:.1e} from where a plain program puts the bodies in {compared} steps");
    println!("energy {before:.6} before, {after:.6} after");
    report.print();
    check(apart < 1e-3, || format!("a body is {apart} off"))?;
    check(drift < 0.01, || format!("the energy drifts by {drift}"))
}
