//! The end of tasks, and what it sets free.

use super::{Graph, MOST_TASKS, NONE, State};
use crate::{Mode, TaskId};

impl Graph {
    /// The task is over; `failed` with the task that is the cause, if it has not done its work. All that need
    /// not wait any longer and may run come to `ready`, in the order of their submission where they waited for
    /// the same; those that may not are over, too, and come to `cancelled` with the cause.
    pub(crate) fn end(
        &mut self,
        task: TaskId,
        failed: Option<TaskId>,
        ready: &mut Vec<TaskId>,
        cancelled: &mut Vec<(TaskId, TaskId)>,
    ) {
        let mut freed = std::mem::take(&mut self.freed);
        self.end_one(task, failed, &mut freed);
        while let Some(next) = freed.pop().or_else(|| self.next_turn()) {
            if let Some(cause) = self.settle(next, ready) {
                cancelled.push((next, cause));
                self.end_one(next, Some(cause), &mut freed);
            }
        }
        self.freed = freed;
    }

    /// A task that waits for no other any more: it is ready, or waits for its turn; or else the cause that keeps
    /// it from running.
    pub(crate) fn settle(&mut self, task: TaskId, ready: &mut Vec<TaskId>) -> Option<TaskId> {
        if self.is_doomed(task) {
            return self.doom(task);
        }
        if self.take_turn(task) {
            self.set_state(task, State::Ready);
            ready.push(task);
        }
        None
    }

    /// Takes all handles that the task changes in any order with others, or none: then it waits for the first
    /// one that is taken. There is no order to take them in that could be wrong.
    fn take_turn(&mut self, task: TaskId) -> bool {
        let accesses = &self.cold[task.slot()].accesses;
        let commuting = || {
            accesses
                .iter()
                .filter(|access| access.mode == Mode::Commute)
        };
        for access in commuting() {
            let handle = self.handles.at(access.handle);
            if handle.held_by.is_some() {
                handle.queue.push_back(task);
                self.hot[task.slot()].state = State::Commuting;
                return false;
            }
        }
        for access in commuting() {
            self.handles.at(access.handle).held_by = Some(task);
        }
        true
    }

    /// The next task that waits for a handle that was given back. The others behind it have to wait for it in turn,
    /// unless it waits for yet another handle.
    fn next_turn(&mut self) -> Option<TaskId> {
        while let Some(id) = self.given_back.pop() {
            let handle = self.handles.at(id);
            if handle.held_by.is_some() {
                continue;
            }
            if let Some(next) = handle.queue.pop_front() {
                self.given_back.push(id);
                return Some(next);
            }
        }
        None
    }

    /// Takes the task out of the graph; those that wait for nothing any more come to `freed`, the first submitted
    /// last.
    fn end_one(&mut self, task: TaskId, failed: Option<TaskId>, freed: &mut Vec<TaskId>) {
        let slot = task.slot();
        let accesses = std::mem::take(&mut self.cold[slot].accesses);
        let groups = std::mem::take(&mut self.cold[slot].groups);
        for (access, &group) in accesses.iter().zip(&groups) {
            let handle = self.handles.at(access.handle);
            handle.users -= 1;
            if access.mode.writes() {
                match (failed, access.mode) {
                    (Some(cause), _) => handle.poison = Some(cause),
                    // The others' contributions are still missing.
                    (None, Mode::Reduce) => {}
                    (None, _) => handle.poison = None,
                }
            }
            if handle.held_by == Some(task) {
                handle.held_by = None;
                self.given_back.push(access.handle);
            }
            let mut at = self.groups.leave(group);
            while let Some((waiter, rest)) = self.links.take(at) {
                self.count_down(waiter, freed);
                at = rest;
            }
        }
        let mut at = std::mem::replace(&mut self.hot[slot].waiters, NONE);
        while let Some((waiter, rest)) = self.links.take(at) {
            if let Some(cause) = failed {
                self.hot[waiter as usize].doomed.get_or_insert(cause);
            }
            self.count_down(waiter, freed);
            at = rest;
        }
        self.give_back(slot, accesses, groups);
    }

    fn count_down(&mut self, slot: u32, freed: &mut Vec<TaskId>) {
        let hot = &mut self.hot[slot as usize];
        hot.waiting -= 1;
        if hot.waiting == 0 {
            freed.push(self.id(slot));
        }
    }

    /// The slot is free, and keeps the memory of its lists.
    fn give_back(&mut self, slot: usize, mut accesses: Vec<crate::Access>, mut groups: Vec<u32>) {
        accesses.clear();
        groups.clear();
        (self.cold[slot].accesses, self.cold[slot].groups) = (accesses, groups);
        let hot = &mut self.hot[slot];
        (hot.state, hot.generation) = (State::Free, hot.generation + 1);
        // A slot that has had so many tasks gets no more: numbers of tasks that are over name them for ever.
        if hot.generation < MOST_TASKS {
            self.free.push(slot as u32);
        }
        self.pending -= 1;
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use crate::{KindId, NewTask, TaskError};

    /// The number of a task that is over is no other task's, however many there are.
    #[test]
    fn a_slot_that_has_had_many_tasks_gets_no_more() {
        let mut graph = Graph::default();
        let add = |graph: &mut Graph, after: &[TaskId]| {
            let new = NewTask::new(KindId(0), &[]);
            graph.add(&NewTask { after, ..new })
        };
        let first = add(&mut graph, &[]).unwrap();
        graph.end(first, None, &mut Vec::new(), &mut Vec::new());
        graph.hot[first.slot()].generation = MOST_TASKS - 1;
        let last = add(&mut graph, &[first]).unwrap();
        assert_eq!(last.slot, first.slot);
        assert!(!graph.is_alive(first) && graph.is_alive(last));
        graph.end(last, None, &mut Vec::new(), &mut Vec::new());
        let elsewhere = add(&mut graph, &[first, last]).unwrap();
        assert_ne!(elsewhere.slot, first.slot);
        assert_eq!(graph.waiting(elsewhere), 0);
        let task = TaskId {
            slot: elsewhere.slot,
            generation: elsewhere.generation + 1,
        };
        let unknown = add(&mut graph, &[task]);
        assert_eq!(unknown, Err(TaskError::UnknownTask { task }));
    }
}
