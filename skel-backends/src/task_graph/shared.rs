//! What the threads of a graph share, and what other threads do with it: submit, wait, cancel.
//!
//! Waiting threads work: one takes the place of the last core while that core's own thread sleeps, so
//! submitting a small task and waiting for it leaves no thread.

use super::{
    body::{Body, Ends},
    segments::RangeAccess,
    state::{Over, State},
    times::Models,
};
use crate::{
    Context,
    fork::OwnerProcess,
    positions::{FIRST_DEVICE, SEQUENTIAL},
    running_task::{self, RunningTask},
    sync::{Condvar, Mutex, MutexGuard, yield_now},
};
use skel_core::{Error, Result, caught::catch, schedule::UnitIndex};
use skel_tasks::{
    Access, ArchSet, HandleId, Machine, MemoryNode, NewTask, Ns, Scheduler, TaskError, TaskId,
    Work, WorkerId, sim::Recorder,
};
use std::{
    sync::{Arc, PoisonError, TryLockError},
    time::Instant,
};

/// How many tasks may be submitted and not have ended, and how many are left when submitting goes on.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    pub(super) most: usize,
    pub(super) resume: usize,
}

/// A task with its body.
pub(super) struct Submission<'a> {
    pub(super) kind: &'a str,
    pub(super) accesses: &'a [Access],
    pub(super) ranges: &'a [RangeAccess],
    pub(super) after: &'a [(TaskId, Arc<dyn Ends + 'a>)],
    pub(super) priority: i32,
    pub(super) archs: ArchSet,
    pub(super) work: Work,
    pub(super) body: Box<dyn Body>,
}

pub(super) type Lock<'s> = MutexGuard<'s, State>;

pub(super) struct Shared {
    context: Context,
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

