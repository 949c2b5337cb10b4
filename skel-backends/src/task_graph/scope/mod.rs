//! Tasks that borrow: all of them have ended when the scope does.
#![allow(unsafe_code, reason = "lends for as long as the scope lasts")]

mod borrowed;
mod slice;
mod slot;

pub(super) use borrowed::{Spawn, Unfinished};
pub use slice::{LentSlice, ReadSlice, UpdateSlice};
pub(super) use slot::{Lease, Slot};

use super::{
    CallAccesses, NewCall, NewTask, TaskGraph,
    access::{Accesses, Read},
    data::{Datum, Handle, TaskData},
};
use skel_core::Result;
use std::{
    fmt,
    marker::PhantomData,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{Arc, Mutex, PoisonError},
};

/// Where tasks may borrow: see [`TaskGraph::scope`].
pub struct Scope<'scope, 'env: 'scope> {
    graph: &'env TaskGraph,
    unfinished: Arc<Unfinished>,
    leases: Mutex<Vec<Arc<dyn Lease>>>,
    /// Invariant, as of [`std::thread::Scope`]: a longer life would let tasks borrow what ends before the scope.
    scope: PhantomData<&'scope mut &'scope ()>,
    env: PhantomData<&'env mut &'env ()>,
}

/// Data that a scope lends to tasks that read it.
pub struct Lent<C: 'static>(Arc<Datum<C>>);

impl<C: TaskData> Lent<C> {
    /// The task gets `&C`.
    #[must_use]
    pub fn read(&self) -> Read<C> {
        Read(Arc::clone(&self.0))
    }
}

impl<C> Clone for Lent<C> {
    fn clone(&self) -> Self {
        Lent(Arc::clone(&self.0))
    }
}

impl<C> fmt::Debug for Lent<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.id)
    }
}

impl TaskGraph {
    /// Tasks that borrow: their closures may use what lives longer than the scope, and data need not be given away.
    /// Waits for all tasks of the scope, whatever happens in it, and works meanwhile.
    ///
    /// ```
    /// use skel::{Context, prelude::*, tasks::TaskGraph};
    ///
    /// let context = Context::builder().build()?;
    /// let add = map!(|x: f32, #[uniform] a: f32| x + a).within(context.clone());
    /// let (x, mut y) = (Vector::from([1.0_f32, 2.0]), Vector::from([0.0_f32; 2]));
    ///
    /// let graph = TaskGraph::new(&context)?;
    /// let sum = graph.scope(|s| {
    ///     let (x, y) = (s.lend(&x), s.lend_mut(&mut y));
    ///     // The skeleton is borrowed as well.
    ///     s.task("add", (x.read(), y.write()), |(x, y)| add.run_into((x, 10.0), y)).submit()?;
    ///     let sum = s.task("sum", (y.read(),), |(y,)| Ok(y.host()?.iter().sum::<f32>())).submit()?;
    ///     sum.wait()
    /// })?;
    /// assert_eq!(sum, 23.0);
    /// assert_eq!(y.host()?[..], [11.0, 12.0]);
    /// # skel::Result::Ok(())
    /// ```
    ///
    /// Parts of one slice are data without a handle:
    ///
    /// ```
    /// use skel::{Context, tasks::TaskGraph};
    ///
    /// let graph = TaskGraph::new(&Context::builder().build()?)?;
    /// let mut squares = vec![0_usize; 1000];
    /// graph.scope(|s| {
    ///     for (k, part) in squares.chunks_mut(300).enumerate() {
    ///         let work = move |()| {
    ///             part.iter_mut().enumerate().for_each(|(i, x)| *x = (300 * k + i).pow(2));
    ///             Ok(())
    ///         };
    ///         s.task("square", (), work).submit()?;
    ///     }
    ///     Ok(())
    /// })?;
    /// assert_eq!(squares[999], 999 * 999);
    /// # skel::Result::Ok(())
    /// ```
    ///
    /// # Errors
    /// That of `body`, or else the first of the scope's tasks, which [`TaskGraph::wait`] does not report then.
    /// [`TaskError::WouldDeadlock`](skel_tasks::TaskError::WouldDeadlock) in a task of this graph, and
    /// [`TaskError::Forked`](skel_tasks::TaskError::Forked); `body` does not run then.
    ///
    /// # Panics
    /// With what `body` panics, when all tasks have ended. A task that panics has failed with an error.
    pub fn scope<'env, R>(
        &'env self,
        body: impl for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> Result<R>,
    ) -> Result<R> {
        self.shared.may_wait()?;
        let scope = Scope {
            graph: self,
            unfinished: Unfinished::new(&self.shared),
            leases: Mutex::default(),
            scope: PhantomData,
            env: PhantomData,
        };
        let result = catch_unwind(AssertUnwindSafe(|| body(&scope)));
        let waited = catch_unwind(AssertUnwindSafe(|| scope.unfinished.wait()));
        scope.end_leases();
        let done = result.unwrap_or_else(|panic| resume_unwind(panic))?;
        waited.unwrap_or_else(|panic| resume_unwind(panic));
        scope.unfinished.first_error().map_or(Ok(done), Err)
    }
}

