//! What the threads of a graph share: the engine, the tasks' bodies, and who sleeps.
//!
//! Whoever waits works: a thread that waits takes the last worker on the host while that worker's own thread sleeps, so
//! submitting a small task and waiting for it leaves no thread. The last worker's thread is not woken either while
//! another thread goes on submitting: that thread occupies a core, and will most likely wait soon.

use super::{
    body::{Body, Ends},
    times::Times,
};
use crate::{
    Context,
    here::{self, Here},
    observe,
    positions::FIRST_DEVICE,
    trace,
};
use skel_core::{Error, Result, schedule::UnitIndex};
use skel_tasks::{
    Access, ArchSet, Engine, Finish, Machine, NewTask, Ns, Scheduler, TaskError, TaskId, Work,
    WorkerId,
};
use std::{
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
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
    pub(super) after: &'a [(TaskId, Arc<dyn Ends>)],
    pub(super) priority: i32,
    pub(super) archs: ArchSet,
    pub(super) work: Work,
    pub(super) body: Box<dyn Body>,
}

pub(super) struct State {
    pub(super) engine: Engine,
    /// By the tasks' slots.
    bodies: Vec<Option<Box<dyn Body>>>,
    /// Of each worker, whether a thread works for it.
    taken: Vec<bool>,
    /// Of each worker, whether its thread is to look.
    woken: Vec<bool>,
    /// The last worker's thread is to look, unless a thread waits.
    owed: bool,
    /// Tasks that threads outside of the graph have submitted, and how many there were when a worker looked last.
    submitted: (u64, u64),
    /// Threads that wait, and for which tasks.
    waiting: usize,
    awaited: Vec<TaskId>,
    throttled: usize,
    closed: bool,
    pub(super) first_error: Option<Error>,
}

type Lock<'s> = MutexGuard<'s, State>;

pub(super) struct Shared {
    context: Context,
    units: Vec<UnitIndex>,
    /// The worker whose place waiting threads take.
    helper: usize,
    limits: Limits,
    state: Mutex<State>,
    /// For each worker's thread.
    looks: Vec<Condvar>,
    /// For those that wait.
    progress: Condvar,
    needs_time: bool,
    started: Instant,
}

impl Shared {
    pub(super) fn new(
        context: Context,
        units: Vec<UnitIndex>,
        machine: Machine,
        scheduler: Box<dyn Scheduler>,
        limits: Limits,
    ) -> Shared {
        let workers = units.len();
        let hosts = units.iter().filter(|unit| **unit < FIRST_DEVICE).count();
        let needs_time = scheduler.needs_time();
        Shared {
            context,
            units,
            helper: hosts - 1,
            limits,
            state: Mutex::new(State {
                engine: Engine::new(machine, scheduler, Box::<Times>::default()),
                bodies: Vec::new(),
                taken: vec![false; workers],
                woken: vec![false; workers],
                owed: false,
                submitted: (0, 0),
                waiting: 0,
                awaited: Vec::new(),
                throttled: 0,
                closed: false,
                first_error: None,
            }),
            looks: (0..workers).map(|_| Condvar::new()).collect(),
            progress: Condvar::new(),
            needs_time,
            started: Instant::now(),
        }
    }

    pub(super) fn seats(&self) -> usize {
        self.units.len()
    }

    /// Never called while a body runs or is dropped.
    pub(super) fn lock(&self) -> Lock<'_> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What tells this graph from others while it lives.
    pub(super) fn address(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }

    fn now_ns(&self) -> Ns {
        match self.needs_time {
            true => u64::try_from(self.started.elapsed().as_nanos()).unwrap_or(u64::MAX),
            false => 0,
        }
    }

