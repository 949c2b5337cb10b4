//! What is wrong with a task, a machine or an option.

use crate::{HandleId, TaskId};

/// Why a task, a graph of tasks or a scheduler cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TaskError {
    /// Tasks would wait for each other.
    #[error("the dependency closes a cycle: {}", names(path))]
    Cycle {
        /// The tasks of the cycle, each of which the next one waits for.
        path: Vec<TaskId>,
    },
    /// The task is not one of this graph's, or its batch is closed.
    #[error("{task} is none of this graph, or has begun, and can be changed no more")]
    UnknownTask {
        /// The task.
        task: TaskId,
    },
    /// The handle is not one of this graph's, or is registered no more.
    #[error("{handle}{} is not a handle of this graph", of(kind))]
    UnknownHandle {
        /// The kind of the task that accesses it; empty where no task does.
        kind: String,
        /// The handle.
        handle: HandleId,
    },
    /// No worker can run the task.
    #[error(
        "no worker of the machine can run `{kind}`: it has no implementation for them, or is for other units"
    )]
    NoImplementation {
        /// The kind of the task.
        kind: String,
    },
    /// The task reads what has no content yet.
    #[error("{handle}{} is read before any task writes it", of(kind))]
    ReadBeforeWrite {
        /// The kind of the task.
        kind: String,
        /// The handle.
        handle: HandleId,
    },
    /// The task has a handle twice, and writes it.
    #[error(
        "{handle}{} is an argument twice, and is written; ranges of a lent slice are one argument where they share a block",
        of(kind)
    )]
    Conflict {
        /// The kind of the task.
        kind: String,
        /// The handle.
        handle: HandleId,
    },
    /// The handle is in use.
    #[error("{handle} is still used by {tasks} tasks")]
    InUse {
        /// The handle.
        handle: HandleId,
        /// How many tasks have not finished with it.
        tasks: usize,
    },
    /// The task's data does not fit into any memory that it could run on.
    #[error(
        "the task's data needs {needed_bytes} bytes, and the largest memory for it has {capacity_bytes}"
    )]
    WorkingSet {
        /// What its handles need together.
        needed_bytes: u64,
        /// The largest memory of workers that could run it.
        capacity_bytes: u64,
    },
    /// It was cancelled, or a task before it was.
    #[error("cancelled: {cause} was, or failed")]
    Cancelled {
        /// The task that was cancelled first.
        cause: TaskId,
    },
    /// A task's closure panicked.
    #[error("`{kind}` panicked: {message}")]
    Panicked {
        /// The kind of the task.
        kind: String,
        /// What it said.
        message: String,
    },
    /// The data was taken out of the graph, or was lost by a panic while it was combined.
    #[error("the data is not in the graph any more")]
    Taken,
    /// Data that was lent for a scope is not the graph's.
    #[error("{handle} was lent for a scope, and cannot be taken out of the graph")]
    Lent {
        /// The handle.
        handle: HandleId,
    },
    /// A range of a slice that cannot be.
    #[error("elements {start}..{end} of a slice of {len}")]
    BadRange {
        /// Where it begins.
        start: usize,
        /// Where it ends.
        end: usize,
        /// The slice's length.
        len: usize,
    },
    /// The closure of a call by chunks looks at elements itself, or a chunk at others than its own.
    #[error(
        "elements {start}..{end} are not among those that the chunk may see: the closure of a call by chunks passes \
         its arguments on to the call, and does nothing else with them"
    )]
    NotOfChunk {
        /// Where they begin.
        start: usize,
        /// Where they end.
        end: usize,
    },
    /// A call, or what its closure does, cannot be done as tasks of a graph, a chunk each.
    #[error("`{kind}` cannot be computed by chunks in a graph: {reason}")]
    NotByChunks {
        /// The name of its tasks.
        kind: String,
        /// What is in the way.
        reason: String,
    },
    /// A task waits for tasks of its own graph.
    #[error("a task that waits for its own graph would wait forever")]
    WouldDeadlock,
    /// A machine that cannot be.
    #[error("the machine cannot be used: {what}")]
    BadMachine {
        /// What is wrong with it.
        what: String,
    },
    /// A program of a simulation that cannot be.
    #[error("the program cannot be simulated: {what}")]
    BadProgram {
        /// What is wrong with it.
        what: String,
    },
    /// The workers are threads of the process that this one was forked from.
    #[error("this process was forked after the graph had been made, and has none of its workers")]
    Forked,
    /// Nothing happens any more, and tasks are left: the scheduler keeps them, or no memory has room for them.
    #[error("{tasks} tasks never run: the scheduler keeps them, or no memory has room for them")]
    Stuck {
        /// How many.
        tasks: usize,
    },
    /// A scheduler gave a task that is not ready, or that the worker cannot run.
    #[error("the scheduler gave {task} to a worker that cannot run it now")]
    Scheduler {
        /// The task.
        task: TaskId,
    },
    /// A setting of a scheduler.
    #[error(transparent)]
    BadOption(#[from] BadOption),
}

impl TaskError {
    /// The same, of a task of this kind, where the error names one and does not know it.
    #[must_use]
    pub fn of_kind(mut self, of: impl FnOnce() -> String) -> TaskError {
        if let TaskError::UnknownHandle { kind, .. }
        | TaskError::ReadBeforeWrite { kind, .. }
        | TaskError::Conflict { kind, .. }
        | TaskError::NotByChunks { kind, .. } = &mut self
            && kind.is_empty()
        {
            *kind = of();
        }
        self
    }
}

/// A setting that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{option}` is `{found}`; expected {expected}")]
pub struct BadOption {
    /// The setting.
    pub option: String,
    /// What came.
    pub found: String,
    /// What it can be.
    pub expected: String,
}

impl BadOption {
    /// For `option`, where `found` came instead of what was `expected`.
    #[must_use]
    pub fn new(option: &str, found: impl ToString, expected: impl Into<String>) -> BadOption {
        BadOption {
            option: option.into(),
            found: found.to_string(),
            expected: expected.into(),
        }
    }
}

fn of(kind: &str) -> String {
    match kind {
        "" => String::new(),
        kind => format!(", of a task `{kind}`,"),
    }
}

fn names(path: &[TaskId]) -> String {
    let names: Vec<String> = path.iter().map(ToString::to_string).collect();
    names.join(" → ")
}
