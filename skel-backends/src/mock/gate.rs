//! Holding a mock device back.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// Where a mock device waits, until the test opens it: see [`Mock::waits`](super::Mock::waits). Clones
/// are the same gate.
///
/// A device takes a bounded number of calls in advance (64); the thread that makes more waits for it. So a gate that
/// the same thread is to open later holds back fewer calls than that.
#[derive(Clone, Debug, Default)]
pub struct Gate(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    open: bool,
    waiting: usize,
}

impl Gate {
    /// A closed gate.
    #[must_use]
    pub fn new() -> Self {
        Gate::default()
    }

    /// Lets all pass, now and later.
    pub fn open(&self) {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.open = true;
        self.0.changed.notify_all();
    }

    /// Waits until a device waits here, or the gate is open.
    pub fn reached(&self) {
        self.wait_while(|state| state.waiting == 0 && !state.open);
    }

    pub(super) fn is_open(&self) -> bool {
        let state = self.0.state.lock();
        state.unwrap_or_else(PoisonError::into_inner).open
    }

    /// Waits until the gate is open.
    pub(super) fn pass(&self) {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.waiting += 1;
        drop(state);
        self.0.changed.notify_all();
        self.wait_while(|state| !state.open);
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.waiting -= 1;
    }

    fn wait_while(&self, condition: impl Fn(&State) -> bool) {
        let state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        drop(
            self.0
                .changed
                .wait_while(state, |state| condition(state))
                .unwrap_or_else(PoisonError::into_inner),
        );
    }
}
