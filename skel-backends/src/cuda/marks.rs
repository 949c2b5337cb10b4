//! Marks: whether what had been queued by some moment is done, asked for without waiting.

use super::{device::CudaGpu, raw::Event, streams::Queued};
use crate::device::{Mark, TrapWords};
use skel_core::{Error, Result};

/// The marks that have not been seen to pass.
#[derive(Debug, Default)]
pub(super) struct Marks {
    next: u64,
    /// Each with an event in every queue that had something to do, and what that is behind.
    set: Vec<(u64, Vec<(Queued, Event)>)>,
    /// To be recorded again.
    spare: Vec<Event>,
}

impl CudaGpu {
    /// Sets a mark behind all that is queued, and behind copies of these words.
    pub(super) fn set_mark(&mut self, traps: &[TrapWords]) -> Result<Mark> {
        for TrapWords(number) in traps {
            match self.fetch_ahead(*number) {
                // They are read when they are asked for.
                Err(Error::OutOfMemory { .. }) => {}
                fetched => fetched?,
            }
        }
        let mut events = Vec::new();
        for queue in self.streams.at_work() {
            let event = match self.marks.spare.pop() {
                Some(event) => event,
                None => Event::new(&self.gpu)?,
            };
            self.streams.record(queue, &event)?;
            events.push((self.streams.last(queue), event));
        }
        self.marks.next += 1;
        self.marks.set.push((self.marks.next, events));
        Ok(Mark(self.marks.next))
    }

    /// Whether all is done that was queued before the mark.
    pub(super) fn is_behind(&mut self, mark: Mark) -> Result<bool> {
        let Marks { set, spare, .. } = &mut self.marks;
        let Some(at) = set.iter().position(|(number, _)| *number == mark.0) else {
            return Ok(true);
        };
        while let Some((queued, event)) = set[at].1.last() {
            match event.is_done() {
                Ok(true) => {
                    // What is read behind the mark does not wait for what was queued since.
                    self.streams.saw(*queued);
                    spare.extend(set[at].1.pop().map(|(_, event)| event));
                }
                Ok(false) => return Ok(false),
                Err(error) => {
                    set.remove(at);
                    return Err(error);
                }
            }
        }
        set.remove(at);
        Ok(true)
    }
}
