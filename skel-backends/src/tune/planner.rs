//! What to measure next.
//!
//! A plan is a function of the evidence alone, so a process that goes on from a journal goes on with just the
//! measurement that the one before it would have made. What changes most comes first: after a few whole calls there
//! is a model, and each later stage makes it surer.
//!
//! 1. The whole call on each unit; then parts near the split at which units with these times end together, and that
//!    split.
//! 2. A few runs of all of these.
//! 3. Parts of geometric sizes, then those that splits of calls are predicted to have whose data lie elsewhere.
//! 4. The predicted split, and splits around the fastest one that was measured, at steps that get smaller.
//! 5. More runs, where they differ by more than is worth knowing.

mod expected;

use super::stats;
use crate::{
    tune::places::{LONGEST_ALONE_NS, sizes},
    tune_options::Options,
};
use skel_model::{ClassModel, Evidence, Measurement, UnitId, decide::distance};

/// So many runs of a point are enough to go on with others.
const FEW: usize = 3;
/// A unit takes no part for which it needs so many times what the fastest unit takes for the whole call.
const NEVER_GIVEN: f64 = 2.0;
/// A size that was measured tells enough of others that differ by so much, relatively.
const NEAR: f64 = 0.02;
/// So many sizes of a unit are measured beyond the geometric ones, at most.
const MOST_REFINED: usize = 12;
/// By how much shares are varied around the fastest split, and how many splits are measured at most.
const STEPS: [f64; 6] = [0.08, 0.04, 0.02, 0.01, 0.005, 0.0025];
const MOST_SPLITS: usize = 32;
/// Steps up to this one are tried although the curves promise little of them.
const CLOSE: f64 = 0.02;
/// If no split around the fastest is slower by more than this, relatively, or than what the runs can tell, smaller steps
/// gain nothing.
const FLAT: f64 = 0.005;
/// The oracle begins with these shares of the first unit.
const GRID: [f64; 7] = [0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875];
/// A split that takes this many times the fastest's time is not run again.
const HOPELESS: f64 = 1.1;
/// Or by so many times the noise.
const NOISES: f64 = 5.0;
/// Splits are distinguished up to this relative difference of their times.
const RESOLVED: f64 = 0.005;
/// The standard error of a median of n runs is so many times the noise, divided by the root of n.
const ERROR: f64 = 1.4826 * 1.2533;
/// Whole calls within this relative distance of the fastest get more runs, to distinguish them.
const CONTENDING: f64 = 0.03;

/// Parts of a call: elements of each unit.
pub(super) type Sizes = Vec<(UnitId, usize)>;

/// What is planned for one size class.
pub(super) struct Planner<'p> {
    pub(super) options: &'p Options,
    /// The splits that a model predicts, in the situations that calls may be in; the first one with all data where they
    /// are needed.
    pub(super) predicted: &'p dyn Fn(&ClassModel) -> Vec<Sizes>,
    /// Whether calls can be divided; if not, they are measured as wholes only.
    pub(super) can_divide: bool,
}

impl Planner<'_> {
    /// What to run next, each once, in any order; nothing if no more is worth it.
    pub(super) fn next(&self, evidence: &Evidence) -> Vec<Measurement> {
        let round = Round {
            planner: self,
            evidence,
        };
        round.plan()
    }

    fn least(&self) -> usize {
        *self.options.samples.start()
    }

    fn few(&self) -> usize {
        FEW.min(self.least())
    }

    /// By how much runs differ from their medians, relatively.
    fn noise_of(&self, evidence: &Evidence) -> f64 {
        let planner = self;
        Round { planner, evidence }.noise()
    }

    /// Whether whole calls are shared to see what that takes.
    fn shares(&self) -> bool {
        self.options.verify || self.options.oracle
    }
}

/// What it lacks of its measurements.
type Stage<'s> = &'s dyn Fn() -> Vec<Measurement>;

struct Round<'r> {
    planner: &'r Planner<'r>,
    evidence: &'r Evidence,
}

