//! Heaps of workers, one per class, in which a worker's key can change: which worker of a class is free first.

use crate::{ClassId, Machine, WorkerId};

/// Not in a heap.
const NOWHERE: u32 = u32::MAX;

/// For each class a binary heap of its workers by key, least first, lowest number first among equals.
pub(super) struct Heaps {
    keys: Vec<u64>,
    /// Where each worker is in its class's heap.
    at: Vec<u32>,
    class_of: Vec<ClassId>,
    heaps: Vec<Vec<u32>>,
}

impl Heaps {
    /// All workers, with key 0.
    pub(super) fn new(machine: &Machine) -> Heaps {
        let mut heaps = Heaps {
            keys: vec![0; machine.workers()],
            at: vec![NOWHERE; machine.workers()],
            class_of: machine
                .worker_ids()
                .map(|worker| machine.class_of(worker))
                .collect(),
            heaps: vec![Vec::new(); machine.classes().len()],
        };
        heaps.keep(|_| true);
        heaps
    }

    /// From now on, the heaps have exactly these workers.
    pub(super) fn keep(&mut self, is_kept: impl Fn(WorkerId) -> bool) {
        self.heaps.iter_mut().for_each(Vec::clear);
        for w in 0..self.keys.len() {
            self.at[w] = NOWHERE;
            if is_kept(WorkerId(w as u32)) {
                let heap = &mut self.heaps[usize::from(self.class_of[w].0)];
                heap.push(w as u32);
                self.at[w] = heap.len() as u32 - 1;
                self.rise(w);
            }
        }
    }

    /// The worker of a class with the least key, if it has workers.
    pub(super) fn first(&self, class: ClassId) -> Option<WorkerId> {
        let heap = &self.heaps[usize::from(class.0)];
        heap.first().map(|worker| WorkerId(*worker))
    }

    pub(super) fn key(&self, worker: WorkerId) -> u64 {
        self.keys[worker.0 as usize]
    }

    /// Changes the key of a worker.
    pub(super) fn set(&mut self, worker: WorkerId, key: u64) {
        let w = worker.0 as usize;
        let old = std::mem::replace(&mut self.keys[w], key);
        if self.at[w] == NOWHERE {
            return;
        }
        if key < old {
            self.rise(w);
        } else {
            self.sink(w);
        }
    }

    fn order(&self, w: u32) -> (u64, u32) {
        (self.keys[w as usize], w)
    }

    fn rise(&mut self, w: usize) {
        let (class, mut at) = (usize::from(self.class_of[w].0), self.at[w] as usize);
        while at > 0 {
            let up = (at - 1) / 2;
            let heap = &self.heaps[class];
            if self.order(heap[up]) <= self.order(heap[at]) {
                break;
            }
            self.swap(class, at, up);
            at = up;
        }
    }

    fn sink(&mut self, w: usize) {
        let (class, mut at) = (usize::from(self.class_of[w].0), self.at[w] as usize);
        loop {
            let heap = &self.heaps[class];
            let below = [2 * at + 1, 2 * at + 2].into_iter();
            let below = below.filter(|k| *k < heap.len());
            let Some(least) = below.min_by_key(|k| self.order(heap[*k])) else {
                break;
            };
            if self.order(heap[at]) <= self.order(heap[least]) {
                break;
            }
            self.swap(class, at, least);
            at = least;
        }
    }

    fn swap(&mut self, class: usize, a: usize, b: usize) {
        let heap = &mut self.heaps[class];
        heap.swap(a, b);
        self.at[heap[a] as usize] = a as u32;
        self.at[heap[b] as usize] = b as u32;
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_first_has_the_least_key_and_number(
            sets in proptest::collection::vec((0_u32..40, 0_u64..9), 0..200),
            lost in 0_u32..40,
        ) {
            let machine = Machine::builder().arch("a", 30).arch("b", 10).build().unwrap();
            let (mut heaps, mut keys) = (Heaps::new(&machine), [0_u64; 40]);
            for (k, (worker, key)) in sets.iter().enumerate() {
                if k == 100 {
                    heaps.keep(|worker| worker.0 != lost);
                }
                heaps.set(WorkerId(*worker), *key);
                keys[*worker as usize] = *key;
                for (class, workers) in [(0, 0..30), (1, 30..40)] {
                    let there = workers.filter(|w| k < 100 || *w != lost);
                    let expected = there.min_by_key(|w| (keys[*w as usize], *w)).map(WorkerId);
                    prop_assert_eq!(heaps.first(ClassId(class)), expected);
                }
            }
        }
    }
}
