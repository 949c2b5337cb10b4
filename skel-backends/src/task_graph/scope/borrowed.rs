//! Bodies of tasks that borrow, and the count of those that are not finished.
#![allow(
    unsafe_code,
    reason = "bodies that borrow are kept among those that do not"
)]

use super::super::{
    body::{Body, Failed},
    shared::Shared,
};
use skel_core::Error;
use std::{
    marker::PhantomData,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

/// The tasks of a scope that are not finished.
pub(in super::super) struct Unfinished {
    shared: Arc<Shared>,
    /// Bodies that were not dropped yet.
    bodies: AtomicUsize,
    first_error: Mutex<Option<Error>>,
}

impl Unfinished {
    pub(super) fn new(shared: &Arc<Shared>) -> Arc<Unfinished> {
        Arc::new(Unfinished {
            shared: Arc::clone(shared),
            bodies: AtomicUsize::new(0),
            first_error: Mutex::default(),
        })
    }

    fn none(&self) -> bool {
        // Acquire: what tasks have written is seen by what comes after the scope.
        self.bodies.load(Ordering::Acquire) == 0
    }

    /// Waits until all bodies were dropped, and works meanwhile. In a child of the process no body ever runs, and
    /// none is waited for.
    pub(super) fn wait(&self) {
        /// Also when working meanwhile panics.
        struct Outlast<'u>(&'u Unfinished);
        impl Drop for Outlast<'_> {
            fn drop(&mut self) {
                while !self.0.none() && !self.0.shared.is_forked() {
                    thread::sleep(Duration::from_micros(100));
                }
            }
        }
        let _outlast = Outlast(self);
        // It may be refused only in a child of the process: a scope does not begin where it may not wait.
        let _refused = self.shared.wait_for(|_| self.none());
    }

    /// The first error of a task, once.
    pub(super) fn first_error(&self) -> Option<Error> {
        self.errors().take()
    }

    fn errors(&self) -> MutexGuard<'_, Option<Error>> {
        let errors = self.first_error.lock();
        errors.unwrap_or_else(PoisonError::into_inner)
    }
}

/// Counts a body.
struct Counted(Arc<Unfinished>);

impl Counted {
    fn new(unfinished: Arc<Unfinished>) -> Counted {
        // Relaxed: it is more than 0 already, by a scope or by another body that is counted.
        unfinished.bodies.fetch_add(1, Ordering::Relaxed);
        Counted(unfinished)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        // Bodies are dropped by threads that do not have the graph's lock.
        if self.0.bodies.fetch_sub(1, Ordering::Release) == 1 && !self.0.shared.is_forked() {
            // With the lock: between its look and its sleep, the scope's thread has it.
            let _lock = self.0.shared.lock();
            self.0.shared.progress.notify_all();
        }
    }
}

/// A body of a scope's task. Its fields are dropped in their order: the count goes down when nothing borrowed is left.
struct Scoped<B> {
    body: B,
    counted: Counted,
}

impl<B: Body> Body for Scoped<B> {
    fn number(&mut self) {
        self.body.number();
    }

    fn run(&mut self, kind: &dyn Fn() -> String) -> Result<(), Failed> {
        self.body.run(kind).map_err(|failed| {
            let error = failed.error().clone();
            self.counted.0.errors().get_or_insert_with(|| error.clone());
            Failed::OfScope(error)
        })
    }

    fn cancel(&mut self, error: Error) {
        self.counted.0.errors().get_or_insert_with(|| error.clone());
        self.body.cancel(error);
    }
}

/// How the body of a task becomes one of the graph: whether it may borrow, and for how long.
#[derive(Clone)]
pub(in super::super) struct Spawn<'b> {
    unfinished: Option<Arc<Unfinished>>,
    /// Neither longer nor shorter.
    borrows: PhantomData<fn(&'b ()) -> &'b ()>,
}

impl Spawn<'static> {
    /// A body that borrows nothing.
    pub(in super::super) fn free() -> Spawn<'static> {
        Spawn {
            unfinished: None,
            borrows: PhantomData,
        }
    }
}

impl<'b> Spawn<'b> {
    /// A body that may borrow.
    ///
    /// # Safety
    /// [`Unfinished::wait`] is called, and returns, before `'b` ends.
    pub(super) unsafe fn scoped(unfinished: &Arc<Unfinished>) -> Spawn<'b> {
        Spawn {
            unfinished: Some(Arc::clone(unfinished)),
            borrows: PhantomData,
        }
    }

    /// The body as the graph keeps it.
    pub(in super::super) fn body(self, body: impl Body + 'b) -> Box<dyn Body> {
        let body: Box<dyn Body + 'b> = match self.unfinished {
            None => Box::new(body),
            Some(unfinished) => {
                let counted = Counted::new(unfinished);
                Box::new(Scoped { body, counted })
            }
        };
        // SAFETY: without a count, `'b` is `'static`: `free` makes no other, and `Spawn` is invariant. With one, the body
        // is dropped before the count goes down, and `scoped`'s caller waits for that while `'b` lasts; in a child of
        // the process, which does not wait, no thread runs or drops it.
        unsafe { std::mem::transmute::<Box<dyn Body + 'b>, Box<dyn Body + 'static>>(body) }
    }
}
