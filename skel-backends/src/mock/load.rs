//! A machine whose load changes.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

/// How many times as long as without a load everything takes; clones are the same load. See
/// [`Law::under`](super::Law::under).
#[derive(Clone, Debug)]
pub struct Load(Arc<AtomicU64>);

impl Default for Load {
    fn default() -> Self {
        Load(Arc::new(AtomicU64::new(1.0_f64.to_bits())))
    }
}

impl Load {
    /// No load: 1.
    #[must_use]
    pub fn new() -> Self {
        Load::default()
    }

    /// From now on, everything takes so many times as long. What is no number, or negative, is 1.
    pub fn set(&self, factor: f64) {
        let factor = if factor.is_finite() && factor >= 0.0 {
            factor
        } else {
            1.0
        };
        self.0.store(factor.to_bits(), Ordering::Relaxed);
    }

    pub(super) fn get(&self) -> f64 {
        f64::from_bits(self.0.load(Ordering::Relaxed))
    }
}
