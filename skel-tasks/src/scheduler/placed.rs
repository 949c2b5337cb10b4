//! The schedulers that choose a worker when a task becomes ready: StarPU's `dm` family.

use super::{
    Hint, Scheduler,
    choice::{Chooser, Weights},
    per_worker::PerWorker,
};
use crate::{ClassId, Machine, Ns, TaskId, View, WorkerId};

/// In which order a worker takes what was placed on it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Order {
    /// As it came.
    Fifo,
    /// What misses the fewest bytes first, among the first so many.
    LeastMissing(usize),
    /// By priority, and then as [`Order::LeastMissing`].
    Priority(usize),
}

/// A scheduler of the family.
pub(super) struct Placed {
    chooser: Chooser,
    queues: PerWorker,
    order: Order,
    prefetch: bool,
}

impl Placed {
    pub(super) fn new(machine: &Machine, weights: Weights, order: Order, prefetch: bool) -> Placed {
        Placed {
            chooser: Chooser::new(weights, machine),
            queues: PerWorker::new(machine),
            order,
            prefetch,
        }
    }
}

impl Scheduler for Placed {
    fn needs_time(&self) -> bool {
        true
    }

    fn push(&mut self, task: TaskId, _: Option<WorkerId>, view: &View<'_>) -> Hint {
        let Some(choice) = self.chooser.choose(task, view) else {
            return Hint::any(view.able(task).collect());
        };
        self.chooser.queue(task, choice, view);
        let rank = match self.order {
            Order::Priority(_) => -i64::from(view.task(task).priority),
            Order::Fifo | Order::LeastMissing(_) => 0,
        };
        self.queues.push(choice.worker, rank, task);
        let hint = Hint::worker(choice.worker);
        match self.prefetch {
            true => hint.and_prefetch(view.machine().node_of(choice.worker)),
            false => hint,
        }
    }

    fn pop(&mut self, worker: WorkerId, view: &View<'_>) -> Option<TaskId> {
        let task = match self.order {
            Order::Fifo => self.queues.pop(worker),
            Order::LeastMissing(window) | Order::Priority(window) => {
                self.queues.pop_least_missing(worker, window, view)
            }
        }?;
        self.chooser.begin(task, worker, view);
        Some(task)
    }

    fn finished(&mut self, task: TaskId, worker: WorkerId, took_ns: Ns, view: &View<'_>) {
        self.chooser.finished(task, worker, took_ns, view);
    }

    fn not_begun(&mut self, task: TaskId, worker: WorkerId, view: &View<'_>) {
        self.chooser.expect.end(task, worker, view.now_ns());
    }

    fn drain(&mut self) -> Vec<TaskId> {
        self.chooser.drain();
        self.queues.drain()
    }

    fn ready(&self, class: ClassId) -> usize {
        self.queues.ready(class)
    }
}
