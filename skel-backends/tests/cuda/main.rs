//! CUDA without a GPU: kernels run on the CPU, NVRTC makes PTX of them. What is not installed is
//! reported, and its tests are ignored.

mod faults;
mod harness;
mod interleaved;
mod intrinsics;
mod kernels;
mod nvrtc;

use libtest_mimic::{Arguments, Trial};
use skel_verify::{libraries, shim};
use std::io::{Write, stderr};

/// A test's name and what it does; panics if it fails.
type Test = (&'static str, fn());

fn main() {
    if nvrtc::find_only() {
        return;
    }
    let arguments = Arguments::from_args();
    let no_shim = shim::missing();
    let no_nvrtc = libraries::missing();
    let mut trials = Vec::new();
    for (module, missing, tests) in [
        ("kernels", no_shim, kernels::TESTS),
        ("intrinsics", no_shim, intrinsics::TESTS),
        ("faults", no_shim, faults::TESTS),
        ("interleaved", no_shim, interleaved::TESTS),
        ("nvrtc", no_nvrtc, nvrtc::TESTS),
        ("nvrtc", None, nvrtc::WITHOUT),
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
    libtest_mimic::run(&arguments, trials).exit();
}
