//! Tasks that are not run, and workers that are lost.

use super::Engine;
use crate::{ArchSet, Ns, TaskError, TaskId, WorkerId, graph::State};

impl Engine {
    /// Keeps a task that has not begun from running, and all that depends on it.
    ///
    /// # Errors
    /// [`TaskError::UnknownTask`] if it is running or over.
    pub fn cancel(&mut self, task: TaskId) -> Result<(), TaskError> {
        self.cancel_since(task, task)
    }

    /// The same, since another task has failed.
    ///
    /// # Errors
    /// As [`Engine::cancel`].
    pub fn cancel_since(&mut self, task: TaskId, cause: TaskId) -> Result<(), TaskError> {
        match self.graph.state(task) {
            State::Waiting | State::Commuting | State::Ready => {
                self.graph.set_doom(task, cause);
                Ok(())
            }
            State::Free | State::Running(_) => Err(TaskError::UnknownTask { task }),
        }
    }

    /// Cancels all tasks that have not begun, whatever the scheduler does with them. Tasks that wait for one that is
    /// running end with it.
    pub fn abandon(&mut self, now_ns: Ns) {
        let waits = |state| matches!(state, State::Waiting | State::Commuting | State::Ready);
        for task in self.graph.in_state(waits) {
            self.graph.set_doom(task, task);
        }
        drop(self.scheduler.drain());
        self.deferred.clear();
        let mut none_ready = Vec::new();
        for task in self.graph.in_state(|state| state == State::Ready) {
            self.told_cancelled(task, now_ns);
            self.cancelled.push((task, task));
            self.graph
                .end(task, Some(task), &mut none_ready, &mut self.cancelled);
        }
    }

    /// Whether tasks are left that no worker will ever take: none is running, and all workers have found nothing. It is
    /// the scheduler's fault: [`TaskError::Stuck`] if it keeps them, [`TaskError::Panicked`] if it has panicked.
    #[must_use]
    pub fn stuck(&self) -> Option<TaskError> {
        let (mut workers, tasks) = (self.machine.worker_ids(), self.graph.pending());
        let is_stuck = self.running == 0
            && tasks > 0
            && !self.graph.has_open_batch()
            && workers.all(|worker| self.is_idle(worker) || !self.live.worker(worker));
        is_stuck.then(|| self.fault().unwrap_or(TaskError::Stuck { tasks }))
    }

    /// What the scheduler panicked with, if it has.
    #[must_use]
    pub fn fault(&self) -> Option<TaskError> {
        self.scheduler.fault()
    }

    /// The worker takes no more tasks. Its running ones have to be [finished](Engine::finished), as failed or to be
    /// run again; ready ones that no other worker can run are cancelled.
    pub fn lost(&mut self, worker: WorkerId, now_ns: Ns) {
        if self.live.lose(&self.machine, worker) {
            self.give_out(worker, now_ns);
        }
    }

    /// The worker takes no more tasks, and others do what it was for: tasks that only lost workers could run, now and
    /// later, run on any.
    pub fn retired(&mut self, worker: WorkerId, now_ns: Ns) {
        if !self.live.lose(&self.machine, worker) {
            return;
        }
        self.retired.insert(self.machine.arch_of(worker));
        let waits = |state| matches!(state, State::Waiting | State::Commuting | State::Ready);
        for task in self.graph.in_state(waits) {
            let archs = self.archs_left(self.graph.info(task).archs);
            self.graph.set_archs(task, archs);
        }
        self.give_out(worker, now_ns);
    }

    /// The architectures on which a task may run, of which these have an implementation.
    pub(super) fn archs_left(&self, archs: ArchSet) -> ArchSet {
        let is_for_others = !self.retired.and(archs).is_empty()
            && self.live.classes(&self.machine, archs).is_empty();
        match is_for_others {
            true => ArchSet::ALL,
            false => archs,
        }
    }

    /// What the scheduler has, others have to take.
    fn give_out(&mut self, worker: WorkerId, now_ns: Ns) {
        self.wakes.lose(&self.machine, worker);
        let mut ready = self.scheduler.drain();
        ready.append(&mut self.deferred);
        self.push(ready, None, now_ns);
    }
}
