//! Decisions: what a model gives a call, and how sure it is. This is the one place that decides: the library
//! calls it for each tuned call, and `cargo tune` for its output.

use crate::{
    ClassModel, Measured, Quality, Reason, Sample, SizedCurve, UnitId, UnitModel,
    policy::{self, LEAST_GAIN, UnitCost},
};
use arrayvec::ArrayVec;
use std::fmt;

/// Whether calls go by what was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Calls are split by it.
    Good,
    /// It decides between single units: calls go to the one that was measured to be the fastest.
    Weak(Reason),
    /// There is no model: calls go by the rules of [`Auto`](skel_core::schedule::Auto).
    Unknown,
}

impl Verdict {
    /// That of an instance, or of a class, of which there may be no model: the weakest of its classes.
    #[must_use]
    pub fn of<'m>(classes: impl IntoIterator<Item = &'m ClassModel>) -> Verdict {
        let verdicts = classes.into_iter().map(ClassModel::verdict);
        verdicts
            .reduce(|a, b| if a == Verdict::Good { b } else { a })
            .unwrap_or(Verdict::Unknown)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Good => f.write_str("good"),
            Verdict::Weak(reason) => write!(f, "weak: {reason}"),
            Verdict::Unknown => f.write_str("unknown"),
        }
    }
}

/// What is decided of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// Elements of each unit, in the order in which the units were named. They add up to all.
    pub sizes: Vec<usize>,
    /// The time that is predicted.
    pub ns: f64,
    /// The fastest unit alone, by its position.
    pub single: usize,
    /// The time that is predicted of it.
    pub single_ns: f64,
}

/// More units than this are not considered.
pub const MOST_UNITS: usize = 16;
/// Whole calls of which fewer runs were made do not decide, if others have more.
const LEAST_RUNS: u32 = 3;
/// By how much the median of one run is unsure where nothing says how noisy runs are.
const UNKNOWN_NOISE: f64 = 0.05;

impl Measured {
    /// Whether several units took part.
    #[must_use]
    pub fn is_split(&self) -> bool {
        self.shares.iter().filter(|(_, share)| *share > 0.0).count() > 1
    }

    /// The time that it is compared by: of one or two runs the shorter one, since what disturbs makes runs longer.
    fn ns(&self) -> f64 {
        match self.sample.runs < LEAST_RUNS {
            true => self.sample.median_ns - self.sample.mad_ns,
            false => self.sample.median_ns,
        }
    }

    /// The unit that did all of it.
    #[must_use]
    pub fn single(&self) -> Option<&UnitId> {
        let mut taking = self.shares.iter().filter(|(_, share)| *share > 0.0);
        let (unit, _) = taking.next()?;
        taking.next().is_none().then_some(unit)
    }
}

