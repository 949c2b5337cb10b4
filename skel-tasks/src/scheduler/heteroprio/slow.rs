//! The rule that keeps slower architectures from a bucket that is nearly empty.

/// Whether a worker of an architecture that is `slow` times slower than a bucket's best one may take a task of it,
/// where `ready` are in the bucket, that task included, and the best architecture has so many workers.
///
/// Without workers of the best architecture, nothing is kept for them.
pub(crate) fn may_take(ready: usize, best_workers: u32, slow: f64) -> bool {
    // One correctly rounded quotient: 11 tasks for 10 workers are not fewer than the factor 1.1.
    best_workers == 0 || ready as f64 / f64::from(best_workers) >= slow
}

#[cfg(test)]
mod test {
    use super::may_take;

    #[test]
    fn three_gpus_that_are_twice_as_fast_keep_five_tasks_and_share_six() {
        assert!(!may_take(5, 3, 2.0));
        assert!(may_take(6, 3, 2.0));
    }

    #[test]
    fn decimal_factors_are_met_exactly() {
        assert!(may_take(11, 10, 1.1) && !may_take(10, 10, 1.1));
        assert!(may_take(7, 5, 1.4) && !may_take(6, 5, 1.4));
    }

    #[test]
    fn nothing_is_kept_for_workers_that_are_lost() {
        assert!(may_take(1, 0, 1e9));
    }
}