    pub(super) fn submit(&self, new: Submission<'_>) -> Result<TaskId> {
        let inside = here::is_within(self.address());
        let mut state = self.lock();
        if !inside && state.engine.pending() >= self.limits.most {
            state.throttled += 1;
            state = self.work_until(state, |state| state.engine.pending() <= self.limits.resume);
            state.throttled -= 1;
        }
        let Submission {
            kind,
            accesses,
            after,
            priority,
            archs,
            work,
            body,
        } = new;
        let kind = state.engine.kind(kind);
        // The engine does not remember how tasks ended that are over.
        let over = |task: TaskId| !state.engine.is_pending(task);
        let failed = after
            .iter()
            .find(|(task, ends)| over(*task) && ends.has_failed());
        let cause = failed.map(|(task, _)| *task);
        let after: Vec<TaskId> = after.iter().map(|(task, _)| *task).collect();
        let new = NewTask {
            after: &after,
            priority,
            archs,
            work,
            ..NewTask::new(kind, accesses)
        };
        let submitted = state.engine.submit(new, self.now_ns()).map_err(Error::Task);
        if let Ok(task) = submitted {
            if state.bodies.len() <= task.slot() {
                state.bodies.resize_with(task.slot() + 1, || None);
            }
            state.bodies[task.slot()] = Some(body);
            if let Some(cause) = cause {
                // It is not running: no worker has looked since.
                let _cancelled = state.engine.cancel_since(task, cause);
            }
            state.submitted.0 += u64::from(!inside);
            self.wake(&mut state, !inside);
            let _lock = self.end_cancelled(state);
        }
        submitted
    }

    /// Wakes those that have something to do.
    fn wake(&self, state: &mut State, submitting: bool) {
        let State {
            engine,
            woken,
            owed,
            taken,
            waiting,
            ..
        } = state;
        for WorkerId(worker) in engine.take_wakes() {
            let worker = worker as usize;
            if worker == self.helper {
                if *waiting > 0 {
                    self.progress.notify_all();
                    continue;
                }
                let others_work = taken.iter().take(self.helper).any(|taken| *taken);
                if submitting && others_work {
                    *owed = true;
                    continue;
                }
            }
            woken[worker] = true;
            self.looks[worker].notify_one();
        }
    }

    /// The last worker's thread looks after all.
    fn pay(&self, state: &mut State) {
        if std::mem::take(&mut state.owed) {
            state.woken[self.helper] = true;
            self.looks[self.helper].notify_one();
        }
    }

    /// What the thread of a worker does.
    pub(super) fn serve(&self, seat: usize) {
        let mut state = self.lock();
        while !state.closed {
            if !state.taken[seat] {
                state.taken[seat] = true;
                let (after, did) = self.step(state, seat);
                state = after;
                state.taken[seat] = false;
                if did {
                    continue;
                }
            }
            while !state.woken[seat] && !state.closed {
                state = self.looks[seat]
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
            }
            state.woken[seat] = false;
        }
    }

