//! What was measured of calls of one size class, run by run, and the model that follows.
//!
//! A model is a function of the evidence alone. So a process that is stopped after any run, a reader of the
//! journal that it leaves, and a process that goes on from that journal all have the same model at that run.

use crate::{
    ClassModel, Measured, Quality, Reason, Sample, SizedCurve, UnitId, UnitModel, fit,
    stats::{mad, median, median_interval},
};
use skel_core::plan::BlockConfig;
use std::collections::BTreeMap;

/// By how much whole calls may change, relatively, between the first half of their runs and the second.
const MOST_DRIFT: f64 = 0.05;
/// So many runs are compared with as many others.
const DRIFT_RUNS: usize = 5;
/// How noisy measurements are on a machine that is busy with something else.
const MOST_NOISE: f64 = 0.2;
/// Fewer runs of a whole call do not decide that calls are split.
const LEAST_RUNS: usize = 3;

/// What a run was of.
#[derive(Clone, Debug, PartialEq)]
pub enum Measurement {
    /// So many elements on one unit, in the place where it works: the first ones on units of the host, the last ones
    /// on devices.
    Part(UnitId, usize),
    /// All elements, shared: those of each unit, in the order of the ranges.
    Split(Vec<(UnitId, usize)>),
}

/// The runs of one measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// What was run.
    pub what: Measurement,
    /// The time of each run, in the order of the runs.
    pub runs_ns: Vec<f64>,
}

impl Point {
    /// The median of the runs, in nanoseconds.
    #[must_use]
    pub fn median_ns(&self) -> Option<f64> {
        median(&self.runs_ns)
    }
}

/// All runs of one size class, and what else is known of how they were made.
///
/// ```
/// use skel_model::{Evidence, Measurement::{Part, Split}, UnitId::{Cpu, Sequential}};
///
/// let mut evidence = Evidence::new(1000, 0);
/// evidence.units = vec![Sequential, Cpu];
/// assert_eq!(evidence.model(), None);
/// evidence.add(Part(Cpu, 1000), 5_000.0);
/// let model = evidence.model().unwrap();
/// assert_eq!(model.units[0].samples[0].median_ns, 5_000.0);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Elements of the call.
    pub elems: usize,
    /// As [`ClassModel::beside_elems`].
    pub beside_elems: usize,
    /// The units that are measured, in the order of the ranges.
    pub units: Vec<UnitId>,
    /// Devices that launch otherwise than usually.
    pub blocks: BTreeMap<UnitId, BlockConfig>,
    /// Devices that computed something else than the CPU, and are not measured.
    pub wrong: Vec<UnitId>,
    /// Whether other programs kept the machine busy.
    pub is_busy: bool,
    points: Vec<Point>,
}

impl Evidence {
    /// Nothing, of calls of this size.
    #[must_use]
    pub fn new(elems: usize, beside_elems: usize) -> Self {
        Evidence {
            elems,
            beside_elems,
            ..Evidence::default()
        }
    }

    /// One more run, in nanoseconds. A split that gives all elements to one unit is a part of all of them.
    pub fn add(&mut self, what: Measurement, ns: f64) {
        let what = normal(what);
        match self.points.iter_mut().find(|point| point.what == what) {
            Some(point) => point.runs_ns.push(ns),
            None => self.points.push(Point {
                what,
                runs_ns: vec![ns],
            }),
        }
    }

    /// What was run, in the order of the first runs.
    #[must_use]
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Of what was run, what can be run again: units of earlier runs may be gone, or not be asked for this time.
    pub fn repeatable(&self) -> impl Iterator<Item = &Point> {
        self.points.iter().filter(|point| match &point.what {
            Measurement::Part(unit, _) => self.units.contains(unit),
            Measurement::Split(sizes) => sizes.iter().all(|(unit, _)| self.units.contains(unit)),
        })
    }

    /// The runs of a measurement, in nanoseconds.
    #[must_use]
    pub fn runs_ns(&self, what: &Measurement) -> &[f64] {
        let found = self.points.iter().find(|point| point.what == *what);
        found.map_or(&[], |point| &point.runs_ns)
    }

    /// The median of a measurement, in nanoseconds.
    #[must_use]
    pub fn median_ns(&self, what: &Measurement) -> Option<f64> {
        median(self.runs_ns(what))
    }

    /// How many runs there are.
    #[must_use]
    pub fn runs(&self) -> usize {
        self.points.iter().map(|point| point.runs_ns.len()).sum()
    }

    /// The whole call on one unit.
    #[must_use]
    pub fn whole(&self, unit: &UnitId) -> Measurement {
        Measurement::Part(unit.clone(), self.elems)
    }

    /// Whole calls, shared or not, on units that are measured.
    pub fn wholes(&self) -> impl Iterator<Item = &Point> {
        self.repeatable().filter(|point| match &point.what {
            Measurement::Part(_, elems) => *elems == self.elems,
            Measurement::Split(_) => true,
        })
    }

