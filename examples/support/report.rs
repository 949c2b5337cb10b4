//! The closing report: which units ran, what each took, and how to choose others.

use super::{Failure, Result};
use skel::CallReport;
use std::time::{Duration, Instant};

/// What ran where, and how long all of it took.
pub(crate) struct Report {
    pub(crate) calls: Vec<CallReport>,
    pub(crate) elapsed: Duration,
}

/// Does the work, and reports its calls.
pub(crate) fn of<T, E: Into<Failure>>(
    work: impl FnOnce() -> std::result::Result<T, E>,
) -> Result<(T, Report)> {
    let start = Instant::now();
    let (result, calls) = skel::observe(work);
    let elapsed = start.elapsed();
    Ok((result.map_err(Into::into)?, Report { calls, elapsed }))
}

/// One unit's part in all calls.
struct Share {
    unit_index: usize,
    unit: String,
    elems: usize,
    busy: Duration,
}

impl Report {
    /// Prints it.
    pub(crate) fn print(&self) {
        print(&self.calls, self.elapsed);
    }
}

fn print(calls: &[CallReport], elapsed: Duration) {
    let shares = shares(calls);
    let total: usize = shares.iter().map(|s| s.elems).sum();
    let width = shares
        .iter()
        .map(|s| s.unit.chars().count())
        .max()
        .unwrap_or(0);
    println!();
    for (
        k,
        Share {
            unit, elems, busy, ..
        },
    ) in shares.iter().enumerate()
    {
        let percent = 100.0 * *elems as f64 / total.max(1) as f64;
        let label = if k == 0 { "ran on" } else { "" };
        println!(
            "{label:7} {unit:width$}  {percent:5.1} %  busy {:.3} s",
            busy.as_secs_f64()
        );
    }
    let number = match calls.len() {
        1 => "one call".into(),
        n => format!("{n} calls"),
    };
    println!("{:7} {:.3} s in {number}", "time", elapsed.as_secs_f64());
    println!(
        "{:7} --backend seq|cpu|cuda|wgpu|device:N|hybrid:R|tasks:SCHEDULER|auto, or SKEL_BACKEND=…",
        "choose"
    );
}

/// The units in the order in which they first appear.
fn shares(calls: &[CallReport]) -> Vec<Share> {
    let mut shares: Vec<Share> = Vec::new();
    for part in calls.iter().flat_map(|call| &call.parts) {
        let elems = part.range.len();
        match shares.iter_mut().find(|s| s.unit_index == part.unit_index) {
            Some(share) => {
                share.elems += elems;
                share.busy += part.busy;
            }
            None => shares.push(Share {
                unit_index: part.unit_index,
                unit: part.unit.clone(),
                elems,
                busy: part.busy,
            }),
        }
    }
    shares
}
