//! Which unit takes which elements: pure functions, no hardware.
//!
//! A [`Policy`] turns what the user asks for, with what is known of the units, into an [`Assignment`]. To add a
//! policy, write its file here; `single.rs` is the template.

mod adaptive;
mod single;
mod static_split;
mod water_fill;

pub use adaptive::Adaptive;
pub use single::Single;
pub use static_split::StaticSplit;
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
pub trait Policy {
    /// Divides `elems` elements among `units`, of which there is at least one; all of them can run
    /// the call.
    fn assign(&self, elems: usize, units: &[UnitIndex]) -> Assignment;
}
