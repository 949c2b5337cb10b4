//! How blocks of a scan in one pass tell each other what they know (`scan_look_back.cu` of the CUDA dialect), in every
//! order in which they may go on, with memory that shows writes as late as it may: `cargo xtask loom`.
//!
//! A block is a thread, and looks back at one node at a time, which is what each of its lanes does. All accesses are
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

/// As many blocks, the first two of which make a node.
const BLOCKS: usize = 3;

/// Places of nodes: block `k` has place `2 k`, and a node whose halves meet before block `k` has `2 k - 1`.
const PLACES: usize = 2 * BLOCKS - 1;

/// As often a block looks at a node.
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
    states: [AtomicU32; PLACES],
    places: [AtomicU32; PLACES],
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
    fn publish(&self, place: usize, value: u32) {
        let state = || self.states[place].store(1, Ordering::Relaxed);
        if self.fault == Fault::StateFirst {
            state();
            fence(Ordering::AcqRel);
        }
        self.places[place].store(value, Ordering::Relaxed);
        if self.fault != Fault::StateFirst {
            if self.fault != Fault::WritesAreNotOrdered {
                fence(Ordering::AcqRel);
            }
            state();
        }
    }

    /// `skel_await`; not for ever, since loom may show old states as long as it likes, and never let others go on. What
    /// would be seen then is seen in other orders as well.
    fn look(&self, place: usize) -> Option<u32> {
        for _ in 0..LOOKS {
            if self.states[place].load(Ordering::Relaxed) != 0 {
                if self.fault != Fault::ReadsAreNotOrdered {
                    fence(Ordering::AcqRel);
                }
                return Some(self.places[place].load(Ordering::Relaxed));
            }
            thread::yield_now();
        }
        None
    }

    /// What a block does: its number, if it did not give up.
    fn block(&self) -> Option<usize> {
        let block = self.begun.fetch_add(1, Ordering::Relaxed) as usize;
        let total = block as u32 + 1;
        let is_followed = block + 1 < BLOCKS;
        if is_followed {
            self.publish(2 * block, total);
        }
        // What precedes it, a node for each bit of its number, the last ones first.
        let bits =
            |block: usize| (0..usize::BITS as usize).filter(move |level| block >> level & 1 != 0);
        let mut earlier = [0; 2];
        for level in bits(block) {
            earlier[level] = self.look(place((block >> level << level) - (1 << level), level))?;
        }
        let before = bits(block).fold(0, |after, level| then(earlier[level], after));
        // All before it, in order: 1, 12, …
        assert_eq!(before, (1..total).fold(0, then), "before block {block}");
        // And the nodes that end with it.
        let ends = (0..block.trailing_ones() as usize).filter(|_| is_followed);
        ends.fold(total, |node, level| {
            let node = then(earlier[level], node);
            let begins = block >> (level + 1) << (level + 1);
            self.publish(place(begins, level + 1), node);
            node
        });
        Some(block)
    }
}

/// Where the node of `level` is published that begins with block `first`.
fn place(first: usize, level: usize) -> usize {
    match level {
        0 => 2 * first,
        _ => 2 * (first + (1 << (level - 1))) - 1,
    }
}

/// One behind the other.
fn then(a: u32, b: u32) -> u32 {
    if b == 0 {
        return a;
    }
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
