//! Which sleeping workers are woken.
//!
//! A worker that found nothing is idle until it is woken; one that was woken has not arrived until it asks
//! again. A push wakes a worker only if more is ready than those on their way will take, and the decision falls
//! when a critical section ends, so that a worker that takes its own task's successor wakes none. What a woken
//! worker leaves, it wakes the next for.
//!
//! Each push is settled by itself: after it, a worker of the classes that its hint names is awake. No class can
//! use up what another was to be woken by.

use super::Engine;
use crate::{ClassId, ClassSet, Machine, Wake, WorkerId};

/// A set of workers of one class, whose first is found in two steps.
struct Idle {
    words: Vec<u64>,
    summary: Vec<u64>,
}

impl Idle {
    fn new(workers: u32) -> Idle {
        let words = workers.div_ceil(64) as usize;
        Idle {
            words: vec![0; words],
            summary: vec![0; words.div_ceil(64)],
        }
    }

    fn set(&mut self, i: usize) {
        self.words[i / 64] |= 1 << (i % 64);
        self.summary[i / 4096] |= 1 << (i / 64 % 64);
    }

    fn clear(&mut self, i: usize) {
        self.words[i / 64] &= !(1 << (i % 64));
        if self.words[i / 64] == 0 {
            self.summary[i / 4096] &= !(1 << (i / 64 % 64));
        }
    }

    fn contains(&self, i: usize) -> bool {
        self.words[i / 64] >> (i % 64) & 1 == 1
    }

    fn first(&self) -> Option<usize> {
        let (k, word) = self
            .summary
            .iter()
            .enumerate()
            .find(|(_, word)| **word != 0)?;
        let k = k * 64 + word.trailing_zeros() as usize;
        Some(k * 64 + self.words[k].trailing_zeros() as usize)
    }
}

/// Classes that may have something to do that they had not before, and how many tasks there are for them.
struct Want {
    first: ClassSet,
    others: ClassSet,
    tasks: usize,
}

pub(super) struct Wakes {
    idle: Vec<Idle>,
    /// Of each worker, whether it was woken and has not arrived.
    is_woken: Vec<bool>,
    /// How many of each class.
    woken: Vec<usize>,
    wants: Vec<Want>,
    wakes: Vec<WorkerId>,
}

impl Wakes {
    pub(super) fn new(machine: &Machine) -> Wakes {
        Wakes {
            idle: machine
                .classes()
                .iter()
                .map(|class| Idle::new(class.workers))
                .collect(),
            is_woken: vec![false; machine.workers()],
            woken: vec![0; machine.classes().len()],
            wants: Vec::new(),
            wakes: Vec::new(),
        }
    }

    fn place(machine: &Machine, worker: WorkerId) -> (usize, usize) {
        let class = machine.class_of(worker);
        (
            class.0.into(),
            (worker.0 - machine.class(class).first.0) as usize,
        )
    }

    pub(super) fn want(&mut self, wake: Wake) {
        let (first, others) = match wake {
            Wake::Any(classes) => (ClassSet::EMPTY, classes),
            Wake::Prefer { first, others } => (first, others),
            Wake::Worker(worker) => {
                // A scheduler may name one that the machine does not have.
                if (worker.0 as usize) < self.is_woken.len() {
                    self.wakes.push(worker);
                }
                return;
            }
        };
        let known = |class: &ClassId| usize::from(class.0) < self.idle.len();
        let first: ClassSet = first.iter().filter(known).collect();
        let others: ClassSet = others.iter().filter(known).collect();
        let same = |want: &&mut Want| (want.first, want.others) == (first, others);
        match self.wants.iter_mut().find(same) {
            Some(want) => want.tasks += 1,
            None => self.wants.push(Want {
                first,
                others,
                tasks: 1,
            }),
        }
    }

    /// The worker looks; whether it was woken for that.
    pub(super) fn arrive(&mut self, machine: &Machine, worker: WorkerId) {
        let (class, index) = Self::place(machine, worker);
        self.idle[class].clear(index);
        if std::mem::take(&mut self.is_woken[worker.0 as usize]) {
            self.woken[class] -= 1;
        }
    }

    /// It has found nothing. Workers of the classes behind its own may have more luck.
    pub(super) fn rest(&mut self, machine: &Machine, worker: WorkerId, is_live: bool) {
        let (class, index) = Self::place(machine, worker);
        if is_live {
            self.idle[class].set(index);
        }
        let behind = (class + 1..self.idle.len()).map(|class| ClassId(class as u8));
        self.want(Wake::Any(behind.collect()));
    }

    pub(super) fn lose(&mut self, machine: &Machine, worker: WorkerId) {
        self.arrive(machine, worker);
    }

    /// Those to be woken, by what `ready` says of each class.
    fn settle(&mut self, machine: &Machine, ready: impl Fn(ClassId) -> usize) {
        // Workers that were meant by name: those that sleep.
        let mut named = std::mem::take(&mut self.wakes);
        named.retain(|worker| {
            let (class, index) = Self::place(machine, *worker);
            let sleeps = self.idle[class].contains(index);
            if sleeps {
                self.wake(machine, *worker);
            }
            sleeps
        });
        self.wakes = named;
        let mut wants = std::mem::take(&mut self.wants);
        for mut want in wants.drain(..) {
            for class in want.first.iter().chain(want.others.iter()) {
                let (k, ready) = (usize::from(class.0), ready(class));
                while want.tasks > 0 && ready > self.woken[k] {
                    let Some(index) = self.idle.get(k).and_then(Idle::first) else {
                        break;
                    };
                    let worker = WorkerId(machine.class(class).first.0 + index as u32);
                    self.wake(machine, worker);
                    self.wakes.push(worker);
                    want.tasks -= 1;
                }
            }
        }
        self.wants = wants;
    }

    fn wake(&mut self, machine: &Machine, worker: WorkerId) {
        let (class, index) = Self::place(machine, worker);
        self.idle[class].clear(index);
        self.is_woken[worker.0 as usize] = true;
        self.woken[class] += 1;
    }
}

impl Engine {
    /// Ends a critical section: the workers that have to be woken, each of which then calls [`Engine::next`].
    pub fn take_wakes(&mut self) -> std::vec::Drain<'_, WorkerId> {
        let Engine {
            wakes,
            scheduler,
            machine,
            ..
        } = self;
        wakes.settle(machine, |class| scheduler.ready(class));
        wakes.wakes.drain(..)
    }

    /// The worker goes to sleep, after it has ended a task, without having asked for another. A worker that has done so
    /// and says nothing counts as awake, so that no other is woken for what only it would do.
    pub fn leave(&mut self, worker: WorkerId) {
        self.wakes.arrive(&self.machine, worker);
        let is_live = self.live.worker(worker);
        self.wakes.rest(&self.machine, worker, is_live);
        let class = self.machine.class_of(worker);
        self.wakes.want(Wake::Any(ClassSet::only(class)));
    }

    /// Whether a worker sleeps, as far as the engine knows: it has found nothing, and was not woken since.
    #[must_use]
    pub fn is_idle(&self, worker: WorkerId) -> bool {
        let (class, index) = Wakes::place(&self.machine, worker);
        self.wakes.idle[class].contains(index)
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn the_first_idle_worker_is_found_among_thousands() {
        let mut idle = Idle::new(10_000);
        assert_eq!(idle.first(), None);
        for i in [9_999, 4_096, 64] {
            idle.set(i);
            assert_eq!(idle.first(), Some(i));
        }
        idle.clear(64);
        assert_eq!(idle.first(), Some(4_096));
    }
}
