//! What the threads of a graph share: the engine, the tasks' bodies, and who sleeps.
//!
//! Whoever waits works: a thread that waits takes the last worker on the host while that worker's own thread sleeps, so
//! submitting a small task and waiting for it leaves no thread. The last worker's thread is not woken either while
//! another thread goes on submitting: that thread occupies a core, and will most likely wait soon.

use super::{
    body::Body,
    here::{self, Here},
    times::Times,
};
use crate::{Context, observe, positions::FIRST_DEVICE};
use skel_core::{Error, Result, schedule::UnitIndex};
use skel_tasks::{
    Access, ArchSet, Engine, Finish, Machine, NewTask, Ns, Scheduler, TaskError, TaskId, Work,
    WorkerId,
};
use std::{
    sync::{Condvar, Mutex, MutexGuard, PoisonError, TryLockError},
    thread,
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
    pub(super) after: &'a [TaskId],
    pub(super) priority: i32,
    pub(super) archs: ArchSet,
    pub(super) work: Work,
    pub(super) body: Box<dyn Body>,
}

/// Who works for a worker.
#[derive(Clone, Default)]
struct Thread {
    /// A thread does, its own or one that waits.
    is_taken: bool,
    /// Its own is to look.
    is_woken: bool,
    /// Its own has come, and sleeps again: another was there.
    is_turned_away: bool,
}

impl Thread {
    /// Its own is on its way, and nobody is there.
    fn is_coming(&self) -> bool {
        self.is_woken && !self.is_taken
    }
}

pub(super) struct State {
    pub(super) engine: Engine,
    /// By the tasks' slots.
    bodies: Vec<Option<Box<dyn Body>>>,
    /// Of each worker.
    threads: Vec<Thread>,
    /// The last worker's thread is to look, unless a thread waits.
    owed: bool,
    /// Tasks that threads outside of the graph have submitted, and how many there were when a worker looked last.
    submitted: (u64, u64),
    /// Threads that wait; how many of them have nothing to do; and for which tasks.
    waiting: usize,
    napping: usize,
    awaited: Vec<TaskId>,
    throttled: usize,
    closed: bool,
    pub(super) first_error: Option<Error>,
}

type Lock<'s> = MutexGuard<'s, State>;

