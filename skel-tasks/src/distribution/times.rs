//! What a step took.

use crate::Ns;

/// What each item of a step took, and on which unit.
#[derive(Clone, Copy, Debug)]
pub struct StepTimes<'t> {
    pub(super) units: usize,
    pub(super) owner: &'t [usize],
    pub(super) took_ns: &'t [Ns],
}

impl<'t> StepTimes<'t> {
    /// Of each item, the unit that it ran on, and for how long.
    ///
    /// # Panics
    /// If the lists differ in length, or a unit is not one of `units`.
    #[must_use]
    pub fn new(units: usize, owner: &'t [usize], took_ns: &'t [Ns]) -> StepTimes<'t> {
        assert_eq!(
            owner.len(),
            took_ns.len(),
            "each item has a unit and a time"
        );
        assert!(owner.iter().all(|unit| *unit < units), "units from 0 on");
        StepTimes {
            units,
            owner,
            took_ns,
        }
    }

    /// The unit of each item.
    #[must_use]
    pub fn owner(&self) -> &'t [usize] {
        self.owner
    }

    /// What each item took.
    #[must_use]
    pub fn took_ns(&self) -> &'t [Ns] {
        self.took_ns
    }

    /// How long each unit was at work.
    #[must_use]
    pub fn unit_ns(&self) -> Vec<Ns> {
        let mut sums = vec![0_u64; self.units];
        for (unit, took_ns) in self.owner.iter().zip(self.took_ns) {
            sums[*unit] = sums[*unit].saturating_add(*took_ns);
        }
        sums
    }

    /// The longest of these.
    #[must_use]
    pub fn makespan_ns(&self) -> Ns {
        self.unit_ns().into_iter().max().unwrap_or(0)
    }

    /// What each item took, as weights: above 0.
    pub(super) fn weights(&self) -> Vec<f64> {
        let above_0 = |took_ns: &Ns| (*took_ns).max(1) as f64;
        self.took_ns.iter().map(above_0).collect()
    }
}
