//! What is going to happen, by time.

use crate::{Ns, WorkerId};
use std::{cmp::Ordering, collections::BinaryHeap};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// The submitting program has its next task.
    Submit,
    /// The worker ends the first of the tasks that it has.
    End(WorkerId),
    /// The worker is lost.
    Lose(WorkerId),
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Entry {
    ns: Ns,
    /// Of two events at one time, the one that was planned first happens first.
    sequence: u64,
    event: Event,
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        // The heap gives the greatest.
        (other.ns, other.sequence).cmp(&(self.ns, self.sequence))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[derive(Default)]
pub(super) struct Events {
    heap: BinaryHeap<Entry>,
    planned: u64,
}

impl Events {
    pub(super) fn plan(&mut self, ns: Ns, event: Event) {
        self.heap.push(Entry {
            ns,
            sequence: self.planned,
            event,
        });
        self.planned += 1;
    }

    pub(super) fn next(&mut self) -> Option<(Ns, Event)> {
        self.heap.pop().map(|entry| (entry.ns, entry.event))
    }

    /// How many there have been.
    pub(super) fn planned(&self) -> u64 {
        self.planned
    }
}
