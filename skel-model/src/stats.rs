//! Medians, and how sure one is of them.

/// The median, or `None` of nothing. NaN counts as larger than all numbers.
///
/// ```
/// use skel_model::stats::median;
///
/// assert_eq!(median(&[3.0, 1.0, 90.0]), Some(3.0));
/// assert_eq!(median(&[3.0, 1.0]), Some(2.0));
/// assert_eq!(median(&[]), None);
/// ```
#[must_use]
pub fn median(values: &[f64]) -> Option<f64> {
    of_sorted(&sorted(values))
}

/// The median distance from the median, or `None` of nothing.
#[must_use]
pub fn mad(values: &[f64]) -> Option<f64> {
    let middle = median(values)?;
    let distances: Vec<f64> = values.iter().map(|v| (v - middle).abs()).collect();
    median(&distances)
}

/// Between which values the true median lies with a probability of at least 95 %, whatever the
/// distribution: the k-th value from below and the k-th from above. Fewer than six values cannot say so
/// much; then it is all of them, of 94 % for five. `None` of nothing.
#[must_use]
pub fn median_interval(values: &[f64]) -> Option<(f64, f64)> {
    let sorted = sorted(values);
    let k = values_below(sorted.len());
    Some((*sorted.get(k)?, *sorted.get(sorted.len() - 1 - k)?))
}

/// Whether so many runs are enough: at least five, and the median is known to 2 % of itself in both
/// directions.
#[must_use]
pub fn settled(values: &[f64]) -> bool {
    let (Some(middle), Some((low, high))) = (median(values), median_interval(values)) else {
        return false;
    };
    values.len() >= 5 && (high - low) / 2.0 <= 0.02 * middle
}

/// How many values may be left out at each end.
fn values_below(len: usize) -> usize {
    // A value is below the median with a probability of one half: P(at most k of len) is the lower tail
    // of a binomial distribution, whose terms grow by (len − k) / (k + 1).
    let limit = i32::try_from(len).unwrap_or(i32::MAX);
    let (mut term, mut tail, mut k) = (0.5_f64.powi(limit), 0.0, 0);
    if term == 0.0 {
        // Thousands of values: as good as a normal distribution.
        let half = len as f64 / 2.0;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "positive for as many, and far below the number of values"
        )]
        return (half - 1.96 * half.sqrt() / 2.0_f64.sqrt()) as usize;
    }
    while tail + term <= 0.025 && k < len {
        tail += term;
        term *= (len - k) as f64 / (k + 1) as f64;
        k += 1;
    }
    // At most `k - 1` values below the median are unlikely enough, so the k-th is a bound.
    k.saturating_sub(1)
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

fn of_sorted(sorted: &[f64]) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    // Halves first, so that no sum is too large.
    Some(sorted[last / 2] / 2.0 + sorted[last - last / 2] / 2.0)
}

#[cfg(test)]
mod test;
