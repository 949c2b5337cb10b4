//! As a model says: the shares whose predicted time is the least.

use super::{Assignment, Policy, Question, UnitCost};
use crate::{ClassModel, SizedCurve, UnitModel};
use arrayvec::ArrayVec;
use skel_core::schedule::UnitIndex;

/// The model of an instance's calls of about one size.
///
/// Units take what the model's curves, and what has to be moved, promise to be best ([`ClassModel::decide`]). Those
/// without a model get nothing; where no unit has one, the first takes everything.
#[derive(Clone, Copy, Debug)]
pub struct Tuned<'m> {
    /// The model.
    pub class: &'m ClassModel,
}

/// What a model gives a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Modelled {
    /// Which unit takes what.
    pub assignment: Assignment,
    /// The time that is predicted.
    pub ns: f64,
}

/// More units than this are not asked.
const MOST_UNITS: usize = 16;

/// A unit, its model, and what it costs.
type Known<'k> = (UnitIndex, &'k UnitModel, SizedCurve<'k>, UnitCost<'k>);

impl Tuned<'_> {
    /// What the model gives a call; none if it knows no unit of those that can run it.
    #[must_use]
    pub fn decide(&self, question: &Question<'_>) -> Option<Modelled> {
        let known: ArrayVec<Known<'_>, MOST_UNITS> = (question.units.iter())
            .filter_map(|unit| {
                let (model, curve) = unit.model?;
                Some((unit.unit, model, curve, unit.cost?))
            })
            .take(MOST_UNITS)
            .collect();
        let models: ArrayVec<&UnitModel, MOST_UNITS> = known.iter().map(|known| known.1).collect();
        let curve = |k: usize| known[k].2;
        let decided = self
            .class
            .decide(question.elems, &models, curve, |k| known[k].3)?;
        let units = known.iter().map(|known| known.0);
        Some(Modelled {
            assignment: Assignment::of_sizes(units.zip(decided.sizes)),
            ns: decided.ns,
        })
    }
}

impl Policy for Tuned<'_> {
    fn assign(&self, question: &Question<'_>) -> Assignment {
        match self.decide(question) {
            Some(decided) => decided.assignment,
            None => super::Single.assign(question),
        }
    }
}
