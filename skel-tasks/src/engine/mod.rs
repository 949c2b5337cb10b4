//! The engine: graph, plan of copies, books of memories, and a scheduler, under one set of calls.

mod give_up;
mod guarded;
mod memory;
mod place;
mod wake;

pub use place::Transfer;

use crate::{
    ArchSet, Costs, HandleId, KindId, Machine, MemoryNode, NewTask, NodeSet, Ns, Scheduler,
    TaskError, TaskId, View, WorkerId,
    graph::{Graph, State},
    liveness::Liveness,
};
use guarded::Guarded;
use memory::Books;
use std::collections::HashMap;
use wake::Wakes;

/// How a task ended on its worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// It has done its work.
    Done {
        /// How long it was executed, without transfers.
        took_ns: Ns,
    },
    /// It has failed: what reads what it was to write is cancelled, and so is what was to run after it.
    Failed,
    /// It has not begun, or left no trace, and is to be run again.
    Retry,
}

/// Tasks, their order, and which worker takes which. See the [crate](crate) for how it is driven.
pub struct Engine {
    graph: Graph,
    machine: Machine,
    live: Liveness,
    /// Of workers whose tasks others run.
    retired: ArchSet,
    books: Books,
    costs: Box<dyn Costs>,
    scheduler: Guarded,
    kinds: Vec<String>,
    kind_ids: HashMap<String, KindId>,
    wakes: Wakes,
    /// What is to be copied for the task that was placed last.
    transfers: Vec<Transfer>,
    /// What is to be copied ahead.
    prefetches: Vec<Transfer>,
    /// Tasks that ended without having been placed, each with the task whose failure is the cause.
    cancelled: Vec<(TaskId, TaskId)>,
    /// Tasks that no memory has had room for.
    deferred: Vec<TaskId>,
    /// How many tasks workers have.
    running: usize,
    /// How many tasks the scheduler was given so far.
    pushed: u64,
    /// Ready tasks that the scheduler has not got yet; empty between calls.
    ready: Vec<TaskId>,
}

impl Engine {
    /// An engine without tasks.
    #[must_use]
    pub fn new(machine: Machine, scheduler: Box<dyn Scheduler>, costs: Box<dyn Costs>) -> Engine {
        Engine {
            graph: Graph::default(),
            live: Liveness::new(&machine),
            retired: ArchSet::EMPTY,
            books: Books::new(&machine),
            wakes: Wakes::new(&machine),
            machine,
            costs,
            scheduler: Guarded::new(scheduler),
            kinds: Vec::new(),
            kind_ids: HashMap::new(),
            transfers: Vec::new(),
            prefetches: Vec::new(),
            cancelled: Vec::new(),
            deferred: Vec::new(),
            running: 0,
            pushed: 0,
            ready: Vec::new(),
        }
    }

    /// What is expected of times goes by these from now on.
    pub fn expect(&mut self, costs: Box<dyn Costs>) {
        self.costs = costs;
    }

    /// The number of a kind of tasks.
    pub fn kind(&mut self, name: &str) -> KindId {
        if let Some(kind) = self.kind_ids.get(name) {
            return *kind;
        }
        let kind = KindId(self.kinds.len() as u32);
        self.kinds.push(name.into());
        self.kind_ids.insert(name.into(), kind);
        kind
    }

    /// The names of all kinds, by number.
    #[must_use]
    pub fn kinds(&self) -> &[String] {
        &self.kinds
    }

    /// The machine.
    #[must_use]
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Registers data of so many bytes, which lies `at` a memory node, or has no content yet. It has none at a memory
    /// node that the machine does not have.
    pub fn register(&mut self, bytes: u64, at: Option<MemoryNode>) -> HandleId {
        let at = at.filter(|node| self.machine.has(*node));
        let handle = self.graph.handles.add(bytes, at);
        if let Some(node) = at {
            self.books.arrive(node, handle, bytes);
        }
        handle
    }

    /// Forgets data that no unfinished task accesses.
    ///
    /// # Errors
    /// [`TaskError::UnknownHandle`], and [`TaskError::InUse`] with the number of tasks.
    pub fn unregister(&mut self, handle: HandleId) -> Result<(), TaskError> {
        self.graph.handles.get(handle)?;
        self.graph.unregister(handle)?;
        self.books.forget(handle);
        Ok(())
    }

