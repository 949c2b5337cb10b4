//! How blocks of a scan in one pass tell each other what they know (`scan_one_pass.cu` of the CUDA dialect), in every
//! order in which they may go on, with memory that shows writes as late as it may: `cargo xtask loom`.
//!
//! A block is a thread, and looks back at one block at a time, which is what each of its lanes does. All accesses are
//! relaxed, as `volatile` is on a device, and fences are what orders them. Values are digits, and combining is writing
//! them one behind the other: that is associative and does not commute, and what was not written yet is 0.
#![forbid(unsafe_code)]
#![cfg(all(test, loom))]

use std::sync::atomic::AtomicUsize;

use loom::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering, fence},
    },
    thread,
};

/// As many blocks, the first of which make a group.
const BLOCKS: usize = 3;
const GROUP: usize = 2;

/// As often a block looks at another.
const LOOKS: usize = 2;

/// What is done otherwise than in the kernel.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    /// No fence between a value and its state, where they are written.
    WritesAreNotOrdered,
    /// Nor where they are read.
    ReadsAreNotOrdered,
    /// The state is written before the value.
    StateFirst,
}

/// The device's memory.
struct Memory {
    begun: AtomicU32,
    states: [AtomicU32; BLOCKS],
    places: [AtomicU32; BLOCKS],
    fault: Fault,
}

impl Memory {
    fn new(fault: Fault) -> Memory {
        let zeros = || std::array::from_fn(|_| AtomicU32::new(0));
        Memory {
            begun: AtomicU32::new(0),
            states: zeros(),
            places: zeros(),
            fault,
        }
    }

    /// `skel_publish`.
    fn publish(&self, block: usize, value: u32) {
        let state = || self.states[block].store(1, Ordering::Relaxed);
        if self.fault == Fault::StateFirst {
            state();
            fence(Ordering::AcqRel);
        }
        self.places[block].store(value, Ordering::Relaxed);
        if self.fault != Fault::StateFirst {
            if self.fault != Fault::WritesAreNotOrdered {
                fence(Ordering::AcqRel);
            }
            state();
        }
    }

    /// `skel_await`; not for ever, since loom may show old states as long as it likes, and never let others go on. What
    /// would be seen then is seen in other orders as well.
    fn look(&self, block: usize) -> Option<u32> {
        for _ in 0..LOOKS {
            if self.states[block].load(Ordering::Relaxed) != 0 {
                if self.fault != Fault::ReadsAreNotOrdered {
                    fence(Ordering::AcqRel);
                }
                return Some(self.places[block].load(Ordering::Relaxed));
            }
            thread::yield_now();
        }
        None
    }

    /// What a block does: its number, if it did not give up.
    fn block(&self) -> Option<usize> {
        let block = self.begun.fetch_add(1, Ordering::Relaxed) as usize;
        let total = block as u32 + 1;
        let earlier = block % GROUP;
        let is_last = earlier == GROUP - 1 || block == BLOCKS - 1;
        if !is_last {
            self.publish(block, total);
        }
        let mut before = match block > earlier {
            true => Some(self.look(block - earlier - 1)?),
            false => None,
        };
        for other in block - earlier..block {
            let value = self.look(other)?;
            before = Some(before.map_or(value, |all| then(all, value)));
        }
        let before = before.unwrap_or(0);
        // All before it, in order: 1, 12, …
        assert_eq!(before, (1..total).fold(0, then), "before block {block}");
        if is_last {
            self.publish(block, then(before, total));
        }
        Some(block)
    }
}

/// One behind the other.
fn then(a: u32, b: u32) -> u32 {
    let shift = 10_u32.pow(b.max(1).ilog10() + 1);
    a * shift + b
}

/// In how many orders the last block came to its end.
fn in_every_order(fault: Fault) -> usize {
    let last_ended = std::sync::Arc::new(AtomicUsize::new(0));
    let counter = std::sync::Arc::clone(&last_ended);
    loom::model(move || {
        let memory = Arc::new(Memory::new(fault));
        let others: Vec<_> = (1..BLOCKS)
            .map(|_| {
                let memory = Arc::clone(&memory);
                thread::spawn(move || memory.block())
            })
            .collect();
        let mut ended = vec![memory.block()];
        for other in others {
            ended.push(other.join().unwrap());
        }
        if ended.contains(&Some(BLOCKS - 1)) {
            counter.fetch_add(1, Ordering::Relaxed);
        }
    });
    last_ended.load(Ordering::Relaxed)
}

#[test]
fn every_block_finds_what_precedes_it() {
    assert!(in_every_order(Fault::None) > 0, "all gave up");
}

#[test]
#[should_panic(expected = "before block")]
fn a_state_without_a_fence_before_it_does_not_do() {
    in_every_order(Fault::WritesAreNotOrdered);
}

#[test]
#[should_panic(expected = "before block")]
fn a_state_without_a_fence_behind_it_does_not_do() {
    in_every_order(Fault::ReadsAreNotOrdered);
}

#[test]
#[should_panic(expected = "before block")]
fn a_state_before_its_value_does_not_do() {
    in_every_order(Fault::StateFirst);
}
