//! Every example as it is run first: without arguments, in an empty folder.

use super::program::Examples;
use crate::cmd::{Failure, Result};
use std::time::Instant;

/// Runs them all. What they print is their own, and says what ran where.
pub(super) fn run(examples: &Examples) -> Result {
    for name in examples.names() {
        let start = Instant::now();
        let Some(ran) = examples.alone(name)? else {
            return Err(Failure::Check(format!(
                "{name} needs a device, which was not asked for"
            )));
        };
        if !ran.stderr.is_empty() {
            return Err(Failure::Check(format!(
                "{name} prints on standard error:\n{}",
                ran.stderr
            )));
        }
        if !ran.stdout.contains("ran on ") {
            return Err(Failure::Check(format!(
                "{name} does not say what ran where:\n{}",
                ran.stdout
            )));
        }
        println!("{name}: {:.1} s", start.elapsed().as_secs_f64());
    }
    Ok(())
}
