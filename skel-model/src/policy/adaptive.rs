//! Adaptive shares: no model, only the times of the calls themselves.
//!
//! Each unit has a line through what was seen of it last, and shares are those that let all units end at the
//! same time by their lines. At first every call counts, so a wrong start is corrected in three or four
//! calls. Then changes need a reason: what was seen since the last one, by its median, must promise to gain
//! more than noise could. When a unit is so far off that the machine must have changed, every call counts
//! again. Units that do not pay get nothing, and are tried again, ever more seldom. Where sharing gains little, it is
//! measured against the fastest unit alone.

mod alone;
mod line;
#[cfg(test)]
mod test;

use crate::policy::{Assignment, Policy, Question, Took};
use alone::Alone;
use line::{Line, fill};
use skel_core::schedule::Share;

/// Calls that count at first, and after the machine has changed.
const BELIEVED: u32 = 5;

/// What a unit gets of which nothing is known, or that is tried again.
const PROBE: f64 = 1.0 / 16.0;

/// Units of which less is expected get nothing.
const LEAST: f64 = 1.0 / 256.0;

/// A change for less than this is not worth it.
const LEAST_GAIN: f64 = 0.03;

/// A unit that is off by so much, as a logarithm, has changed its speed.
const FORGET: f64 = 0.2;

/// After so many calls a unit that did not pay is tried again; then after twice as many; and so on.
const FIRST_PAUSE: u32 = 32;
const LAST_PAUSE: u32 = 1024;

/// The shares of one instance's calls of about one size.
///
/// ```
/// use skel_model::policy::Adaptive;
///
/// // The second unit is three times as fast as the first.
/// let mut shares = Adaptive::new(2);
/// for _ in 0..4 {
///     let sizes = shares.sizes(1000);
///     shares.learn(&sizes, &[3.0 * sizes[0] as f64, 1.0 * sizes[1] as f64]);
/// }
/// assert_eq!(shares.sizes(1000), [250, 750]);
/// ```
#[derive(Clone, Debug)]
pub struct Adaptive {
    units: Vec<Member>,
    /// Calls that still count.
    believed: u32,
    alone: Alone,
}

#[derive(Clone, Debug)]
struct Member {
    share: f64,
    line: Option<Line>,
    /// Calls until it is tried again, and the next pause.
    pause: (u32, u32),
}

impl Adaptive {
    /// Equal shares at first.
    #[must_use]
    pub fn new(units: usize) -> Self {
        Self::starting(&vec![1.0; units])
    }

    /// These shares at first; only their proportions count. What is no share is none.
    #[must_use]
    pub fn starting(shares: &[f64]) -> Self {
        let sound = |share: &f64| {
            if share.is_finite() {
                share.max(0.0)
            } else {
                0.0
            }
        };
        let most = shares.iter().map(sound).fold(0.0, f64::max);
        // Relative to the largest, so that no sum can overflow.
        let sum: f64 = shares.iter().map(|share| sound(share) / most).sum();
        let member = |share: &f64| Member {
            share: if most > 0.0 {
                sound(share) / most / sum
            } else {
                1.0 / shares.len() as f64
            },
            line: None,
            pause: (0, FIRST_PAUSE),
        };
        Adaptive {
            units: shares.iter().map(member).collect(),
            believed: BELIEVED,
            alone: Alone::new(),
        }
    }

    /// The shares of the next call: those that are thought best, and a little for units that are tried.
    #[must_use]
    pub fn shares(&self) -> Vec<f64> {
        if let Some(alone) = self.alone.unit() {
            let share = |k| if k == alone { 1.0 } else { 0.0 };
            return (0..self.units.len()).map(share).collect();
        }
        let probe = |unit: &Member| match &unit.line {
            None => unit.share < PROBE,
            Some(line) if line.cold => unit.share < PROBE,
            Some(_) => unit.share == 0.0 && unit.pause.0 == 0,
        };
        let probes = self.units.iter().filter(|unit| probe(unit)).count();
        let rest = self.units.iter().filter(|unit| !probe(unit));
        let rest: f64 = rest.map(|unit| unit.share).sum();
        if probes == 0 || rest <= 0.0 {
            return self.units.iter().map(|unit| unit.share).collect();
        }
        let each = PROBE.min(0.5 / probes as f64);
        let left = (1.0 - each * probes as f64) / rest;
        let share = |unit: &Member| if probe(unit) { each } else { unit.share * left };
        self.units.iter().map(share).collect()
    }

