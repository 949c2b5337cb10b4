//! How long a device is at work, by its own clock: between events.
//!
//! The first is ahead of the uploads, so transfers count; the others are behind all that was queued since then, one in
//! each queue. What the host takes to learn that the device is done, which is more than a short kernel takes, does not
//! count.

use super::{
    order::Clock,
    raw::{Event, Gpu},
    streams::Streams,
};
use skel_core::Result;
use std::{sync::Arc, time::Duration};

/// Events, and which are where they are to be.
#[derive(Debug)]
pub(super) struct Timer {
    gpu: Arc<Gpu>,
    /// Made when something is timed for the first time: the first, and one for each queue.
    events: Option<(Event, Vec<Event>)>,
    /// What had been queued when it began.
    begun: Option<Clock>,
    /// The queues in which it ended.
    ended: Vec<usize>,
}

impl Timer {
    pub(super) fn new(gpu: &Arc<Gpu>) -> Timer {
        Timer {
            gpu: Arc::clone(gpu),
            events: None,
            begun: None,
            ended: Vec::new(),
        }
    }

    fn events(&mut self, queues: usize) -> Result<&(Event, Vec<Event>)> {
        let events = match self.events.take() {
            Some(events) => events,
            None => {
                let ends = (0..queues).map(|_| Event::with_time(&self.gpu));
                (Event::with_time(&self.gpu)?, ends.collect::<Result<_>>()?)
            }
        };
        Ok(self.events.insert(events))
    }

    pub(super) fn start(&mut self, streams: &Streams) {
        self.ended.clear();
        let begun = self
            .events(streams.count())
            .and_then(|(begin, _)| streams.record_ahead(begin));
        self.begun = begun.ok().map(|()| streams.issued());
    }

    /// What is timed ends behind all that has been queued.
    pub(super) fn stop(&mut self, streams: &Streams) {
        self.ended.clear();
        let (Some((_, ends)), Some(begun)) = (&self.events, &self.begun) else {
            return;
        };
        let now = streams.issued();
        for (queue, end) in ends.iter().enumerate() {
            if now.ticket(queue) == begun.ticket(queue) {
                continue;
            }
            if streams.record(queue, end).is_err() {
                // A part of it would be no answer.
                self.begun = None;
                return;
            }
            self.ended.push(queue);
        }
    }

    /// The time from the first event to the last, if all is done.
    pub(super) fn take(&mut self) -> Option<Duration> {
        self.begun.take()?;
        let (begin, ends) = self.events.as_ref()?;
        let mut longest = None;
        for queue in self.ended.drain(..) {
            // What is before it is done; the event itself may not be. Where a clock cannot be read, there is another.
            ends[queue].synchronize().ok()?;
            longest = longest.max(Some(ends[queue].after(begin).ok()?));
        }
        longest
    }
}
