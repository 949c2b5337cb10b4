//! What the threads of workers do, and how they are woken.
//!
//! The last core's thread is not woken while another thread goes on submitting and other cores work: that thread
//! occupies a core, and will most likely wait soon, and then it works itself. If it does not, the thread looks after a
//! while.

use super::{
    body::Failed,
    shared::{Lock, Shared},
    state::{Over, State},
};
use crate::{observe, positions::FIRST_DEVICE, sync::Condvar, trace};
use skel_core::{Cause, Error};
use skel_tasks::{Finish, TaskError, TaskId, WorkerId, sim::report::Outcome};
use std::sync::PoisonError;
#[cfg(not(loom))]
use std::time::Duration;

/// The last core's thread looks when few tasks were submitted for so long.
#[cfg(not(loom))]
const PATIENCE: Duration = Duration::from_micros(500);

/// A thread that submits fewer in that time does something else as well, and may sleep between them. One that submits
/// more has no room for further ones before long, and works then.
const FEW: u64 = if cfg!(loom) { 1 } else { 50 };

impl Shared {
    /// What the thread of a worker does, until the graph is closed and all tasks have ended.
    pub(super) fn serve(&self, seat: usize) {
        let (mut state, mut over) = (self.lock(), Over::default());
        while !state.is_finished() {
            if !state.places[seat].is_taken() {
                let (after, did) = self.sit(state, seat, &mut over);
                state = after;
                if did {
                    continue;
                }
            }
            state = self.sleep(state, seat);
        }
        // An error that holds a handle keeps what has the error.
        over.forgotten.extend(state.failures.forget());
        let first = state.first_error.take();
        over.forgotten.extend(first.map(Cause::from));
        drop(state);
        self.end(&mut over);
    }

    /// Sleeps until there may be something to do.
    fn sleep<'s>(&'s self, mut state: Lock<'s>, seat: usize) -> Lock<'s> {
        let look = &self.looks[seat];
        while !state.places[seat].is_coming() && !state.is_finished() {
            state.places[seat].is_turned_away = state.places[seat].is_woken;
            if !(state.owed && seat == self.helper) {
                state = look.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let before = state.submitted.0;
            let timed_out;
            (state, timed_out) = self.nap(state, look);
            if timed_out && state.submitted.0 - before < FEW {
                self.pay(&mut state);
            }
        }
        let place = &mut state.places[seat];
        (place.is_woken, place.is_turned_away) = (false, false);
        state
    }

    /// Sleeps, but not for long; whether all of that.
    #[cfg(not(loom))]
    #[expect(clippy::unused_self, reason = "a model's has the lock from it")]
    fn nap<'s>(&'s self, state: Lock<'s>, look: &Condvar) -> (Lock<'s>, bool) {
        let napped = look.wait_timeout(state, PATIENCE);
        let (state, timeout) = napped.unwrap_or_else(PoisonError::into_inner);
        (state, timeout.timed_out())
    }

