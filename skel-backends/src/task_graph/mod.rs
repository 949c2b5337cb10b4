//! Graphs of tasks: closures whose order follows from the data that they access.

mod access;
mod admission;
mod batch;
mod body;
mod builder;
mod call;
mod call_access;
mod data;
mod failures;
mod granted;
#[cfg(all(test, loom))]
mod interleavings;
mod progress;
mod range_table;
mod reduction;
mod scope;
mod seats;
mod segments;
mod shared;
mod state;
mod submit;
mod times;
mod waiting;
mod worker;

pub use access::{Accesses, Argument, Commute, Contribute, Read, Update, Write};
pub use builder::TaskGraphBuilder;
pub use call::{CallTasks, NewCall};
pub use call_access::{CallAccesses, CallArgument};
pub use data::{Handle, TaskData};
pub use progress::RunningTask;
pub use reduction::Reduction;
pub use scope::{Lent, LentSlice, ReadSlice, Scope, UpdateSlice};
pub use submit::{NewTask, Task, Units};

use crate::Context;
use scope::Spawn;
use shared::Shared;
use skel_core::{Error, Result};
use skel_tasks::{TaskError, sim::Recording};
use std::{fmt, sync::Arc};

/// Tasks that run as soon as what they need is there, on all cores and devices.
///
/// A task is a closure. What it may touch it gets as references, by the mode in which it has declared it
/// ([`Handle::read`], [`Handle::write`], [`Handle::update`], [`Handle::commute`], [`Reduction::contribute`]). The
/// tasks of one graph run as if they ran in the order of their submission: readers of the same data together,
/// writers alone. Skeleton calls in a task run on the worker that has it: one core, or one device (with one core
/// for what the device cannot do). `.on(…)` has no say there.
///
/// ```
/// use skel::{Context, prelude::*, tasks::TaskGraph};
///
/// let context = Context::builder().build()?;
/// let scale = map!(|x: f32, #[uniform] a: f32| a * x).within(context.clone());
/// let sum = reduce!(|a: f32, b: f32| a + b).within(context.clone());
///
/// let graph = TaskGraph::new(&context)?;
/// let x = graph.handle(Vector::from([1.0_f32, 2.0, 3.0]));
/// let y = graph.handle(Vector::from([0.0_f32; 3]));
/// // Waits for nothing.
/// graph.task("scale", (x.read(), y.write()), move |(x, y)| scale.run_into((x, 2.0), y)).submit()?;
/// // Waits for it, since it reads what that writes.
/// let total = graph.task("sum", (y.read(),), move |(y,)| sum.run((y,))).submit()?;
/// assert_eq!(total.wait()?, 12.0);
/// assert_eq!(graph.take(y)?.host()?[..], [2.0, 4.0, 6.0]);
/// # skel::Result::Ok(())
/// ```
///
/// # Errors and panics
/// A task whose closure gives an error or panics has failed: what reads the data that it was to write, or comes
/// [`after`](NewTask::after) it, is cancelled; all else runs. [`Task::wait`] gives a task's own error,
/// [`TaskGraph::wait`] the first of all.
///
/// # When it is dropped
/// All tasks are finished first, unless [`TaskGraph::abandon`] is called.
pub struct TaskGraph {
    shared: Arc<Shared>,
    threads: Vec<std::thread::JoinHandle<()>>,
}

impl TaskGraph {
    /// A graph over all cores of the current pool and all devices that [`Auto`](skel_core::schedule::Auto)
    /// may choose, under the scheduler [`Eager`](skel_tasks::scheduler::Eager).
    ///
    /// # Errors
    /// As [`TaskGraphBuilder::build`].
    pub fn new(context: &Context) -> Result<TaskGraph> {
        TaskGraph::builder(context).build()
    }

    /// A graph with settings.
    #[must_use]
    pub fn builder(context: &Context) -> TaskGraphBuilder {
        TaskGraphBuilder::new(context)
    }

    /// Gives data to the graph; tasks access it through the handle and its clones.
    pub fn handle<C: TaskData>(&self, data: C) -> Handle<C> {
        Handle::new(&self.shared, data)
    }

