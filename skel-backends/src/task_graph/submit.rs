//! Submitting tasks, and waiting for them.

use super::{
    access::Accesses,
    admission::Submission,
    body::{Closure, Ends, Outcome},
    scope::Spawn,
    shared::Shared,
};
use crate::current_task;
use skel_core::{Error, Result};
use skel_tasks::{Access, Arch, ArchSet, TaskError, TaskId, Work};
use std::{
    fmt,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

/// On which workers a task may run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Units {
    /// On any.
    #[default]
    Any,
    /// On cores.
    Cores,
    /// On devices.
    Devices,
}

impl Units {
    pub(super) fn archs(self) -> ArchSet {
        let cores = ArchSet::only(Arch(0));
        match self {
            Units::Any => ArchSet::ALL,
            Units::Cores => cores,
            Units::Devices => (1..64).map(Arch).collect(),
        }
    }
}

/// A task that was not submitted yet: see [`TaskGraph::task`](super::TaskGraph::task) and
/// [`Scope::task`](super::Scope::task). Its closure may borrow what lives for `'b`.
#[must_use = "a task runs when it is submitted"]
pub struct NewTask<'g, 'b, A, F> {
    pub(super) shared: &'g Arc<Shared>,
    pub(super) spawn: Spawn<'b>,
    pub(super) name: &'g str,
    pub(super) accesses: A,
    pub(super) work: F,
    pub(super) after: Vec<(TaskId, Arc<dyn Ends + 'g>)>,
    pub(super) priority: i32,
    pub(super) units: Units,
    elems: u64,
    pub(super) failed: Option<Error>,
}

impl<'g, 'b, A, F> NewTask<'g, 'b, A, F> {
    pub(super) fn new(
        shared: &'g Arc<Shared>,
        spawn: Spawn<'b>,
        name: &'g str,
        accesses: A,
        work: F,
    ) -> Self {
        NewTask {
            shared,
            spawn,
            name,
            accesses,
            work,
            after: Vec::new(),
            priority: 0,
            units: Units::Any,
            elems: 1,
            failed: None,
        }
    }

    /// Tasks of higher priority run first, under schedulers that mind.
    pub fn priority(self, priority: i32) -> Self {
        NewTask { priority, ..self }
    }

    /// On which workers it may run.
    pub fn units(self, units: Units) -> Self {
        NewTask { units, ..self }
    }

    /// How much it has to do, in any measure in which the time of its kind grows.
    pub fn work(self, elems: u64) -> Self {
        NewTask {
            elems: elems.max(1),
            ..self
        }
    }

    /// It runs when the other one is done, whatever they access; if that fails, it is cancelled.
    pub fn after<R: Send + 'g>(mut self, other: &Task<R>) -> Self {
        match Arc::ptr_eq(self.shared, &other.shared) {
            true => self.after.push((other.id, other.outcome.clone())),
            false => {
                let task = other.id;
                self.failed
                    .get_or_insert(Error::Task(TaskError::UnknownTask { task }));
            }
        }
        self
    }

    /// Hands the task over; it runs as soon as what it needs is there. Waits while too many tasks have not ended, and
    /// works meanwhile, unless it is called in a task.
    ///
    /// # Errors
    /// [`Error::Task`]: what is wrong with its accesses, or that no worker can run it. It is not submitted then.
    pub fn submit<R>(self) -> Result<Task<R>>
    where
        A: Accesses,
        R: Send + 'b,
        F: for<'t> FnOnce(A::Refs<'t>) -> Result<R> + Send + 'b,
    {
        if let Some(error) = self.failed {
            return Err(error);
        }
        if self.shared.is_forked() {
            return Err(Error::Task(TaskError::Forked));
        }
        let (mut accesses, mut foreign): (Vec<Access>, _) = (Vec::new(), None);
        let declared = self.accesses.declare(&mut |access, graph| {
            if graph != self.shared.address() {
                foreign.get_or_insert(access.handle);
            }
            accesses.push(access);
        });
        declared.map_err(Error::Task)?;
        if let Some(handle) = foreign {
            let kind = self.name.into();
            return Err(Error::Task(TaskError::UnknownHandle { kind, handle }));
        }
        let outcome = Outcome::pending();
        let body = Closure {
            accesses: self.accesses,
            work: Some(self.work),
            outcome: Arc::clone(&outcome),
        };
        let id = self.shared.submit(Submission {
            kind: self.name,
            accesses: &accesses,
            ranges: &[],
            after: &self.after,
            priority: self.priority,
            archs: self.units.archs(),
            work: Work { elems: self.elems },
            body: self.spawn.body(body),
        })?;
        Ok(Task::new(self.shared, id, outcome))
    }
}