    /// loom's clock stands still, so all of that may be at once.
    #[cfg(loom)]
    fn nap<'s>(&'s self, state: Lock<'s>, _: &Condvar) -> (Lock<'s>, bool) {
        drop(state);
        crate::sync::yield_now();
        (self.lock(), true)
    }

    /// Does a step in the place of a worker that no thread works for.
    pub(super) fn sit<'s>(
        &'s self,
        mut state: Lock<'s>,
        seat: usize,
        over: &mut Over,
    ) -> (Lock<'s>, bool) {
        state.places[seat].threads += 1;
        let (mut state, did) = self.step(state, seat, over);
        state.places[seat].threads -= 1;
        (state, did)
    }

    /// Runs the next task of a worker, if there is one. `over` is what this thread has run before, which it drops when
    /// it does not have the lock anyway. Says whether the lock was given back meanwhile: then things may have changed.
    fn step<'s>(&'s self, mut state: Lock<'s>, seat: usize, over: &mut Over) -> (Lock<'s>, bool) {
        let worker = WorkerId(seat as u32);
        if seat == self.helper {
            state.owed = false;
        }
        let next = match state.fault {
            None => state.engine.next(worker, self.now_ns()),
            Some(_) => Ok(None),
        };
        state.take_cancelled(over, self.now_ns());
        let task = match next {
            Ok(Some(task)) => task,
            Ok(None) => {
                self.pay(&mut state);
                self.wake(&mut state, false, over);
                return self.settle(state, over);
            }
            Err(fault) => {
                self.stop(&mut state, fault, over);
                return self.settle(state, over);
            }
        };
        let mut body = state.take(task);
        let kind_id = state.engine.view(0).task(task).kind;
        self.wake(&mut state, false, over);
        if !state.places[seat].is_taken() {
            // There may be a further task for its other threads.
            self.call(&mut state.places[seat], seat);
        }
        drop(state);
        // Data that was its own is unregistered now.
        self.end(over);

        let kind = || self.lock().engine.kinds()[kind_id.0 as usize].clone();
        let traced = trace::task(kind, seat);
        let started_ns = self.task_clock_ns();
        let unit = self.units[seat];
        let done = crate::current_task::within(self.current_task(unit), || {
            match (&mut body, unit < FIRST_DEVICE) {
                (None, _) => {
                    let unknown = TaskError::UnknownTask { task };
                    Err(Failed::OfGraph(Error::Task(unknown)))
                }
                // A thread that waits may be observed; what it runs meanwhile is none of its calls.
                (Some(body), true) => observe::unseen(|| body.run(&kind)),
                // What the device has been given is done when the task is over.
                (Some(body), false) => observe::unseen(|| observe::ahead(|| body.run(&kind))),
            }
        });
        drop(traced);
        let is_gone = unit >= FIRST_DEVICE && self.context.is_gone(unit);

        let mut state = self.lock();
        let (now_ns, ended_ns) = (self.now_ns(), self.task_clock_ns());
        // While it had an earlier task as well, the worker was at that.
        let before_ns = std::mem::replace(&mut state.places[seat].ended_ns, ended_ns);
        let took_ns = ended_ns.saturating_sub(started_ns.max(before_ns));
        let how = match &done {
            Ok(()) => Finish::Done { took_ns },
            Err(_) => Finish::Failed,
        };
        if let Err(failed) = &done {
            let State {
                engine, failures, ..
            } = &mut *state;
            let name = &engine.kinds()[kind_id.0 as usize];
            let forgotten = failures.note(task, name, failed.error());
            over.forgotten.extend(forgotten);
        }
        let finished = state.engine.finished(task, how, worker, now_ns);
        if is_gone {
            // What it is given from now on, its threads would compute on the host, as slow workers of its kind.
            state.engine.retired(worker, now_ns);
        }
        if let Some(recorder) = &mut state.recorder {
            let outcome = match done {
                Ok(()) => Outcome::Done,
                Err(_) => Outcome::Failed,
            };
            let began_ns = ended_ns.saturating_sub(took_ns);
            recorder.executed(task, worker, began_ns, ended_ns, outcome);
        }
        state.take_cancelled(over, self.now_ns());
        over.ran = body;
        state.ran[seat] += 1;
        let finished = finished.map_err(|error| Failed::OfGraph(Error::Task(error)));
        // Nothing of the user's is dropped here: `failures` has the error as well.
        if let Err(Failed::OfGraph(error)) = done.and(finished) {
            state.first_error.get_or_insert(error);
        }
        if state.submitted.0 == state.submitted.1 {
            self.pay(&mut state);
        }
        state.submitted.1 = state.submitted.0;
        // Others are woken when this thread has taken what it wants itself: a successor, most likely.
        self.tell(&state, Some(task));
        (state, true)
    }

    /// Ends what a thread has taken out, without the lock; whether there was anything.
    pub(super) fn settle<'s>(&'s self, state: Lock<'s>, over: &mut Over) -> (Lock<'s>, bool) {
        if over.is_empty() {
            return (state, false);
        }
        drop(state);
        self.end(over);
        (self.lock(), true)
    }

    /// The scheduler cannot be relied on: nothing that has not begun will.
    fn stop(&self, state: &mut State, fault: TaskError, over: &mut Over) {
        state.first_error.get_or_insert(Error::Task(fault.clone()));
        state.fault = Some(fault);
        state.engine.abandon(self.now_ns());
        state.take_cancelled(over, self.now_ns());
        self.tell(state, None);
    }

    /// Wakes those that have something to do.
    pub(super) fn wake(&self, state: &mut State, submitting: bool, over: &mut Over) {
        let State {
            engine,
            places,
            owed,
            napping,
            ..
        } = state;
        // Where data will be needed is not minded here: a device has several tasks, each with a thread, and copies what
        // the next ones read while it computes for the first (`ahead`).
        engine.take_prefetches().for_each(drop);
        for WorkerId(worker) in engine.take_wakes() {
            let worker = worker as usize;
            if worker == self.helper {
                if *napping > 0 {
                    self.progress.notify_all();
                    continue;
                }
                let mut others = places.iter().take(self.helper);
                if submitting && others.any(|place| place.threads > 0) {
                    if !std::mem::replace(owed, true) {
                        // It sleeps with patience from now on.
                        self.looks[worker].notify_one();
                    }
                    continue;
                }
            }
            self.call(&mut places[worker], worker);
        }
        if state.fault.is_none()
            && let Some(fault) = state.engine.stuck()
        {
            self.stop(state, fault, over);
        }
    }

    /// The thread of a worker is to look; one that is on its way is not told again.
    fn call(&self, place: &mut super::state::Place, worker: usize) {
        let sleeps = !std::mem::replace(&mut place.is_woken, true);
        if std::mem::take(&mut place.is_turned_away) || sleeps {
            self.looks[worker].notify_one();
        }
    }

    /// The last core's thread looks after all.
    pub(super) fn pay(&self, state: &mut State) {
        if std::mem::take(&mut state.owed) {
            self.call(&mut state.places[self.helper], self.helper);
        }
    }

    /// Wakes those that wait for what has happened.
    pub(super) fn tell(&self, state: &State, ended: Option<TaskId>) {
        let pending = state.engine.pending();
        let room = state.throttled > 0 && pending <= self.limits().resume;
        let awaited = ended.is_none_or(|ended| state.awaited.contains(&ended));
        if state.waiting > 0 && (pending == 0 || room || awaited) {
            self.progress.notify_all();
        }
        if state.is_finished() {
            self.looks.iter().for_each(Condvar::notify_all);
        }
    }
}
