//! What the threads of a graph share: its state, under one lock.

use super::{
    state::{Over, State},
    times::Models,
};
use crate::{
    Context,
    current_task::{self, CurrentTask},
    fork::OwnerProcess,
    positions::{FIRST_DEVICE, SEQUENTIAL},
    sync::{Condvar, Mutex, MutexGuard, yield_now},
    task,
};
use skel_core::{
    Error, Result, caught::catch, container::Buffer, schedule::UnitIndex, unit::NodeId,
};
use skel_tasks::{HandleId, Machine, MemoryNode, Ns, Scheduler, TaskError, TaskId, sim::Recorder};
use std::{
    sync::{PoisonError, TryLockError},
    time::Instant,
};

/// How many tasks may be submitted and not have ended, and how many are left when submitting goes on.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    pub(super) most: usize,
    pub(super) resume: usize,
}

pub(super) type Lock<'s> = MutexGuard<'s, State>;

pub(super) struct Shared {
    pub(super) context: Context,
    pub(super) machine: Machine,
    pub(super) units: Vec<UnitIndex>,
    /// The worker whose place waiting threads take.
    pub(super) helper: usize,
    limits: Limits,
    state: Mutex<State>,
    /// For each worker's thread.
    pub(super) looks: Vec<Condvar>,
    /// For those that wait.
    pub(super) progress: Condvar,
    needs_time: bool,
    /// Whether tasks are measured.
    measures: bool,
    started: Instant,
    /// The process whose threads the workers are.
    owner: OwnerProcess,
    models: Models,
}

impl Shared {
    pub(super) fn new(
        context: Context,
        (units, ahead): (Vec<UnitIndex>, usize),
        machine: Machine,
        scheduler: Box<dyn Scheduler>,
        limits: Limits,
        models: Models,
        recorder: Option<Recorder>,
    ) -> Shared {
        let hosts = units.iter().filter(|unit| **unit < FIRST_DEVICE).count();
        let room = |unit: &UnitIndex| if *unit < FIRST_DEVICE { 1 } else { ahead };
        let rooms: Vec<usize> = units.iter().map(room).collect();
        let needs_time = scheduler.needs_time() || recorder.is_some();
        Shared {
            context,
            helper: hosts - 1,
            limits,
            looks: units.iter().map(|_| Condvar::new()).collect(),
            progress: Condvar::new(),
            measures: needs_time || scheduler.measures() || models.are_kept(),
            needs_time,
            started: Instant::now(),
            owner: OwnerProcess::here(),
            state: Mutex::new(State::new(
                machine.clone(),
                scheduler,
                &rooms,
                &models,
                recorder,
            )),
            models,
            machine,
            units,
        }
    }

    /// Never held while a body runs or is dropped, which may submit tasks, and not called in a child of the process: what a
    /// worker had locked when the process was forked stays locked there.
    ///
    /// The lock is given back within a microsecond. To sleep for it costs each side a call of the system, so a thread
    /// tries for a while, and lets others have its core between; a thread that has lost its core while it had the
    /// lock is waited for asleep.
    pub(super) fn lock(&self) -> Lock<'_> {
        // A model tries all orders anyway.
        const SPINS: u32 = if cfg!(loom) { 0 } else { 3 };
        const YIELDS: u32 = if cfg!(loom) { 0 } else { 10 };
        for attempt in 0..SPINS + YIELDS {
            match self.state.try_lock() {
                Ok(state) => return state,
                Err(TryLockError::Poisoned(poisoned)) => return poisoned.into_inner(),
                Err(TryLockError::WouldBlock) if attempt < SPINS => {
                    (0..2 << attempt).for_each(|_| std::hint::spin_loop());
                }
                Err(TryLockError::WouldBlock) => yield_now(),
            }
        }
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether this is a child of the process that the workers are in.
    pub(super) fn is_forked(&self) -> bool {
        self.owner.is_ancestor()
    }

    /// What tells this graph from others while it lives.
    pub(super) fn address(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }

    /// What a thread that works for the graph is part of.
    pub(super) fn current_task(&self, unit: UnitIndex) -> CurrentTask {
        CurrentTask {
            context: self.context.address(),
            graph: self.address(),
            unit,
            item: None,
        }
    }

    /// The time as the scheduler sees it.
    pub(super) fn now_ns(&self) -> Ns {
        self.clock_ns(self.needs_time)
    }

