//! The history of one kind of tasks, on one architecture, at one work size.

use super::{Moments, is_time};

/// From when a history is believed, and what it takes for an outlier.
///
/// ```
/// use skel_tasks::model::HistoryRules;
///
/// let rules = HistoryRules { usable: 3, ..HistoryRules::default() };
/// assert_eq!((rules.off, rules.drift), (0.5, 10));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HistoryRules {
    /// So many samples make it usable. StarPU: 10.
    pub usable: u64,
    /// A sample is an outlier if it is off the mean by more than this part of the mean. StarPU: 0.5.
    pub off: f64,
    /// So many outliers in a row, which agree with each other, are a drift.
    pub drift: u64,
}

impl Default for HistoryRules {
    fn default() -> HistoryRules {
        HistoryRules {
            usable: 10,
            off: 0.5,
            drift: 10,
        }
    }
}

/// What became of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Not a time: NaN, infinite, zero or negative.
    Refused,
    /// The first one, which pays for what is done once (compiling, first touch of memory): dropped.
    First,
    /// It counts.
    Counted,
    /// It is far from the mean and does not count, unless others like it follow.
    Outlier,
    /// It was the last of enough outliers in a row: they are the history from now on.
    Drifted,
}

/// Count, mean and spread of times, without their first sample and without outliers.
///
/// StarPU counts the samples that are off, and flushes an entry when they are as many as the others; so one slow
/// sample early on empties an entry, or is its mean. Here outliers have to come in a row, and agree among each
/// other, as many as there are samples, at least 2 and at most [`HistoryRules::drift`]; or else, in any order, be
/// more than both the samples and that number. One spike changes nothing, ever. A change by more than half is
/// followed after at most that many samples, and what came before it is forgotten; a smaller one moves the mean,
/// in which no sample weighs less than 1/1,024.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct History {
    pub(super) kept: Moments,
    /// Outliers since the last sample that was none.
    pub(super) apart: Moments,
    /// Outliers since the history began.
    pub(super) outliers: u64,
    pub(super) has_first: bool,
}

/// Beyond this, old samples lose weight.
const MOST: u64 = 1_024;

impl History {
    /// Adds a sample, if it is to be counted.
    pub fn add(&mut self, ns: f64, rules: &HistoryRules) -> Verdict {
        if !is_time(ns) {
            return Verdict::Refused;
        }
        if !std::mem::replace(&mut self.has_first, true) {
            return Verdict::First;
        }
        let is_near = |moments: &Moments| {
            moments.count == 0 || (ns - moments.mean).abs() <= rules.off * moments.mean
        };
        if is_near(&self.kept) {
            if self.kept.count >= MOST {
                self.kept.halve();
            }
            self.kept.add(ns);
            self.apart = Moments::default();
            return Verdict::Counted;
        }
        if !is_near(&self.apart) {
            self.apart = Moments::default();
        }
        self.apart.add(ns);
        self.outliers += 1;
        let has_drifted = self.apart.count >= self.kept.count.min(rules.drift).max(2);
        let is_outnumbered = self.outliers > self.kept.count.max(rules.drift);
        if !has_drifted && !is_outnumbered {
            return Verdict::Outlier;
        }
        (self.kept, self.outliers) = (std::mem::take(&mut self.apart), 0);
        Verdict::Drifted
    }

    /// The samples that count.
    #[must_use]
    pub fn moments(&self) -> &Moments {
        &self.kept
    }

    /// The expected time, if there are enough samples.
    #[must_use]
    pub fn expected_ns(&self, rules: &HistoryRules) -> Option<f64> {
        let is_usable = self.kept.count > 0 && self.kept.count >= rules.usable;
        is_usable.then_some(self.kept.mean)
    }
}
