//! What a policy is asked, and what it is told afterwards.

use super::{Assignment, UnitCost};
use crate::{SizedCurve, UnitModel};
use skel_core::schedule::{Share, UnitIndex, cut};

/// A call that is to be divided.
#[derive(Clone, Copy, Debug)]
pub struct Question<'k> {
    /// The number of its elements.
    pub elems: usize,
    /// The units that can run it, at least one, in the order in which they get their ranges.
    pub units: &'k [Candidate<'k>],
}

/// What is known of a unit that can run a call.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'k> {
    /// Its position in the context.
    pub unit: UnitIndex,
    /// What ranges cost it, with what has to be moved there and back, where the instance was tuned.
    pub cost: Option<UnitCost<'k>>,
    /// Its model, and the curve that holds for the call, where the instance was tuned.
    pub model: Option<(&'k UnitModel, SizedCurve<'k>)>,
    /// How long an element of the last such calls took it, transfers included, if it had any.
    pub seen_ns_per_elem: Option<f64>,
}

/// What a unit had of a call, and how long that took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Took {
    /// Its position in the context.
    pub unit: UnitIndex,
    /// How many elements it had; perhaps none.
    pub elems: usize,
    /// How long it was at work.
    pub busy_ns: f64,
}

impl Candidate<'_> {
    /// A unit of which nothing is known.
    #[must_use]
    pub fn unknown(unit: UnitIndex) -> Self {
        Candidate {
            unit,
            cost: None,
            model: None,
            seen_ns_per_elem: None,
        }
    }

    /// How long an element takes it, where it computes all `elems` of a call: as it was seen lately, or else as its
    /// model says.
    #[must_use]
    pub fn ns_per_elem(&self, elems: usize) -> Option<f64> {
        let predicted = || {
            self.cost
                .map(|cost| cost.ns(0..elems) / elems.max(1) as f64)
        };
        self.seen_ns_per_elem.or_else(predicted)
    }
}

impl Question<'_> {
    /// Shares in these proportions. What is no weight is none; if none is, the first unit takes everything.
    #[must_use]
    pub fn by_weights(&self, weight: impl Fn(&Candidate<'_>) -> f64) -> Assignment {
        let sound = |unit: &Candidate<'_>| {
            let weight = weight(unit);
            if weight.is_finite() {
                weight.max(0.0)
            } else {
                0.0
            }
        };
        let weights: Vec<f64> = self.units.iter().map(sound).collect();
        // Relative to the largest, so that no sum can overflow.
        let most = weights.iter().copied().fold(0.0, f64::max);
        let share = |weight: &f64| Share::from_ratio(weight / most).unwrap_or(Share::NONE);
        let mut shares: Vec<Share> = weights.iter().map(share).collect();
        if most == 0.0 {
            shares[0] = Share::ALL;
        }
        self.by_sizes(cut(self.elems, &shares))
    }

    /// These sizes, in the order of the units.
    #[must_use]
    pub fn by_sizes(&self, sizes: impl IntoIterator<Item = usize>) -> Assignment {
        let units = self.units.iter().map(|candidate| candidate.unit);
        Assignment::of_sizes(units.zip(sizes))
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use crate::Curve;

    #[test]
    fn what_is_no_weight_is_none() {
        let units = [0, 1, 2].map(Candidate::unknown);
        let question = Question {
            elems: 10,
            units: &units,
        };
        let by = |weights: [f64; 3]| question.by_weights(|unit| weights[unit.unit]).pieces;
        assert_eq!(by([1.0, f64::NAN, 4.0]), [(0, 0..2), (2, 2..10)]);
        assert_eq!(by([f64::MAX, -1.0, f64::MAX]), [(0, 0..5), (2, 5..10)]);
        assert_eq!(by([0.0, f64::INFINITY, 0.0]), [(0, 0..10)]);
    }

    #[test]
    fn what_was_seen_counts_before_what_is_predicted() {
        let curve = Curve::line(2.0, 100.0);
        let mut unit = Candidate {
            cost: Some(UnitCost::new(&curve, 1.0)),
            ..Candidate::unknown(0)
        };
        assert_eq!(unit.ns_per_elem(100), Some(3.0));
        unit.seen_ns_per_elem = Some(7.0);
        assert_eq!(unit.ns_per_elem(100), Some(7.0));
        assert_eq!(Candidate::unknown(0).ns_per_elem(100), None);
    }
}
