//! Pieces of large blocks of memory: a pure bookkeeping, without any device.
//!
//! Free pieces that touch become one, as long as they are of one block; a request gets the smallest free
//! piece that fits: all of it, or the beginning. Free pieces carry a clock: what must be done before they may be
//! used again.

use crate::cuda::order::Clock;
use std::collections::{BTreeMap, BTreeSet};

/// Blocks, by address, and what of them is free.
#[derive(Debug, Default)]
pub(super) struct Spans {
    /// Address and length of each block.
    blocks: BTreeMap<u64, u64>,
    /// Free pieces by address.
    free: BTreeMap<u64, Free>,
    /// The same by length, then address.
    by_len: BTreeSet<(u64, u64)>,
}

#[derive(Clone, Copy, Debug)]
struct Free {
    len: u64,
    clock: Clock,
}

/// A piece, and what must be done before it may be used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taken {
    pub(super) address: u64,
    pub(super) len: u64,
    pub(super) clock: Clock,
}

impl Spans {
    /// A block of memory, all of it free.
    pub(super) fn add(&mut self, address: u64, len: u64) {
        self.blocks.insert(address, len);
        let clock = Clock::default();
        self.insert(address, Free { len, clock });
    }

    /// A piece of this length.
    pub(super) fn take(&mut self, len: u64) -> Option<Taken> {
        let found = self.take_whole(len, u64::MAX)?;
        let Taken { address, clock, .. } = found;
        if found.len > len {
            let rest = Free {
                len: found.len - len,
                clock,
            };
            self.insert(address + len, rest);
        }
        Some(Taken { len, ..found })
    }

    /// All of a free piece, whose length is between these.
    pub(super) fn take_whole(&mut self, len: u64, most_len: u64) -> Option<Taken> {
        let (len, address) = *self.by_len.range((len, 0)..=(most_len, u64::MAX)).next()?;
        let clock = self.remove(address)?.clock;
        Some(Taken {
            address,
            len,
            clock,
        })
    }

    /// Gives a piece back, as it was taken.
    pub(super) fn give(&mut self, address: u64, len: u64, clock: Clock) {
        let (mut address, mut free) = (address, Free { len, clock });
        // What follows it, unless another block begins there.
        let end = address + len;
        if !self.blocks.contains_key(&end)
            && let Some(next) = self.remove(end)
        {
            free.len += next.len;
            free.clock.join(&next.clock);
        }
        // What precedes it, unless its own block begins here.
        if !self.blocks.contains_key(&address)
            && let Some((&before, previous)) = self.free.range(..address).next_back()
            && before + previous.len == address
            && let Some(previous) = self.remove(before)
        {
            free.len += previous.len;
            free.clock.join(&previous.clock);
            address = before;
        }
        self.insert(address, free);
    }

    /// Takes away the blocks of which nothing is in use: their addresses, and what must be done before they
    /// may be freed.
    pub(super) fn remove_unused(&mut self) -> Vec<(u64, Clock)> {
        let unused = |(address, len): (&u64, &u64)| {
            let free = self.free.get(address)?;
            (free.len == *len).then_some((*address, free.clock))
        };
        let all: Vec<(u64, Clock)> = self.blocks.iter().filter_map(unused).collect();
        for (address, _) in &all {
            self.blocks.remove(address);
            self.remove(*address);
        }
        all
    }

    /// Bytes that are free.
    pub(super) fn free_bytes(&self) -> u64 {
        self.free.values().map(|free| free.len).sum()
    }

    fn insert(&mut self, address: u64, free: Free) {
        self.by_len.insert((free.len, address));
        self.free.insert(address, free);
    }

