//! Order statistics.

/// The value in the middle; the mean of the two there if their number is even. `NaN` of nothing.
#[must_use]
pub fn median(values: &[f64]) -> f64 {
    skel::model::stats::median(values).unwrap_or(f64::NAN)
}

/// The smallest value. Infinite of nothing.
#[must_use]
pub fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn the_median_ignores_order_and_outliers() {
        assert_eq!(median(&[9.0, 1.0, 1e9]), 9.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 1e9]), 3.0);
        assert!(median(&[]).is_nan());
    }

    #[test]
    fn the_least_is_the_best_round() {
        assert_eq!(least(&[3.0, 2.0, 5.0]), 2.0);
    }
}
