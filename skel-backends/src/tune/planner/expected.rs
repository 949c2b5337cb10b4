//! How long a size class is measured yet: the plan, run in virtual time on what its first runs tell.

use super::{Planner, Sizes};
use crate::tune::measure::took;
use skel_model::{ClassModel, Evidence, Measurement};
use std::time::Duration;

/// How much runs of a quiet machine differ from each other, relatively, where no measurement has been repeated yet.
const USUAL_NOISE: f64 = 0.02;
/// More rounds are not looked ahead: by then, what is left are single runs.
const MOST_ROUNDS: usize = 200;

impl Planner<'_> {
    /// For how long it is measured after these runs, if calls go on to take what their curves say. `None` while there is no
    /// model.
    pub(in crate::tune) fn expected(&self, evidence: &Evidence, pauses: bool) -> Option<Duration> {
        let model = evidence.model()?;
        let noise = self.noise_of(evidence).max(USUAL_NOISE);
        let mut supposed = evidence.clone();
        let mut needs = Duration::ZERO;
        for _ in 0..MOST_ROUNDS {
            let round = self.next(&supposed);
            if round.is_empty() {
                break;
            }
            for what in round {
                let ns = supposed_ns(&model, &supposed, &what);
                needs = needs.saturating_add(took(ns, pauses));
                // As far above as below, and so often apart by as much as real runs are.
                let k = supposed.runs_ns(&what).len() % 5;
                let ns = ns * (1.0 + noise * (k as f64 - 2.0));
                supposed.add(what, ns);
            }
        }
        Some(needs)
    }
}

/// What a run takes: what others of it took, or else what the curves say.
fn supposed_ns(model: &ClassModel, evidence: &Evidence, what: &Measurement) -> f64 {
    if let Some(ns) = evidence.median_ns(what) {
        return ns;
    }
    let by_curve = |(unit, elems): &(skel_model::UnitId, usize)| {
        let unit = model.units.iter().find(|known| known.unit == *unit)?;
        Some(unit.fit.curve.at(*elems as f64))
    };
    let sizes: Sizes = match what {
        Measurement::Part(unit, elems) => vec![(unit.clone(), *elems)],
        Measurement::Split(sizes) => sizes.clone(),
    };
    let longest_ns = sizes.iter().filter_map(by_curve).fold(0.0, f64::max);
    match sizes.len() {
        1 => longest_ns,
        _ => longest_ns + model.split_overhead_ns,
    }
}