    fn remove(&mut self, address: u64) -> Option<Free> {
        let free = self.free.remove(&address)?;
        self.by_len.remove(&(free.len, address));
        Some(free)
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use proptest::prelude::*;

    /// Two blocks that touch, and one apart.
    const BLOCKS: [(u64, u64); 3] = [(1000, 64), (1064, 64), (4000, 128)];

    fn block_of(address: u64, len: u64) -> Option<(u64, u64)> {
        let holds = |(start, size): &(u64, u64)| address >= *start && address + len <= start + size;
        BLOCKS.into_iter().find(holds)
    }

    proptest! {
        #[test]
        fn pieces_never_overlap_and_all_come_back(
            steps in prop::collection::vec((any::<bool>(), 1..80_u64, any::<prop::sample::Index>()), 1..200)
        ) {
            let mut spans = Spans::default();
            for (address, len) in BLOCKS {
                spans.add(address, len);
            }
            let mut taken: Vec<(u64, u64)> = Vec::new();
            for (k, (takes, len, which)) in steps.into_iter().enumerate() {
                if takes {
                    if let Some(Taken { address, .. }) = spans.take(len) {
                        prop_assert!(block_of(address, len).is_some(), "across two blocks");
                        for (other, size) in &taken {
                            prop_assert!(address + len <= *other || other + size <= address);
                        }
                        taken.push((address, len));
                    } else {
                        // There is indeed no gap of this length.
                        for (start, size) in BLOCKS {
                            prop_assert!(largest_gap(start, size, &taken) < len);
                        }
                    }
                } else if !taken.is_empty() {
                    let (address, len) = taken.swap_remove(which.index(taken.len()));
                    spans.give(address, len, Clock::of(0, k as u64));
                }
                let used: u64 = taken.iter().map(|(_, len)| len).sum();
                prop_assert_eq!(spans.free_bytes(), 256 - used);
            }
            for (address, len) in taken {
                spans.give(address, len, Clock::default());
            }
            // Everything is whole again.
            for (_, len) in BLOCKS {
                prop_assert!(spans.take(len).is_some());
            }
        }
    }

    fn largest_gap(start: u64, size: u64, taken: &[(u64, u64)]) -> u64 {
        let mut inside: Vec<_> = taken
            .iter()
            .filter(|(a, _)| (start..start + size).contains(a))
            .collect();
        inside.sort();
        let (mut at, mut most) = (start, 0);
        for (address, len) in inside {
            most = most.max(address - at);
            at = address + len;
        }
        most.max(start + size - at)
    }

    #[test]
    fn what_used_a_piece_is_not_forgotten() {
        let mut spans = Spans::default();
        spans.add(0, 30);
        let [a, b] = [(); 2].map(|()| spans.take(10).unwrap().address);
        spans.give(a, 10, Clock::of(0, 7));
        spans.give(b, 10, Clock::of(1, 9));
        // One piece again, after both.
        let Taken { address, clock, .. } = spans.take(30).unwrap();
        assert_eq!((address, clock.ticket(0), clock.ticket(1)), (0, 7, 9));
        // Both halves of what is cut wait for the same.
        spans.give(0, 30, clock);
        assert_eq!(spans.take(5).unwrap().clock, spans.take(5).unwrap().clock);
    }

    /// A block that is kept for large arrays has no small one in it.
    #[test]
    fn pieces_are_taken_whole_where_little_is_lost() {
        let mut spans = Spans::default();
        spans.add(0, 100);
        assert!(spans.take_whole(79, 98).is_none());
        let Taken { address, len, .. } = spans.take_whole(80, 100).unwrap();
        assert_eq!((address, len, spans.free_bytes()), (0, 100, 0));
        spans.give(address, len, Clock::default());
        assert_eq!(spans.remove_unused().len(), 1);
    }

    #[test]
    fn only_whole_blocks_are_removed() {
        let mut spans = Spans::default();
        spans.add(0, 10);
        spans.add(10, 10);
        let Taken { address, .. } = spans.take(10).unwrap();
        assert_eq!(spans.remove_unused().len(), 1);
        assert_eq!(spans.free_bytes(), 0);
        spans.give(address, 10, Clock::of(2, 3));
        assert_eq!(spans.remove_unused(), [(address, Clock::of(2, 3))]);
        assert!(spans.take(1).is_none());
    }
}