    /// A value to which tasks contribute, in any order and at the same time; their contributions are combined in
    /// the order in which the tasks were submitted, so the value does not depend on what ran where. `combine`
    /// need not commute.
    ///
    /// ```
    /// use skel::{Context, tasks::TaskGraph};
    ///
    /// let graph = TaskGraph::new(&Context::builder().build()?)?;
    /// let words = graph.reduction(String::new(), |a, b| a + &b);
    /// for word in ["one ", "after ", "the other"] {
    ///     let say = move |(said,): (&mut Option<String>,)| {
    ///         *said = Some(word.into());
    ///         Ok(())
    ///     };
    ///     graph.task("say", (words.contribute(),), say).submit()?;
    /// }
    /// let read = graph.task("read", (words.read(),), |(said,)| Ok(said.clone())).submit()?;
    /// assert_eq!(read.wait()?, "one after the other");
    /// # skel::Result::Ok(())
    /// ```
    pub fn reduction<T: Send + Sync + 'static>(
        &self,
        initial: T,
        combine: impl Fn(T, T) -> T + Send + Sync + 'static,
    ) -> Reduction<T> {
        Reduction::new(&self.shared, initial, combine)
    }

    /// A task that is described further, and then [submitted](NewTask::submit). Tasks of one name share a model of
    /// how long they take; the graph keeps each name that it has met. The closure gets a tuple of references, one for each access.
    pub fn task<'g, A, R, F>(
        &'g self,
        name: &'g str,
        accesses: A,
        work: F,
    ) -> NewTask<'g, 'static, A, F>
    where
        A: Accesses,
        R: Send + 'static,
        F: for<'t> FnOnce(A::Refs<'t>) -> Result<R> + Send + 'static,
    {
        NewTask::new(&self.shared, Spawn::free(), name, accesses, work)
    }

    /// A skeleton call by chunks: each is a task, which waits for what it needs of the containers, and for nothing else.
    /// So calls behind each other overlap, as steps of a stencil do, whose chunks begin when their neighbours have done the
    /// step before. Chunks run on cores and on devices, and results are those of the call as a whole.
    ///
    /// ```
    /// use skel::{Context, prelude::*, tasks::TaskGraph};
    ///
    /// let context = Context::builder().build()?;
    /// let heat = map_overlap!(|t: Window2<f32, 1, 1>| {
    ///     t[(0, 0)] + 0.2 * (t[(-1, 0)] + t[(1, 0)] + t[(0, -1)] + t[(0, 1)] - 4.0 * t[(0, 0)])
    /// });
    /// let heat = heat.edge(Edge::Duplicate).within(context.clone());
    ///
    /// let graph = TaskGraph::new(&context)?;
    /// let mut x = graph.handle(Matrix::from_fn(100, 100, |i, j| ((i * j) % 7) as f32));
    /// let mut y = graph.handle(Matrix::filled(100, 100, 0.0_f32));
    /// for _step in 0..10 {
    ///     let heat = heat.clone();
    ///     graph.call("heat", (x.read(), y.write()), move |(x, y)| heat.run_into((x,), y)).chunks(8).submit()?;
    ///     std::mem::swap(&mut x, &mut y);
    /// }
    /// let x = graph.take(x)?;
    /// # assert!((x.host()?.iter().sum::<f32>() - (0..100).flat_map(|i| (0..100).map(move |j| ((i * j) % 7) as f32)).sum::<f32>()).abs() < 1.0);
    /// # skel::Result::Ok(())
    /// ```
    ///
    /// The closure gets `&Matrix<T>`, say, for what is [read](Handle::read), and a [`RangeMut`] for what is
    /// [written](Handle::write) or [updated](Handle::update), makes one call of a skeleton with these, and does nothing else:
    /// it is called once by [`submit`](NewCall::submit), where nothing is computed, and once for each chunk. Whatever
    /// else the call takes it may capture. Any skeleton will do that computes each element of its output by itself;
    /// reductions, scans, sweeps, and functions that draw random numbers are
    /// [refused](skel_tasks::TaskError::NotByChunks), and so are parts of outputs that have gaps.
    ///
    /// Containers have the shapes that they had when the graph was given them. A chunk that fails poisons what it was to
    /// write: what reads that is cancelled, and all else runs.
    ///
    /// [`RangeMut`]: skel_core::container::RangeMut
    pub fn call<'g, A, F>(
        &'g self,
        name: &'g str,
        accesses: A,
        call: F,
    ) -> NewCall<'g, 'static, A, F>
    where
        A: CallAccesses,
        F: for<'t> Fn(A::Refs<'t>) -> Result<()> + Send + Sync + 'static,
    {
        NewCall::new(&self.shared, Spawn::free(), name, accesses, call)
    }

    /// Waits until no task is left, of those that are submitted meanwhile neither; works meanwhile.
    ///
    /// # Errors
    /// The first error of a task since this was called last, also one that [`Task::wait`] has given, and
    /// [`WouldDeadlock`](skel_tasks::TaskError::WouldDeadlock) in a task of this graph.
    pub fn wait(&self) -> Result<()> {
        self.shared.wait_for(|state| state.engine.pending() == 0)?;
        self.shared.lock().first_error.take().map_or(Ok(()), Err)
    }

    /// Waits for all tasks that access the data, and takes it out of the graph.
    ///
    /// # Errors
    /// Those of tasks that were to write it; then the data is lost.
    /// [`WouldDeadlock`](skel_tasks::TaskError::WouldDeadlock) in a task of this graph, and
    /// [`Lent`](skel_tasks::TaskError::Lent) for what a [`scope`](Self::scope) has lent; then it stays where it is.
    pub fn take<C: TaskData>(&self, handle: Handle<C>) -> Result<C> {
        self.shared.may_wait()?;
        if handle.datum.is_lent {
            let handle = handle.datum.id;
            return Err(Error::Task(TaskError::Lent { handle }));
        }
        let taken = handle.taken();
        drop(handle);
        // That there is none is the caller's to know, and no failure of the graph's.
        let take = |(data,): (&mut scope::Slot<C>,)| Ok(data.take());
        let taken = self.task("take", (taken,), take).submit()?.wait()?;
        taken.map_err(Error::Task)
    }

    /// Cancels all tasks that have not begun.
    pub fn abandon(&self) {
        self.shared.abandon();
    }

    /// How many tasks have not ended. None in a process that was forked.
    #[must_use]
    pub fn pending(&self) -> usize {
        match self.shared.is_forked() {
            true => 0,
            false => {
                self.shared.hand_over();
                self.shared.lock().engine.pending()
            }
        }
    }

    /// How many tasks each worker has run so far, in the order of [`TaskGraph::machine`].
    #[must_use]
    pub fn tasks_by_worker(&self) -> Vec<u64> {
        match self.shared.is_forked() {
            true => Vec::new(),
            false => self.shared.lock().ran.clone(),
        }
    }

    /// What was done so far, if the graph was [told](TaskGraphBuilder::record) to note it: the tasks as a program, which can
    /// be drawn and simulated on other machines, and when each of them ran where.
    ///
    /// ```
    /// use skel::{Context, tasks::{Machine, TaskGraph, scheduler, sim::Simulation}};
    ///
    /// let graph = TaskGraph::builder(&Context::builder().build()?).record().build()?;
    /// let x = graph.handle(1_u32);
    /// for _ in 0..3 {
    ///     graph.task("read", (x.read(),), |(x,)| Ok(*x)).submit()?;
    /// }
    /// graph.task("write", (x.update(),), |(x,)| Ok(*x += 1)).submit()?;
    /// graph.wait()?;
    ///
    /// let recording = graph.recording().expect("it was told to");
    /// assert_eq!(recording.report.tasks, 4);
    /// let dot = recording.program.dot(); // for Graphviz
    /// assert!(dot.contains("t0 -> t3;"));
    /// let picture = recording.report.svg(900); // which worker had which task when
    /// let trace = recording.report.chrome(&recording.program); // for Perfetto, with arrows
    /// # assert!(picture.starts_with("<svg") && trace.contains("write"));
    ///
    /// // The same on 16 cores, by the times that tasks took here.
    /// let simulation = Simulation::new(Machine::cores(16)?, recording.rates());
    /// simulation.run(&*scheduler::parse("ws")?, &recording.program)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn recording(&self) -> Option<Recording> {
        if self.shared.is_forked() {
            return None;
        }
        let recorder = self.shared.lock().recorder.clone();
        recorder.map(|recorder| recorder.recording())
    }

    /// The machine as its scheduler sees it, workers by number: cores, then devices.
    #[must_use]
    pub fn machine(&self) -> &skel_tasks::Machine {
        &self.shared.machine
    }
}

impl Drop for TaskGraph {
    fn drop(&mut self) {
        let threads = self.threads.drain(..);
        if self.shared.is_forked() {
            // The threads are not there.
            threads.for_each(std::mem::forget);
            return;
        }
        // Errors that were not asked for are not reported by a drop. A task that drops its own graph does not wait:
        // its threads end when the last task has.
        let waited = self.shared.wait_for(|state| state.engine.pending() == 0);
        self.shared.close();
        if waited.is_ok() {
            for thread in threads {
                // Its panic, which is a bug of ours, was printed when it happened.
                let _panicked = thread.join();
            }
        }
    }
}

impl fmt::Debug for TaskGraph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TaskGraph")
            .field("pending", &self.pending())
            .finish_non_exhaustive()
    }
}
