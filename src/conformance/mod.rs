//! The conformance suite: what every unit must get right.
//!
//! Each [`Case`] computes something through skeletons, on a context and target of the caller's
//! choice, and compares it with a plain loop: never with another unit of ours, which would share the
//! code under test. All comparisons are of bits.
//!
//! A crate that adds a unit makes a [`Context`] with it, and runs all cases, alone and in splits:
//!
//! ```
//! use skel::{Context, Target, conformance, mock::Mock, prelude::*};
//!
//! let context = Context::builder().unit(Mock::named("mine").unit()?).build()?;
//! for target in [Target::from(Device(0)), Hybrid::ratio(0.3).into()] {
//!     let report = conformance::run(&context, &target);
//!     assert!(report.wrong.is_empty(), "{report}");
//!     assert!(report.unsupported.is_empty(), "{report}"); // a unit that is not complete leaves this out
//! }
//! # skel::Result::Ok(())
//! ```
//!
//! In a split, the CPU computes what devices refuse. A case whose calls devices have refused, without a part in any, is
//! unsupported there as well. It passes where no device refused anything: where calls are too short to be cut, fail before
//! they run, have no device form, or the split leaves devices nothing.
//!
//! Where a build checks for overflow, integers are so small that there is none, of up to [`Sizes::Large`]. With
//! `overflow-checks = false` they wrap, on the CPU as on devices.

mod along;
mod along_shaped;
mod bits;
mod components;
mod data;
mod elementwise;
mod errors;
mod faces;
mod fold;
mod foreign;
mod lines;
mod outputs;
mod overlap;
mod own_types;
mod parts;
mod parts_mut;
mod parts_tensors;
mod parts_whole;
mod random;
mod reference;
mod refusals;
mod scalar;
mod scan;
mod scan_places;
mod spread;
mod sweeps;
mod task;
mod tensors;
mod traps;
mod whole;

pub use own_types::Affine;

use crate::{Context, Error, Target};
use skel_backends::refused_by_devices;
use std::fmt;

/// How large the inputs get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sizes {
    /// Up to some thousand elements.
    Small,
    /// Also a quarter of a million and three: many tiles, for all cores.
    Large,
    /// Also one input of more than 128 MiB, a usual limit for one binding.
    Huge,
}

impl Sizes {
    /// Numbers of elements: none, one, primes, and what lies around work-group sizes.
    fn elems(self) -> Vec<usize> {
        let mut elems = vec![
            0, 1, 2, 7, 63, 64, 65, 127, 251, 255, 256, 257, 511, 513, 1023, 1024, 1025, 4099,
        ];
        if self != Sizes::Small {
            elems.push(250_003);
        }
        elems
    }
}

/// What a case came to when it did not succeed.
#[derive(Debug)]
pub enum Failure {
    /// The unit says that it cannot, or refuses more of the case's inputs than it takes; to be reported as skipped,
    /// not as passed.
    Unsupported(Error),
    /// An error where there should be none.
    Failed(Error),
    /// A wrong result.
    Wrong(String),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Unsupported { .. } => Failure::Unsupported(error),
            _ => Failure::Failed(error),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Unsupported(error) => write!(f, "unsupported: {error:?}"),
            Failure::Failed(error) => write!(f, "failed: {error:?}"),
            Failure::Wrong(what) => write!(f, "wrong: {what}"),
        }
    }
}

/// The result of a case.
pub type Outcome = Result<(), Failure>;

/// Something to get right with so many elements.
type Check = fn(&Context, &Target, usize) -> Outcome;

type AnyCheck = Box<dyn Fn(&Context, &Target) -> Outcome + Send>;

/// One thing to get right.
pub struct Case {
    name: String,
    check: AnyCheck,
}

impl Case {
    fn new(
        name: impl Into<String>,
        check: impl Fn(&Context, &Target) -> Outcome + Send + 'static,
    ) -> Self {
        Case {
            name: name.into(),
            check: Box::new(check),
        }
    }

    /// What it is about: `pattern::what::type`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Runs it.
    ///
    /// # Errors
    /// [`Failure`]: unsupported, failed, or wrong.
    pub fn run(&self, context: &Context, target: &Target) -> Outcome {
        let case = || refusals::counted(|| (self.check)(context, target));
        if !matches!(target, Target::Hybrid(_)) {
            return case();
        }
        let (outcome, refused) = refused_by_devices(case);
        outcome?;
        refused.map_or(Ok(()), |why| Err(why.into()))
    }
}

/// What all cases came to on a target; those that did not pass have their failure.
#[derive(Debug, Default)]
pub struct Report {
    /// The names of those that passed.
    pub passed: Vec<String>,
    /// Those that units refuse: [`Failure::Unsupported`].
    pub unsupported: Vec<(String, Failure)>,
    /// All others.
    pub wrong: Vec<(String, Failure)>,
}

impl fmt::Display for Report {
    /// A line with the numbers, then one for each case that did not pass.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (passed, unsupported, wrong) = (&self.passed, &self.unsupported, &self.wrong);
        let [p, u, w] = [passed.len(), unsupported.len(), wrong.len()];
        write!(f, "{p} passed, {u} unsupported, {w} wrong")?;
        let mut failures = wrong.iter().chain(unsupported);
        failures.try_for_each(|(name, failure)| write!(f, "\n{name}: {failure}"))
    }
}

/// Runs all [`cases`] with [`Sizes::Small`].
#[must_use]
pub fn run(context: &Context, target: &Target) -> Report {
    let mut report = Report::default();
    for case in cases(Sizes::Small) {
        match case.run(context, target) {
            Ok(()) => report.passed.push(case.name),
            Err(failure @ Failure::Unsupported(_)) => {
                report.unsupported.push((case.name, failure));
            }
            Err(failure) => report.wrong.push((case.name, failure)),
        }
    }
    report
}

/// All cases.
#[must_use]
pub fn cases(sizes: Sizes) -> Vec<Case> {
    let mut cases = elementwise::cases(sizes);
    cases.extend(fold::cases(sizes));
    cases.extend(scan::cases(sizes));
    cases.extend(scan_places::cases(sizes));
    cases.extend(bits::cases(sizes));
    cases.extend(whole::cases(sizes));
    cases.extend(parts::cases(sizes));
    cases.extend(parts_mut::cases(sizes));
    cases.extend(parts_tensors::cases(sizes));
    cases.extend(faces::cases());
    cases.extend(parts_whole::cases(sizes));
    cases.extend(spread::cases(sizes));
    cases.extend(components::cases(sizes));
    cases.extend(along::cases(sizes));
    cases.extend(along_shaped::cases(sizes));
    cases.extend(outputs::cases(sizes));
    cases.extend(own_types::cases(sizes));
    cases.extend(random::cases(sizes));
    cases.extend(task::cases(sizes));
    cases.extend(tensors::cases(sizes));
    cases.extend(overlap::cases(sizes));
    cases.extend(foreign::cases(sizes));
    cases.extend(lines::cases(sizes));
    cases.extend(sweeps::cases(sizes));
    cases.extend(scalar::cases(sizes));
    cases.extend(errors::cases());
    cases.extend(traps::cases());
    cases
}
