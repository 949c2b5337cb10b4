//! What a task does, and what comes of it.

use super::access::Accesses;
use skel_core::{Error, Result, caught::catch};
use skel_tasks::TaskError;
use std::sync::{Arc, Mutex, PoisonError};

/// What a worker runs. It is dropped when the engine knows that the task is over: data that it holds is in use until
/// then.
pub(super) trait Body: Send {
    /// Runs it, once; the error is also its task's. `kind` names it, which only a panic asks for.
    fn run(&mut self, kind: &dyn Fn() -> String) -> Result<()>;

    /// It will not run.
    fn cancel(&mut self, error: Error);
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
    fn run(&mut self, kind: &dyn Fn() -> String) -> Result<()> {
        let Some(work) = self.work.take() else {
            return Ok(());
        };
        // What the closure has changed before a panic is not read by later tasks: the engine cancels them.
        let done = self
            .accesses
            .run(|refs| catch(|| work(refs)))
            .map_err(Error::Task)
            .and_then(|caught| {
                caught.unwrap_or_else(|caught| {
                    let (kind, message) = (kind(), caught.message().to_string());
                    Err(Error::Task(TaskError::Panicked { kind, message }))
                })
            });
        let told = done.as_ref().map(|_| ()).map_err(Clone::clone);
        self.outcome.set(done);
        told
    }

    fn cancel(&mut self, error: Error) {
        self.outcome.set(Err(error));
    }
}

/// What came of a task.
pub(super) struct Outcome<R>(Mutex<Option<Result<R>>>);

impl<R> Outcome<R> {
    pub(super) fn pending() -> Arc<Outcome<R>> {
        Arc::new(Outcome(Mutex::new(None)))
    }

    fn set(&self, outcome: Result<R>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
    }

    /// What came of it, if it is over; once.
    pub(super) fn take(&self) -> Option<Result<R>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
