//! The conformance suite on GPUs that CUDA drives, alone and in splits.
//!
//! On a machine without one, a CUDA driver of our own stands for it: kernels run on the CPU, streams as late
//! and in as unkind an order as events allow.

#[path = "common/cuda_driver.rs"]
mod driver;

use driver::World;
use libtest_mimic::{Arguments, Failed, Trial};
use skel::{
    Context, Cuda, Hybrid, Target,
    conformance::{Failure, Sizes, cases},
    cuda::Options,
};
use std::{
    io::{Write, stderr},
    sync::OnceLock,
};

fn main() {
    let arguments = Arguments::from_args();
    let trials = trials(driver::world()).into_iter().map(|(trial, missing)| {
        if let Some(reason) = missing
            && !arguments.list
        {
            writeln!(stderr(), "skipped: {}: {reason}", trial.name()).expect("stderr is open");
        }
        trial.with_ignored_flag(missing.is_some())
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

/// The devices of a set-up, opened when one of its cases runs.
type Devices = fn(&World) -> Context;

/// Name, devices, where to run.
fn setups() -> [(&'static str, Devices, Target); 4] {
    let alone: Devices = |world| world.context(&[Options::default()]);
    let twice: Devices = |world| world.context(&[Options::default(); 2]);
    let plain: Devices = |world| {
        let options = World::options();
        let (_, nothing) = options.last().expect("several");
        world.context(&[*nothing])
    };
    [
        ("cuda", alone, Cuda.into()),
        ("hybrid_0.4_cuda", alone, Hybrid::ratio(0.4).into()),
        ("hybrid_0.2_cuda_twice", twice, Hybrid::ratio(0.2).into()),
        ("cuda_without_options", plain, Cuda.into()),
    ]
}

/// All cases on all set-ups, with the reason if they cannot be run.
fn trials(world: &'static Result<World, String>) -> Vec<(Trial, Option<&'static str>)> {
    let missing = world.as_ref().err().map(String::as_str);
    let mut trials = Vec::new();
    for (name, devices, target) in setups() {
        let context: &'static OnceLock<Context> = Box::leak(Box::default());
        for case in cases(Sizes::Small) {
            let target = target.clone();
            let trial = Trial::test(format!("{name}::{}", case.name()), move || {
                let world = world.as_ref()?;
                let context = context.get_or_init(|| devices(world));
                case.run(context, &target).map_err(|failure| match failure {
                    Failure::Unsupported(error) => Failed::from(format!("unsupported: {error}")),
                    failure => Failed::from(failure.to_string()),
                })
            });
            trials.push((trial, missing));
        }
    }
    trials
}
