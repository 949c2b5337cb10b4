//! What the workers of a job do.

use super::{
    job::Job,
    run::Outcome,
    seats::{self, Seats, Thread, Work},
    state::{State, Taken},
};
use crate::{
    cpu::{InHand, run_crew, run_crew_of, threads},
    observe,
};
use skel_tasks::{Ns, TaskId};
use std::{
    iter,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::Instant,
};

impl Job<'_, '_, '_> {
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

    /// Works at a seat until the job is over.
    fn serve(&self, seat: usize, has_own_thread: bool) {
        let is_caller = thread::current().id() == self.caller;
        let thread = match (is_caller, has_own_thread) {
            (true, _) => Thread::Caller,
            (false, true) => Thread::Own,
            (false, false) => Thread::Helper,
        };
        let address = std::ptr::from_ref(self).addr();
        if let Some(_in_hand) = InHand::new(address, is_caller) {
            seats::serve(self, seat, thread);
        }
    }

    /// One thread does the tasks of all seats, each at its own time: always that of the seat that is free first.
    fn in_turn(&self) {
        let mut free_at_ns = vec![self.began_ns; self.workers()];
        let mut fruitless = 0;
        loop {
            let mut seats: Vec<usize> = (0..free_at_ns.len()).collect();
            seats.sort_by_key(|seat| (free_at_ns[*seat], *seat));
            let did = seats
                .into_iter()
                .any(|seat| self.step_at(seat, &mut free_at_ns[seat]));
            let mut state = self.lock();
            // All seats are asked again. A scheduler that keeps tasks may have workers woken for them for ever.
            let woken = state.wakes();
            fruitless = if did { 0 } else { fruitless + 1 };
            if fruitless > free_at_ns.len() || !did && !woken {
                state.give_up();
            }
            if state.is_over() {
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

/// Tasks that have been computed, or left out.
pub(super) struct Computed<'e> {
    tasks: Vec<TaskId>,
    first_chunk: usize,
    started: Instant,
    outcome: Option<Outcome<'e>>,
}

impl<'u, 'e> Work for Job<'_, 'u, 'e> {
    type State = State<'u, 'e>;
    type Piece = Taken<'e>;
    type Outcome = Computed<'e>;

    fn seats(&self) -> &Seats<State<'u, 'e>> {
        &self.seats
    }

    /// Each of a seat's threads has a piece.
    fn room(&self, seat: usize) -> usize {
        match self.team.seats[seat].is_on_host() {
            true => 1,
            false => self.at_once.ahead,
        }
    }

    fn is_over(state: &State<'u, 'e>) -> bool {
        state.is_over()
    }

    fn take(&self, state: &mut State<'u, 'e>, seat: usize) -> Vec<Taken<'e>> {
        state.take(seat, self.merges(seat), self.now_ns())
    }

    fn wakes(&self, state: &mut State<'u, 'e>) -> bool {
        state.wakes()
    }

    fn wants(&self, state: &State<'u, 'e>, taken: &Taken<'e>) -> bool {
        !state.leaves_out(taken.chunks().start)
    }

    fn compute(&self, seat: usize, taken: Taken<'e>, wanted: bool) -> Computed<'e> {
        let (chunks, tasks) = (taken.chunks(), taken.tasks);
        let (started, first_chunk) = (Instant::now(), chunks.start);
        let work = || observe::ahead(|| self.execute(seat, taken.step, chunks));
        Computed {
            tasks,
            first_chunk,
            started,
            outcome: wanted.then(work),
        }
    }

    fn note(&self, state: &mut State<'u, 'e>, seat: usize, computed: Computed<'e>) {
        // While it had an earlier task as well, the device was at that.
        let (ended, before) = (Instant::now(), state.ended[seat]);
        state.ended[seat] = ended;
        let took = ended.saturating_duration_since(computed.started.max(before));
        let took_ns = match &computed.outcome {
            Some(outcome) if outcome.result.is_ok() => {
                u64::try_from(took.as_nanos()).unwrap_or(u64::MAX).max(1)
            }
            _ => 0,
        };
        let of = (seat, &*computed.tasks, computed.first_chunk);
        state.note(of, computed.outcome, took_ns, self.now_ns());
    }
}
