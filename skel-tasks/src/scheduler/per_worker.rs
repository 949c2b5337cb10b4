//! A queue of ready tasks for each worker.

use crate::{ClassId, Machine, TaskId, View, WorkerId};
use std::collections::VecDeque;

/// A task in a queue; lower ranks are first.
#[derive(Clone, Copy)]
struct Entry {
    rank: i64,
    task: TaskId,
}

/// For each worker a queue, sorted by rank, in the order of arrival among equals. A task is taken only by the
/// worker whose queue it is in.
pub(super) struct PerWorker {
    queues: Vec<VecDeque<Entry>>,
    class_of: Vec<ClassId>,
    /// How many tasks wait for workers of each class.
    queued: Vec<usize>,
}

impl PerWorker {
    pub(super) fn new(machine: &Machine) -> PerWorker {
        let class_of = machine
            .worker_ids()
            .map(|worker| machine.class_of(worker))
            .collect();
        PerWorker {
            queues: vec![VecDeque::new(); machine.workers()],
            class_of,
            queued: vec![0; machine.classes().len()],
        }
    }

    /// Puts a task behind all of the same or a lower rank. Where ranks do not rise, this moves those behind.
    pub(super) fn push(&mut self, worker: WorkerId, rank: i64, task: TaskId) {
        let w = worker.0 as usize;
        self.queued[usize::from(self.class_of[w].0)] += 1;
        let (queue, entry) = (&mut self.queues[w], Entry { rank, task });
        if queue.back().is_none_or(|last| last.rank <= rank) {
            queue.push_back(entry);
        } else {
            let at = queue.partition_point(|other| other.rank <= rank);
            queue.insert(at, entry);
        }
    }

    /// Takes the first task.
    pub(super) fn pop(&mut self, worker: WorkerId) -> Option<TaskId> {
        self.remove(worker, 0)
    }

    /// Takes the task that misses the fewest bytes on the worker's memory node, of those of the lowest rank; the
    /// first among equals. Looks at no more than `window` tasks.
    pub(super) fn pop_least_missing(
        &mut self,
        worker: WorkerId,
        window: usize,
        view: &View<'_>,
    ) -> Option<TaskId> {
        let (queue, node) = (
            &self.queues[worker.0 as usize],
            view.machine().node_of(worker),
        );
        let rank = queue.front()?.rank;
        let (mut at, mut least_bytes) = (0, u64::MAX);
        for (k, entry) in queue.iter().take(window.max(1)).enumerate() {
            if entry.rank != rank || least_bytes == 0 {
                break;
            }
            let missing_bytes = view.missing_bytes(entry.task, node);
            if missing_bytes < least_bytes {
                (at, least_bytes) = (k, missing_bytes);
            }
        }
        self.remove(worker, at)
    }

    fn remove(&mut self, worker: WorkerId, at: usize) -> Option<TaskId> {
        let w = worker.0 as usize;
        let entry = self.queues[w].remove(at)?;
        self.queued[usize::from(self.class_of[w].0)] -= 1;
        Some(entry.task)
    }

    /// Gives up all tasks, worker by worker.
    pub(super) fn drain(&mut self) -> Vec<TaskId> {
        self.queued.fill(0);
        let all = self.queues.iter_mut().flat_map(|queue| queue.drain(..));
        all.map(|entry| entry.task).collect()
    }

    /// How many tasks wait for workers of a class.
    pub(super) fn ready(&self, class: ClassId) -> usize {
        self.queued[usize::from(class.0)]
    }
}
