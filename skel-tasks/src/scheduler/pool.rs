//! Ready tasks, each with the classes that may take it.

use super::Hint;
use crate::{ClassId, ClassSet, TaskId};
use std::collections::VecDeque;

/// First come, first served, per class: a queue for each set of classes that any task was for, of which there are
/// few. So the first task of a class is found without looking at those that it cannot take, and how many it can
/// take is known exactly.
#[derive(Default)]
pub(in crate::scheduler) struct Pool {
    queues: Vec<Queue>,
    pushed: u64,
}

struct Queue {
    classes: ClassSet,
    /// With their numbers in the order of all pushes.
    tasks: VecDeque<(u64, TaskId)>,
}

impl Pool {
    pub(in crate::scheduler) fn push(&mut self, task: TaskId, classes: ClassSet) -> Hint {
        let entry = (self.pushed, task);
        self.pushed += 1;
        match self
            .queues
            .iter_mut()
            .find(|queue| queue.classes == classes)
        {
            Some(queue) => queue.tasks.push_back(entry),
            None => self.queues.push(Queue {
                classes,
                tasks: VecDeque::from([entry]),
            }),
        }
        Hint::any(classes)
    }

    pub(in crate::scheduler) fn pop(&mut self, class: ClassId) -> Option<TaskId> {
        let for_it = self
            .queues
            .iter_mut()
            .filter(|queue| queue.classes.contains(class));
        let waiting = for_it.filter_map(|queue| Some((queue.tasks.front()?.0, queue)));
        let (_, queue) = waiting.min_by_key(|(number, _)| *number)?;
        queue.tasks.pop_front().map(|(_, task)| task)
    }

    pub(in crate::scheduler) fn ready(&self, class: ClassId) -> usize {
        let for_it = self
            .queues
            .iter()
            .filter(|queue| queue.classes.contains(class));
        for_it.map(|queue| queue.tasks.len()).sum()
    }

    /// Takes all of them, in the order in which they came.
    pub(in crate::scheduler) fn drain(&mut self) -> Vec<TaskId> {
        let all = self
            .queues
            .iter_mut()
            .flat_map(|queue| queue.tasks.drain(..));
        let mut all: Vec<(u64, TaskId)> = all.collect();
        all.sort_unstable_by_key(|(number, _)| *number);
        all.into_iter().map(|(_, task)| task).collect()
    }
}
