//! The conformance suite on every unit of this machine, alone and in splits.
//!
//! A unit that is not there is reported as ignored, with a line `skipped: NAME: REASON`.

#[path = "common/setups.rs"]
mod setups;
#[path = "common/virtual_machine.rs"]
mod virtual_machine;

use libtest_mimic::{Arguments, Failed, Trial};
use setups::Setup;
use skel::conformance::{Case, Failure, cases};

fn main() {
    let arguments = Arguments::from_args();
    let trials = setups::all().into_iter().flat_map(trials).collect();
    libtest_mimic::run(&arguments, trials).exit();
}

fn trials(setup: Setup) -> Vec<Trial> {
    let cases = cases(setup.sizes);
    let low_limits = setup.name == "wgpu_with_low_limits";
    let too_large = |case: &Case| {
        // Where there is room for less than a tile of 4096 floats at a time, their sums are grouped otherwise.
        case.name().starts_with("bits::")
            // Strips are for matrices that are larger than what is bound at once.
            || case.name() == "whole::transposed_in_strips"
    };
    cases
        .into_iter()
        .enumerate()
        .filter(|(k, case)| setup.takes(*k) && !(low_limits && too_large(case)))
        .map(|(_, case)| case)
        .map(|case| {
            let name = format!("{}::{}", setup.name, case.name());
            let (context, target) = (setup.context.clone(), setup.target.clone());
            let absent = context.as_ref().err().cloned();
            let trial = Trial::test(name.clone(), move || match context {
                Ok(context) => case
                    .run(&context, &target)
                    .map_err(|failure| match failure {
                        Failure::Unsupported(error) => {
                            Failed::from(format!("unsupported: {error}"))
                        }
                        failure => Failed::from(failure.to_string()),
                    }),
                Err(reason) => Err(Failed::from(reason)),
            });
            match absent {
                None => trial,
                Some(reason) => {
                    println!("skipped: {name}: {reason}");
                    trial.with_ignored_flag(true)
                }
            }
        })
        .collect()
}
