//! Tasks by plan.

use super::plan::{Planned, schedule_behind};
use crate::scheduler::{
    Hint, Scheduler,
    choice::{Chooser, Transfers, Weights},
    per_worker::PerWorker,
};
use crate::{ClassId, Machine, Ns, TaskId, View, WorkerId};

/// Ready tasks, for each worker in the order of the plan.
pub(super) struct Run {
    chooser: Chooser,
    queues: PerWorker,
    /// By slot.
    planned: Vec<Option<Planned>>,
    /// Until when plans keep each worker busy.
    planned_until_ns: Vec<Ns>,
}

impl Run {
    pub(super) fn new(machine: &Machine) -> Run {
        let weights = Weights {
            alpha: 1.0,
            beta: 0.0,
            transfers: Transfers::Alone,
        };
        Run {
            chooser: Chooser::new(weights, machine),
            queues: PerWorker::new(machine),
            planned: Vec::new(),
            planned_until_ns: vec![0; machine.workers()],
        }
    }

    /// The plan for a task, if it has one that can be kept.
    fn plan_of(&self, task: TaskId, view: &View<'_>) -> Option<Planned> {
        let planned = (*self.planned.get(task.slot())?)?;
        (planned.task == task && view.is_live(planned.worker)).then_some(planned)
    }
}

impl Scheduler for Run {
    fn needs_time(&self) -> bool {
        true
    }

    fn plan(&mut self, tasks: &[TaskId], view: &View<'_>) {
        let schedule = schedule_behind(tasks, view, |worker| {
            let busy_ns = self.chooser.expect.end_ns(worker, view.now_ns());
            busy_ns.max(self.planned_until_ns[worker.0 as usize])
        });
        for planned in schedule.planned {
            let slot = planned.task.slot();
            if self.planned.len() <= slot {
                self.planned.resize(slot + 1, None);
            }
            self.planned[slot] = Some(planned);
            let until_ns = &mut self.planned_until_ns[planned.worker.0 as usize];
            *until_ns = planned.finish_ns.max(*until_ns);
        }
    }

    fn push(&mut self, task: TaskId, _: Option<WorkerId>, view: &View<'_>) -> Hint {
        let planned = self.plan_of(task, view);
        let choice = match planned {
            Some(planned) => Some(self.chooser.at(task, planned.worker, view)),
            None => self.chooser.choose(task, view),
        };
        let Some(choice) = choice else {
            return Hint::any(view.able(task).collect());
        };
        self.chooser.queue(task, choice, view);
        // What was not planned is ranked by when it came, as if it had been.
        let rank_ns = planned.map_or(view.now_ns(), |planned| planned.start_ns);
        let rank = i64::try_from(rank_ns).unwrap_or(i64::MAX);
        self.queues.push(choice.worker, rank, task);
        Hint::worker(choice.worker).and_prefetch(view.machine().node_of(choice.worker))
    }

    fn pop(&mut self, worker: WorkerId, view: &View<'_>) -> Option<TaskId> {
        let task = self.queues.pop(worker)?;
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
