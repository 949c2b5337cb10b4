//! Count, mean and variance of samples, one by one.

/// Count, mean and sum of squared deviations (Welford's method: no cancellation, whatever the mean).
///
/// ```
/// use skel_tasks::model::Moments;
///
/// let mut moments = Moments::default();
/// [2.0, 4.0, 6.0].into_iter().for_each(|ns| moments.add(ns));
/// assert_eq!((moments.count(), moments.mean(), moments.variance()), (3, 4.0, 4.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    pub(super) count: u64,
    pub(super) mean: f64,
    pub(super) m2: f64,
}

impl Moments {
    /// Adds a sample, which has to be finite.
    pub fn add(&mut self, sample: f64) {
        self.count = self.count.saturating_add(1);
        let off = sample - self.mean;
        self.mean += off / self.count as f64;
        self.m2 += off * (sample - self.mean);
    }

    /// How many samples.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Their mean; 0 of none.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// Their sample variance; 0 of fewer than two.
    #[must_use]
    pub fn variance(&self) -> f64 {
        match self.count {
            0 | 1 => 0.0,
            count => self.m2 / (count - 1) as f64,
        }
    }

    /// The same mean and spread, of half as many samples: those to come weigh more.
    pub(super) fn halve(&mut self) {
        self.count /= 2;
        self.m2 /= 2.0;
    }
}
