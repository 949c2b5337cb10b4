//! Which ranges of a container tasks have now.
//!
//! As the lock of a handle, it is always free when a task takes what it needs: the graph has ordered the tasks. What it
//! finds taken would be a fault of that order, and is reported as one.

use skel_core::space::IntervalSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Readers of all elements, and tasks that have some.
#[derive(Default)]
pub(super) struct RangeTable(Mutex<Held>);

#[derive(Default)]
struct Held {
    /// How many tasks read all elements.
    readers: usize,
    ranges: Vec<Range>,
    next: u64,
}

struct Range {
    id: u64,
    reads: IntervalSet,
    writes: IntervalSet,
}

/// A task reads all elements.
pub(super) struct ReadAll<'t>(&'t RangeTable);

/// A task has some elements.
pub(super) struct HeldRange<'t> {
    table: &'t RangeTable,
    id: u64,
}

fn meet(a: &IntervalSet, b: &IntervalSet) -> bool {
    a.ranges().iter().any(|r| !b.is_disjoint(r))
}

impl RangeTable {
    fn lock(&self) -> MutexGuard<'_, Held> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All elements to read, unless some are being written.
    pub(super) fn read_all(&self) -> Option<ReadAll<'_>> {
        let mut held = self.lock();
        if held.ranges.iter().any(|range| !range.writes.is_empty()) {
            return None;
        }
        held.readers += 1;
        Some(ReadAll(self))
    }

    /// Elements to read and to write, unless another task has them otherwise than to read them as well.
    pub(super) fn take(&self, reads: IntervalSet, writes: IntervalSet) -> Option<HeldRange<'_>> {
        let mut held = self.lock();
        let is_read = held.readers > 0 && !writes.is_empty();
        let conflicts = |other: &Range| {
            meet(&other.writes, &writes)
                || meet(&other.writes, &reads)
                || meet(&other.reads, &writes)
        };
        if is_read || held.ranges.iter().any(conflicts) {
            return None;
        }
        let id = held.next;
        held.next += 1;
        held.ranges.push(Range { id, reads, writes });
        Some(HeldRange { table: self, id })
    }
}

impl Drop for ReadAll<'_> {
    fn drop(&mut self) {
        self.0.lock().readers -= 1;
    }
}

impl Drop for HeldRange<'_> {
    fn drop(&mut self) {
        let mut held = self.table.lock();
        held.ranges.retain(|range| range.id != self.id);
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn what_one_writes_no_other_has() {
        let table = RangeTable::default();
        let set = |start: usize, end: usize| IntervalSet::of(start..end);
        let none = IntervalSet::new;
        let (a, b) = (
            table.take(set(0, 6), set(2, 4)),
            table.take(set(0, 2), set(6, 9)),
        );
        assert!(a.is_some() && b.is_some());
        assert!(table.take(none(), set(3, 5)).is_none(), "both write");
        assert!(table.take(set(8, 10), none()).is_none(), "b writes");
        assert!(table.take(none(), set(0, 1)).is_none(), "both read");
        assert!(table.read_all().is_none(), "both write");
        drop(a);
        assert!(table.take(set(2, 6), none()).is_some());
        drop(b);
        let (reader, other) = (table.read_all(), table.read_all());
        assert!(reader.is_some() && other.is_some());
        assert!(table.take(set(2, 6), none()).is_some());
        assert!(table.take(none(), set(2, 6)).is_none(), "all is read");
        drop((reader, other));
        assert!(table.take(none(), set(2, 6)).is_some());
    }
}
