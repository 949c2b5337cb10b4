//! The CUDA dialect: generated sources, and what the host shim makes of them. What is not installed is
//! reported, and its tests are ignored.

mod cases;
mod golden;
#[path = "../webgpu/ir.rs"]
#[allow(dead_code, reason = "the tests of another dialect use the rest")]
mod ir;
mod numeric;
mod parts;
#[path = "../webgpu/programs.rs"]
mod programs;
mod ptx;
mod values;
mod vectors;

use libtest_mimic::{Arguments, Failed, Trial};
use skel_verify::{launch, libraries, shim};
use std::io::{Write, stderr};

/// A test's name and what it does; panics if it fails.
type Test = (&'static str, fn());

fn main() {
    let arguments = Arguments::from_args();
    let no_shim = shim::missing();
    let mut trials = Vec::new();
    for (module, missing, tests) in [
        ("golden", None, golden::TESTS),
        ("numeric", no_shim, numeric::TESTS),
        ("vectors", no_shim, vectors::TESTS),
        ("ptx", libraries::missing(), ptx::TESTS),
    ] {
        for (name, run) in tests {
            let name = format!("{module}::{name}");
            if let Some(reason) = missing
                && !arguments.list
            {
                writeln!(stderr(), "skipped: {name}: {reason}").expect("stderr is open");
            }
            let trial = Trial::test(name, move || {
                run();
                Ok(())
            });
            trials.push(trial.with_ignored_flag(missing.is_some()));
        }
    }
    for case in cases::all() {
        let name = format!("cases::{}", case.name);
        if let Some(reason) = no_shim
            && !arguments.list
        {
            writeln!(stderr(), "skipped: {name}: {reason}").expect("stderr is open");
        }
        let trial = Trial::test(name, move || case.check().map_err(Failed::from));
        trials.push(trial.with_ignored_flag(no_shim.is_some()));
    }
    libtest_mimic::run(&arguments, trials).exit();
}