    /// Splits the last `bytes` off the data of a handle: they have a handle of their own from now on, by which tasks can
    /// access them alone. What tasks that were submitted before do with the handle, they do with both.
    ///
    /// ```
    /// use skel_tasks::{Access, Engine, Machine, MemoryNode, Mode, NewTask, Unknown, scheduler};
    ///
    /// let machine = Machine::cores(2)?;
    /// let eager = scheduler::parse("eager")?.build(&machine)?;
    /// let mut engine = Engine::new(machine, eager, Box::new(Unknown));
    /// let (kind, mode) = (engine.kind("half"), Mode::Update);
    /// let first = engine.register(1000, Some(MemoryNode::HOST));
    /// let second = engine.split(first, 500)?;
    /// for handle in [first, second] {
    ///     engine.submit(NewTask::new(kind, &[Access { handle, mode }]), 0)?;
    /// }
    /// // Neither waits for the other.
    /// let workers: Vec<_> = engine.machine().worker_ids().collect();
    /// assert!(workers.into_iter().all(|worker| matches!(engine.next(worker, 0), Ok(Some(_)))));
    /// # Ok::<(), skel_tasks::TaskError>(())
    /// ```
    ///
    /// # Errors
    /// [`TaskError::UnknownHandle`].
    pub fn split(&mut self, handle: HandleId, bytes: u64) -> Result<HandleId, TaskError> {
        let part = self.graph.split(handle, bytes)?;
        self.books.split(handle, part, bytes);
        Ok(part)
    }

    /// The memory nodes that really have the data now; corrects the plan.
    ///
    /// # Errors
    /// [`TaskError::UnknownHandle`].
    pub fn saw(&mut self, handle: HandleId, valid: NodeSet) -> Result<(), TaskError> {
        self.graph.handles.get(handle)?;
        let known = valid.iter().filter(|node| self.machine.has(*node));
        self.graph.handles.at(handle).valid = known.collect();
        Ok(())
    }

    /// Whether the scheduler looks at the time. Where it does not, `now_ns` may be 0 in all calls.
    #[must_use]
    pub fn needs_time(&self) -> bool {
        self.scheduler.needs_time()
    }

    /// Adds a task. It runs as if all tasks ran in the order of their submission.
    ///
    /// # Errors
    /// What is wrong with it; it is not added then.
    pub fn submit(&mut self, task: NewTask<'_>, now_ns: Ns) -> Result<TaskId, TaskError> {
        let archs = self.archs_left(task.archs);
        let task = NewTask { archs, ..task };
        let added = self.can_be_run(&task).and_then(|()| self.graph.add(&task));
        let id = added.map_err(|error| error.of_kind(|| self.kind_name(task.kind)))?;
        if self.graph.is_free(id) {
            self.settle(id, task.by, now_ns);
        }
        Ok(id)
    }

    /// Whether there is a worker for the task, and room in its memory.
    fn can_be_run(&mut self, task: &NewTask<'_>) -> Result<(), TaskError> {
        let able = self.live.classes(&self.machine, task.archs);
        if able.is_empty() {
            let kind = self.kind_name(task.kind);
            return Err(TaskError::NoImplementation { kind });
        }
        let mut capacity_bytes = 0;
        for class in able.iter() {
            match self.books.capacity_bytes(self.machine.class(class).node) {
                None => return Ok(()),
                Some(bytes) => capacity_bytes = capacity_bytes.max(bytes),
            }
        }
        let needed_bytes = self.graph.bytes_of(task.accesses)?;
        match needed_bytes > capacity_bytes {
            true => Err(TaskError::WorkingSet {
                needed_bytes,
                capacity_bytes,
            }),
            false => Ok(()),
        }
    }

    fn kind_name(&self, kind: KindId) -> String {
        let name = self.kinds.get(kind.0 as usize);
        name.cloned().unwrap_or_else(|| format!("kind {}", kind.0))
    }

    /// A task that waits for no other: it is the scheduler's, or cancelled.
    fn settle(&mut self, task: TaskId, by: Option<WorkerId>, now_ns: Ns) {
        let mut ready = std::mem::take(&mut self.ready);
        if let Some(cause) = self.graph.settle(task, &mut ready) {
            self.cancelled.push((task, cause));
            self.graph
                .end(task, Some(cause), &mut ready, &mut self.cancelled);
        }
        self.push(ready, by, now_ns);
    }

    /// From here to [`Engine::close_batch`], tasks are submitted, and none of them runs: schedulers that plan see
    /// all of them at once, and [`Engine::depend`] can order them.
    pub fn open_batch(&mut self) {
        self.graph.open_batch();
    }

    /// Whether a batch is open.
    #[must_use]
    pub fn has_open_batch(&self) -> bool {
        self.graph.has_open_batch()
    }

    /// Ends the batch; does nothing if none is open.
    pub fn close_batch(&mut self, now_ns: Ns) {
        let tasks = self.graph.close_batch();
        let view = view(&self.graph, &self.machine, &*self.costs, &self.live, now_ns);
        self.scheduler.plan(&tasks, &view);
        for task in tasks {
            // One that is cancelled by another's end is no more.
            if self.graph.is_alive(task)
                && self.graph.is_free(task)
                && self.graph.state(task) == State::Waiting
            {
                self.settle(task, None, now_ns);
            }
        }
    }

