//! Batches: tasks that are known together before the first of them runs.

use super::Graph;
use crate::{TaskError, TaskId};
use std::collections::HashMap;

impl Graph {
    /// From now on, tasks wait until the batch is closed.
    pub(crate) fn open_batch(&mut self) {
        self.batch.get_or_insert_default();
    }

    pub(crate) fn has_open_batch(&self) -> bool {
        self.batch.is_some()
    }

    /// Ends the batch: its tasks, in the order of their submission, those first that need not wait any longer.
    pub(crate) fn close_batch(&mut self) -> Vec<TaskId> {
        let batch = self.batch.take().unwrap_or_default();
        for task in &batch {
            let hot = &mut self.hot[task.slot()];
            (hot.in_batch, hot.waiting) = (false, hot.waiting - 1);
        }
        batch
    }

    /// Makes a task of the open batch wait for another task.
    pub(crate) fn depend(&mut self, task: TaskId, on: TaskId) -> Result<(), TaskError> {
        if !self.is_alive(task) || !self.hot[task.slot()].in_batch {
            return Err(TaskError::UnknownTask { task });
        }
        if !self.is_alive(on) {
            return Err(TaskError::UnknownTask { task: on });
        }
        if let Some(path) = self.path(task, on) {
            return Err(TaskError::Cycle { path });
        }
        self.wait_for(task.slot, on);
        Ok(())
    }

    /// The tasks on a way from one to another, each of which the next one waits for.
    fn path(&self, from: TaskId, to: TaskId) -> Option<Vec<TaskId>> {
        let (mut came_from, mut open) = (HashMap::from([(from, from)]), vec![from]);
        while let Some(task) = open.pop() {
            if task == to {
                let mut path = vec![to];
                while let Some(last) = path.last().copied().filter(|last| *last != from) {
                    path.push(came_from[&last]);
                }
                path.reverse();
                return Some(path);
            }
            self.successors(task, |next| {
                came_from.entry(next).or_insert_with(|| {
                    open.push(next);
                    task
                });
            });
        }
        None
    }
}
