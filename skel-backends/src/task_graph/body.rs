//! What a task does, and what comes of it.

use super::access::Accesses;
use crate::current_task;
use skel_core::{Error, Result, caught::catch};
use skel_tasks::TaskError;
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::Waker,
};

/// What a worker runs. It is dropped when the engine knows that the task is over: data that it holds is in use until
/// then.
pub(super) trait Body: Send {
    /// It is submitted, behind all for which this was called before.
    fn number(&mut self);

    /// Runs it, once; the error is also its task's. `kind` names it, which only a panic asks for. Nothing unwinds out
    /// of this.
    fn run(&mut self, kind: &dyn Fn() -> String) -> std::result::Result<(), Failed>;

    /// It will not run.
    fn cancel(&mut self, error: Error);
}

/// A body has failed.
pub(super) enum Failed {
    /// With what [`TaskGraph::wait`](super::TaskGraph::wait) is to report.
    OfGraph(Error),
    /// With what its scope reports.
    OfScope(Error),
}

impl Failed {
    pub(super) fn error(&self) -> &Error {
        match self {
            Failed::OfGraph(error) | Failed::OfScope(error) => error,
        }
    }
}

/// A closure with its accesses.
pub(super) struct Closure<A, F, R> {
    pub(super) accesses: A,
    pub(super) work: Option<F>,
    pub(super) outcome: Arc<Outcome<R>>,
}

impl<A, F, R> Body for Closure<A, F, R>
where
    A: Accesses,
    R: Send,
    F: for<'t> FnOnce(A::Refs<'t>) -> Result<R> + Send,
{
    fn number(&mut self) {
        self.accesses.number();
    }

    fn run(&mut self, kind: &dyn Fn() -> String) -> std::result::Result<(), Failed> {
        let Some(work) = self.work.take() else {
            return Ok(());
        };
        // What the closure has changed before a panic is not read by later tasks: the engine cancels them.
        let done = catch(|| self.accesses.run(work)).unwrap_or_else(|caught| {
            let (kind, message) = (kind(), caught.message().to_string());
            Err(Error::Task(TaskError::Panicked { kind, message }))
        });
        let done = done.map_err(|error| match error {
            Error::Task(error) => Error::Task(error.of_kind(kind)),
            error => error,
        });
        let told = done.as_ref().map(|_| ());
        let told = told.map_err(|error| Failed::OfGraph(error.clone()));
        self.outcome.set(done);
        told
    }

    fn cancel(&mut self, error: Error) {
        self.outcome.set(Err(error));
    }
}

/// What came of a task, and what waits for it without a thread.
pub(super) struct Outcome<R>(Mutex<Ended<R>>);

struct Ended<R> {
    result: Option<Result<R>>,
    /// Whether it has failed, once it is over.
    failed: Option<bool>,
    waker: Option<Waker>,
}

/// Whether a task has ended, and how.
pub(super) trait Ends: Send + Sync {
    /// Whether its outcome is known.
    fn is_known(&self) -> bool;

    /// Whether a task that is over for the engine has failed. What came of one that ran is known by then; of one that
    /// was cancelled it may not be.
    fn has_failed(&self) -> bool;
}

impl<R: Send> Ends for Outcome<R> {
    fn is_known(&self) -> bool {
        self.lock().failed.is_some()
    }

    fn has_failed(&self) -> bool {
        self.lock().failed != Some(false)
    }
}

impl<R> Outcome<R> {
    pub(super) fn pending() -> Arc<Outcome<R>> {
        Arc::new(Outcome(Mutex::new(Ended {
            result: None,
            failed: None,
            waker: None,
        })))
    }

    fn lock(&self) -> MutexGuard<'_, Ended<R>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn set(&self, result: Result<R>) {
        let waker = {
            let mut ended = self.lock();
            ended.failed = Some(result.is_err());
            ended.result = Some(result);
            ended.waker.take()
        };
        if let Some(waker) = waker {
            // It is the user's. What it panics with, it has told the panic hook; the task is over all the same.
            let _ = catch(|| current_task::waking(|| waker.wake()));
        }
    }

    /// What came of it, if it is over; once.
    pub(super) fn take(&self) -> Option<Result<R>> {
        self.lock().result.take()
    }

    /// The same; if it is not over, `waker` is called when it is.
    pub(super) fn take_or_wake(&self, waker: &Waker) -> Option<Result<R>> {
        let waker = waker.clone();
        let mut ended = self.lock();
        let result = ended.result.take();
        let unused = match result {
            None => ended.waker.replace(waker),
            Some(_) => Some(waker),
        };
        // Dropping it is the user's.
        drop(ended);
        drop(unused);
        result
    }
}
