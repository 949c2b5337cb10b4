//! Placing: a worker takes a task, and the plan says what has to be copied for it.

use super::{Engine, view};
use crate::{HandleId, MemoryNode, Mode, NodeSet, Ns, TaskError, TaskId, WorkerId, graph::State};

/// A copy that has to be made before a task can run, or ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// Of what.
    pub handle: HandleId,
    /// From a memory that has it.
    pub from: MemoryNode,
    /// To the memory that needs it, or that keeps what has to leave.
    pub to: MemoryNode,
    /// How much.
    pub bytes: u64,
    /// Whether it saves what has to leave `from`, whose memory is short.
    pub evicts: bool,
}

impl Engine {
    /// The task that the worker takes now; nothing if it has to wait until it is woken. Until the task is
    /// [finished](Engine::finished), it is the worker's.
    ///
    /// # Errors
    /// [`TaskError::Scheduler`] if the scheduler gives what the worker cannot run; the task is cancelled.
    pub fn next(&mut self, worker: WorkerId, now_ns: Ns) -> Result<Option<TaskId>, TaskError> {
        self.wakes.arrive(&self.machine, worker);
        self.transfers.clear();
        let is_live = self.live.worker(worker);
        loop {
            let now = view(&self.graph, &self.machine, &*self.costs, &self.live, now_ns);
            let task = is_live.then(|| self.scheduler.pop(worker, &now)).flatten();
            let Some(task) = task else {
                self.wakes.rest(&self.machine, worker, is_live);
                return Ok(None);
            };
            if self.graph.state(task) != State::Ready {
                return Err(TaskError::Scheduler { task });
            }
            let now = view(&self.graph, &self.machine, &*self.costs, &self.live, now_ns);
            if !now.can_run(task, self.machine.class_of(worker)) {
                self.drop_ready(task, task, now_ns);
                return Err(TaskError::Scheduler { task });
            }
            if let Some(cause) = self.graph.doom(task) {
                self.not_begun(task, worker, now_ns);
                self.drop_ready(task, cause, now_ns);
                continue;
            }
            if !self.place(task, worker) {
                self.not_begun(task, worker, now_ns);
                self.deferred.push(task);
                continue;
            }
            let class = self.machine.class_of(worker);
            self.wakes
                .want(crate::Wake::Any(crate::ClassSet::only(class)));
            return Ok(Some(task));
        }
    }

    /// Tells the scheduler that a task that it has given up is not run.
    fn not_begun(&mut self, task: TaskId, worker: WorkerId, now_ns: Ns) {
        let now = view(&self.graph, &self.machine, &*self.costs, &self.live, now_ns);
        self.scheduler.not_begun(task, worker, &now);
    }

    /// Tells the scheduler that a task that it has given up is cancelled.
    pub(super) fn told_cancelled(&mut self, task: TaskId, now_ns: Ns) {
        let now = view(&self.graph, &self.machine, &*self.costs, &self.live, now_ns);
        self.scheduler.cancelled(task, &now);
    }

    /// Ends a ready task that the scheduler has given up.
    fn drop_ready(&mut self, task: TaskId, cause: TaskId, now_ns: Ns) {
        self.told_cancelled(task, now_ns);
        let mut ready = std::mem::take(&mut self.ready);
        self.cancelled.push((task, cause));
        self.graph
            .end(task, Some(cause), &mut ready, &mut self.cancelled);
        self.push(ready, None, now_ns);
    }

    /// What has to be copied for the task that [`Engine::next`] gave last.
    #[must_use]
    pub fn transfers(&self) -> &[Transfer] {
        &self.transfers
    }

