//! The multi-zone benchmarks: the norms are the published ones, and the same to the bit whatever computes which zone.

use super::program::Examples;
use crate::cmd::{Failure, Result};

/// Benchmarks, and how many norms each has: LU-MZ an integral besides.
const BENCHMARKS: [(&str, usize); 3] = [("sp-mz", 10), ("bt-mz", 10), ("lu-mz", 11)];

/// Units and schedulers.
const RUNS: [(&str, &str); 10] = [
    ("1x1", "static"),
    ("1x2", "static"),
    ("2x1", "dynamic"),
    ("2x1", "static-pcf"),
    ("2x1", "guided-sizes"),
    ("2x1", "guided-runtime"),
    ("3x1", "clustered-guided"),
    ("1x1+1", "static"),
    ("1x1+1", "dynamic"),
    ("1x1+1", "clustered-guided"),
];

/// Runs them.
pub(super) fn run(examples: &Examples) -> Result {
    for (benchmark, count) in BENCHMARKS {
        let mut first = None;
        for (units, scheduler) in RUNS {
            let args = [
                ["--benchmark", benchmark],
                ["--units", units],
                ["--scheduler", scheduler],
            ];
            let Some(norms) = norms(examples, args.as_flattened(), count)? else {
                continue;
            };
            match &first {
                None => first = Some(norms),
                Some(first) if *first == norms => {}
                Some(first) => {
                    return Err(Failure::Check(format!(
                        "{benchmark} on {units} under {scheduler}: norms are\n{norms}and not\n{first}"
                    )));
                }
            }
        }
        // It fails by itself if the norms are not those that are published.
        let larger = ["--benchmark", benchmark, "--class", "W", "--units", "2x1"];
        norms(examples, &larger, count)?;
    }
    Ok(())
}

/// The lines with norms; none where there is no device.
fn norms(examples: &Examples, args: &[&str], count: usize) -> Result<Option<String>> {
    let Some(ran) = examples.with_software("npb_mz", args)? else {
        return Ok(None);
    };
    let names = ["residual ", "error ", "surface "];
    let is_norm = |line: &&str| names.iter().any(|name| line.contains(name));
    let norms: Vec<&str> = ran.stdout.lines().filter(is_norm).collect();
    if norms.len() != count || !ran.stdout.contains("\nverified: ") {
        let what = format!(
            "{}: {count} norms that are verified expected:\n{}",
            ran.line, ran.stdout
        );
        return Err(Failure::Check(what));
    }
    Ok(Some(norms.join("\n") + "\n"))
}
