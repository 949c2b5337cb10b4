//! What tasks have failed with, for the errors of those that are cancelled for it.

use skel_core::{Cause, Error};
use skel_tasks::{TaskError, TaskId};
use std::collections::HashMap;

/// Of so many tasks at most: data that a failed task was to write stays in its state until it is written anew, so what is
/// submitted much later may be cancelled for it.
const MOST: usize = 1024;

/// The first tasks of a graph that have failed, each with its name and its error.
#[derive(Default)]
pub(super) struct Failures(HashMap<TaskId, (String, Cause)>);

impl Failures {
    pub(super) fn note(&mut self, task: TaskId, name: &str, error: &Error) {
        if self.0.len() < MOST {
            self.0.insert(task, (name.into(), error.clone().into()));
        }
    }

    /// The error of a task that is cancelled for this one.
    pub(super) fn cancelled(&self, by: TaskId) -> Error {
        match self.0.get(&by) {
            Some((name, cause)) => Error::Cancelled {
                by,
                name: name.clone(),
                cause: cause.clone(),
            },
            None => Error::Task(TaskError::Cancelled { cause: by }),
        }
    }
}
