//! The scheduler of an engine, which may be a user's: if it panics, nothing unwinds into the engine, whose plan would be
//! half made then.

use crate::{ClassId, Hint, Ns, Scheduler, TaskError, TaskId, View, WorkerId};
use std::{
    any::Any,
    cell::OnceCell,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// A scheduler that has panicked is asked nothing more, and has nothing. So the engine is
/// [stuck](super::Engine::stuck) before long.
pub(super) struct Guarded {
    scheduler: Box<dyn Scheduler>,
    fault: OnceCell<Fault>,
}

/// What it panicked with. The payload is kept as long as the engine: it is a user's, and may do anything when it is
/// dropped, also wait for a lock under which the engine is asked.
struct Fault {
    message: String,
    payload: Option<Box<dyn Any + Send>>,
}

impl Fault {
    fn of(payload: Box<dyn Any + Send>) -> Fault {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
        Fault {
            message: text.unwrap_or("a panic without a message").into(),
            payload: Some(payload),
        }
    }
}

impl Drop for Fault {
    fn drop(&mut self) {
        let payload = self.payload.take();
        // One that panics when it is dropped is leaked then: what it panics with could do so again.
        if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
            std::mem::forget(second);
        }
    }
}

impl Guarded {
    pub(super) fn new(scheduler: Box<dyn Scheduler>) -> Guarded {
        let fault = OnceCell::new();
        Guarded { scheduler, fault }
    }

    pub(super) fn get(&self) -> &dyn Scheduler {
        &*self.scheduler
    }

    /// What is wrong with it, if it has panicked.
    pub(super) fn fault(&self) -> Option<TaskError> {
        let (kind, message) = ("the scheduler".into(), self.fault.get()?.message.clone());
        Some(TaskError::Panicked { kind, message })
    }

    fn ask<R>(&mut self, otherwise: R, question: impl FnOnce(&mut dyn Scheduler) -> R) -> R {
        if self.fault.get().is_some() {
            return otherwise;
        }
        let answer = catch_unwind(AssertUnwindSafe(|| question(&mut *self.scheduler)));
        answer.unwrap_or_else(|payload| {
            self.fault.get_or_init(|| Fault::of(payload));
            otherwise
        })
    }

    pub(super) fn needs_time(&self) -> bool {
        self.scheduler.needs_time()
    }

    pub(super) fn plan(&mut self, tasks: &[TaskId], view: &View<'_>) {
        self.ask((), |scheduler| scheduler.plan(tasks, view));
    }

    pub(super) fn push(&mut self, task: TaskId, by: Option<WorkerId>, view: &View<'_>) -> Hint {
        // All of them look, and find nothing.
        let otherwise = Hint::any(view.able(task).collect());
        self.ask(otherwise, |scheduler| scheduler.push(task, by, view))
    }

    pub(super) fn pop(&mut self, worker: WorkerId, view: &View<'_>) -> Option<TaskId> {
        self.ask(None, |scheduler| scheduler.pop(worker, view))
    }

    pub(super) fn finished(
        &mut self,
        task: TaskId,
        worker: WorkerId,
        took_ns: Ns,
        view: &View<'_>,
    ) {
        self.ask((), |scheduler| {
            scheduler.finished(task, worker, took_ns, view)
        });
    }

    pub(super) fn not_begun(&mut self, task: TaskId, worker: WorkerId, view: &View<'_>) {
        self.ask((), |scheduler| scheduler.not_begun(task, worker, view));
    }

    pub(super) fn cancelled(&mut self, task: TaskId, view: &View<'_>) {
        self.ask((), |scheduler| scheduler.cancelled(task, view));
    }

    pub(super) fn drain(&mut self) -> Vec<TaskId> {
        self.ask(Vec::new(), |scheduler| scheduler.drain())
    }

    pub(super) fn ready(&self, class: ClassId) -> usize {
        if self.fault.get().is_some() {
            return 0;
        }
        let answer = catch_unwind(AssertUnwindSafe(|| self.scheduler.ready(class)));
        answer.unwrap_or_else(|payload| {
            self.fault.get_or_init(|| Fault::of(payload));
            0
        })
    }
}