impl<A, F> fmt::Debug for NewTask<'_, '_, A, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NewTask({})", self.name)
    }
}

/// A submitted task, and what its closure will give. Dropping it changes nothing.
pub struct Task<R> {
    shared: Arc<Shared>,
    id: TaskId,
    outcome: Arc<Outcome<R>>,
}

impl<R> Task<R> {
    pub(super) fn new(shared: &Arc<Shared>, id: TaskId, outcome: Arc<Outcome<R>>) -> Task<R> {
        let shared = Arc::clone(shared);
        Task {
            shared,
            id,
            outcome,
        }
    }

    /// Waits for the task, works meanwhile, and gives what its closure gave.
    ///
    /// Working is running other tasks of the graph. So the thread must not hold a lock that one of them takes. If it is
    /// a thread of a rayon pool and such a task uses rayon, that may go on with another job of the pool inside it: what
    /// that job does counts as the task's, and waiting there is [`TaskError::WouldDeadlock`]. Threads that are no pool's
    /// have neither.
    ///
    /// # Errors
    /// What the closure gave, [`TaskError::Panicked`], [`Error::Cancelled`] with the task that failed and its error,
    /// [`TaskError::Cancelled`] if it or one before it was [cancelled](Task::cancel), and [`TaskError::WouldDeadlock`] in a
    /// task of the same graph.
    pub fn wait(self) -> Result<R>
    where
        R: Send,
    {
        self.shared.wait_for_task(self.id, &*self.outcome)?;
        let over = self.outcome.take();
        over.unwrap_or(Err(Error::Task(TaskError::Cancelled { cause: self.id })))
    }

    /// Whether it is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.shared.hand_over();
        self.shared.is_forked() || !self.shared.lock().engine.is_pending(self.id)
    }

    /// Keeps it from running, if it has not begun, and what depends on it.
    ///
    /// # Errors
    /// [`TaskError::UnknownTask`] if it is running, or over.
    pub fn cancel(&self) -> Result<()> {
        self.shared.cancel(self.id)
    }

    /// Its number.
    #[must_use]
    pub fn id(&self) -> TaskId {
        self.id
    }
}

/// Completes when the task is over; gives what [`Task::wait`] gives, once. Any executor will do: the graph's workers
/// run the task. In a task of the same graph, what is not over is [`TaskError::WouldDeadlock`], as [`Task::wait`] says.
///
/// ```
/// use skel::{Context, tasks::TaskGraph};
///
/// let graph = TaskGraph::new(&Context::builder().build()?)?;
/// let answer = graph.task("answer", (), |()| Ok(42)).submit()?;
/// # fn block_on<F: Future + Unpin>(mut future: F) -> F::Output {
/// #     let mut context = std::task::Context::from_waker(std::task::Waker::noop());
/// #     loop {
/// #         if let std::task::Poll::Ready(done) = std::pin::Pin::new(&mut future).poll(&mut context) {
/// #             return done;
/// #         }
/// #         std::thread::yield_now();
/// #     }
/// # }
/// assert_eq!(block_on(answer)?, 42);
/// # skel::Result::Ok(())
/// ```
impl<R> Future for Task<R> {
    type Output = Result<R>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<R>> {
        if let Some(result) = self.outcome.take_or_wake(context.waker()) {
            return Poll::Ready(result);
        }
        // A worker that waits for it may be the one that would run it.
        if !current_task::is_waking() {
            self.shared.may_wait()?;
        }
        self.shared.hand_over();
        Poll::Pending
    }
}

impl<R> fmt::Debug for Task<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.id)
    }
}
