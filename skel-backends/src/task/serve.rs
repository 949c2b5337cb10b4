//! What the workers of a job do.

use super::{job::Job, state::State};
use crate::{
    cpu::{InHand, run_crew, run_crew_of, threads},
    observe,
};
use skel_tasks::Ns;
use std::{
    iter,
    sync::{
        MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// A helper that has found nothing for so long leaves: the pool has need of it, perhaps for what the others' chunks
/// wait for. The caller works at the seats that have no thread.
const PATIENCE: Duration = Duration::from_millis(1);

type Lock<'s, 'u, 'e> = MutexGuard<'s, State<'u, 'e>>;

impl<'u, 'e> Job<'_, 'u, 'e> {
    /// Lets workers in, works, and waits until all have left.
    pub(super) fn run(&self) {
        if self.team.in_turn {
            self.in_turn();
            return;
        }
        self.let_in();
        // Helpers with other work in hand leave at once; they may have come for all seats before this thread had one.
        if !self.lock().is_over() {
            self.serve(0, false);
        }
    }

    /// Helpers take seats, and so does the caller, if one is left.
    fn let_in(&self) {
        let (hosts, workers) = (self.team.host_seats(), self.workers());
        let on_cores = || {
            let helpers = threads().saturating_sub(1).min(hosts);
            run_crew(hosts, helpers, &|seat| self.serve(seat, false));
        };
        let of_devices = (hosts..workers).flat_map(|seat| iter::repeat_n(seat, self.room(seat)));
        let of_devices: Vec<usize> = of_devices.collect();
        let Some(pool) = self.team.device_threads.get(of_devices.len()) else {
            on_cores();
            return;
        };
        let next = AtomicUsize::new(0);
        run_crew_of(&pool, of_devices.len() + 1, of_devices.len(), &|_| {
            if thread::current().id() == self.caller {
                // It also comes in place of threads that did not; the job is over then.
                if !self.lock().is_over() {
                    on_cores();
                }
            } else if let Some(seat) = of_devices.get(next.fetch_add(1, Ordering::Relaxed)) {
                self.serve(*seat, true);
            }
        });
    }

    /// How many threads may have a seat: each has a task.
    fn room(&self, seat: usize) -> usize {
        match self.team.seats[seat].is_on_host() {
            true => 1,
            false => self.at_once.ahead,
        }
    }

    /// How many chunks a seat takes at once, at most.
    fn merges(&self, seat: usize) -> usize {
        match self.team.seats[seat].is_on_host() {
            true => 1,
            false => self.at_once.merge,
        }
    }

    fn now_ns(&self) -> Ns {
        match self.needs_time {
            true => {
                let elapsed_ns = u64::try_from(self.started.elapsed().as_nanos());
                self.began_ns.saturating_add(elapsed_ns.unwrap_or(u64::MAX))
            }
            false => 0,
        }
    }

    /// Works at a seat until the job is over. The caller also works at those that have no thread: helpers may come
    /// late, leave, or never come.
    fn serve(&self, seat: usize, has_own_thread: bool) {
        let is_caller = thread::current().id() == self.caller;
        let address = std::ptr::from_ref(self).addr();
        let Some(_in_hand) = InHand::new(address, is_caller) else {
            return;
        };
        let stays = is_caller || has_own_thread;
        let mut state = self.lock();
        while state.taken[seat] == self.room(seat) && !state.is_over() {
            if stays {
                state = self.wait(state);
                continue;
            }
            // The caller stands in at this seat. What it does there may wait for what is beneath this helper.
            let waited = self.changed.wait_timeout(state, PATIENCE);
            let (after, waited) = waited.unwrap_or_else(PoisonError::into_inner);
            if waited.timed_out() {
                return;
            }
            state = after;
        }
        state.taken[seat] += 1;
        let mut idle_since = None;
        while !state.is_over() {
            let mut did;
            (state, did) = self.step(state, seat);
            if !did && is_caller {
                (state, did) = self.stand_in(state);
            }
            if did {
                idle_since = None;
            } else if stays {
                state = self.wait_unless_over(state);
            } else {
                let since = *idle_since.get_or_insert_with(Instant::now);
                if since.elapsed() >= PATIENCE {
                    break;
                }
                let waited = self.changed.wait_timeout(state, PATIENCE);
                (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
            }
        }
        state.taken[seat] -= 1;
        drop(state);
        self.changed.notify_all();
    }

    /// Does one task of a seat that has no thread, if there is one.
    fn stand_in<'s>(&'s self, mut state: Lock<'s, 'u, 'e>) -> (Lock<'s, 'u, 'e>, bool) {
        for seat in 0..state.engine.machine().workers() {
            if state.taken[seat] > 0 || state.is_over() {
                continue;
            }
            state.taken[seat] += 1;
            let (mut after, did) = self.step(state, seat);
            after.taken[seat] -= 1;
            state = after;
            if did {
                self.changed.notify_all();
                return (state, true);
            }
        }
        (state, false)
    }

    fn wait<'s>(&self, state: Lock<'s, 'u, 'e>) -> Lock<'s, 'u, 'e> {
        let waited = self.changed.wait(state);
        waited.unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_unless_over<'s>(&self, state: Lock<'s, 'u, 'e>) -> Lock<'s, 'u, 'e> {
        match state.is_over() {
            true => state,
            false => self.wait(state),
        }
    }

    /// Does the next tasks of a seat, if there are some. Says whether it has to be asked again: also where workers were
    /// woken, since it may be among them.
    fn step<'s>(&'s self, mut state: Lock<'s, 'u, 'e>, seat: usize) -> (Lock<'s, 'u, 'e>, bool) {
        let next = state.take(seat, self.merges(seat), self.now_ns());
        let woke = self.wake(&mut state);
        let did = !next.is_empty();
        for taken in next {
            let (chunks, tasks) = (taken.chunks(), taken.tasks);
            let left_out = state.leaves_out(chunks.start);
            drop(state);
            if self.room(seat) > 1 {
                // There may be a further task for its other threads.
                self.changed.notify_all();
            }
            let (started, first) = (Instant::now(), chunks.start);
            let work = || observe::ahead(|| self.execute(seat, taken.step, chunks));
            let outcome = (!left_out).then(work);
            state = self.lock();
            // While it had an earlier task as well, the device was at that.
            let (ended, before) = (Instant::now(), state.ended[seat]);
            state.ended[seat] = ended;
            let took = ended.saturating_duration_since(started.max(before));
            let took_ns = match &outcome {
                Some(outcome) if outcome.result.is_ok() => {
                    u64::try_from(took.as_nanos()).unwrap_or(u64::MAX).max(1)
                }
                _ => 0,
            };
            state.note((seat, &tasks, first), outcome, took_ns, self.now_ns());
            self.wake(&mut state);
        }
        (state, did || woke)
    }

    fn wake(&self, state: &mut State<'u, 'e>) -> bool {
        let woke = state.wakes();
        if woke || state.is_over() {
            self.changed.notify_all();
        }
        woke
    }

    /// One thread does the tasks of all seats, each at its own time: always that of the seat that is free first.
    fn in_turn(&self) {
        let mut free_at_ns = vec![self.began_ns; self.workers()];
        loop {
            let mut seats: Vec<usize> = (0..free_at_ns.len()).collect();
            seats.sort_by_key(|seat| (free_at_ns[*seat], *seat));
            let did = seats
                .into_iter()
                .any(|seat| self.step_at(seat, &mut free_at_ns[seat]));
            let mut state = self.lock();
            // All seats are asked again.
            let _woken = state.wakes();
            if state.is_over() || !did {
                return;
            }
        }
    }

    /// Does the next tasks of a seat that is free at a virtual time, if there are some.
    fn step_at(&self, seat: usize, free_at_ns: &mut Ns) -> bool {
        let mut state = self.lock();
        let next = state.take(seat, self.merges(seat), *free_at_ns);
        let did = !next.is_empty();
        for taken in next {
            let (chunks, tasks) = (taken.chunks(), taken.tasks);
            let (first, reports) = (chunks.start, state.reports.len());
            let left_out = state.leaves_out(first);
            drop(state);
            let work = || observe::timed(|| self.execute(seat, taken.step, chunks));
            let outcome = (!left_out).then(work);
            state = self.lock();
            let busy = state.reports[reports..].iter().map(|report| report.busy);
            let took_ns = busy.map(|busy| busy.as_nanos() as u64).sum();
            *free_at_ns += took_ns;
            state.note((seat, &tasks, first), outcome, took_ns, *free_at_ns);
        }
        did
    }
}
