//! Runs generated user functions on all units and says where one differs from the native function.
//!
//! `cargo xtask fuzz` writes crates of such functions; their `main` is [`main`] here. What it prints
//! are lines of fields with tabs between them, which `xtask` reads.

mod agree;
/// What the tests of the language use to call a function with values, without their functions.
#[expect(
    clippy::pedantic,
    missing_docs,
    unreachable_pub,
    reason = "shared with tests, which are no library"
)]
#[path = "../../corpus"]
mod corpus {
    mod run;
    mod values;

    pub use run::{Case, Native, ToValue, case};
    pub use values::{Random, arguments};

    /// The functions come from elsewhere.
    pub fn corpus() -> Vec<Case> {
        Vec::new()
    }
}
#[path = "../../common/corpus_device.rs"]
#[expect(dead_code, reason = "its `main` is a test's")]
mod device;
mod interpreter;
mod report;
mod wgsl;

/// Types of generated code as results: what `Element` says is their value.
#[macro_export]
macro_rules! to_value {
    ($($t:ty),*) => { $(
        impl $crate::ToValue for $t {
            fn to_value(self) -> $crate::Value {
                $crate::Element::to_value(self)
            }
        }
    )* };
}

pub use corpus::{Case, ToValue, case};
pub use skel_core::{Element, ir::Value};

/// What generated code names.
pub mod prelude {
    pub use crate::{Case, ToValue, case};
    pub use skel::prelude::*;
    pub use skel_core::param::{Each, EachMut, Uniform};
}

use report::Report;
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
    let mut report = Report;
    let mut cases = Vec::new();
    for (name, make) in entries {
        match panic::catch_unwind(make) {
            Ok(case) => cases.push(case),
            Err(panic) => report.differs(name, "build", &agree::message(&*panic)),
        }
    }
    let guarded = |case: &Case, unit: &str, work: &dyn Fn(&mut Report)| {
        report.start(&case.name, unit);
        let mut report = Report;
        let done = panic::catch_unwind(AssertUnwindSafe(|| work(&mut report)));
        if let Err(panic) = done {
            let message = agree::message(&*panic);
            report.differs(&case.name, unit, &format!("panics: {message}"));
        }
    };
    if wanted("eval") {
        for case in &cases {
            guarded(case, "eval", &|report| interpreter::compare(case, inputs, report));
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
    report::end();
}