    /// Makes a task of the open batch wait for another one, of the batch or not.
    ///
    /// # Errors
    /// [`TaskError::Cycle`] with the tasks that would wait for each other, and [`TaskError::UnknownTask`] if the
    /// batch has no such task, or `on` is over. Nothing has changed then.
    pub fn depend(&mut self, task: TaskId, on: TaskId) -> Result<(), TaskError> {
        self.graph.depend(task, on)
    }

    /// The worker has ended the task.
    ///
    /// # Errors
    /// [`TaskError::UnknownTask`] if the worker does not have it.
    pub fn finished(
        &mut self,
        task: TaskId,
        how: Finish,
        worker: WorkerId,
        now_ns: Ns,
    ) -> Result<(), TaskError> {
        if self.graph.state(task) != State::Running(worker) {
            return Err(TaskError::UnknownTask { task });
        }
        self.unpin(task, worker);
        self.running -= 1;
        // It is awake, though another thread that works for it may have found nothing meanwhile.
        self.wakes.arrive(&self.machine, worker);
        let mut ready = std::mem::take(&mut self.ready);
        let took_ns = match how {
            Finish::Done { took_ns } => took_ns,
            Finish::Failed | Finish::Retry => 0,
        };
        let now = view(&self.graph, &self.machine, &*self.costs, &self.live, now_ns);
        self.scheduler.finished(task, worker, took_ns, &now);
        match how {
            Finish::Done { .. } => {
                let (info, arch) = (*self.graph.info(task), self.machine.arch_of(worker));
                self.costs.observe(info.kind, arch, info.work, took_ns);
                self.graph.end(task, None, &mut ready, &mut self.cancelled);
            }
            Finish::Failed => {
                self.graph
                    .end(task, Some(task), &mut ready, &mut self.cancelled);
            }
            Finish::Retry => {
                self.graph.set_state(task, State::Ready);
                ready.push(task);
            }
        }
        ready.append(&mut self.deferred);
        self.push(ready, Some(worker), now_ns);
        Ok(())
    }

    /// Hands ready tasks to the scheduler, those that no worker can run excepted.
    fn push(&mut self, mut ready: Vec<TaskId>, by: Option<WorkerId>, now_ns: Ns) {
        let mut at = 0;
        while let Some(&task) = ready.get(at) {
            at += 1;
            let now = view(&self.graph, &self.machine, &*self.costs, &self.live, now_ns);
            if now.able(task).next().is_none() {
                // Its successors that may run come behind it in the list.
                self.cancelled.push((task, task));
                self.graph
                    .end(task, Some(task), &mut ready, &mut self.cancelled);
                continue;
            }
            self.pushed += 1;
            let hint = self.scheduler.push(task, by, &now);
            self.wakes.want(hint.wake);
            if let Some(node) = hint.prefetch.filter(|node| self.machine.has(*node)) {
                self.prefetch(task, node);
            }
        }
        ready.clear();
        self.ready = ready;
    }

    /// How many times the scheduler was handed a ready task.
    #[must_use]
    pub fn pushed(&self) -> u64 {
        self.pushed
    }

    /// Whether the number names a task that has not ended.
    #[must_use]
    pub fn is_pending(&self, task: TaskId) -> bool {
        self.graph.is_alive(task)
    }

    /// How many tasks have not ended.
    #[must_use]
    pub fn pending(&self) -> usize {
        self.graph.pending()
    }

    /// The tasks that a worker has, by slot.
    #[must_use]
    pub fn running(&self, worker: WorkerId) -> Vec<TaskId> {
        self.graph.in_state(|state| state == State::Running(worker))
    }

    /// Takes the tasks that ended without having run since this was asked last, each with the task whose failure
    /// or cancellation is the cause; a task that no worker can run any more is its own.
    pub fn take_cancelled(&mut self) -> std::vec::Drain<'_, (TaskId, TaskId)> {
        self.cancelled.drain(..)
    }

    /// What a scheduler would be told now.
    #[must_use]
    pub fn view(&self, now_ns: Ns) -> View<'_> {
        view(&self.graph, &self.machine, &*self.costs, &self.live, now_ns)
    }

    /// The scheduler.
    #[must_use]
    pub fn scheduler(&self) -> &dyn Scheduler {
        self.scheduler.get()
    }
}

fn view<'a>(
    graph: &'a Graph,
    machine: &'a Machine,
    costs: &'a dyn Costs,
    live: &'a Liveness,
    now_ns: Ns,
) -> View<'a> {
    View {
        now_ns,
        machine,
        graph,
        costs,
        live,
    }
}

#[cfg(test)]
mod test;
