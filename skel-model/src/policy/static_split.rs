//! Fixed shares for all units of a call.

use crate::policy::{Assignment, Policy, Question};
use skel_core::schedule::{Share, cut};

/// One share per unit, in the order of the units. Missing shares are nothing, surplus ones ignored.
#[derive(Clone, Debug)]
pub struct StaticSplit {
    /// The shares.
    pub shares: Vec<Share>,
}

impl StaticSplit {
    /// `cpu` for the first unit, the rest in equal parts for `devices` others; without any, the
    /// first takes everything.
    #[must_use]
    pub fn ratio(cpu: Share, devices: usize) -> Self {
        StaticSplit {
            shares: cpu.and_rest(devices),
        }
    }
}

impl Policy for StaticSplit {
    fn assign(&self, question: &Question<'_>) -> Assignment {
        let share = |k: usize| self.shares.get(k).copied().unwrap_or(Share::NONE);
        let shares: Vec<Share> = (0..question.units.len()).map(share).collect();
        question.by_sizes(cut(question.elems, &shares))
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use crate::policy::Candidate;
    use skel_core::schedule::UnitIndex;
    use std::ops::Range;

    fn pieces(
        split: &StaticSplit,
        elems: usize,
        units: &[UnitIndex],
    ) -> Vec<(UnitIndex, Range<usize>)> {
        let units: Vec<Candidate<'_>> = units.iter().copied().map(Candidate::unknown).collect();
        split
            .assign(&Question {
                elems,
                units: &units,
            })
            .pieces
    }

    #[test]
    fn the_rest_is_shared_equally() {
        let split = StaticSplit::ratio(Share::from_ratio(0.2).unwrap(), 2);
        assert_eq!(
            pieces(&split, 100, &[0, 1, 2]),
            [(0, 0..20), (1, 20..60), (2, 60..100)]
        );
    }

    #[test]
    fn fewer_elements_than_units() {
        let split = StaticSplit::ratio(Share::from_ratio(0.4).unwrap(), 3);
        for elems in 0..6 {
            let pieces = pieces(&split, elems, &[0, 1, 2, 3]);
            assert_eq!(pieces.iter().map(|(_, r)| r.len()).sum::<usize>(), elems);
            assert!(pieces.iter().all(|(_, r)| !r.is_empty()));
        }
    }

    #[test]
    fn without_devices_the_cpu_takes_all() {
        let split = StaticSplit::ratio(Share::from_ratio(0.2).unwrap(), 0);
        assert_eq!(pieces(&split, 5, &[0]), [(0, 0..5)]);
    }
}
