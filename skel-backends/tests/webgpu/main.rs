//! The WGSL device: generated sources, and what a device makes of them. The device is a real one or a
//! software one (lavapipe: package `mesa-vulkan-drivers`); without any, what needs one is reported as
//! ignored.

mod aggregates;
mod arithmetic;
mod arrays;
mod blocks;
#[path = "../../../tests/common/blocks.rs"]
mod common;
mod containers;
mod elementwise;
mod environment;
mod fold;
mod golden;
mod grouped;
mod grouped_rows;
mod harness;
mod integers;
mod ir;
mod limits;
mod miscomputes;
mod numeric;
mod pipelines;
#[path = "../../../tests/common/prints.rs"]
mod prints;
mod programs;
mod transcendental;
mod traps;
mod values;

use libtest_mimic::{Arguments, Trial};

/// A test's name and what it does; panics if it fails.
type Test = (&'static str, fn());

fn of(module: &str, tests: &'static [Test], ignored: bool) -> impl Iterator<Item = Trial> {
    tests.iter().map(move |(name, run)| {
        let trial = Trial::test(format!("{module}::{name}"), move || {
            run();
            Ok(())
        });
        trial.with_ignored_flag(ignored)
    })
}

fn main() {
    let device = harness::found().is_some();
    let mut trials = Vec::new();
    for (module, needs_device, tests) in [
        ("golden", false, golden::TESTS),
        ("environment", false, environment::NO_DRIVER),
        ("environment", true, environment::DUMP),
        ("elementwise", true, elementwise::TESTS),
        ("fold", true, fold::TESTS),
        ("blocks", true, blocks::TESTS),
        ("traps", true, traps::TESTS),
        ("limits", true, limits::TESTS),
        ("integers", true, integers::TESTS),
        ("numeric", true, numeric::TESTS),
        ("arithmetic", true, arithmetic::TESTS),
        ("miscomputes", true, miscomputes::TESTS),
        ("aggregates", true, aggregates::TESTS),
        ("arrays", true, arrays::TESTS),
        ("containers", true, containers::TESTS),
        ("grouped", true, grouped::TESTS),
        ("grouped_rows", true, grouped_rows::TESTS),
        ("transcendental", true, transcendental::TESTS),
    ] {
        trials.extend(of(module, tests, needs_device && !device));
    }
    let lacking = pipelines::lacking();
    if let Some(reason) = lacking {
        println!("skipped: pipelines: {reason}");
    }
    trials.extend(of("pipelines", pipelines::TESTS, lacking.is_some()));
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}
