//! Times that grow as a power of the work size.

use super::{
    is_time,
    line::{Fitted, Line, is_inside, is_valid},
};

/// `time = α · size^β`, a least squares line through logarithms: what is small are relative errors. Valid from 10
/// samples on, the least size of which is below 0.9 of the largest; used from 0.9 of the least to 1.1 of the
/// largest (StarPU's regression model).
///
/// ```
/// use skel_tasks::model::PowerLaw;
///
/// let mut law = PowerLaw::default();
/// (1..=10).for_each(|x| assert!(law.add(f64::from(x), 3.0 * f64::from(x * x))));
/// assert!((law.expected_ns(7.0).unwrap() - 147.0).abs() < 1e-9);
/// assert_eq!(law.expected_ns(12.0), None); // too far outside
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PowerLaw {
    /// Through the logarithms of both.
    pub(super) line: Line,
}

impl PowerLaw {
    /// Adds a sample; false, and nothing changes, if size or time is not finite and above 0.
    pub fn add(&mut self, size: f64, ns: f64) -> bool {
        let is_good = is_time(size) && is_time(ns);
        if is_good {
            self.line.add(size.ln(), ns.ln(), 1.0);
        }
        is_good
    }

    fn sizes(&self) -> (f64, f64) {
        (self.line.min_x.exp(), self.line.max_x.exp())
    }

    fn fitted(&self) -> Option<Fitted> {
        let (min, max) = self.sizes();
        let line = self.line.fit();
        line.filter(|_| is_valid(self.line.count, min, max))
    }

    /// `(α, β)`, if valid.
    #[must_use]
    pub fn coefficients(&self) -> Option<(f64, f64)> {
        let line = self.fitted()?;
        Some((line.offset.exp(), line.slope))
    }

    /// The expected time, if valid for this size.
    #[must_use]
    pub fn expected_ns(&self, size: f64) -> Option<f64> {
        let (min, max) = self.sizes();
        let line = self.fitted().filter(|_| is_inside(size, min, max))?;
        Some((line.offset + line.slope * size.ln()).exp()).filter(|ns| is_time(*ns))
    }
}