/// A body that has run, until its thread drops it.
type Over = Option<Box<dyn Body>>;

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
                threads: vec![Thread::default(); workers],
                owed: false,
                submitted: (0, 0),
                waiting: 0,
                napping: 0,
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
    ///
    /// Whoever has the lock gives it back within a microsecond. To sleep for it costs each side a call of the system,
    /// so a thread tries for a while, and lets others have its core between; a thread that has lost its core while
    /// it had the lock is waited for asleep.
    pub(super) fn lock(&self) -> Lock<'_> {
        const SPINS: u32 = 3;
        const YIELDS: u32 = 10;
        for attempt in 0..SPINS + YIELDS {
            match self.state.try_lock() {
                Ok(state) => return state,
                Err(TryLockError::Poisoned(poisoned)) => return poisoned.into_inner(),
                Err(TryLockError::WouldBlock) if attempt < SPINS => {
                    (0..2 << attempt).for_each(|_| std::hint::spin_loop());
                }
                Err(TryLockError::WouldBlock) => thread::yield_now(),
            }
        }
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
        while !inside && state.engine.pending() >= self.limits.most {
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
        let new = NewTask {
            after,
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
            threads,
            owed,
            napping,
            ..
        } = state;
        for WorkerId(worker) in engine.take_wakes() {
            let worker = worker as usize;
            if worker == self.helper {
                if *napping > 0 {
                    self.progress.notify_all();
                    continue;
                }
                let mut others = threads.iter().take(self.helper);
                if submitting && others.any(|thread| thread.is_taken) {
                    *owed = true;
                    continue;
                }
            }
            self.call(threads, worker);
        }
    }

    /// The thread of a worker is to look; one that is on its way is not told again.
    fn call(&self, threads: &mut [Thread], worker: usize) {
        let thread = &mut threads[worker];
        let sleeps = !std::mem::replace(&mut thread.is_woken, true);
        if std::mem::take(&mut thread.is_turned_away) || sleeps {
            self.looks[worker].notify_one();
        }
    }

    /// The last worker's thread looks after all.
    fn pay(&self, state: &mut State) {
        if std::mem::take(&mut state.owed) {
            self.call(&mut state.threads, self.helper);
        }
    }

    /// What the thread of a worker does.
    pub(super) fn serve(&self, seat: usize) {
        let (mut state, mut over) = (self.lock(), None);
        while !state.closed {
            if !state.threads[seat].is_taken {
                let (after, did) = self.sit(state, seat, &mut over);
                state = after;
                if did {
                    continue;
                }
            }
            while !state.threads[seat].is_coming() && !state.closed {
                state.threads[seat].is_turned_away = state.threads[seat].is_woken;
                state = self.looks[seat]
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
            }
            let thread = &mut state.threads[seat];
            (thread.is_woken, thread.is_turned_away) = (false, false);
        }
        // What it has run last is dropped without the lock.
        drop(state);
    }

    /// Does a step of a worker that no thread works for.
    fn sit<'s>(&'s self, mut state: Lock<'s>, seat: usize, over: &mut Over) -> (Lock<'s>, bool) {
        state.threads[seat].is_taken = true;
        let (mut state, did) = self.step(state, seat, over);
        state.threads[seat].is_taken = false;
        (state, did)
    }

    /// Runs the next task of a worker, if there is one. `over` is what this thread has run before, which it drops
    /// when it does not have the lock anyway; if nothing was done, nothing is left there.
    fn step<'s>(&'s self, mut state: Lock<'s>, seat: usize, over: &mut Over) -> (Lock<'s>, bool) {
        let worker = WorkerId(seat as u32);
        let task = match state.engine.next(worker, self.now_ns()) {
            Ok(Some(task)) => task,
            Ok(None) => {
                self.pay(&mut state);
                self.wake(&mut state, false);
                let (state, did) = self.drop_over(state, over);
                return (self.end_cancelled(state), did);
            }
            Err(fault) => {
                state.first_error.get_or_insert(Error::Task(fault));
                return (self.end_cancelled(state), true);
            }
        };
        let mut body = state.bodies.get_mut(task.slot()).and_then(Option::take);
        let kind = state.engine.view(0).task(task).kind;
        self.wake(&mut state, false);
        drop(state);
        // Data that was its own is unregistered now.
        drop(over.take());

        let started = self.needs_time.then(Instant::now);
        let unit = self.units[seat];
        let place = Here {
            context: self.context.address(),
            graph: self.address(),
            unit,
        };
        let kind = || self.lock().engine.kinds()[kind.0 as usize].clone();
        let done = here::within(place, || match (&mut body, unit < FIRST_DEVICE) {
            (None, _) => Ok(()),
            (Some(body), true) => body.run(&kind),
            // What the device has been given is done when the task is over.
            (Some(body), false) => observe::timed(|| body.run(&kind)),
        });
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
        *over = body;
        (self.end_cancelled(state), true)
    }

    /// Drops what a thread has run, without the lock; whether there was anything, and others may have done something
    /// meanwhile.
    fn drop_over<'s>(&'s self, state: Lock<'s>, over: &mut Over) -> (Lock<'s>, bool) {
        let Some(body) = over.take() else {
            return (state, false);
        };
        drop(state);
        drop(body);
        (self.lock(), true)
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
    pub(super) fn wait_for_task(&self, task: TaskId) -> Result<()> {
        if here::is_within(self.address()) {
            return Err(Error::Task(TaskError::WouldDeadlock));
        }
        let mut state = self.lock();
        state.awaited.push(task);
        state = self.work_until(state, |state| !state.engine.is_pending(task));
        let at = state.awaited.iter().position(|awaited| *awaited == task);
        if let Some(at) = at {
            state.awaited.swap_remove(at);
        }
        Ok(())
    }

    fn work_until<'s>(&'s self, mut state: Lock<'s>, is_over: impl Fn(&State) -> bool) -> Lock<'s> {
        state.waiting += 1;
        state.owed = false;
        let mut over = None;
        while !is_over(&state) {
            if !state.threads[self.helper].is_taken {
                let (after, did) = self.sit(state, self.helper, &mut over);
                state = after;
                if did || is_over(&state) {
                    continue;
                }
            }
            // Of a worker whose thread is on its way: a scheduler may have meant that one.
            if let Some(seat) = (0..self.helper).find(|s| state.threads[*s].is_coming()) {
                let (after, did) = self.sit(state, seat, &mut over);
                state = after;
                if std::mem::take(&mut state.threads[seat].is_turned_away) {
                    self.looks[seat].notify_one();
                }
                if did || is_over(&state) {
                    continue;
                }
            }
            state.napping += 1;
            state = self
                .progress
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
            state.napping -= 1;
        }
        (state, _) = self.drop_over(state, &mut over);
        state.waiting -= 1;
        let helper = &mut state.threads[self.helper];
        if std::mem::take(&mut helper.is_turned_away) {
            // It sleeps, and is called anew if there is something to do.
            helper.is_woken = false;
        }
        let nobody_looks = !helper.is_taken && !helper.is_woken;
        if state.engine.pending() > 0 {
            // What it has left, the worker's own thread does.
            state.owed = true;
            self.pay(&mut state);
        } else if nobody_looks {
            state.engine.leave(WorkerId(self.helper as u32));
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
