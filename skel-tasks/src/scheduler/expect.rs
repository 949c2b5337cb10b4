//! What each worker is expected to be busy with, and until when.

use super::ends::Heaps;
use crate::{ClassId, Machine, Ns, TaskId, View, WorkerId};

/// How many workers of a class that take longer than was expected are put right before one is chosen. A bound,
/// so that a choice costs the same however many there are.
const OVERDUE: usize = 4;

#[derive(Clone, Copy, Default)]
struct Load {
    /// When what it runs is expected to end.
    free_ns: Ns,
    running_ns: Ns,
    queued_ns: Ns,
    running: u32,
    queued: u32,
}

impl Load {
    fn tasks(&self) -> u32 {
        self.running + self.queued
    }

    /// When all that it has is expected to end.
    fn end_ns(&self, now_ns: Ns) -> Ns {
        match self.tasks() {
            0 => now_ns,
            _ => self.free_ns.max(now_ns).saturating_add(self.queued_ns),
        }
    }
}

/// Expected ends and numbers of tasks of all workers, and for each class the worker that has least of them
/// (StarPU: `exp_start`, `exp_len`, `exp_end`, `ntasks`).
pub(super) struct Expect {
    loads: Vec<Load>,
    ends: Heaps,
    counts: Heaps,
    /// How long each task keeps its worker, by slot.
    lengths_ns: Vec<Ns>,
    is_stale: bool,
}

impl Expect {
    pub(super) fn new(machine: &Machine) -> Expect {
        Expect {
            loads: vec![Load::default(); machine.workers()],
            ends: Heaps::new(machine),
            counts: Heaps::new(machine),
            lengths_ns: Vec::new(),
            is_stale: true,
        }
    }

    /// Leaves out workers that are lost, if there may be any.
    pub(super) fn refresh(&mut self, view: &View<'_>) {
        if std::mem::take(&mut self.is_stale) {
            self.ends.keep(|worker| view.is_live(worker));
            self.counts.keep(|worker| view.is_live(worker));
        }
    }

    /// When the worker is expected to have done all that it has.
    pub(super) fn end_ns(&self, worker: WorkerId, now_ns: Ns) -> Ns {
        self.loads[worker.0 as usize].end_ns(now_ns)
    }

    /// The worker of a class that is expected to be free first.
    pub(super) fn first_free(&mut self, class: ClassId, now_ns: Ns) -> Option<(WorkerId, Ns)> {
        for _ in 0..OVERDUE {
            let worker = self.ends.first(class)?;
            let load = &mut self.loads[worker.0 as usize];
            // Keys were right when they were set: a worker whose task takes longer than expected looks better
            // than it is.
            if load.queued == 0 || load.free_ns >= now_ns {
                break;
            }
            load.free_ns = now_ns;
            self.note(worker);
        }
        let worker = self.ends.first(class)?;
        Some((worker, self.end_ns(worker, now_ns)))
    }

    /// The worker of a class that has the fewest tasks, and how many.
    pub(super) fn fewest(&self, class: ClassId) -> Option<(WorkerId, u32)> {
        let worker = self.counts.first(class)?;
        Some((worker, self.counts.key(worker) as u32))
    }

    /// The worker is to run the task behind what it has, until `end_ns`.
    pub(super) fn queue(&mut self, task: TaskId, worker: WorkerId, end_ns: Ns, now_ns: Ns) {
        if self.lengths_ns.len() <= task.slot() {
            self.lengths_ns.resize(task.slot() + 1, 0);
        }
        let load = &mut self.loads[worker.0 as usize];
        if load.tasks() == 0 {
            load.free_ns = now_ns;
        }
        load.free_ns = load.free_ns.max(now_ns);
        let length_ns = end_ns.saturating_sub(load.free_ns.saturating_add(load.queued_ns));
        load.queued_ns = load.queued_ns.saturating_add(length_ns);
        load.queued += 1;
        self.lengths_ns[task.slot()] = length_ns;
        self.note(worker);
    }

    /// The worker takes the task that was queued for it.
    pub(super) fn begin(&mut self, task: TaskId, worker: WorkerId, now_ns: Ns) {
        let length_ns = self.lengths_ns[task.slot()];
        let load = &mut self.loads[worker.0 as usize];
        load.queued = load.queued.saturating_sub(1);
        load.queued_ns = load.queued_ns.saturating_sub(length_ns);
        if load.running == 0 {
            load.free_ns = now_ns;
        }
        load.free_ns = load.free_ns.max(now_ns).saturating_add(length_ns);
        load.running += 1;
        load.running_ns = load.running_ns.saturating_add(length_ns);
        self.note(worker);
    }

    /// The worker has the task that it took no longer.
    pub(super) fn end(&mut self, task: TaskId, worker: WorkerId, now_ns: Ns) {
        let length_ns = self.lengths_ns[task.slot()];
        let load = &mut self.loads[worker.0 as usize];
        load.running = load.running.saturating_sub(1);
        load.running_ns = load.running_ns.saturating_sub(length_ns);
        load.free_ns = now_ns.saturating_add(load.running_ns);
        self.note(worker);
    }

    /// No worker has queued tasks any more, and one of them may be lost.
    pub(super) fn drain(&mut self) {
        for w in 0..self.loads.len() {
            (self.loads[w].queued, self.loads[w].queued_ns) = (0, 0);
            self.note(WorkerId(w as u32));
        }
        self.is_stale = true;
    }

    fn note(&mut self, worker: WorkerId) {
        let load = &self.loads[worker.0 as usize];
        // Those that have nothing are alike, whenever they became free: the lowest number is first.
        let key = match load.tasks() {
            0 => 0,
            _ => load.free_ns.saturating_add(load.queued_ns),
        };
        self.ends.set(worker, key);
        self.counts.set(worker, load.tasks().into());
    }
}
