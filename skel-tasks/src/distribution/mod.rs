//! Work distribution: which unit takes which items of a time step, step after step.
//!
//! A program has items of unlike sizes, such as the zones of a mesh, and computes all of them once in every step. The
//! [`ComputeUnits`] of a machine share them: N groups of M cores, and G devices. A [`Scheme`] says how. It sees the
//! sizes, and what each item took in earlier steps, and gives an [`Allotment`] for the next one. The six schemes are
//! those of González and Morancho (2024, doi 10.3389/fhpcp.2024.1473102).
//!
//! ```text
//! Scheme ─► Distribution::next ─► Allotment ─► Turn: take, done, lost ─► StepTimes ─► Distribution::observe ┐
//!                        ▲─────────────────────────────────────────────────────────────────────────────┘
//! ```
//!
//! All of it is pure. Threads drive a [`Distributor`] with real times (`Steps` of the facade), [`virtual_time`] with
//! computed ones; what decides is the same code. Units are numbered, those of cores first; items are numbered as the
//! program has them, and most schemes give neighbours in this order to one unit, so that what they exchange with each
//! other stays there.
//!
//! ```
//! use skel_tasks::distribution::{self, Allotment, ComputeUnits, Sizes};
//!
//! let units: ComputeUnits = "4x1".parse()?;
//! // The zones of BT-MZ, class W: columns of 6, 11, 18 and 29 points times as many rows.
//! let widths = [6.0, 11.0, 18.0, 29.0];
//! let sizes = Sizes::new(widths.iter().flat_map(|y| widths.map(|x| x * y)))?;
//! let mut scheme = distribution::parse("guided-sizes")?.build(units, &sizes)?;
//! let Allotment::Own(items) = scheme.next() else { unreachable!() };
//! let points = |items: &Vec<usize>| items.iter().map(|item| sizes.get(*item)).sum::<f64>();
//! // 4,096 points; the largest zone alone has 841.
//! assert_eq!(items.iter().map(points).collect::<Vec<_>>(), [1088.0, 1152.0, 1015.0, 841.0]);
//! # Ok::<(), skel_tasks::BadOption>(())
//! ```

mod allotment;
mod clustered_guided;
mod cut;
mod distributor;
mod dynamic;
mod guided;
mod guided_runtime;
mod guided_sizes;
mod history;
mod names;
mod report;
mod search;
mod sizes;
mod static_;
mod static_pcf;
pub(crate) mod svg;
#[cfg(test)]
mod test;
mod times;
mod turn;
mod units;
mod variant;
pub mod virtual_time;

pub use allotment::Allotment;
pub use clustered_guided::ClusteredGuided;
pub use distributor::Distributor;
pub use dynamic::Dynamic;
pub use guided_runtime::GuidedRuntime;
pub use guided_sizes::GuidedSizes;
pub use history::History;
pub use names::{names, parse};
pub use report::{ItemRun, Outcome, StepReport};
pub use sizes::Sizes;
pub use static_::Static;
pub use static_pcf::{Pcf, StaticPcf};
pub use times::StepTimes;
pub use turn::Turn;
pub use units::ComputeUnits;
pub use variant::Variant;

use crate::BadOption;
use std::fmt;

/// What a work distribution is made of: its settings, one struct for each.
pub trait Scheme: fmt::Debug + Send + Sync {
    /// The name and all settings, as [`parse`] reads them: `clustered-guided,variant=recommended`.
    fn text(&self) -> String;

    /// A distribution of items of these sizes over these units, which has measured nothing yet.
    ///
    /// # Errors
    /// The setting that cannot be, and what it can be.
    fn build(&self, units: ComputeUnits, sizes: &Sizes)
    -> Result<Box<dyn Distribution>, BadOption>;
}

/// Which unit takes which items of the next step. Deterministic: the same calls give the same answers.
pub trait Distribution: fmt::Debug + Send {
    /// For the step to come; asked once before each.
    fn next(&mut self) -> Allotment;

    /// What the step took for which [`Distribution::next`] was asked last. Not called for a step in which a unit was
    /// lost.
    fn observe(&mut self, step: &StepTimes<'_>);

    /// Whether all further steps get the same allotment.
    fn is_steady(&self) -> bool;

    /// What it does at the moment, in a word or two, for reports.
    fn phase(&self) -> &'static str {
        match self.is_steady() {
            true => "steady",
            false => "search",
        }
    }
}
