//! Threads that wait work meanwhile: one takes the place of the last core while that core's own thread sleeps, so
//! submitting a small task and waiting for it leaves no thread.

use super::{
    body::Ends,
    shared::{Lock, Shared},
    state::{Over, State},
};
use crate::current_task;
use skel_core::{Error, Result};
use skel_tasks::{TaskError, TaskId, WorkerId};
use std::sync::PoisonError;

impl Shared {
    /// Whether the calling thread may wait for tasks of the graph.
    pub(super) fn may_wait(&self) -> Result<()> {
        match () {
            () if self.is_forked() => Err(Error::Task(TaskError::Forked)),
            () if current_task::is_within(self.address()) => {
                Err(Error::Task(TaskError::WouldDeadlock))
            }
            () => Ok(()),
        }
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
    pub(super) fn work_until<'s>(
        &'s self,
        mut state: Lock<'s>,
        is_over: impl Fn(&State) -> bool,
    ) -> Lock<'s> {
        let (mut over, may_work) = (Over::default(), !current_task::is_in_a_task());
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
}
