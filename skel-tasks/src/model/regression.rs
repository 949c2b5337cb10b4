//! The law of one kind of tasks on one architecture, through all work sizes.

use super::{Affine, HistoryRules, PowerLaw, Verdict, is_time};

/// A [`PowerLaw`] and an [`Affine`] one of the same samples; that one answers which has predicted them better,
/// each before it was told. First samples and outliers are treated as by [`History`](super::History); a drift
/// forgets all samples, since they tell of other times.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Regression {
    pub(super) power: PowerLaw,
    pub(super) affine: Affine,
    /// Sums of squared logarithms of predicted to measured times.
    pub(super) power_error: f64,
    pub(super) affine_error: f64,
    /// Outliers in a row.
    apart: u64,
    pub(super) has_first: bool,
}

impl Regression {
    /// Adds a sample, if it is to be counted.
    pub fn add(&mut self, size: f64, ns: f64, rules: &HistoryRules) -> Verdict {
        if !(is_time(size) && is_time(ns)) {
            return Verdict::Refused;
        }
        if !std::mem::replace(&mut self.has_first, true) {
            return Verdict::First;
        }
        let is_off = |expected_ns: f64| (ns - expected_ns).abs() > rules.off * expected_ns;
        let laws = (self.power.expected_ns(size), self.affine.expected_ns(size));
        let mut verdict = Verdict::Counted;
        // Off is what is off both: one of the laws may well be the wrong one.
        if laws.0.or(laws.1).is_some() && laws.0.is_none_or(is_off) && laws.1.is_none_or(is_off) {
            self.apart += 1;
            if self.apart < rules.drift.max(2) {
                return Verdict::Outlier;
            }
            *self = Regression {
                has_first: true,
                ..Regression::default()
            };
            verdict = Verdict::Drifted;
        } else if let (Some(power_ns), affine_ns) = laws {
            self.power_error += (power_ns / ns).ln().powi(2);
            // A line that is no time here is as wrong as one that is off by a factor of e.
            self.affine_error += affine_ns.map_or(1.0, |affine_ns| (affine_ns / ns).ln().powi(2));
        }
        self.apart = 0;
        match self.power.add(size, ns) && self.affine.add(size, ns) {
            true => verdict,
            false => Verdict::Refused,
        }
    }

    /// The expected time, if there are enough samples near this size.
    #[must_use]
    pub fn expected_ns(&self, size: f64) -> Option<f64> {
        let (power_ns, affine_ns) = (self.power.expected_ns(size), self.affine.expected_ns(size));
        match self.power_error < self.affine_error {
            true => power_ns.or(affine_ns),
            false => affine_ns.or(power_ns),
        }
    }
}
