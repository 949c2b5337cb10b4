//! When a device began to work on a piece.

use super::{
    Driver,
    memory::{Memory, Started},
    queue::Queue,
};
use crate::observe;
use std::sync::{Arc, OnceLock};

/// The moment, by the device's clock, when it came to what was queued for a piece: uploads before the launch
/// count as well. Not read if the call is not timed.
#[derive(Clone, Default)]
pub(super) struct BeginTime(Option<Arc<OnceLock<Started>>>);

impl BeginTime {
    /// When the device comes to what is queued next.
    pub(super) fn next<D: Driver>(queue: &Queue<Memory<D>>) -> BeginTime {
        if !observe::is_timed() {
            return BeginTime(None);
        }
        let began = Arc::new(OnceLock::new());
        let (cell, ahead) = (Arc::clone(&began), observe::is_ahead());
        queue.post(move |memory| {
            // This is the only place that sets it.
            let started = match ahead {
                // The device's timer is one, and others are at work.
                true => memory.untimed(),
                false => memory.start_timer(),
            };
            let _first = cell.set(started);
        });
        BeginTime(Some(began))
    }

    /// That moment, or now.
    pub(super) fn began<D: Driver>(&self, memory: &Memory<D>) -> Started {
        let began = self.0.as_ref().and_then(|cell| cell.get().copied());
        began.unwrap_or_else(|| memory.untimed())
    }
}
