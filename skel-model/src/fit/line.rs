//! One line through points, by relative errors.

use crate::{curve::tame, fit::Sample};

/// What is fitted: elements, and a time that is not zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) elems: f64,
    pub(super) ns: f64,
}

impl Point {
    /// No clock says less; so no time is zero, and relative errors are numbers.
    pub(super) const LEAST_NS: f64 = 1.0;

    pub(super) fn of(sample: &Sample) -> Point {
        Point {
            elems: sample.elems as f64,
            ns: tame(sample.median_ns).max(Point::LEAST_NS),
        }
    }

    /// Squares of errors count by this: then they are squares of relative errors.
    pub(super) fn weight(&self) -> f64 {
        self.ns.powi(-2)
    }
}

/// A line, and what its confidence needs.
pub(super) struct Line {
    pub(super) slope_ns: f64,
    pub(super) latency_ns: f64,
    /// Weighted squares of the distances of the sizes from their mean.
    spread: f64,
}

impl Line {
    /// The line with the least sum of squared relative errors among those that do not fall and have no
    /// negative latency. Of one size only: without latency.
    pub(super) fn through(points: &[Point]) -> Option<Line> {
        let first = points.first()?;
        let sum =
            |of: &dyn Fn(&Point) -> f64| points.iter().map(|p| p.weight() * of(p)).sum::<f64>();
        let all = sum(&|_| 1.0);
        let (mean_elems, mean_ns) = (sum(&|p| p.elems) / all, sum(&|p| p.ns) / all);
        let one_size = points.iter().all(|p| p.elems == first.elems);
        let spread = if one_size {
            0.0
        } else {
            sum(&|p| (p.elems - mean_elems).powi(2))
        };
        let line = |slope_ns: f64, latency_ns: f64| Line {
            slope_ns,
            latency_ns,
            spread,
        };
        let proportional = || {
            let squares = sum(&|p| p.elems * p.elems);
            line(tame(sum(&|p| p.elems * p.ns) / squares), 0.0)
        };
        if spread == 0.0 {
            let empty = mean_elems == 0.0;
            return Some(if empty {
                line(0.0, mean_ns)
            } else {
                proportional()
            });
        }
        let slope = sum(&|p| (p.elems - mean_elems) * (p.ns - mean_ns)) / spread;
        if slope < 0.0 {
            return Some(line(0.0, mean_ns));
        }
        let latency = mean_ns - slope * mean_elems;
        Some(if latency < 0.0 {
            proportional()
        } else {
            line(tame(slope), tame(latency))
        })
    }

    /// Where the slope is with a probability of 95 %.
    pub(super) fn slope_interval(&self, samples: &[Sample], points: &[Point]) -> (f64, f64) {
        if self.spread == 0.0 {
            // All of it may be latency.
            return (0.0, self.slope_ns);
        }
        let reach = if let [first, .., last] = samples
            && points.len() == 2
        {
            // Two points lie on their line. What they say of it is how sure each of them is.
            let elems = points[1].elems - points[0].elems;
            1.96 * first.error_ns().hypot(last.error_ns()) / elems
        } else {
            let error = |p: &Point| {
                let miss = self.slope_ns * p.elems + self.latency_ns - p.ns;
                p.weight() * miss * miss
            };
            let free = points.len() - 2;
            let variance = points.iter().map(error).sum::<f64>() / free as f64;
            student(free) * (variance / self.spread).sqrt()
        };
        let reach = tame(reach);
        ((self.slope_ns - reach).max(0.0), self.slope_ns + reach)
    }
}

/// The 97.5th percentile of Student's distribution.
fn student(free: usize) -> f64 {
    const TABLE: [f64; 30] = [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
        2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
        2.052, 2.048, 2.045, 2.042,
    ];
    TABLE.get(free.max(1) - 1).copied().unwrap_or(1.96)
}