    /// The time at which a task begins or ends, if tasks are measured.
    pub(super) fn task_clock_ns(&self) -> Ns {
        self.clock_ns(self.measures)
    }

    fn clock_ns(&self, is_wanted: bool) -> Ns {
        match is_wanted {
            true => u64::try_from(self.started.elapsed().as_nanos()).unwrap_or(u64::MAX),
            false => 0,
        }
    }

    /// Data of so many bytes that tasks may access: it lies where its elements do, or else on the host.
    pub(super) fn register(&self, bytes: u64, elements: Option<&Buffer>) -> HandleId {
        match self.is_forked() {
            true => HandleId::NONE,
            false => {
                // A container's lock is taken before the graph's, not under it.
                let place =
                    |elements| task::valid_nodes(elements, 0..elements.len(), self.memory_nodes());
                let valid = elements.map(place).unwrap_or_default();
                let mut state = self.lock();
                let handle = task::register_at(&mut state.engine, bytes, valid);
                if let Some(recorder) = &mut state.recorder {
                    recorder.registered(handle, bytes);
                }
                handle
            }
        }
    }

    /// The memories of devices, as schedulers know them and as containers do.
    fn memory_nodes(&self) -> impl Iterator<Item = (MemoryNode, NodeId)> {
        let workers = self.machine.worker_ids().zip(&self.units);
        let devices = workers.filter(|(_, unit)| **unit >= FIRST_DEVICE);
        devices.filter_map(|(worker, unit)| {
            let node = self.context.unit(*unit).ok()?.node();
            Some((self.machine.node_of(worker), node))
        })
    }

    /// No task accesses it any more.
    pub(super) fn unregister(&self, handle: HandleId) {
        if !self.is_forked() {
            let mut state = self.lock();
            for handle in state.segments.forget(handle) {
                // Tasks that access it hold it, so none does.
                let _in_use = state.engine.unregister(handle);
            }
        }
    }

    pub(super) fn limits(&self) -> Limits {
        self.limits
    }

    /// Keeps a task from running.
    pub(super) fn cancel(&self, task: TaskId) -> Result<()> {
        if self.is_forked() {
            return Err(Error::Task(TaskError::Forked));
        }
        self.lock().engine.cancel(task).map_err(Error::Task)
    }

    /// Ends all tasks that have not begun.
    pub(super) fn abandon(&self) {
        if !self.is_forked() {
            let (mut over, mut state) = (Over::default(), self.lock());
            state.engine.abandon(self.now_ns());
            state.take_cancelled(&mut over, self.now_ns());
            self.tell(&state, None);
            drop(state);
            self.end(&mut over);
        }
    }

    /// The threads end when all tasks have. What was learned until then is kept.
    pub(super) fn close(&self) {
        let kinds = {
            let mut state = self.lock();
            state.closed = true;
            state.engine.kinds().to_vec()
        };
        self.models.save(&kinds);
        self.looks.iter().for_each(Condvar::notify_all);
    }

    /// Cancels and drops what a thread has taken out of the state. The thread does not have the lock: what is dropped
    /// is the user's, and data that it holds is unregistered.
    pub(super) fn end(&self, over: &mut Over) {
        if over.is_empty() {
            return;
        }
        let told = !over.cancelled.is_empty();
        current_task::within(self.current_task(SEQUENTIAL), || {
            for (mut body, error) in over.cancelled.drain(..) {
                self.guard(|| body.cancel(error));
                self.guard(|| drop(body));
            }
            if let Some(body) = over.ran.take() {
                self.guard(|| drop(body));
            }
            for error in over.forgotten.drain(..) {
                self.guard(|| drop(error));
            }
        });
        if told {
            let state = self.lock();
            if state.waiting > 0 {
                self.progress.notify_all();
            }
            // It may have been cancelled where nothing else is told of the end of all tasks.
            if state.is_finished() {
                self.looks.iter().for_each(Condvar::notify_all);
            }
        }
    }

    /// What panics when it is dropped is an error of the graph.
    fn guard(&self, body: impl FnOnce()) {
        if let Err(caught) = catch(body) {
            let (kind, message) = ("a drop".into(), caught.message().to_string());
            let error = Error::Task(TaskError::Panicked { kind, message });
            self.lock().first_error.get_or_insert(error);
        }
    }
}