impl Round<'_> {
    fn plan(&self) -> Vec<Measurement> {
        let (few, least) = (self.planner.few(), self.planner.least());
        let anchors = self.anchors();
        let first = self.lacking(&anchors, 1);
        if !first.is_empty() {
            return first;
        }
        let Some(model) = self.evidence.model() else {
            return Vec::new();
        };
        let whole: [Stage<'_>; 3] = [
            &|| self.lacking(&self.wholes(), few),
            &|| self.lacking(&self.wholes(), least),
            &|| self.unsettled(),
        ];
        let divided: [Stage<'_>; 11] = [
            &|| self.lacking(&self.bracket(), 1),
            &|| self.lacking(&self.predicted(&model), 1),
            &|| self.lacking(&self.wholes(), few),
            &|| self.lacking(&self.parts(), few),
            &|| self.lacking(&self.curves(), few),
            &|| self.lacking(&self.refined(&model), few),
            &|| self.lacking(&self.predicted(&model), few),
            &|| self.search(&model, few),
            &|| {
                [
                    self.lacking(&self.wholes(), least),
                    self.lacking(&self.parts(), least),
                ]
                .concat()
            },
            &|| self.search(&model, self.enough()),
            &|| self.unsettled(),
        ];
        let stages = match self.planner.can_divide {
            true => &divided[..],
            false => &whole[..],
        };
        let rounds = stages.iter().map(|stage| stage());
        rounds
            .into_iter()
            .find(|round| !round.is_empty())
            .unwrap_or_default()
    }

    /// Those of which fewer runs were made.
    fn lacking(&self, all: &[Measurement], runs: usize) -> Vec<Measurement> {
        let lacks = |what: &&Measurement| self.evidence.runs_ns(what).len() < runs;
        all.iter().filter(lacks).cloned().collect()
    }

    fn sharing(&self) -> Vec<&UnitId> {
        let units = self.evidence.units.iter();
        units.filter(|unit| **unit != UnitId::Sequential).collect()
    }

    fn anchor_ns(&self, unit: &UnitId) -> Option<f64> {
        self.evidence.median_ns(&self.evidence.whole(unit))
    }

    /// The whole call on each unit; on one thread where the CPU shows that it is short, or is not measured. One run
    /// shows that: what disturbs a machine only makes runs longer.
    fn anchors(&self) -> Vec<Measurement> {
        let on_cpu_ns = self.evidence.runs_ns(&self.evidence.whole(&UnitId::Cpu));
        let is_short = on_cpu_ns.iter().any(|ns| *ns <= LONGEST_ALONE_NS);
        let is_alone = !self.evidence.units.contains(&UnitId::Cpu);
        let is_asked = |unit: &&UnitId| **unit != UnitId::Sequential || is_short || is_alone;
        let units = self.evidence.units.iter().filter(is_asked);
        units.map(|unit| self.evidence.whole(unit)).collect()
    }

    /// The time of the fastest unit alone.
    fn best_alone_ns(&self) -> f64 {
        let times = self
            .evidence
            .units
            .iter()
            .filter_map(|unit| self.anchor_ns(unit));
        times.fold(f64::INFINITY, f64::min)
    }

    fn sizes_of(&self, unit: &UnitId) -> Vec<usize> {
        let points = self.evidence.points().iter();
        let sizes = points.filter_map(|point| match &point.what {
            Measurement::Part(of, elems) if of == unit => Some(*elems),
            _ => None,
        });
        sizes.collect()
    }

    /// Parts near the split at which units of these times end together: what curves begin with.
    fn bracket(&self) -> Vec<Measurement> {
        let units = self.sharing();
        let speed = |unit: &UnitId| self.anchor_ns(unit).map_or(0.0, |ns| 1.0 / ns.max(1.0));
        let all: f64 = units.iter().map(|unit| speed(unit)).sum();
        let mut parts = Vec::new();
        for unit in units.iter().filter(|unit| self.sizes_of(unit).len() < 3) {
            let share = match units.len() {
                1 => 0.5,
                _ => speed(unit) / all,
            };
            for share in [share, share / 2.0] {
                let elems = rounded(share * self.evidence.elems as f64);
                parts.push(Measurement::Part(
                    (*unit).clone(),
                    elems.clamp(1, self.evidence.elems),
                ));
            }
        }
        parts
    }

    /// The split that is predicted for calls whose data lie where they are needed, if no near one was measured.
    fn predicted(&self, model: &ClassModel) -> Vec<Measurement> {
        let splits = (self.planner.predicted)(model);
        let may_try = self.planner.shares() && self.splits() < MOST_SPLITS;
        let split = splits.into_iter().next().filter(|_| may_try);
        let split = split.filter(|sizes| sizes.len() > 1);
        let split = split.map(|sizes| match self.near(&sizes, NEAR) {
            Some(known) => known.clone(),
            None => Measurement::Split(sizes),
        });
        split.into_iter().collect()
    }

    /// A split that was measured and differs by no more, or the same one.
    fn near(&self, sizes: &Sizes, most: f64) -> Option<&Measurement> {
        let shares = self.shares_of(sizes);
        let is_near =
            |what: &&Measurement| distance(&self.shares_of(&self.sizes_in(what)), &shares) <= most;
        self.evidence
            .wholes()
            .map(|point| &point.what)
            .find(is_near)
    }

    fn splits(&self) -> usize {
        let wholes = self.evidence.wholes();
        wholes
            .filter(|point| matches!(point.what, Measurement::Split(_)))
            .count()
    }

    fn shares_of(&self, sizes: &Sizes) -> Vec<(UnitId, f64)> {
        let share = |n: usize| n as f64 / self.evidence.elems.max(1) as f64;
        sizes
            .iter()
            .map(|(unit, n)| (unit.clone(), share(*n)))
            .collect()
    }

    fn sizes_in(&self, what: &Measurement) -> Sizes {
        match what {
            Measurement::Part(unit, elems) => vec![(unit.clone(), *elems)],
            Measurement::Split(sizes) => sizes.clone(),
        }
    }

    /// Whole calls that were run, but for those that are hopeless after a few runs.
    fn wholes(&self) -> Vec<Measurement> {
        let best_ns = self.fastest().map_or(0.0, |(_, ns)| ns);
        let points = self.evidence.wholes().filter(|point| {
            let is_alone = matches!(point.what, Measurement::Part(..));
            let runs = point.runs_ns.len();
            let is_hopeless = point
                .median_ns()
                .is_some_and(|ns| ns > self.hopeless() * best_ns);
            runs < if is_alone { self.planner.few() } else { 2 } || !is_hopeless
        });
        points.map(|point| point.what.clone()).collect()
    }

    fn fastest(&self) -> Option<(&Measurement, f64)> {
        let times = self.evidence.wholes();
        let times = times.filter_map(|point| Some((&point.what, point.median_ns()?)));
        times.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Parts that were run.
    fn parts(&self) -> Vec<Measurement> {
        let points = self.evidence.repeatable().map(|point| &point.what);
        let elems = self.evidence.elems;
        let parts = points.filter(|what| matches!(what, Measurement::Part(_, n) if *n < elems));
        parts.cloned().collect()
    }

    /// Parts of geometric sizes, as far as a unit may be given them.
    fn curves(&self) -> Vec<Measurement> {
        let elems = self.evidence.elems;
        let best_ns = self.best_alone_ns();
        let mut parts = Vec::new();
        for unit in &self.evidence.units {
            let Some(whole_ns) = self.anchor_ns(unit) else {
                continue;
            };
            let most = (elems as f64 * NEVER_GIVEN * best_ns / whole_ns.max(1.0)).max(1.0);
            let sizes = sizes(elems, self.planner.options.points).into_iter();
            let given = sizes.filter(|n| *n < elems && *n as f64 <= most);
            parts.extend(given.map(|n| Measurement::Part(unit.clone(), n)));
        }
        parts
    }

    /// Parts that predicted splits have, in all situations: what the curves say between two sizes matters there more
    /// than anywhere else.
    fn refined(&self, model: &ClassModel) -> Vec<Measurement> {
        let splits = (self.planner.predicted)(model);
        let mut parts = Vec::new();
        for (unit, n) in splits.iter().filter(|sizes| sizes.len() > 1).flatten() {
            let known = self.sizes_of(unit);
            let is_near = |k: &&usize| k.abs_diff(*n) as f64 <= NEAR * *n as f64;
            let what = match known.iter().find(is_near) {
                Some(known) => Measurement::Part(unit.clone(), *known),
                None if known.len() < self.planner.options.points + MOST_REFINED => {
                    Measurement::Part(unit.clone(), *n)
                }
                None => continue,
            };
            if !parts.contains(&what) {
                parts.push(what);
            }
        }
        parts
    }

    /// Splits around the fastest whole call, which is run as often as they are.
    fn search(&self, model: &ClassModel, runs: usize) -> Vec<Measurement> {
        let units = self.sharing();
        if units.len() < 2 || !self.planner.shares() {
            return Vec::new();
        }
        if self.planner.options.oracle {
            let grid = self.grid(&units);
            let grid: Vec<Measurement> = grid
                .into_iter()
                .filter(|what| !self.is_over(what, runs))
                .collect();
            if !grid.is_empty() {
                return grid;
            }
        }
        let Some((fastest, fastest_ns)) = self.fastest() else {
            return Vec::new();
        };
        if self.splits() >= MOST_SPLITS {
            return Vec::new();
        }
        let around = self.sizes_in(fastest);
        for step in STEPS {
            let mut round = Vec::new();
            let mut steepest_ns = 0.0_f64;
            // What the curves promise little of is not tried; near what was measured, they may be far off.
            let promising = if step > CLOSE {
                self.hopeless()
            } else {
                NEVER_GIVEN
            };
            for sizes in self.varied(&around, &units, step) {
                let what = match self.near(&sizes, step / 3.0) {
                    Some(known) => known.clone(),
                    None if self.by_curves_ns(model, &sizes) > promising * fastest_ns => {
                        steepest_ns = f64::INFINITY;
                        continue;
                    }
                    None => Measurement::Split(sizes),
                };
                steepest_ns = steepest_ns.max(self.evidence.median_ns(&what).unwrap_or(0.0));
                if !self.is_over(&what, runs) {
                    round.push(what);
                }
            }
            if !round.is_empty() {
                round.extend((!self.is_over(fastest, runs)).then(|| fastest.clone()));
                return round;
            }
            let told_apart = ERROR * self.noise() / (runs as f64).sqrt();
            if steepest_ns <= (1.0 + FLAT.max(told_apart)) * fastest_ns {
                break;
            }
        }
        Vec::new()
    }

    /// Whether a whole call needs no more runs to be compared with the fastest.
    fn is_over(&self, what: &Measurement, enough: usize) -> bool {
        let runs = self.evidence.runs_ns(what);
        let best_ns = self.fastest().map_or(0.0, |(_, ns)| ns);
        let is_hopeless =
            runs.len() >= 2 && stats::median(runs).is_some_and(|ns| ns > self.hopeless() * best_ns);
        runs.len() >= enough || is_hopeless
    }

    /// What takes so many times as long as the fastest whole call is not run again: more than noise explains.
    fn hopeless(&self) -> f64 {
        HOPELESS.max(1.0 + NOISES * self.noise())
    }

    /// By how much runs differ from their medians, relatively.
    fn noise(&self) -> f64 {
        let points = self.evidence.repeatable();
        let several = points.filter(|point| point.runs_ns.len() >= FEW);
        let noise = several.filter_map(|p| Some(stats::mad(&p.runs_ns)? / p.median_ns()?.max(1.0)));
        stats::median(&noise.collect::<Vec<_>>()).unwrap_or(0.0)
    }

    /// So many runs tell whole calls apart that differ by [`RESOLVED`].
    fn enough(&self) -> usize {
        let samples = &self.planner.options.samples;
        let runs = (ERROR * self.noise() / RESOLVED).powi(2);
        rounded(runs.ceil()).clamp(self.planner.few(), *samples.end())
    }

    /// The oracle's first splits: shares of the first unit, of which the others share the rest equally.
    fn grid(&self, units: &[&UnitId]) -> Vec<Measurement> {
        let elems = self.evidence.elems;
        let splits = GRID.iter().map(|share| {
            let first = rounded(share * elems as f64).min(elems);
            let others = units.len() - 1;
            let mut left = elems - first;
            let mut sizes = vec![(units[0].clone(), first)];
            for (k, unit) in units[1..].iter().enumerate() {
                let part = left / (others - k);
                left -= part;
                sizes.push(((*unit).clone(), part));
            }
            sizes
        });
        let possible = splits.filter(|sizes| sizes.iter().all(|(_, n)| *n > 0));
        possible.map(Measurement::Split).collect()
    }

    /// Splits in which one unit hands so much of all elements to another.
    fn varied(&self, around: &Sizes, units: &[&UnitId], step: f64) -> Vec<Sizes> {
        let handed = rounded(step * self.evidence.elems as f64).max(1);
        let size = |unit: &UnitId| {
            let found = around.iter().find(|(known, _)| known == unit);
            found.map_or(0, |(_, n)| *n)
        };
        let mut splits = Vec::new();
        for from in units.iter().filter(|unit| size(unit) > 0) {
            for to in units.iter().filter(|unit| unit != &from) {
                let handed = handed.min(size(from));
                let sizes = units.iter().map(|unit| {
                    let mut n = size(unit);
                    n -= if unit == from { handed } else { 0 };
                    n += if unit == to { handed } else { 0 };
                    ((*unit).clone(), n)
                });
                splits.push(sizes.filter(|(_, n)| *n > 0).collect());
            }
        }
        splits
    }

    /// What a split takes at least, by the curves of its units.
    fn by_curves_ns(&self, model: &ClassModel, sizes: &Sizes) -> f64 {
        let part_ns = |(unit, n): &(UnitId, usize)| {
            let unit = model.units.iter().find(|known| known.unit == *unit)?;
            Some(unit.fit.curve.at(*n as f64))
        };
        sizes.iter().filter_map(part_ns).fold(0.0, f64::max)
    }

    /// What is not known well enough: contending whole calls, and parts that curves go through.
    fn unsettled(&self) -> Vec<Measurement> {
        let best_ns = self.fastest().map_or(0.0, |(_, ns)| ns);
        let most = *self.planner.options.samples.end();
        let is_open = |what: &Measurement| {
            let runs = self.evidence.runs_ns(what);
            runs.len() < most && !stats::settled(runs)
        };
        let contends = |what: &Measurement| {
            let ns = self.evidence.median_ns(what);
            ns.is_some_and(|ns| ns <= (1.0 + CONTENDING) * best_ns)
        };
        let wholes = self.wholes().into_iter().filter(contends);
        wholes.chain(self.parts()).filter(is_open).collect()
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "numbers of elements"
)]
fn rounded(elems: f64) -> usize {
    elems.round() as usize
}

#[cfg(test)]
mod test;