    /// Takes what has to be copied ahead.
    pub fn take_prefetches(&mut self) -> std::vec::Drain<'_, Transfer> {
        self.prefetches.drain(..)
    }

    /// Plans the task for the worker's memory; false if there is no room now.
    fn place(&mut self, task: TaskId, worker: WorkerId) -> bool {
        let node = self.machine.node_of(worker);
        let mut transfers = std::mem::take(&mut self.transfers);
        let has_room = self.bring(task, node, true, &mut transfers);
        self.transfers = transfers;
        if !has_room {
            return false;
        }
        self.graph.set_state(task, State::Running(worker));
        self.running += 1;
        for k in 0..self.graph.accesses(task).len() {
            let access = self.graph.accesses(task)[k];
            let handle = self.graph.handles.at(access.handle);
            if !matches!(access.mode, Mode::Write | Mode::Update | Mode::Commute) {
                continue;
            }
            let old = std::mem::replace(&mut handle.valid, NodeSet::only(node));
            let bytes = handle.bytes;
            self.books.arrive(node, access.handle, bytes);
            for other in old.iter().filter(|other| *other != node) {
                self.books.leave(other, access.handle);
            }
        }
        if self.books.is_limited(node) {
            for access in self.graph.accesses(task) {
                self.books.pin(node, access.handle);
            }
        }
        true
    }

    /// Plans copies of what the task reads; false if the memory has no room for all of its data.
    fn bring(
        &mut self,
        task: TaskId,
        node: MemoryNode,
        must: bool,
        transfers: &mut Vec<Transfer>,
    ) -> bool {
        if self.books.is_limited(node) && !self.make_room(task, node, must, transfers) {
            return false;
        }
        for k in 0..self.graph.accesses(task).len() {
            let access = self.graph.accesses(task)[k];
            if !access.mode.reads() {
                continue;
            }
            let handle = self.graph.handles.at(access.handle);
            let bytes = handle.bytes;
            if !handle.valid.contains(node) {
                let time = |from: &MemoryNode| self.machine.transfer_ns(*from, node, bytes);
                if let Some(from) = handle.valid.iter().min_by_key(time) {
                    let handle = access.handle;
                    transfers.push(Transfer {
                        handle,
                        from,
                        to: node,
                        bytes,
                        evicts: false,
                    });
                }
                handle.valid.insert(node);
            }
            self.books.arrive(node, access.handle, bytes);
        }
        true
    }

    /// Makes room for all data of a task; what only this memory has goes to the host, if `must`.
    fn make_room(
        &mut self,
        task: TaskId,
        node: MemoryNode,
        must: bool,
        transfers: &mut Vec<Transfer>,
    ) -> bool {
        let handles = &self.graph.handles;
        let accesses = self.graph.accesses(task).iter();
        let wanted: Vec<(HandleId, u64)> = accesses
            .map(|access| (access.handle, handles.of(access.handle).bytes))
            .collect();
        // Or a copy that is worth nothing any more.
        let elsewhere = |handle: HandleId| {
            let valid = handles.of(handle).valid;
            valid.len() > 1 || !valid.contains(node)
        };
        if !must {
            // Ahead of time, nothing has to leave.
            return self.books.has_room(node, &wanted);
        }
        let Some(victims) = self.books.make_room(node, &wanted, elsewhere) else {
            return false;
        };
        for handle in victims {
            let data = self.graph.handles.at(handle);
            if data.valid.len() == 1 && data.valid.contains(node) {
                let (from, to, bytes) = (node, MemoryNode::HOST, data.bytes);
                transfers.push(Transfer {
                    handle,
                    from,
                    to,
                    bytes,
                    evicts: true,
                });
                data.valid.insert(MemoryNode::HOST);
            }
            data.valid.remove(node);
        }
        true
    }

    /// Plans the copies of what a ready task reads, ahead of its turn.
    pub(super) fn prefetch(&mut self, task: TaskId, node: MemoryNode) {
        let mut prefetches = std::mem::take(&mut self.prefetches);
        self.bring(task, node, false, &mut prefetches);
        self.prefetches = prefetches;
    }

    /// The task needs its data on the worker's memory no more.
    pub(super) fn unpin(&mut self, task: TaskId, worker: WorkerId) {
        let node = self.machine.node_of(worker);
        if self.books.is_limited(node) {
            for access in self.graph.accesses(task) {
                self.books.unpin(node, access.handle);
            }
        }
    }
}
