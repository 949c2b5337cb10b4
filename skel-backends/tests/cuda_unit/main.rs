//! The CUDA unit: order, memory, what is reported, faults. (Conformance is among the tests of the facade.)
//!
//! On a machine with an NVIDIA GPU that is what it runs on, and what needs faults on purpose is reported as
//! ignored. Elsewhere a CUDA driver of our own stands for it: kernels run on the CPU, streams as late and in
//! as unkind an order as events allow.

mod blocks;
#[path = "../../../tests/common/blocks.rs"]
mod common;
#[path = "../../../tests/common/cuda_driver.rs"]
mod driver;
mod faults;
mod grouped;
mod grouped_rows;
mod memory;
mod order;
#[path = "../../../tests/common/prints.rs"]
mod prints;
mod probe;
#[path = "../../../src/conformance/reference.rs"]
mod reference;
mod scans;
mod timing;
mod trace;
mod vectors;

use driver::World;
use libtest_mimic::{Arguments, Trial};
use std::io::{Write, stderr};

/// A test's name and what it does; panics if it fails.
type Test = (&'static str, fn(&World));

fn main() {
    if probe::says_what_is_there() {
        return;
    }
    let mut arguments = Arguments::from_args();
    // The driver's order, its clock and its faults are settings of the process: one test's would be another's.
    arguments.test_threads = Some(1);
    let world = driver::world();
    let mut trials = Vec::new();
    for (module, tests) in [
        ("order", order::TESTS),
        ("blocks", blocks::TESTS),
        ("memory", memory::TESTS),
        ("probe", probe::TESTS),
        ("faults", faults::TESTS),
        ("grouped_rows", grouped_rows::TESTS),
        ("scans", scans::TESTS),
        ("grouped", grouped::TESTS),
        ("timing", timing::TESTS),
        ("trace", trace::TESTS),
        ("vectors", vectors::TESTS),
    ] {
        for (name, run) in tests {
            let missing = match world {
                Ok(world)
                    if world.shim.is_none()
                        && !matches!(
                            module,
                            "order" | "blocks" | "scans" | "vectors" | "grouped" | "grouped_rows"
                        ) =>
                {
                    Some(driver::NO_FAULTS)
                }
                Ok(_) => None,
                Err(reason) => Some(reason.as_str()),
            };
            let trial = Trial::test(format!("{module}::{name}"), move || {
                run(world.as_ref()?);
                Ok(())
            });
            trials.push((trial, missing));
        }
    }
    let trials = trials.into_iter().map(|(trial, missing)| {
        if let Some(reason) = missing
            && !arguments.list
        {
            writeln!(stderr(), "skipped: {}: {reason}", trial.name()).expect("stderr is open");
        }
        trial.with_ignored_flag(missing.is_some())
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}
