//! The gate of a crew: helpers use what the caller has lent them only while they are inside, and the caller waits until
//! none is. That the caller's borrow is over when it goes on rests on this file alone; `cargo xtask loom` tries all orders.

use crate::sync::{AtomicUsize, Ordering, yield_now};
use std::time::Duration;

/// Set when no helper may enter any more.
const CLOSED: usize = 1 << (usize::BITS - 1);

/// How often the caller looks for the last helper before it leaves its core to other threads, and before it sleeps.
const LOOKS: u32 = if cfg!(loom) { 0 } else { 200 };
const YIELDS: u32 = if cfg!(loom) { u32::MAX } else { 2000 };

/// Counts the helpers inside.
pub(super) struct Gate(AtomicUsize);

/// A helper that is inside; it leaves when this is dropped.
pub(super) struct Inside<'g>(&'g Gate);

impl Gate {
    pub(super) fn new() -> Self {
        Gate(AtomicUsize::new(0))
    }

    /// Lets a helper in, unless the gate is closed.
    pub(super) fn enter(&self) -> Option<Inside<'_>> {
        let enter = |inside: usize| (inside & CLOSED == 0).then_some(inside + 1);
        let entered = self
            .0
            .fetch_update(Ordering::Acquire, Ordering::Relaxed, enter);
        entered.is_ok().then(|| Inside(self))
    }

    /// Lets none in any more, and waits for those inside, which are at their last piece: mostly short, but with heavy
    /// elements it may be long.
    pub(super) fn close(&self) {
        let mut inside = self.0.fetch_or(CLOSED, Ordering::Acquire);
        let mut rounds = 0_u32;
        while inside & !CLOSED != 0 {
            rounds = rounds.saturating_add(1);
            if rounds < LOOKS {
                std::hint::spin_loop();
            } else if rounds < YIELDS {
                yield_now();
            } else {
                std::thread::sleep(Duration::from_micros(50));
            }
            inside = self.0.load(Ordering::Acquire);
        }
    }
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Release);
    }
}
