//! The uses of a piece of memory, by range: so the upload of one part of an array overlaps a kernel that
//! reads another.

use crate::cuda::order::Clock;
use std::ops::Range;

/// Uses that are told apart, at most.
const MOST: usize = 16;

/// What was queued for a piece of memory. Whatever it has lost track of counts as a use of all of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Uses {
    /// The last write of all of it, and what came before the piece was ours.
    written: Clock,
    /// Reads since then, of which no range is known any more.
    read: Clock,
    marks: Vec<Mark>,
}

#[derive(Clone, Debug)]
struct Mark {
    bytes: Range<u64>,
    clock: Clock,
    writes: bool,
}

impl Uses {
    /// Of memory that something may still be using.
    pub(super) fn after(clock: Clock) -> Uses {
        Uses {
            written: clock,
            ..Uses::default()
        }
    }

    /// What must be done before the bytes are read.
    pub(super) fn before_read(&self, bytes: &Range<u64>) -> Clock {
        self.joined(self.written, bytes, |mark| mark.writes)
    }

    /// What must be done before they are written.
    pub(super) fn before_write(&self, bytes: &Range<u64>) -> Clock {
        let mut clock = self.written;
        clock.join(&self.read);
        self.joined(clock, bytes, |_| true)
    }

    fn joined(&self, mut clock: Clock, bytes: &Range<u64>, of: impl Fn(&Mark) -> bool) -> Clock {
        let overlap = |mark: &&Mark| mark.bytes.start < bytes.end && bytes.start < mark.bytes.end;
        for mark in self.marks.iter().filter(overlap).filter(|mark| of(mark)) {
            clock.join(&mark.clock);
        }
        clock
    }

    /// Something that reads the bytes was queued, behind what must be done before.
    pub(super) fn reads(&mut self, bytes: Range<u64>, queued: Clock) {
        let same = |mark: &&mut Mark| !mark.writes && mark.bytes == bytes;
        match self.marks.iter_mut().find(same) {
            Some(mark) => mark.clock.join(&queued),
            None => self.note(bytes, queued, false),
        }
    }

    /// Something that writes them was queued, behind what must be done before.
    pub(super) fn writes(&mut self, bytes: Range<u64>, queued: Clock) {
        // What it comes after need not be waited for any more.
        self.marks
            .retain(|mark| mark.bytes.start < bytes.start || bytes.end < mark.bytes.end);
        self.note(bytes, queued, true);
    }

    fn note(&mut self, bytes: Range<u64>, clock: Clock, writes: bool) {
        if self.marks.len() == MOST {
            for mark in self.marks.drain(..) {
                match mark.writes {
                    true => self.written.join(&mark.clock),
                    false => self.read.join(&mark.clock),
                }
            }
        }
        self.marks.push(Mark {
            bytes,
            clock,
            writes,
        });
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use proptest::prelude::*;

    const BYTES: u64 = 12;
    const QUEUES: usize = 4;

    /// Of one byte: the last write, and the reads since then.
    #[derive(Clone, Copy, Default)]
    struct Byte {
        write: Clock,
        reads: Clock,
    }

    fn covers(clock: &Clock, needed: &Clock) -> bool {
        let mut both = *clock;
        both.join(needed);
        both == *clock
    }

    proptest! {
        #[test]
        fn nothing_that_overlaps_is_forgotten(
            steps in prop::collection::vec(
                (0..QUEUES, 0..BYTES, 0..BYTES, any::<bool>()), 1..80,
            )
        ) {
            let (mut uses, mut model) = (Uses::default(), [Byte::default(); BYTES as usize]);
            for (ticket, (queue, a, b, writes)) in (1..).zip(steps) {
                let bytes = a.min(b)..a.max(b) + 1;
                let here = bytes.start as usize..bytes.end as usize;
                let before = if writes { uses.before_write(&bytes) } else { uses.before_read(&bytes) };
                for byte in &model[here.clone()] {
                    prop_assert!(covers(&before, &byte.write));
                    prop_assert!(!writes || covers(&before, &byte.reads));
                }
                // A clock that names all that came before, as waiting for one ticket does.
                let mut clock = Clock::of(queue, ticket);
                clock.join(&before);
                for byte in &mut model[here] {
                    if writes {
                        *byte = Byte { write: Clock::of(queue, ticket), reads: Clock::default() };
                    } else {
                        byte.reads.join(&Clock::of(queue, ticket));
                    }
                }
                if writes {
                    uses.writes(bytes, clock);
                } else {
                    uses.reads(bytes, clock);
                }
            }
        }
    }

    #[test]
    fn parts_do_not_wait_for_each_other() {
        let mut uses = Uses::default();
        uses.writes(0..8, Clock::of(0, 1));
        uses.reads(0..8, Clock::of(1, 1));
        assert_eq!(uses.before_write(&(8..16)), Clock::default());
        assert_eq!(uses.before_read(&(0..4)), Clock::of(0, 1));
        let mut both = Clock::of(0, 1);
        both.join(&Clock::of(1, 1));
        assert_eq!(uses.before_write(&(7..9)), both);
    }

    #[test]
    fn memory_that_another_queue_used_is_waited_for() {
        let uses = Uses::after(Clock::of(2, 7));
        assert_eq!(uses.before_read(&(0..1)), Clock::of(2, 7));
        assert_eq!(uses.before_write(&(5..6)), Clock::of(2, 7));
    }
}