impl ClassModel {
    /// Whether calls of the class go by it.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match (self.units.is_empty(), self.quality) {
            (true, _) => Verdict::Unknown,
            (false, Quality::Weak(reason)) => Verdict::Weak(reason),
            (false, Quality::Good) => Verdict::Good,
        }
    }

    /// The fastest whole call that was measured; a split only if it gains enough to be worth it.
    #[must_use]
    pub fn measured_best(&self) -> Option<&Measured> {
        let most = self.measured.iter().map(|m| m.sample.runs).max()?;
        let sure = |m: &&Measured| m.sample.runs >= most.min(LEAST_RUNS);
        let fastest = |a: &&Measured, b: &&Measured| a.ns().total_cmp(&b.ns());
        let all = || self.measured.iter().filter(sure);
        let single = all().filter(|m| !m.is_split()).min_by(fastest);
        let split = all().filter(|m| m.is_split()).min_by(fastest);
        match (single, split) {
            (Some(single), Some(split)) => {
                let is_worth_it = split.ns() <= LEAST_GAIN * single.ns();
                Some(if is_worth_it { split } else { single })
            }
            (single, split) => single.or(split),
        }
    }

    /// The single unit that was measured to do the whole call the fastest.
    #[must_use]
    pub fn measured_single(&self) -> Option<&Measured> {
        let single = self.measured.iter().filter(|m| m.single().is_some());
        single.min_by(|a, b| a.ns().total_cmp(&b.ns()))
    }

    /// The shares of calls of just the size that was measured, whose data lie where they are needed: what was measured
    /// to be the fastest, of single units only where the class is weak. `None` where that was not measured, and
    /// [`ClassModel::decide`] is asked.
    #[must_use]
    pub fn verified(&self) -> Option<Vec<(UnitId, f64)>> {
        match self.verdict() {
            Verdict::Good => self.best.clone(),
            Verdict::Weak(_) => Some(self.measured_single()?.shares.clone()),
            Verdict::Unknown => None,
        }
    }

    /// Divides a call of `elems` elements among `units`, models of this class, in this order. `curve` says which
    /// curve holds for the call, `cost` what a range costs by it. `None` if no unit may be asked.
    ///
    /// A unit that is weak, or of a weak class, takes all or nothing. One thread is one of the CPU's: it takes all or
    /// nothing, too, and is asked within what was measured of it alone.
    #[must_use]
    pub fn decide<'c>(
        &self,
        elems: usize,
        units: &[&UnitModel],
        curve: impl Fn(usize) -> SizedCurve<'c>,
        cost: impl Fn(usize) -> UnitCost<'c>,
    ) -> Option<Decision> {
        let (mut sharing, mut alone) = (ArrayVec::<usize, MOST_UNITS>::new(), ArrayVec::new());
        for (k, unit) in units.iter().enumerate().take(MOST_UNITS) {
            if unit.unit == UnitId::Sequential {
                let longest = unit.samples.iter().map(|sample| sample.elems).max();
                // A curve that is stretched is asked at another place.
                let asked = (elems as f64).max(elems as f64 / curve(k).factor);
                if asked <= longest.unwrap_or(0) as f64 {
                    alone.push(k);
                }
            } else if self.quality.and(unit.fit.quality) == Quality::Good {
                sharing.push(k);
            } else {
                alone.push(k);
            }
        }
        let costs = |of: &ArrayVec<usize, MOST_UNITS>| -> ArrayVec<UnitCost<'c>, MOST_UNITS> {
            of.iter().map(|k| cost(*k)).collect()
        };
        let overhead_ns = self.split_overhead_ns;
        let found = policy::predict(elems, &costs(&sharing), overhead_ns, &costs(&alone))?;
        let places: ArrayVec<usize, { 2 * MOST_UNITS }> =
            sharing.into_iter().chain(alone).collect();
        let mut sizes = vec![0; units.len()];
        for (place, size) in places.iter().zip(found.sizes) {
            sizes[*place] = size;
        }
        Some(Decision {
            sizes,
            ns: found.ns,
            single: *places.get(found.best_single)?,
            single_ns: found.best_single_ns,
        })
    }

    /// As [`ClassModel::decide`], of calls that move no data: units cost what their curves say.
    #[must_use]
    pub fn decide_by_curves<'c>(
        &self,
        elems: usize,
        units: &[&'c UnitModel],
        sized: impl Fn(&'c UnitModel) -> SizedCurve<'c>,
    ) -> Option<Decision> {
        let curve = |k: usize| sized(units[k]);
        let cost = |k: usize| {
            let sized = curve(k);
            UnitCost::new(sized.curve, sized.factor)
        };
        self.decide(elems, units, curve, cost)
    }

    /// By how much, relatively, calls of just the size that was measured may be slower than at best: what the runs leave
    /// open between the whole calls that were measured, and what the curves promise of splits that were not.
    /// `f64::INFINITY` where there is no model.
    ///
    /// ```
    /// use skel_model::{Evidence, Measurement::Part, UnitId};
    ///
    /// let mut evidence = Evidence::new(1000, 0);
    /// evidence.units = vec![UnitId::Cpu];
    /// evidence.add(Part(UnitId::Cpu, 1000), 5_000.0);
    /// // There is nothing else that calls could be given.
    /// assert_eq!(evidence.model().unwrap().unsure(), 0.0);
    /// ```
    #[must_use]
    pub fn unsure(&self) -> f64 {
        let chosen = match self.verdict() {
            Verdict::Good => self.measured_best(),
            _ => self.measured_single(),
        };
        let Some(chosen) = chosen else {
            return f64::INFINITY;
        };
        let chosen_ns = chosen.sample.median_ns;
        let noise = self.noise();
        let error_ns = |sample: &Sample| error_ns(sample, noise);
        let others = self.measured.iter().filter(|m| !std::ptr::eq(*m, chosen));
        let statistical = others.map(|other| {
            let both_ns = error_ns(&chosen.sample).hypot(error_ns(&other.sample));
            (chosen_ns + both_ns) / other.sample.median_ns.max(1.0) - 1.0
        });
        statistical
            .chain([self.unexplored(chosen_ns)])
            .fold(0.0, f64::max)
    }

    /// How noisy runs are, relatively: the median over all points of several runs.
    pub(crate) fn noise(&self) -> f64 {
        let parts = self.units.iter().flat_map(|unit| &unit.samples);
        let samples = parts.chain(self.measured.iter().map(|m| &m.sample));
        let several = samples.filter(|s| s.runs >= LEAST_RUNS && s.median_ns > 0.0);
        let noise: Vec<f64> = several.map(|s| s.mad_ns / s.median_ns).collect();
        super::stats::median(&noise).unwrap_or(UNKNOWN_NOISE)
    }

    /// What splits that were not measured may gain, by the curves of the units.
    fn unexplored(&self, chosen_ns: f64) -> f64 {
        let may_share = |unit: &&UnitModel| {
            unit.unit != UnitId::Sequential && self.quality.and(unit.fit.quality) == Quality::Good
        };
        let sharing: Vec<&UnitModel> = self.units.iter().filter(may_share).collect();
        if sharing.len() < 2 {
            return 0.0;
        }
        let Some(found) = self.decide_by_curves(self.elems, &sharing, SizedCurve::own) else {
            return 0.0;
        };
        let shares: Vec<(UnitId, f64)> = sharing
            .iter()
            .zip(&found.sizes)
            .map(|(unit, n)| (unit.unit.clone(), *n as f64 / self.elems.max(1) as f64))
            .collect();
        let is_measured = self
            .measured
            .iter()
            .any(|m| distance(&m.shares, &shares) <= NEAR);
        match is_measured {
            true => 0.0,
            false => (chosen_ns / found.ns.max(1.0) - 1.0).max(0.0),
        }
    }
}

/// Shares that differ by so much are of the same split.
const NEAR: f64 = 0.02;

/// By how much the share of one unit differs at most.
#[must_use]
pub fn distance(a: &[(UnitId, f64)], b: &[(UnitId, f64)]) -> f64 {
    let units = a.iter().chain(b).map(|(unit, _)| unit);
    let apart = units.map(|unit| (share_of(a, unit) - share_of(b, unit)).abs());
    apart.fold(0.0, f64::max)
}

/// What a unit takes of these shares, from 0 to 1.
#[must_use]
pub fn share_of(shares: &[(UnitId, f64)], unit: &UnitId) -> f64 {
    let of_unit = shares.iter().filter(|(known, _)| known == unit);
    of_unit.map(|(_, share)| share).sum()
}

/// The standard error of a median, by the noise of all runs where there are too few of its own.
fn error_ns(sample: &Sample, noise: f64) -> f64 {
    let mad_ns = match sample.runs < LEAST_RUNS {
        true => noise * sample.median_ns,
        false => sample.mad_ns,
    };
    1.4826 * 1.2533 * mad_ns / f64::from(sample.runs.max(1)).sqrt()
}

#[cfg(test)]
mod test;