    /// Never called while a body runs or is dropped, and not in a child of the process: what a worker had locked when
    /// the process was forked stays locked there.
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
    pub(super) fn running_task(&self, unit: UnitIndex) -> RunningTask {
        RunningTask {
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

    /// Data of so many bytes that tasks may access.
    pub(super) fn register(&self, bytes: u64) -> HandleId {
        match self.is_forked() {
            true => HandleId::NONE,
            false => {
                let mut state = self.lock();
                let handle = state.engine.register(bytes, Some(MemoryNode::HOST));
                if let Some(recorder) = &mut state.recorder {
                    recorder.registered(handle, bytes);
                }
                handle
            }
        }
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

    /// Whether the calling thread may wait for tasks of the graph.
    pub(super) fn may_wait(&self) -> Result<()> {
        match () {
            () if self.is_forked() => Err(Error::Task(TaskError::Forked)),
            () if running_task::is_within(self.address()) => {
                Err(Error::Task(TaskError::WouldDeadlock))
            }
            () => Ok(()),
        }
    }

    pub(super) fn submit(&self, new: Submission<'_>) -> Result<TaskId> {
        self.submitting(|state, over| self.admit(state, new, over))
    }

    /// Submits several tasks, between which no other thread submits one.
    ///
    /// # Errors
    /// That of the first that is refused; those before it are cancelled, and none of them has begun.
    pub(super) fn submit_all<'a>(
        &self,
        all: impl Iterator<Item = Submission<'a>>,
    ) -> Result<Vec<TaskId>> {
        self.submitting(|state, over| {
            let mut tasks = Vec::new();
            for new in all {
                match self.admit(state, new, over) {
                    Ok(task) => tasks.push(task),
                    Err(error) => {
                        for task in tasks {
                            // It waits or is ready, since no worker has looked meanwhile.
                            let _cancelled = state.engine.cancel(task);
                        }
                        return Err(error);
                    }
                }
            }
            Ok(tasks)
        })
    }

    /// Lets `submit` submit tasks when there is room for them.
    fn submitting<R>(
        &self,
        submit: impl FnOnce(&mut State, &mut Over) -> std::result::Result<R, TaskError>,
    ) -> Result<R> {
        if self.is_forked() {
            return Err(Error::Task(TaskError::Forked));
        }
        let (inside, mut over) = (running_task::is_within(self.address()), Over::default());
        let mut state = self.lock();
        // What is held back does not end before more is submitted.
        while !state.holds() && !inside && state.engine.pending() >= self.limits.most {
            state.throttled += 1;
            state = self.work_until(state, |state| state.engine.pending() <= self.limits.resume);
            state.throttled -= 1;
        }
        let submitted = submit(&mut state, &mut over);
        self.wake(&mut state, !inside, &mut over);
        drop(state);
        self.end(&mut over);
        submitted.map_err(Error::Task)
    }

    fn admit(
        &self,
        state: &mut State,
        new: Submission<'_>,
        over: &mut Over,
    ) -> std::result::Result<TaskId, TaskError> {
        let Submission {
            kind,
            accesses,
            ranges,
            after,
            priority,
            archs,
            work,
            mut body,
        } = new;
        let name = kind;
        let kind = state.engine.kind(name);
        // The engine does not remember how tasks ended that are over.
        let over_for = |task: TaskId| !state.engine.is_pending(task);
        let failed = after
            .iter()
            .find(|(task, ends)| over_for(*task) && ends.has_failed());
        let cause = failed.map(|(task, _)| *task);
        let after: Vec<TaskId> = after.iter().map(|(task, _)| *task).collect();
        let resolved = state.resolve(accesses, ranges);
        let accesses = resolved.as_deref().unwrap_or(accesses);
        let new = NewTask {
            after: &after,
            priority,
            archs,
            work,
            ..NewTask::new(kind, accesses)
        };
        let submitted = match state.fault.clone() {
            Some(fault) => Err(fault),
            None => state.engine.submit(new, self.now_ns()),
        };
        match submitted {
            Ok(task) => {
                body.number();
                state.keep(task, body);
                if let Some(recorder) = &mut state.recorder {
                    recorder.submitted(task, name, &new);
                }
                if let Some(cause) = cause {
                    // It is not running: no worker has looked since.
                    let _cancelled = state.engine.cancel_since(task, cause);
                }
                state.submitted.0 += 1;
                state.take_cancelled(over, self.now_ns());
            }
            Err(_) => over.ran = Some(body),
        }
        submitted
    }

    /// Waits, and works meanwhile.
    ///
    /// # Errors
    /// [`TaskError::WouldDeadlock`] in a task of this graph, [`TaskError::Forked`].
    pub(super) fn wait_for(&self, is_over: impl Fn(&State) -> bool) -> Result<()> {
        self.may_wait()?;
        let _lock = self.work_until(self.lock(), is_over);
        Ok(())
    }

    /// Waits for a task, and works meanwhile.
    ///
    /// # Errors
    /// As [`Shared::wait_for`].
    pub(super) fn wait_for_task(&self, task: TaskId, ends: &dyn Ends) -> Result<()> {
        self.may_wait()?;
        let mut state = self.lock();
        state.awaited.push(task);
        let is_over = |state: &State| !state.engine.is_pending(task) && ends.is_known();
        state = self.work_until(state, is_over);
        let at = state.awaited.iter().position(|awaited| *awaited == task);
        if let Some(at) = at {
            state.awaited.swap_remove(at);
        }
        Ok(())
    }

    /// A thread that runs a task of another graph waits without working: what it would run might wait for that task.
    fn work_until<'s>(&'s self, mut state: Lock<'s>, is_over: impl Fn(&State) -> bool) -> Lock<'s> {
        let (mut over, may_work) = (Over::default(), !running_task::is_in_a_task());
        self.close_batch(&mut state, &mut over);
        state.waiting += 1;
        while !is_over(&state) {
            let mut did = false;
            // Also for a worker whose thread is on its way: a scheduler may have meant that one.
            for seat in (0..=self.helper).rev().filter(|_| may_work) {
                let place = &state.places[seat];
                if did || place.is_taken() || !(seat == self.helper || place.is_coming()) {
                    continue;
                }
                (state, did) = self.sit(state, seat, &mut over);
                if std::mem::take(&mut state.places[seat].is_turned_away) {
                    self.looks[seat].notify_one();
                }
            }
            // What it has run itself is dropped before it sleeps: a scope waits for that.
            if !over.is_empty() {
                state = self.settle(state, &mut over).0;
                did = true;
            }
            if did || is_over(&state) {
                continue;
            }
            state.napping += usize::from(may_work);
            state = self
                .progress
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
            state.napping -= usize::from(may_work);
        }
        state.waiting -= 1;
        if may_work {
            self.leave(&mut state, &mut over);
        }
        self.settle(state, &mut over).0
    }

    /// A thread that has worked in the last core's place goes on with something else. What it leaves, that core's own
    /// thread does.
    fn leave(&self, state: &mut State, over: &mut Over) {
        let place = &mut state.places[self.helper];
        if std::mem::take(&mut place.is_turned_away) {
            // It sleeps, and is called anew if there is something to do.
            place.is_woken = false;
        }
        let none_looks = !place.is_taken() && !place.is_woken;
        if state.engine.pending() > 0 {
            state.owed = true;
            self.pay(state);
        } else if none_looks {
            state.engine.leave(WorkerId(self.helper as u32));
        }
        self.wake(state, false, over);
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
        running_task::within(self.running_task(SEQUENTIAL), || {
            for (mut body, error) in over.cancelled.drain(..) {
                self.guard(|| body.cancel(error));
                self.guard(|| drop(body));
            }
            if let Some(body) = over.ran.take() {
                self.guard(|| drop(body));
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
