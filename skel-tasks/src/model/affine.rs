//! Times that grow by the work size, from a constant on.

use super::{
    is_time,
    line::{Fitted, Line, is_inside, is_valid},
};

/// `time = a + b · size`, by least squares of relative errors (weights `1/time²`), so that a large size does not
/// outweigh what small ones say of the constant; the line of SkePU's tuner (*Hybrid CPU–GPU execution support in
/// the skeleton programming framework SkePU*). Valid, and used, where a [`PowerLaw`](super::PowerLaw) is.
///
/// ```
/// use skel_tasks::model::Affine;
///
/// let mut law = Affine::default();
/// (1..=10).for_each(|x| assert!(law.add(f64::from(x), 100.0 + 5.0 * f64::from(x))));
/// assert!((law.expected_ns(7.0).unwrap() - 135.0).abs() < 1e-9);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Affine {
    pub(super) line: Line,
}

impl Affine {
    /// Adds a sample; false, and nothing changes, if the size is not finite or negative, or the time is not
    /// finite and above 0.
    pub fn add(&mut self, size: f64, ns: f64) -> bool {
        let is_good = size.is_finite() && size >= 0.0 && is_time(ns) && is_time(1.0 / (ns * ns));
        if is_good {
            self.line.add(size, ns, 1.0 / (ns * ns));
        }
        is_good
    }

    fn fitted(&self) -> Option<Fitted> {
        let line = self.line.fit();
        line.filter(|_| is_valid(self.line.count, self.line.min_x, self.line.max_x))
    }

    /// `(a, b)`, if valid.
    #[must_use]
    pub fn coefficients(&self) -> Option<(f64, f64)> {
        self.fitted().map(|line| (line.offset, line.slope))
    }

    /// The expected time, if valid for this size, and a time at all.
    #[must_use]
    pub fn expected_ns(&self, size: f64) -> Option<f64> {
        let is_inside = is_inside(size, self.line.min_x, self.line.max_x);
        let line = self.fitted().filter(|_| is_inside)?;
        Some(line.offset + line.slope * size).filter(|ns| is_time(*ns))
    }
}
