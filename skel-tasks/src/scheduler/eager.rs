//! Eager: one queue for all workers (StarPU's `eager`).

use super::{Configuration, Hint, Scheduler};
use crate::{BadKnob, ClassId, Machine, TaskId, View, WorkerId};
use std::collections::VecDeque;

/// Ready tasks in one queue, from which each worker takes the first that it can run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Eager;

impl Configuration for Eager {
    fn text(&self) -> String {
        "eager".into()
    }

    fn build(&self, _: &Machine) -> Result<Box<dyn Scheduler>, BadKnob> {
        Ok(Box::new(Queue::default()))
    }
}

#[derive(Default)]
struct Queue {
    ready: VecDeque<TaskId>,
}

impl Scheduler for Queue {
    fn push(&mut self, task: TaskId, _: Option<WorkerId>, view: &View<'_>) -> Hint {
        self.ready.push_back(task);
        Hint::any(view.able(task).collect())
    }

    fn pop(&mut self, worker: WorkerId, view: &View<'_>) -> Option<TaskId> {
        let class = view.machine().class_of(worker);
        let k = self
            .ready
            .iter()
            .position(|task| view.can_run(*task, class))?;
        self.ready.remove(k)
    }

    fn drain(&mut self) -> Vec<TaskId> {
        self.ready.drain(..).collect()
    }

    fn ready(&self, _: ClassId) -> usize {
        self.ready.len()
    }
}
