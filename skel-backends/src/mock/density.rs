//! The cost of an element, by its place.

/// Cells of the table: what is finer is not seen.
const CELLS: usize = 1 << 12;

/// A density over 0…1, as the integral of it up to each of a number of places. Differences of one table
/// add up, so that parts cost together what the whole costs.
#[derive(Debug)]
pub(super) struct Density {
    upto: Vec<f64>,
}

impl Density {
    /// By Simpson's rule in each cell. What is negative or no number counts as 0.
    pub(super) fn new(density: impl Fn(f64) -> f64) -> Self {
        let at = |x: f64| {
            let density = density(x);
            if density.is_finite() {
                density.max(0.0)
            } else {
                0.0
            }
        };
        let width = 1.0 / CELLS as f64;
        let mut upto = vec![0.0];
        let mut sum = 0.0;
        for cell in 0..CELLS {
            let x = cell as f64 * width;
            sum += width / 6.0 * (at(x) + 4.0 * at(x + width / 2.0) + at(x + width));
            upto.push(sum);
        }
        Density { upto }
    }

    /// The integral from one place to another.
    pub(super) fn between(&self, from: f64, to: f64) -> f64 {
        (self.upto(to) - self.upto(from)).max(0.0)
    }

    fn upto(&self, x: f64) -> f64 {
        let x = x.clamp(0.0, 1.0) * CELLS as f64;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "from 0 to the number of cells, and rounded down on purpose"
        )]
        let cell = (x as usize).min(CELLS - 1);
        let (left, right) = (self.upto[cell], self.upto[cell + 1]);
        left + (x - cell as f64) * (right - left)
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn integrals_of_polynomials_are_known() {
        let cube = Density::new(|x| 4.0 * x * x * x);
        for (from, to) in [(0.0, 1.0), (0.25, 0.5), (0.1, 0.9), (1.0 / 3.0, 0.334)] {
            let exact = f64::powi(to, 4) - f64::powi(from, 4);
            assert!((cube.between(from, to) - exact).abs() < 1e-6);
        }
        assert_eq!(cube.between(0.5, 0.5), 0.0);
    }

    #[test]
    fn a_step_is_seen_to_a_cell() {
        let step = Density::new(|x| if x < 0.3 { 0.0 } else { 10.0 });
        assert!((step.between(0.0, 1.0) - 7.0).abs() < 10.0 / CELLS as f64);
        assert_eq!(step.between(0.0, 0.29), 0.0);
    }
}
