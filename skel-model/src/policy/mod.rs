//! Which unit takes which elements, without any hardware.
//!
//! A [`Policy`] is asked for every call that units share, and turns what is known of them into an [`Assignment`]. To
//! add a policy, write its file here; `single.rs` is the template.

mod adaptive;
mod fastest;
mod question;
mod single;
mod static_split;
mod tuned;
mod water_fill;

pub use adaptive::Adaptive;
pub use fastest::Fastest;
pub use question::{Candidate, Question, Took};
pub use single::Single;
pub use static_split::StaticSplit;
pub use tuned::{Modelled, Tuned};
pub use water_fill::{LEAST_GAIN, Moved, Prediction, UnitCost, predict};

use skel_core::schedule::UnitIndex;
use std::ops::Range;

/// Consecutive ranges of the index space, in order, each with the unit that computes it. Together they cover
/// all elements; none is empty. A unit may have several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assignment {
    /// The pieces.
    pub pieces: Vec<(UnitIndex, Range<usize>)>,
}

impl Assignment {
    /// Consecutive pieces of these sizes, the empty ones left out.
    #[must_use]
    pub fn of_sizes(sizes: impl IntoIterator<Item = (UnitIndex, usize)>) -> Self {
        let mut start = 0;
        let mut pieces = Vec::new();
        for (unit, elems) in sizes {
            if elems > 0 {
                pieces.push((unit, start..start + elems));
            }
            start += elems;
        }
        Assignment { pieces }
    }
}

/// Decides which unit takes which elements.
///
/// An assignment changes how long a call takes, and never its results: so a policy can be wrong. A policy that learns
/// is one value per instance and size class; the context keeps it from call to call, and tells it what each took. It is
/// asked and told under a lock of its own, so it makes no calls itself.
///
/// A policy of a program's own, which gives units what they did lately, in proportion:
///
/// ```
/// use skel_model::policy::{Assignment, Candidate, Policy, Question};
///
/// struct Proportional;
///
/// impl Policy for Proportional {
///     fn assign(&self, question: &Question<'_>) -> Assignment {
///         let speed = |unit: &Candidate<'_>| 1.0 / unit.ns_per_elem(question.elems).unwrap_or(1.0);
///         question.by_weights(speed)
///     }
/// }
///
/// let unit = |unit, ns| Candidate { seen_ns_per_elem: Some(ns), ..Candidate::unknown(unit) };
/// let units = [unit(1, 4.0), unit(2, 1.0)];
/// let assigned = Proportional.assign(&Question { elems: 1000, units: &units });
/// assert_eq!(assigned.pieces, [(1, 0..200), (2, 200..1000)]);
/// ```
pub trait Policy: Send {
    /// Divides the elements of a call among units, of which there is at least one; all of them can run the call.
    /// Pieces that do not cover the elements, or name other units, are an error of the call.
    fn assign(&self, question: &Question<'_>) -> Assignment;

    /// Whether the units' models count: where the instance was tuned, the question has them.
    fn uses_models(&self) -> bool {
        true
    }

    /// A call was made: what each unit had, and how long it was at work.
    fn observe(&mut self, took: &[Took]) {
        let _ = took;
    }
}
