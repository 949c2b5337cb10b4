//! Work stealing: a queue for each worker, from whose old end others steal when they have nothing.

use super::{Hint, Scheduler, bits::Bits, by_classes::ByClasses, live::LiveWorkers};
use crate::{ClassId, ClassSet, Machine, MemoryNode, TaskId, View, WorkerId};
use std::collections::VecDeque;
use std::ops::Range;

/// The order in which a worker without tasks looks at others.
pub(super) enum Victims {
    /// All in turn, from a number on that is kept for each worker: behind the one that it stole from last.
    RoundRobin(Vec<usize>),
    /// Classes by distance, by the thief's class.
    Nearest(Vec<Vec<ClassId>>),
}

impl Victims {
    pub(super) fn round_robin(machine: &Machine) -> Victims {
        Victims::RoundRobin((1..=machine.workers()).collect())
    }

    /// The own class, others on the same memory node, and then by the time that a copy between the nodes takes.
    pub(super) fn nearest(machine: &Machine) -> Victims {
        /// Of which size copies are compared.
        const BYTES: u64 = 1 << 20;
        let classes = || (0..machine.classes().len()).map(|k| ClassId(k as u8));
        let order = |thief: ClassId| {
            let node = |class| -> MemoryNode { machine.class(class).node };
            let mut order: Vec<ClassId> = classes().collect();
            order.sort_by_key(|victim| {
                let distance_ns = machine.transfer_ns(node(*victim), node(thief), BYTES);
                (node(*victim) != node(thief), distance_ns, *victim != thief)
            });
            order
        };
        Victims::Nearest(classes().map(order).collect())
    }

    /// The first worker that has something, in the order of this thief, where `first_in` finds one in a range.
    fn find(
        &mut self,
        thief: WorkerId,
        machine: &Machine,
        first_in: impl Fn(Range<usize>) -> Option<usize>,
    ) -> Option<usize> {
        let thief_index = thief.0 as usize;
        match self {
            Victims::RoundRobin(next) => {
                let start = next[thief_index].min(machine.workers());
                let victim = first_in(start..machine.workers()).or_else(|| first_in(0..start))?;
                next[thief_index] = victim + 1;
                Some(victim)
            }
            Victims::Nearest(order) => {
                let own = machine.class_of(thief);
                let offset = thief_index - machine.class(own).first.0 as usize;
                let mut classes = order[usize::from(own.0)].iter();
                classes.find_map(|class| {
                    let class = machine.class(*class);
                    let (first, workers) = (class.first.0 as usize, class.workers as usize);
                    // Its neighbours first; thieves of another class begin at different victims.
                    let start = first + (offset + 1) % workers;
                    first_in(start..first + workers).or_else(|| first_in(first..start))
                })
            }
        }
    }
}

/// The queues of tasks that the same classes can run.
struct Deques {
    /// Each task with a number that grows.
    queues: Vec<VecDeque<(u64, TaskId)>>,
    /// Which of them have tasks.
    filled: Bits,
    len: usize,
}

impl Deques {
    fn new(workers: usize) -> Deques {
        Deques {
            queues: vec![VecDeque::new(); workers],
            filled: Bits::new(workers),
            len: 0,
        }
    }

    fn push(&mut self, worker: usize, number: u64, task: TaskId) {
        self.queues[worker].push_back((number, task));
        self.filled.set(worker);
        self.len += 1;
    }

    fn take(
        &mut self,
        worker: usize,
        take: impl FnOnce(&mut VecDeque<(u64, TaskId)>) -> Option<(u64, TaskId)>,
    ) -> Option<TaskId> {
        let (_, task) = take(&mut self.queues[worker])?;
        self.len -= 1;
        if self.queues[worker].is_empty() {
            self.filled.clear(worker);
        }
        Some(task)
    }
}

/// A scheduler that steals. A worker takes the newest of its own tasks, whose data it has just touched, and a
/// thief the oldest of its victim's (Blumofe and Leiserson 1999).
pub(super) struct Stealing {
    deques: ByClasses<Deques>,
    live: LiveWorkers,
    victims: Victims,
    pushed: u64,
}

impl Stealing {
    pub(super) fn new(machine: &Machine, victims: Victims) -> Stealing {
        Stealing {
            deques: ByClasses::new(),
            live: LiveWorkers::new(machine),
            victims,
            pushed: 0,
        }
    }
}

impl Scheduler for Stealing {
    fn measures(&self) -> bool {
        false
    }

    fn push(&mut self, task: TaskId, by: Option<WorkerId>, view: &View<'_>) -> Hint {
        self.live.refresh(view);
        let (machine, able) = (view.machine(), view.able(task).collect::<ClassSet>());
        let can_own = |by: &WorkerId| view.is_live(*by) && able.contains(machine.class_of(*by));
        let owner = by.filter(can_own).or_else(|| self.live.next_of(able));
        let Some(owner) = owner else {
            return Hint::any(ClassSet::EMPTY);
        };
        self.pushed += 1;
        let deques = self.deques.part(able, || Deques::new(machine.workers()));
        deques.push(owner.0 as usize, self.pushed, task);
        Hint::any(able)
    }

    fn pop(&mut self, worker: WorkerId, view: &View<'_>) -> Option<TaskId> {
        let machine = view.machine();
        let (class, own) = (machine.class_of(worker), worker.0 as usize);
        let newest = |deques: &Deques| deques.queues[own].back().map(|(number, _)| *number);
        let with_newest = self.deques.of_mut(class).max_by_key(|part| newest(part))?;
        if let Some(task) = with_newest.take(own, VecDeque::pop_back) {
            return Some(task);
        }
        let deques = &self.deques;
        let first_in = |range: Range<usize>| {
            let firsts = deques.of(class);
            let firsts = firsts.filter_map(|part| part.filled.first_in(range.start, range.end));
            firsts.min()
        };
        let victim = self.victims.find(worker, machine, first_in)?;
        let oldest = |deques: &Deques| {
            let number = deques.queues[victim].front().map(|(number, _)| *number);
            number.unwrap_or(u64::MAX)
        };
        let with_oldest = self.deques.of_mut(class).min_by_key(|part| oldest(part))?;
        with_oldest.take(victim, VecDeque::pop_front)
    }

    fn drain(&mut self) -> Vec<TaskId> {
        self.live.invalidate();
        let mut all = Vec::new();
        for part in self.deques.all_mut() {
            for worker in 0..part.queues.len() {
                all.extend(part.queues[worker].drain(..));
                part.filled.clear(worker);
            }
            part.len = 0;
        }
        all.sort_by_key(|(number, _)| *number);
        all.into_iter().map(|(_, task)| task).collect()
    }

    fn ready(&self, class: ClassId) -> usize {
        self.deques.of(class).map(|part| part.len).sum()
    }
}
