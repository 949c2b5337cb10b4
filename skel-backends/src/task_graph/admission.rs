//! What is submitted, when there is room for it.

use super::{
    body::{Body, Ends},
    segments::RangeAccess,
    shared::Shared,
    state::{Over, State},
};
use crate::current_task;
use skel_core::{Error, Result};
use skel_tasks::{Access, ArchSet, NewTask, TaskError, TaskId, Work};
use std::sync::Arc;

/// A task with its body.
pub(super) struct Submission<'a> {
    pub(super) kind: &'a str,
    pub(super) accesses: &'a [Access],
    pub(super) ranges: &'a [RangeAccess],
    pub(super) after: &'a [(TaskId, Arc<dyn Ends + 'a>)],
    pub(super) priority: i32,
    pub(super) archs: ArchSet,
    pub(super) work: Work,
    pub(super) body: Box<dyn Body>,
}

impl Shared {
    pub(super) fn submit(&self, new: Submission<'_>) -> Result<TaskId> {
        self.submitting(|state, over| self.admit(state, new, over))
    }

    /// Submits several tasks, between which no other thread submits one.
    ///
    /// # Errors
    /// That of the first that is refused; those before it are cancelled, and none of them has begun. What they were to
    /// write is poisoned by that, as by any task that is cancelled.
    pub(super) fn submit_all<'a>(
        &self,
        all: impl Iterator<Item = Submission<'a>>,
    ) -> Result<Vec<TaskId>> {
        self.submitting(|state, over| {
            let mut tasks = Vec::new();
            for new in all {
                match self.admit(state, new, over) {
                    Ok(task) => tasks.push(task),
                    Err(error) => {
                        for task in tasks {
                            // It waits or is ready, since no worker has looked meanwhile.
                            let _cancelled = state.engine.cancel(task);
                        }
                        return Err(error);
                    }
                }
            }
            Ok(tasks)
        })
    }

    /// Lets `submit` submit tasks when there is room for them.
    fn submitting<R>(
        &self,
        submit: impl FnOnce(&mut State, &mut Over) -> std::result::Result<R, TaskError>,
    ) -> Result<R> {
        if self.is_forked() {
            return Err(Error::Task(TaskError::Forked));
        }
        let (inside, mut over) = (current_task::is_within(self.address()), Over::default());
        let mut state = self.lock();
        // What is held back does not end before more is submitted.
        while !state.holds() && !inside && state.engine.pending() >= self.limits().most {
            state.throttled += 1;
            state = self.work_until(state, |state| {
                state.engine.pending() <= self.limits().resume
            });
            state.throttled -= 1;
        }
        let submitted = submit(&mut state, &mut over);
        self.wake(&mut state, !inside, &mut over);
        drop(state);
        self.end(&mut over);
        submitted.map_err(Error::Task)
    }

    fn admit(
        &self,
        state: &mut State,
        new: Submission<'_>,
        over: &mut Over,
    ) -> std::result::Result<TaskId, TaskError> {
        let Submission {
            kind,
            accesses,
            ranges,
            after,
            priority,
            archs,
            work,
            mut body,
        } = new;
        let name = kind;
        let kind = state.engine.kind(name);
        // The engine does not remember how tasks ended that are over.
        let over_for = |task: TaskId| !state.engine.is_pending(task);
        let failed = after
            .iter()
            .find(|(task, ends)| over_for(*task) && ends.has_failed());
        let cause = failed.map(|(task, _)| *task);
        let after: Vec<TaskId> = after.iter().map(|(task, _)| *task).collect();
        let resolved = state.resolve(accesses, ranges);
        let accesses = resolved.as_deref().unwrap_or(accesses);
        let new = NewTask {
            after: &after,
            priority,
            archs,
            work,
            ..NewTask::new(kind, accesses)
        };
        let submitted = match state.fault.clone() {
            Some(fault) => Err(fault),
            None => state.engine.submit(new, self.now_ns()),
        };
        match submitted {
            Ok(task) => {
                body.number();
                state.keep(task, body);
                if let Some(recorder) = &mut state.recorder {
                    recorder.submitted(task, name, &new);
                }
                if let Some(cause) = cause {
                    // It is not running: no worker has looked since.
                    let _cancelled = state.engine.cancel_since(task, cause);
                }
                state.submitted.0 += 1;
                state.take_cancelled(over, self.now_ns());
            }
            Err(_) => over.ran = Some(body),
        }
        submitted
    }
}
