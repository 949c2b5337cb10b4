//! Launches that have not ended, though they were queued.

use super::MockDriver;
use crate::{
    device::Mark,
    mock::{Gate, Operation, pace},
};
use std::time::Duration;

impl MockDriver {
    /// The gates that launches up to the `n`-th end behind.
    fn ends(&self, n: u64) -> impl Iterator<Item = &Gate> {
        let ends = self.script.ends.iter();
        ends.filter(move |(launch, _)| *launch <= n)
            .map(|(_, gate)| gate)
    }

    /// How many launches were queued.
    pub(super) fn launches(&self) -> u64 {
        self.asked.get(&Operation::Launch).copied().unwrap_or(0)
    }

    /// Whether so many launches have ended, whose kernels are done then.
    pub(super) fn has_ended(&self, launches: u64, kernels_end: Duration) -> bool {
        kernels_end <= self.made.elapsed() && self.ends(launches).all(Gate::is_open)
    }

    /// Waits for all that was queued.
    pub(super) fn catch_up(&self) {
        self.ends(self.launches()).for_each(Gate::pass);
        pace::until(self.made, self.kernels_end.get());
    }

    /// Marks what was queued. Without launches that end later, there are no marks.
    pub(super) fn set_mark(&mut self) -> Option<Mark> {
        if self.script.ends.is_empty() && !self.script.copies_beside_kernels {
            return None;
        }
        self.next_mark += 1;
        let mark = (self.next_mark, self.launches(), self.kernels_end.get());
        self.marks.push(mark);
        Some(Mark(self.next_mark))
    }

    /// Whether what was queued before the mark has ended.
    pub(super) fn is_behind(&mut self, mark: Mark) -> bool {
        let found = self.marks.iter().position(|(set, ..)| *set == mark.0);
        let Some(at) = found else {
            return true;
        };
        let (_, launches, kernels_end) = self.marks[at];
        let has_ended = self.has_ended(launches, kernels_end);
        if has_ended {
            self.marks.remove(at);
        }
        has_ended
    }
}