    /// The model that follows. `None` until each unit that may share has done the whole call once: before, nothing
    /// says which is the fastest.
    #[must_use]
    pub fn model(&self) -> Option<ClassModel> {
        let mut sharing = self.units.iter().filter(|u| **u != UnitId::Sequential);
        let is_anchored = |unit: &UnitId| !self.runs_ns(&self.whole(unit)).is_empty();
        if !self.units.iter().any(is_anchored) || !sharing.all(is_anchored) {
            return None;
        }
        let units = self.units.iter().filter(|unit| is_anchored(unit));
        let units: Vec<UnitModel> = units.filter_map(|unit| self.unit(unit)).collect();
        let mut model = ClassModel {
            elems: self.elems,
            beside_elems: self.beside_elems,
            units,
            split_overhead_ns: 0.0,
            measured: self.wholes().filter_map(|p| self.measured(p)).collect(),
            best: None,
            quality: self.quality(),
        };
        model.split_overhead_ns = overhead_ns(&model).unwrap_or(0.0);
        // Where a split is predicted and none was tried, the curves decide.
        let has_split = model.measured.iter().any(Measured::is_split);
        let best = (has_split || !predicts_split(&model)).then(|| model.measured_best());
        let best = best.flatten();
        model.best = best.map(|best| best.shares.clone());
        Some(model)
    }

    /// By how much whole calls on one unit have changed while they were measured, relatively, where that is more than
    /// their runs differ among themselves.
    #[must_use]
    pub fn drift(&self) -> f64 {
        let alone = self.units.iter().map(|unit| self.whole(unit));
        let drifts = alone.filter_map(|what| drift_of(self.runs_ns(&what)));
        drifts.fold(0.0, f64::max)
    }

    fn unit(&self, unit: &UnitId) -> Option<UnitModel> {
        let samples = self.points.iter().filter_map(|point| match &point.what {
            Measurement::Part(of, elems) if of == unit => Sample::of(*elems, &point.runs_ns),
            _ => None,
        });
        let samples: Vec<Sample> = samples.collect();
        Some(UnitModel {
            unit: unit.clone(),
            fit: fit(&samples)?,
            samples,
            block: self.blocks.get(unit).copied(),
        })
    }

    fn measured(&self, point: &Point) -> Option<Measured> {
        let share = |elems: usize| elems as f64 / self.elems.max(1) as f64;
        let shares = match &point.what {
            Measurement::Part(unit, elems) => vec![(unit.clone(), share(*elems))],
            Measurement::Split(sizes) => {
                let shares = sizes.iter().map(|(unit, n)| (unit.clone(), share(*n)));
                shares.collect()
            }
        };
        let sample = Sample::of(self.elems, &point.runs_ns)?;
        Some(Measured { shares, sample })
    }

    fn quality(&self) -> Quality {
        let noise = self.repeatable().filter(|p| p.runs_ns.len() >= LEAST_RUNS);
        let noise = noise.filter_map(|p| Some(mad(&p.runs_ns)? / p.median_ns()?.max(1.0)));
        let noise = median(&noise.collect::<Vec<_>>());
        let few = |unit: &UnitId| (1..LEAST_RUNS).contains(&self.runs_ns(&self.whole(unit)).len());
        if self.is_busy || noise.is_some_and(|noise| noise > MOST_NOISE) {
            Quality::Weak(Reason::Busy)
        } else if self.drift() > MOST_DRIFT {
            Quality::Weak(Reason::Drift)
        } else if self.units.iter().any(few) {
            Quality::Weak(Reason::Budget)
        } else {
            Quality::Good
        }
    }
}

fn normal(what: Measurement) -> Measurement {
    let Measurement::Split(mut sizes) = what else {
        return what;
    };
    sizes.retain(|(_, elems)| *elems > 0);
    match &sizes[..] {
        [(unit, elems)] => Measurement::Part(unit.clone(), *elems),
        _ => Measurement::Split(sizes),
    }
}

/// Whether the curves say that sharing the call is faster.
fn predicts_split(model: &ClassModel) -> bool {
    let units: Vec<&UnitModel> = model.units.iter().collect();
    let decided = model.decide_by_curves(model.elems, &units, SizedCurve::own);
    decided.is_some_and(|decided| decided.sizes.iter().filter(|n| **n > 0).count() > 1)
}

/// What the fastest split takes beyond what its longest part takes alone.
fn overhead_ns(model: &ClassModel) -> Option<f64> {
    let splits = model.measured.iter().filter(|m| m.is_split());
    let fastest = splits.min_by(|a, b| a.sample.median_ns.total_cmp(&b.sample.median_ns))?;
    let part_ns = |(unit, share): &(UnitId, f64)| {
        let unit = model.units.iter().find(|known| known.unit == *unit)?;
        Some(unit.fit.curve.at(share * model.elems as f64))
    };
    let longest_ns = fastest
        .shares
        .iter()
        .filter_map(part_ns)
        .fold(0.0, f64::max);
    Some((fastest.sample.median_ns - longest_ns).max(0.0))
}

/// How far the medians of both halves are apart, if their intervals are.
fn drift_of(runs_ns: &[f64]) -> Option<f64> {
    // Of five, all are on one side of five others by chance less than once in a hundred times.
    if runs_ns.len() < 2 * DRIFT_RUNS {
        return None;
    }
    let (before, after) = runs_ns.split_at(runs_ns.len() / 2);
    let ((low, high), (low_after, high_after)) =
        (median_interval(before)?, median_interval(after)?);
    let is_apart = high < low_after || high_after < low;
    is_apart.then_some((median(after)? / median(before)?.max(1.0) - 1.0).abs())
}

#[cfg(test)]
mod test;
