//! Runs generated user functions on all units and says where one differs from the native function.
//!
//! `cargo xtask fuzz` writes crates of such functions; their `main` is [`main`] here. What it prints
//! are lines of fields with tabs between them, which `xtask` reads.

mod agree;
mod interpreter;
mod report;
mod shim_unit;
mod wgsl;

pub use skel_verify::{Case, ToValue, case, to_value};

/// What generated code names.
pub mod prelude {
    pub use crate::{Case, ToValue, case};
    pub use skel::prelude::*;
    pub use skel_core::param::{
        Each, EachLine, EachLineMut, EachMut, EachSweep1, EachSweep2, Uniform, Whole,
    };
}

use report::Report;
use skel_verify::LANES;
use std::panic::{self, AssertUnwindSafe};

/// A function to be compared: its name, and what makes it.
pub type Entry = (&'static str, fn() -> Case);

/// Compares all of them. Arguments of the process: inputs of each, then the units.
pub fn main(entries: &[Entry]) {
    let mut args = std::env::args().skip(1);
    let inputs = args.next().and_then(|n| n.parse().ok()).unwrap_or(1000);
    let units: Vec<String> = args.collect();
    let wanted = |unit: &str| units.is_empty() || units.iter().any(|u| u == unit);
    // Functions panic by the thousand, on purpose.
    panic::set_hook(Box::new(|_| ()));
    let report = Report;
    report::watch();
    let mut cases = Vec::new();
    for (name, make) in entries {
        match panic::catch_unwind(make) {
            Ok(case) => cases.push(case),
            Err(panic) => report.differs(name, "build", &skel_verify::message(&*panic)),
        }
    }
    let guarded = |case: &Case, unit: &str, work: &dyn Fn(&Report)| {
        report.start(&case.name, unit);
        let done = panic::catch_unwind(AssertUnwindSafe(|| work(&report)));
        if let Err(panic) = done {
            let message = skel_verify::message(&*panic);
            report.differs(&case.name, unit, &format!("panics: {message}"));
        }
    };
    if wanted("eval") {
        for case in &cases {
            guarded(case, "eval", &|report| {
                interpreter::compare(case, inputs, report)
            });
        }
    }
    if wanted("lanes") {
        // Those that have any, in a crate without debug assertions.
        for case in cases.iter().filter(|case| case.lanes.is_some()) {
            guarded(case, "lanes", &|report| match skel_verify::compare_lanes(
                case,
                (inputs / LANES).max(1),
            ) {
                Ok(blocks) => report.agrees(&case.name, "lanes", blocks * LANES, 0),
                Err(how) => report.differs(&case.name, "lanes", &how),
            });
        }
    }
    if wanted("wgsl") {
        match wgsl::Device::open() {
            Err(reason) => report::skipped("wgsl", &reason),
            Ok(device) => {
                for case in &cases {
                    guarded(case, "wgsl", &|report| device.compare(case, report));
                }
            }
        }
    }
    if wanted("cuda") {
        shim_unit::compare(cases, &report);
    }
    report::end();
}
