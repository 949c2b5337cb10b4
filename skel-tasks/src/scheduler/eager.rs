//! Eager: one queue for all workers (StarPU's `eager`).

use super::{Configuration, Hint, Scheduler, pool::Pool};
use crate::{BadOption, ClassId, Machine, TaskId, View, WorkerId};

/// Ready tasks in one queue, from which each worker takes the first that it can run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Eager;

impl Configuration for Eager {
    fn text(&self) -> String {
        "eager".into()
    }

    fn build(&self, _: &Machine) -> Result<Box<dyn Scheduler>, BadOption> {
        Ok(Box::new(Queue::default()))
    }
}

#[derive(Default)]
struct Queue {
    ready: Pool,
}

impl Scheduler for Queue {
    fn measures(&self) -> bool {
        false
    }

    fn push(&mut self, task: TaskId, _: Option<WorkerId>, view: &View<'_>) -> Hint {
        self.ready.push(task, view.able(task).collect())
    }

    fn pop(&mut self, worker: WorkerId, view: &View<'_>) -> Option<TaskId> {
        self.ready.pop(view.machine().class_of(worker))
    }

    fn drain(&mut self) -> Vec<TaskId> {
        self.ready.drain()
    }

    fn ready(&self, class: ClassId) -> usize {
        self.ready.ready(class)
    }
}
