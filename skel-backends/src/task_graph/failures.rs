//! What tasks have failed with, for the errors of those that are cancelled for it.

use skel_core::{Cause, Error};
use skel_tasks::{TaskError, TaskId};
use std::collections::VecDeque;

/// So many are known, so that a graph that goes on keeps nothing of all that ever failed. What is cancelled for an
/// earlier one, since data that this was to write was not written anew, has its number alone.
const KNOWN: usize = 64;

/// The last tasks of a graph that have failed, each with its name and its error.
#[derive(Default)]
pub(super) struct Failures(VecDeque<(TaskId, String, Cause)>);

impl Failures {
    /// Notes one. What is forgotten for it is dropped without the graph's lock: it may be a user's, and hold a handle.
    #[must_use]
    pub(super) fn note(&mut self, task: TaskId, name: &str, error: &Error) -> Option<Cause> {
        let is_full = self.0.len() == KNOWN;
        let forgotten = is_full.then(|| self.0.pop_front()).flatten();
        self.0.push_back((task, name.into(), error.clone().into()));
        forgotten.map(|(.., cause)| cause)
    }

    /// Forgets all of them.
    pub(super) fn forget(&mut self) -> impl Iterator<Item = Cause> {
        self.0.drain(..).map(|(.., cause)| cause)
    }

    /// The error of a task that is cancelled for this one.
    pub(super) fn cancelled(&self, by: TaskId) -> Error {
        match self.0.iter().rev().find(|(task, ..)| *task == by) {
            Some((_, name, cause)) => Error::Cancelled {
                by,
                name: name.clone(),
                cause: cause.clone(),
            },
            None => Error::Task(TaskError::Cancelled { cause: by }),
        }
    }
}
