//! Noise that is a function of seed and number, so that it depends on no order.

use skel_tasks::SplitMix;

/// A number of mean 0 and deviation 1, nearly normal, and never beyond ±3.5: the sum of four even ones.
pub(super) fn normal(seed: u64, draw: u64) -> f64 {
    let base = SplitMix::new(seed).draw();
    let even = |k: u64| SplitMix::new(base ^ draw.wrapping_mul(4).wrapping_add(k)).unit();
    let sum: f64 = (0..4).map(even).sum();
    (sum - 2.0) * 3.0_f64.sqrt()
}
