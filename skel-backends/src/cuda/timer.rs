//! How long a device is at work, by its own clock: between two events.
//!
//! The first is ahead of the uploads, so transfers count; the second behind the last launch. What the host takes to learn
//! that the device is done, which is more than a short kernel takes, does not count.

use super::{
    raw::{Event, Gpu},
    streams::Streams,
};
use skel_core::Result;
use std::{sync::Arc, time::Duration};

/// Events, and whether they are where they are to be.
#[derive(Debug)]
pub(super) struct Timer {
    gpu: Arc<Gpu>,
    /// Made when something is timed for the first time.
    events: Option<[Event; 2]>,
    has_begun: bool,
    has_ended: bool,
}

impl Timer {
    pub(super) fn new(gpu: &Arc<Gpu>) -> Timer {
        Timer {
            gpu: Arc::clone(gpu),
            events: None,
            has_begun: false,
            has_ended: false,
        }
    }

    fn events(&mut self) -> Result<&[Event; 2]> {
        let events = match self.events.take() {
            Some(events) => events,
            None => [Event::with_time(&self.gpu)?, Event::with_time(&self.gpu)?],
        };
        Ok(self.events.insert(events))
    }

    pub(super) fn start(&mut self, streams: &Streams) {
        let begun = self
            .events()
            .and_then(|[begin, _]| streams.record_ahead(begin));
        (self.has_begun, self.has_ended) = (begun.is_ok(), false);
    }

    /// What is timed ends behind what is in this queue.
    pub(super) fn stop(&mut self, streams: &Streams, queue: usize) {
        let ended = match &self.events {
            Some([_, end]) if self.has_begun => streams.record(queue, end).is_ok(),
            _ => false,
        };
        self.has_ended = ended;
    }

    /// The time between the two, if all is done.
    pub(super) fn take(&mut self) -> Option<Duration> {
        let is_timed = self.has_begun && self.has_ended;
        (self.has_begun, self.has_ended) = (false, false);
        let [begin, end] = self.events.as_ref().filter(|_| is_timed)?;
        // Where a clock cannot be read, there is another.
        end.after(begin).ok()
    }
}