    /// Runs the next task of a worker, if there is one.
    fn step<'s>(&'s self, mut state: Lock<'s>, seat: usize) -> (Lock<'s>, bool) {
        let worker = WorkerId(seat as u32);
        let task = match state.engine.next(worker, self.now_ns()) {
            Ok(Some(task)) => task,
            Ok(None) => {
                self.pay(&mut state);
                self.wake(&mut state, false);
                return (self.end_cancelled(state), false);
            }
            Err(fault) => {
                state.first_error.get_or_insert(Error::Task(fault));
                return (self.end_cancelled(state), true);
            }
        };
        let body = state.bodies.get_mut(task.slot()).and_then(Option::take);
        let kind = state.engine.view(0).task(task).kind;
        let kind = state.engine.kinds()[kind.0 as usize].clone();
        self.wake(&mut state, false);
        drop(state);

        let traced = trace::task(&kind, seat);
        let (mut body, started) = (body, self.needs_time.then(Instant::now));
        let unit = self.units[seat];
        let place = Here {
            context: self.context.address(),
            graph: self.address(),
            unit,
        };
        let done = here::within(place, || match (&mut body, unit < FIRST_DEVICE) {
            (None, _) => Ok(()),
            (Some(body), true) => body.run(&kind),
            // What the device has been given is done when the task is over.
            (Some(body), false) => observe::timed(|| body.run(&kind)),
        });
        drop(traced);
        let took_ns = started.map_or(0, |started| started.elapsed().as_nanos() as Ns);

        let mut state = self.lock();
        let how = match &done {
            Ok(()) => Finish::Done { took_ns },
            Err(_) => Finish::Failed,
        };
        let finished = state.engine.finished(task, how, worker, self.now_ns());
        if let Err(error) = done.and(finished.map_err(Error::Task)) {
            state.first_error.get_or_insert(error);
        }
        if state.submitted.0 == state.submitted.1 {
            self.pay(&mut state);
        }
        state.submitted.1 = state.submitted.0;
        self.wake(&mut state, false);
        self.tell(&state, task);
        if body.is_some() {
            drop(state);
            // Data that was its own is unregistered now.
            drop(body);
            state = self.lock();
        }
        (self.end_cancelled(state), true)
    }

    /// Wakes those that wait for what has happened.
    fn tell(&self, state: &State, ended: TaskId) {
        let pending = state.engine.pending();
        let room = state.throttled > 0 && pending <= self.limits.resume;
        if state.waiting > 0 && (pending == 0 || room || state.awaited.contains(&ended)) {
            self.progress.notify_all();
        }
    }

    /// Tells the bodies of tasks that were cancelled, and drops them.
    fn end_cancelled<'s>(&'s self, mut state: Lock<'s>) -> Lock<'s> {
        loop {
            let cancelled: Vec<(TaskId, TaskId)> = state.engine.take_cancelled().collect();
            if cancelled.is_empty() {
                return state;
            }
            let mut bodies = Vec::with_capacity(cancelled.len());
            for (task, cause) in cancelled {
                let body = state.bodies.get_mut(task.slot()).and_then(Option::take);
                bodies.push((body, cause));
            }
            drop(state);
            for (body, cause) in &mut bodies {
                if let Some(body) = body {
                    body.cancel(Error::Task(TaskError::Cancelled { cause: *cause }));
                }
            }
            drop(bodies);
            state = self.lock();
            if state.waiting > 0 {
                self.progress.notify_all();
            }
        }
    }

    /// Waits, and works meanwhile.
    ///
    /// # Errors
    /// [`TaskError::WouldDeadlock`] in a task of this graph.
    pub(super) fn wait_for(&self, is_over: impl Fn(&State) -> bool) -> Result<()> {
        if here::is_within(self.address()) {
            return Err(Error::Task(TaskError::WouldDeadlock));
        }
        let _lock = self.work_until(self.lock(), is_over);
        Ok(())
    }

    /// Waits for a task, and works meanwhile.
    ///
    /// # Errors
    /// As [`Shared::wait_for`].
    pub(super) fn wait_for_task(&self, task: TaskId, ends: &dyn Ends) -> Result<()> {
        if here::is_within(self.address()) {
            return Err(Error::Task(TaskError::WouldDeadlock));
        }
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

    fn work_until<'s>(&'s self, mut state: Lock<'s>, is_over: impl Fn(&State) -> bool) -> Lock<'s> {
        state.waiting += 1;
        state.owed = false;
        while !is_over(&state) {
            if !state.taken[self.helper] {
                state.taken[self.helper] = true;
                let (after, did) = self.step(state, self.helper);
                state = after;
                state.taken[self.helper] = false;
                if did || is_over(&state) {
                    continue;
                }
            }
            state = self
                .progress
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        state.waiting -= 1;
        if state.engine.pending() > 0 {
            // What it has left, the worker's own thread does.
            state.owed = true;
            self.pay(&mut state);
        }
        state
    }

    pub(super) fn cancel(&self, task: TaskId) -> Result<()> {
        let mut state = self.lock();
        let cancelled = state.engine.cancel(task).map_err(Error::Task);
        let _lock = self.end_cancelled(state);
        cancelled
    }

    /// Keeps all tasks from running that have not begun.
    pub(super) fn cancel_all(&self) {
        let mut state = self.lock();
        state.engine.cancel_all();
        let _lock = self.end_cancelled(state);
    }

    /// The threads end when they find nothing to do.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.looks.iter().for_each(Condvar::notify_all);
    }
}
