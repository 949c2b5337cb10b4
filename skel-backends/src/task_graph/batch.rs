//! Tasks that a scheduler sees all together, before the first of them runs.

use super::{
    TaskGraph,
    shared::Shared,
    state::{Over, State},
};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

impl TaskGraph {
    /// Holds back the tasks that are submitted while `submit` runs, and hands them over as one batch when it returns.
    /// Schedulers that plan ahead know the whole batch then: [`Heft`](skel_tasks::scheduler::Heft) ranks its tasks by what
    /// waits for them, and work distributions share it among the workers. To all others, it only means that the first
    /// task begins later.
    ///
    /// ```
    /// use skel::{Context, tasks::{TaskGraph, scheduler::Heft}};
    ///
    /// let context = Context::builder().build()?;
    /// let graph = TaskGraph::builder(&context).scheduler(Heft).build()?;
    /// let x = graph.handle(1_u64);
    /// let last = graph.batch(|| {
    ///     for _ in 0..10 {
    ///         graph.task("double", (x.update(),), |(x,)| Ok(*x *= 2)).submit()?;
    ///     }
    ///     graph.task("read", (x.read(),), |(x,)| Ok(*x)).submit()
    /// })?;
    /// assert_eq!(last.wait()?, 1024);
    /// # skel::Result::Ok(())
    /// ```
    ///
    /// What other threads submit meanwhile is part of the batch. Nothing is held back while a thread waits for tasks of the
    /// graph, or asks how far they are: then what was submitted so far is a batch of its own, so nothing waits for ever.
    /// Inner batches are part of the outer one. Submitting does not wait because there are too many tasks.
    ///
    /// # Panics
    /// With what `submit` panics; what it has submitted is handed over.
    pub fn batch<R>(&self, submit: impl FnOnce() -> R) -> R {
        let held = Held::new(&self.shared);
        let result = catch_unwind(AssertUnwindSafe(submit));
        // Not while a panic unwinds: the scheduler plans now.
        drop(held);
        result.unwrap_or_else(|panic| resume_unwind(panic))
    }
}

/// For as long as it lives, tasks are held back.
struct Held<'g>(&'g Shared);

impl<'g> Held<'g> {
    fn new(shared: &'g Shared) -> Self {
        if !shared.is_forked() {
            shared.lock().batches += 1;
        }
        Held(shared)
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        if self.0.is_forked() {
            return;
        }
        let (mut state, mut over) = (self.0.lock(), Over::default());
        state.batches -= 1;
        if state.batches == 0 {
            self.0.close_batch(&mut state, &mut over);
        }
        drop(state);
        self.0.end(&mut over);
    }
}

impl State {
    /// Whether a task that is submitted now is held back; it is part of the open batch then.
    pub(super) fn holds(&mut self) -> bool {
        let holds = self.batches > 0 && self.waiting == 0;
        if holds {
            self.engine.open_batch();
        }
        holds
    }
}

impl Shared {
    /// Hands over what is held back, if anything is.
    pub(super) fn close_batch(&self, state: &mut State, over: &mut Over) {
        if state.engine.has_open_batch() {
            state.engine.close_batch(self.now_ns());
            state.take_cancelled(over, self.now_ns());
            self.wake(state, false, over);
        }
    }

    /// The same, for a thread that waits in ways of its own.
    pub(super) fn hand_over(&self) {
        if self.is_forked() {
            return;
        }
        let (mut state, mut over) = (self.lock(), Over::default());
        self.close_batch(&mut state, &mut over);
        drop(state);
        self.end(&mut over);
    }
}