impl<'scope> Scope<'scope, '_> {
    /// As [`TaskGraph::task`], for a closure that may borrow. Accesses may be of data that the scope lends and of data that
    /// the graph owns.
    pub fn task<'n, A, R, F>(
        &'n self,
        name: &'n str,
        accesses: A,
        work: F,
    ) -> NewTask<'n, 'scope, A, F>
    where
        A: Accesses,
        R: Send + 'scope,
        F: for<'t> FnOnce(A::Refs<'t>) -> Result<R> + Send + 'scope,
    {
        // SAFETY: `scope` waits for all that is not finished before it returns, and `'scope` lasts as long as that call.
        let spawn = unsafe { Spawn::scoped(&self.unfinished) };
        NewTask::new(&self.graph.shared, spawn, name, accesses, work)
    }

    /// As [`TaskGraph::call`], for a closure that may borrow. Accesses may be of containers that the scope lends and of
    /// those that the graph owns.
    pub fn call<'n, A, F>(
        &'n self,
        name: &'n str,
        accesses: A,
        call: F,
    ) -> NewCall<'n, 'scope, A, F>
    where
        A: CallAccesses,
        F: for<'t> Fn(A::Refs<'t>) -> Result<()> + Send + Sync + 'scope,
    {
        // SAFETY: `scope` waits for all that is not finished before it returns, and `'scope` lasts as long as that call.
        let spawn = unsafe { Spawn::scoped(&self.unfinished) };
        NewCall::new(&self.graph.shared, spawn, name, accesses, call)
    }

    /// Lends data to tasks that read it. What no task writes may as well be captured by closures: this is for schedulers
    /// that mind where data lies.
    pub fn lend<C: TaskData>(&self, data: &'scope C) -> Lent<C> {
        let bytes = data.size_bytes();
        // SAFETY: `scope` ends all leases before it returns, and `'scope` lasts as long as that call.
        Lent(self.lease(unsafe { Slot::lend(data) }, bytes))
    }

    /// Lends data to tasks that change it. A handle that is kept longer than the scope finds nothing.
    pub fn lend_mut<C: TaskData>(&self, data: &'scope mut C) -> Handle<C> {
        let bytes = data.size_bytes();
        // SAFETY: `scope` ends all leases before it returns, and `'scope` lasts as long as that call.
        let slot = unsafe { Slot::lend_mut(data) };
        Handle {
            datum: self.lease(slot, bytes),
        }
    }

    fn lease<C: TaskData>(&self, slot: Slot<C>, bytes: u64) -> Arc<Datum<C>> {
        let datum = Arc::new(Datum::new(&self.graph.shared, slot, bytes));
        let mut leases = self.leases.lock().unwrap_or_else(PoisonError::into_inner);
        leases.push(datum.clone());
        datum
    }

    /// Nothing that was lent is used from then on.
    fn end_leases(&self) {
        if self.graph.shared.is_forked() {
            // Tasks never run here, and threads that had data locked are not here to give it back.
            return;
        }
        let mut leases = self.leases.lock().unwrap_or_else(PoisonError::into_inner);
        leases.drain(..).for_each(|lease| lease.end());
    }
}
