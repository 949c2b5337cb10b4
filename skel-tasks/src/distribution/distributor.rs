//! A scheme over many steps, and over units that are lost.

use super::{ComputeUnits, Distribution, Scheme, Sizes, StepReport, Turn};
use crate::BadOption;

/// Distributes step after step. When a unit is lost, its items of that step go to others, and the scheme begins anew
/// with the units that are left.
#[derive(Debug)]
pub struct Distributor {
    scheme: Box<dyn Scheme>,
    sizes: Sizes,
    units: ComputeUnits,
    /// The units that are left.
    alive: Vec<usize>,
    distribution: Box<dyn Distribution>,
    /// Whether it is for units of which some were lost since.
    is_stale: bool,
    steps: usize,
}

impl Distributor {
    /// Items of these sizes over these units.
    ///
    /// # Errors
    /// The scheme's setting that cannot be.
    pub fn new(
        scheme: Box<dyn Scheme>,
        units: ComputeUnits,
        sizes: Sizes,
    ) -> Result<Distributor, BadOption> {
        Ok(Distributor {
            distribution: scheme.build(units, &sizes)?,
            scheme,
            sizes,
            units,
            alive: (0..units.len()).collect(),
            is_stale: false,
            steps: 0,
        })
    }

    /// The units, with those that were lost.
    #[must_use]
    pub fn units(&self) -> ComputeUnits {
        self.units
    }

    /// The sizes of the items.
    #[must_use]
    pub fn sizes(&self) -> &Sizes {
        &self.sizes
    }

    /// How many steps were begun.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// The scheme's name and settings.
    #[must_use]
    pub fn scheme(&self) -> String {
        self.scheme.text()
    }

    /// Whether all further steps get the same allotment.
    #[must_use]
    pub fn is_steady(&self) -> bool {
        self.distribution.is_steady()
    }

    /// What the next step is for: see [`Distribution::phase`].
    #[must_use]
    pub fn phase(&self) -> &'static str {
        self.distribution.phase()
    }

    /// The units that are left, in ascending order.
    #[must_use]
    pub fn left(&self) -> &[usize] {
        &self.alive
    }

    /// From the next step on, there are other items, of which nothing has been measured.
    ///
    /// # Errors
    /// As [`Distributor::new`].
    pub fn replace(&mut self, sizes: Sizes) -> Result<(), BadOption> {
        // Nothing has changed if the scheme refuses them.
        self.distribution = self.built(&self.alive, &sizes)?;
        self.sizes = sizes;
        self.is_stale = false;
        Ok(())
    }

    /// The scheme, which begins anew with these units.
    fn built(&self, alive: &[usize], sizes: &Sizes) -> Result<Box<dyn Distribution>, BadOption> {
        let is_cpu = |unit: &&usize| !self.units.is_device(**unit);
        let cpus = alive.iter().filter(is_cpu).count();
        let devices = alive.len() - cpus;
        let left = ComputeUnits::new(cpus, self.units.cores(), devices)?;
        self.scheme.build(left, sizes)
    }

    /// The next step.
    ///
    /// # Errors
    /// [`BadOption`] if no unit is left, the scheme cannot be with those that are, or it gives an item twice or not at all.
    pub fn begin(&mut self) -> Result<Turn, BadOption> {
        use super::Allotment::Own;
        if self.alive.is_empty() {
            return Err(BadOption::new(
                "units",
                "none",
                "at least one that is not lost",
            ));
        }
        if self.is_stale {
            self.distribution = self.built(&self.alive, &self.sizes)?;
            self.is_stale = false;
        }
        let mut allotment = self.distribution.next();
        allotment.check(self.alive.len(), self.sizes.len())?;
        // The scheme knows those that are left alone.
        if let Own(own) = &mut allotment {
            let mut all = vec![Vec::new(); self.units.len()];
            for (unit, own) in self.alive.iter().zip(own.drain(..)) {
                all[*unit] = own;
            }
            *own = all;
        }
        let mut turn = Turn::new(allotment, self.units.len(), self.sizes.len())?;
        let is_alive = |unit: &usize| self.alive.contains(unit);
        for unit in (0..self.units.len()).filter(|unit| !is_alive(unit)) {
            turn.lost(unit);
        }
        self.steps += 1;
        Ok(turn)
    }

    /// The step is over, and took so long. If units were lost in it, the scheme begins anew with those
    /// that are left.
    pub fn end(&mut self, turn: &Turn, makespan_ns: crate::Ns) -> StepReport {
        let report = StepReport::new(self, turn, makespan_ns);
        let lost: Vec<usize> = turn.lost_units().collect();
        if self.alive.iter().any(|unit| lost.contains(unit)) {
            self.alive.retain(|unit| !lost.contains(unit));
            // If the scheme cannot be with those that are left, the next step says so.
            self.is_stale = true;
            if let Ok(distribution) = self.built(&self.alive, &self.sizes) {
                (self.distribution, self.is_stale) = (distribution, false);
            }
        } else {
            let alive = &self.alive;
            let distribution = &mut self.distribution;
            turn.with_times(|times| match alive.len() == times.units {
                true => distribution.observe(times),
                false => {
                    // By their numbers among those that are left.
                    let place = |unit: &usize| alive.binary_search(unit).unwrap_or(0);
                    let owner: Vec<usize> = times.owner().iter().map(place).collect();
                    let took_ns = times.took_ns();
                    distribution.observe(&super::StepTimes::new(alive.len(), &owner, took_ns));
                }
            });
        }
        report
    }
}