    /// The sizes of the next call's parts, of `elems` elements.
    #[must_use]
    pub fn sizes(&self, elems: usize) -> Vec<usize> {
        // Every share is a number from 0 to 1, or within a rounding error of that.
        let share = |share: f64| Share::from_ratio(share.clamp(0.0, 1.0)).unwrap_or(Share::NONE);
        let shares: Vec<Share> = self.shares().into_iter().map(share).collect();
        skel_core::schedule::cut(elems, &shares)
    }

    /// A call was made, in which the units had so many elements, and were at work so long.
    pub fn learn(&mut self, sizes: &[usize], busy_ns: &[f64]) {
        let elems: usize = sizes.iter().sum();
        if elems == 0 {
            return;
        }
        let whole = sizes.iter().zip(busy_ns).filter(|(size, _)| **size > 0);
        let whole_ns = whole.map(|(_, ns)| *ns).fold(1.0, f64::max);
        let each_ns = whole_ns / elems as f64;
        if let Some(alone) = self.alone.unit()
            && sizes.get(alone) == Some(&elems)
        {
            if self.alone.took(true, each_ns, None) {
                self.believed = BELIEVED;
            }
            return;
        }
        let (mut tried, mut changed) = (false, false);
        for (k, unit) in self.units.iter_mut().enumerate() {
            unit.pause.0 = unit.pause.0.saturating_sub(1);
            let (size, ns) = (sizes.get(k).copied(), busy_ns.get(k).copied());
            let (Some(size @ 1..), Some(ns)) = (size, ns.filter(|ns| ns.is_finite())) else {
                continue;
            };
            let (size, ns) = (size as f64, ns.max(1.0));
            match &mut unit.line {
                None => {
                    unit.line = Some(Line::first(size, ns));
                    tried = true;
                }
                Some(line) if unit.share == 0.0 && !line.cold => {
                    tried = true;
                    line.learn_after_pause(size, ns);
                }
                Some(line) if line.cold || self.believed > 0 => {
                    tried |= line.cold;
                    line.learn(size, ns);
                }
                Some(line) => changed |= line.note(size, ns),
            }
        }
        if changed {
            self.believed = BELIEVED;
            self.alone.machine_changed();
        }
        self.decide(elems as f64, tried);
        self.pause(sizes);
        let is_due = self.alone.is_due();
        let fastest = is_due.then(|| self.fastest(elems as f64)).flatten();
        self.alone.took(false, each_ns, fastest);
    }

