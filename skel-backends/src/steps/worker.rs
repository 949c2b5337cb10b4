//! What a unit's thread does in a step.

use super::{StepUnit, places::Place};
use crate::{
    Context,
    current_task::{self, ItemId},
    observe, trace,
};
use skel_core::{Error, Result, caught::catch};
use skel_tasks::{
    Ns, TaskError,
    distribution::{Outcome, Turn, virtual_time::Ran},
};
use std::{
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

/// What a step computes, and where.
pub(super) struct Job<'j, T, F> {
    pub(super) context: &'j Context,
    pub(super) places: &'j [Place],
    pub(super) items: Vec<Mutex<&'j mut T>>,
    pub(super) f: &'j F,
    pub(super) is_repeatable: bool,
    /// What tells these steps from others.
    pub(super) address: usize,
}

impl<T, F> Job<'_, T, F>
where
    T: Send,
    F: Fn(&mut T, StepUnit) -> Result<()> + Sync,
{
    /// Computes an item on the unit whose thread this is, and waits for its device, which may have others. Nothing
    /// unwinds out of this.
    fn compute(&self, item: usize, place: &Place) -> Result<()> {
        let traced = trace::task(|| format!("item {item}"), place.unit.number);
        let mut value = self.items[item]
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let number = ItemId::unique();
        let task = place.current_task(self.context, self.address, number);
        let body = || catch(|| (self.f)(&mut value, place.unit));
        let done = current_task::within(task, || observe::unseen(body));
        let done = done.unwrap_or_else(|caught| {
            let (kind, message) = (format!("item {item}"), caught.message().to_string());
            Err(Error::Task(TaskError::Panicked { kind, message }))
        });
        // Calls return before their device is done, so also after an error, which is the closure's own then.
        let waited = place.settle(self.context, number);
        drop(traced);
        done.and(waited)
    }

    /// Computes an item, and says what that means for it and its unit; with the error, if it has failed.
    fn outcome(&self, item: usize, place: &Place) -> (Result<()>, Outcome, bool) {
        let done = self.compute(item, place);
        let is_lost = place.is_lost(self.context);
        // An error may be the user's, and panic when it is asked for its source, or dropped.
        let is_of_device = |error: &Error| catch(|| error.root_cause().is_of_device());
        let outcome = match &done {
            Ok(()) => Outcome::Done,
            Err(error) if is_lost && self.is_repeatable && is_of_device(error).unwrap_or(false) => {
                Outcome::Again
            }
            Err(_) => Outcome::Failed,
        };
        match outcome {
            Outcome::Again => {
                let _ = catch(|| drop(done));
                (Ok(()), outcome, is_lost)
            }
            _ => (done, outcome, is_lost),
        }
    }

    /// The same, with the virtual time that it took, by the only thread.
    pub(super) fn in_virtual_time(
        &self,
        item: usize,
        unit: usize,
        failures: &mut Vec<(usize, Error)>,
    ) -> Ran {
        let place = &self.places[unit];
        let now_ns = || self.context.virtual_ns().unwrap_or(0);
        let begin_ns = now_ns();
        let (done, outcome, is_lost) = place.pools[0].install(|| self.outcome(item, place));
        if let (Err(error), Outcome::Failed) = (done, outcome) {
            failures.push((item, error));
        }
        Ran {
            took_ns: now_ns() - begin_ns,
            outcome,
            is_lost,
        }
    }
}

/// What the threads of all units share in a step.
pub(super) struct Shared {
    state: Mutex<State>,
    /// There may be something for units that have found nothing, or all is over.
    changed: Condvar,
    started: Instant,
}

struct State {
    turn: Turn,
    failures: Vec<(usize, Error)>,
    end_ns: Ns,
}

impl Shared {
    pub(super) fn new(turn: Turn) -> Shared {
        Shared {
            state: Mutex::new(State {
                turn,
                failures: Vec::new(),
                end_ns: 0,
            }),
            changed: Condvar::new(),
            started: Instant::now(),
        }
    }

    /// The step, how long it took, and what failed.
    pub(super) fn into_parts(self) -> (Turn, Ns, Vec<(usize, Error)>) {
        let state = self
            .state
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        (state.turn, state.end_ns, state.failures)
    }

    /// Never called while an item is computed.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now_ns(&self) -> Ns {
        Ns::try_from(self.started.elapsed().as_nanos()).unwrap_or(Ns::MAX)
    }

    /// Computes items of a unit until all of the step are done, or none can be any more.
    pub(super) fn serve<T, F>(&self, job: &Job<'_, T, F>, place: &Place)
    where
        T: Send,
        F: Fn(&mut T, StepUnit) -> Result<()> + Sync,
    {
        let unit = place.unit.number;
        let mut state = self.lock();
        while !state.turn.is_over() && !state.turn.is_stuck() {
            let Some(item) = state.turn.take(unit) else {
                // A unit that is lost may leave some.
                state = self
                    .changed
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            drop(state);
            let begin_ns = self.now_ns();
            let (done, outcome, is_lost) = job.outcome(item, place);
            let end_ns = self.now_ns();
            state = self.lock();
            state.end_ns = state.end_ns.max(end_ns);
            state.turn.done(unit, item, outcome, begin_ns..end_ns);
            if let (Err(error), Outcome::Failed) = (done, outcome) {
                state.failures.push((item, error));
            }
            if is_lost {
                state.turn.retire(unit);
            }
            if is_lost || outcome == Outcome::Again {
                self.changed.notify_all();
            }
        }
        drop(state);
        self.changed.notify_all();
    }
}
