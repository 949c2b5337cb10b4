//! Order statistics.

/// The value in the middle; the mean of the two there if their number is even. `NaN` of nothing.
#[must_use]
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let mid = sorted.len() / 2;
    match sorted.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => sorted[mid],
        _ => f64::midpoint(sorted[mid - 1], sorted[mid]),
    }
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