    /// The unit that would be the fastest alone, and what an element would take it. None while it is not known, and
    /// where one unit has all anyway.
    fn fastest(&self, elems: f64) -> Option<(usize, f64)> {
        let sharing = self.units.iter().filter(|unit| unit.share > 0.0);
        if self.believed > 0 || sharing.count() < 2 {
            return None;
        }
        let each_ns = |line: &Line| line.corrected().at(elems) / elems;
        let known = self.units.iter().enumerate();
        let known = known.filter_map(|(k, unit)| Some((k, each_ns(unit.line.as_ref()?))));
        known.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Changes the shares, if there is reason to.
    fn decide(&mut self, elems: f64, tried: bool) {
        let corrected = |unit: &Member| unit.line.as_ref().map(Line::corrected);
        let lines: Vec<(usize, Line)> = (self.units.iter().enumerate())
            .filter_map(|(k, unit)| Some((k, corrected(unit)?)))
            .collect();
        let Some((sizes, end)) = best(elems, &lines) else {
            return;
        };
        let now = lines.iter().map(|(k, line)| match self.units[*k].share {
            0.0 => 0.0,
            share => line.at(share * elems),
        });
        let gain = 1.0 - end / now.fold(f64::MIN_POSITIVE, f64::max);
        let least = match self.believed > 0 || tried {
            true => LEAST_GAIN,
            false => self.threshold(),
        };
        self.believed = self.believed.saturating_sub(1);
        // Before all units with shares were seen, none is better.
        let mut known = self.units.iter().filter(|unit| unit.share > 0.0);
        if known.all(|unit| unit.line.is_some()) && gain > least {
            self.adopt(elems, lines, &sizes);
        }
    }

    fn noted(&self) -> usize {
        let lines = self.units.iter().filter(|unit| unit.share > 0.0);
        let lines = lines.filter_map(|unit| unit.line.as_ref());
        lines.map(Line::noted).min().unwrap_or(0)
    }

    /// The gain that noise cannot reach.
    fn threshold(&self) -> f64 {
        let lines = self.units.iter().filter_map(|unit| unit.line.as_ref());
        let noise = lines.map(Line::noise).fold(0.0, f64::max);
        let noted = self.noted();
        let least = match noted {
            0..=2 => return f64::INFINITY,
            3..=4 => 0.1,
            5..=6 => 0.07,
            7..=9 => 0.05,
            _ => LEAST_GAIN,
        };
        // The deviation of a median, twice.
        (2.0 * 1.25 * noise / (noted as f64).sqrt()).max(least)
    }

    fn adopt(&mut self, elems: f64, lines: Vec<(usize, Line)>, sizes: &[f64]) {
        // Lines whose magnitudes are far apart do not give all elements, but for rounding: only proportions count.
        let sum: f64 = sizes.iter().sum();
        if !(sum > 0.0 && sum.is_finite()) {
            return;
        }
        self.alone.shares_changed();
        for ((k, corrected), size) in lines.into_iter().zip(sizes) {
            let unit = &mut self.units[k];
            if let Some(line) = &mut unit.line
                && line.noted() > 0
            {
                let had = (unit.share * elems).max(1.0);
                if line.error().abs() > FORGET {
                    line.forget();
                }
                line.go_through(had, corrected.at(had));
            }
            unit.share = size / sum;
        }
    }

    /// A unit without a share from now on pauses; and longer, if it was only tried.
    fn pause(&mut self, sizes: &[usize]) {
        for (unit, size) in self.units.iter_mut().zip(sizes) {
            if unit.share > 0.0 {
                unit.pause = (0, FIRST_PAUSE);
            } else if unit.line.is_some() && *size > 0 {
                let (_, next) = unit.pause;
                unit.pause = (next, (2 * next).min(LAST_PAUSE));
            }
        }
    }
}

impl Policy for Adaptive {
    fn assign(&self, question: &Question<'_>) -> Assignment {
        question.by_sizes(self.sizes(question.elems))
    }

    fn uses_models(&self) -> bool {
        false
    }

    fn observe(&mut self, took: &[Took]) {
        let sizes: Vec<usize> = took.iter().map(|part| part.elems).collect();
        let busy_ns: Vec<f64> = took.iter().map(|part| part.busy_ns).collect();
        self.learn(&sizes, &busy_ns);
    }
}

/// The best sizes by these lines, and what they take. No unit gets less than what is worth it.
fn best(elems: f64, lines: &[(usize, Line)]) -> Option<(Vec<f64>, f64)> {
    let mut in_it: Vec<bool> = lines.iter().map(|_| true).collect();
    loop {
        let some = lines.iter().zip(&in_it).filter(|(_, is_in)| **is_in);
        let some: Vec<&Line> = some.map(|((_, line), _)| line).collect();
        if some.is_empty() {
            return None;
        }
        let (sizes, end) = fill(elems, &some);
        let mut sizes = sizes.into_iter();
        let all: Vec<f64> = in_it
            .iter()
            .map(|is_in| {
                if *is_in {
                    sizes.next().unwrap_or(0.0)
                } else {
                    0.0
                }
            })
            .collect();
        let too_few = |(k, size): &(usize, &f64)| in_it[*k] && **size < LEAST * elems;
        let (k, _) = match all
            .iter()
            .enumerate()
            .filter(too_few)
            .min_by(|a, b| a.1.total_cmp(b.1))
        {
            Some(least) if some.len() > 1 => least,
            _ => return Some((all, end)),
        };
        in_it[k] = false;
    }
}
