//! How far a graph is, for programs that do not wait for ever.

use super::{TaskGraph, shared::Shared, state::Over};
use skel_core::Result;
use skel_tasks::{TaskId, WorkerId};
use std::{
    sync::PoisonError,
    time::{Duration, Instant},
};

/// A task that has begun and not ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RunningTask {
    /// Its number, as errors name it.
    pub task: TaskId,
    /// Its name, by which times are learned.
    pub kind: String,
    /// The worker that has it, in the order of [`TaskGraph::machine`].
    pub worker: WorkerId,
}

impl TaskGraph {
    /// Waits until no task is left, but no longer than `timeout`; whether none is. Unlike [`wait`](TaskGraph::wait), it runs
    /// no task meanwhile: for programs that watch tasks which may not return. Such a task keeps its worker; all that
    /// does not wait for it goes on.
    ///
    /// ```
    /// use skel::{Context, tasks::TaskGraph};
    /// use std::{sync::mpsc, time::Duration};
    ///
    /// let graph = TaskGraph::new(&Context::builder().build()?)?;
    /// let (answer, asks) = mpsc::channel::<u32>();
    /// let late = move || asks.recv().map_err(skel::Error::other);
    /// let task = graph.task("asks", (), move |()| late()).submit()?;
    /// if !graph.wait_timeout(Duration::from_millis(20))? {
    ///     let stuck = graph.running(); // the same one a while ago, and still
    ///     assert_eq!((stuck.len(), &*stuck[0].kind), (1, "asks"));
    ///     answer.send(42).expect("it listens");
    /// }
    /// assert_eq!(task.wait()?, 42);
    /// # skel::Result::Ok(())
    /// ```
    ///
    /// # Errors
    /// Where no task is left, the first error of a task since this or `wait` gave one; and
    /// [`WouldDeadlock`](skel_tasks::TaskError::WouldDeadlock) in a task of this graph.
    pub fn wait_timeout(&self, timeout: Duration) -> Result<bool> {
        let end = Instant::now().checked_add(timeout);
        if !self.shared.is_over_by(end)? {
            return Ok(false);
        }
        let first = self.shared.lock().first_error.take();
        first.map_or(Ok(true), Err)
    }

    /// The tasks that have begun and not ended. None in a process that was forked.
    #[must_use]
    pub fn running(&self) -> Vec<RunningTask> {
        if self.shared.is_forked() {
            return Vec::new();
        }
        let state = self.shared.lock();
        let (engine, workers) = (&state.engine, self.shared.machine.worker_ids());
        let of = |worker| {
            engine
                .running(worker)
                .into_iter()
                .map(move |task| (task, worker))
        };
        let tasks = workers.flat_map(of).map(|(task, worker)| {
            let kind = engine.view(0).task(task).kind;
            RunningTask {
                task,
                kind: engine.kinds()[kind.0 as usize].clone(),
                worker,
            }
        });
        tasks.collect()
    }
}

impl Shared {
    /// Sleeps until no task is left, or until then.
    fn is_over_by(&self, end: Option<Instant>) -> Result<bool> {
        self.may_wait()?;
        let (mut state, mut over) = (self.lock(), Over::default());
        self.close_batch(&mut state, &mut over);
        // The last core's thread may count on one that waits and works.
        self.pay(&mut state);
        state.waiting += 1;
        while state.engine.pending() > 0 {
            let left = end.map(|end| end.saturating_duration_since(Instant::now()));
            state = match left {
                Some(Duration::ZERO) => break,
                Some(left) => {
                    let waited = self.progress.wait_timeout(state, left);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
                None => {
                    let waited = self.progress.wait(state);
                    waited.unwrap_or_else(PoisonError::into_inner)
                }
            };
            // More may have been submitted meanwhile.
            self.pay(&mut state);
        }
        state.waiting -= 1;
        let is_over = state.engine.pending() == 0;
        drop(state);
        self.end(&mut over);
        Ok(is_over)
    }
}
