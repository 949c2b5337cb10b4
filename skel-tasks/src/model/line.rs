//! A straight line through samples, by weighted least squares.

/// Moments of weighted points, one by one and about their means: no sum of squares cancels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Line {
    pub(super) count: u64,
    pub(super) weight: f64,
    pub(super) mean_x: f64,
    pub(super) mean_y: f64,
    pub(super) sxx: f64,
    pub(super) sxy: f64,
    pub(super) min_x: f64,
    pub(super) max_x: f64,
}

/// `y = offset + slope · x`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fitted {
    pub(super) offset: f64,
    pub(super) slope: f64,
}

impl Line {
    pub(super) fn add(&mut self, x: f64, y: f64, weight: f64) {
        (self.min_x, self.max_x) = match self.count {
            0 => (x, x),
            _ => (self.min_x.min(x), self.max_x.max(x)),
        };
        self.count = self.count.saturating_add(1);
        self.weight += weight;
        let part = weight / self.weight;
        let (dx, dy) = (x - self.mean_x, y - self.mean_y);
        self.mean_x += dx * part;
        self.mean_y += dy * part;
        self.sxx += weight * dx * (x - self.mean_x);
        self.sxy += weight * dx * (y - self.mean_y);
    }

    /// The line, if the points have more than one x.
    pub(super) fn fit(&self) -> Option<Fitted> {
        let slope = self.sxy / self.sxx;
        let offset = self.mean_y - slope * self.mean_x;
        let is_line = self.min_x < self.max_x && slope.is_finite() && offset.is_finite();
        is_line.then_some(Fitted { offset, slope })
    }
}

/// Enough samples, of sizes far enough from each other (StarPU's rule): 10, the least below 0.9 of the largest.
pub(super) fn is_valid(count: u64, min_x: f64, max_x: f64) -> bool {
    count >= 10 && min_x < 0.9 * max_x
}

/// Whether a size lies among the samples, or not far outside (StarPU's rule): 10 % below or above.
pub(super) fn is_inside(x: f64, min_x: f64, max_x: f64) -> bool {
    0.9 * min_x <= x && x <= 1.1 * max_x
}
