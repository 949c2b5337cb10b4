//! A call's job: the engine, and what its workers share.

use super::{
    Measured,
    data::Data,
    scan::{Released, Scan},
    team::Team,
};
use crate::{
    cpu::{run_crew, threads},
    hybrid::Report,
    observe, partials,
};
use skel_core::{
    Error, Result,
    call::Call,
    frame::Partial,
    plan::{Pattern, Phases},
    unit::NodeId,
};
use skel_tasks::{Engine, Machine, NewTask, Ns, Scheduler, TaskError, TaskId, Work, WorkerId};
use std::{
    ops::Range,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread::{self, ThreadId},
    time::Instant,
};

/// What a task does.
pub(super) enum Step<'e> {
    /// Nothing any more: a worker has it.
    Taken,
    /// The local phase of a chunk; of a scan, as much as can be done.
    Chunk(usize),
    /// Writes a chunk of a scan.
    Finish(Released<'e>),
}

/// A call that workers share. It lies on the caller's stack; all of them have left when [`Job::run`] returns.
pub(super) struct Job<'j, 'u, 'e> {
    pub(super) team: &'j Team<'u>,
    pub(super) phases: &'static dyn Phases,
    pub(super) chunks: Vec<Range<usize>>,
    pub(super) call: Mutex<&'j mut Call<'e>>,
    initial: Partial,
    state: Mutex<State<'u, 'e>>,
    /// For those that have found nothing: something has changed.
    changed: Condvar,
    caller: ThreadId,
    started: Instant,
    needs_time: bool,
}

/// What is shared under one lock. No call is looked at under it, and it is never locked under a call's.
pub(super) struct State<'u, 'e> {
    pub(super) engine: Engine,
    /// By the tasks' slots.
    steps: Vec<Step<'e>>,
    /// Of each seat, whether a thread has it.
    taken: Vec<bool>,
    results: Vec<Option<Result<Partial>>>,
    pub(super) reports: Vec<Report<'u>>,
    /// The first chunk that failed; those behind it are left out.
    first_failed: usize,
    pub(super) scan: Option<Scan<'e>>,
    /// What a scheduler did that it must not do.
    fault: Option<TaskError>,
}

impl<'j, 'u, 'e> Job<'j, 'u, 'e> {
    pub(super) fn new(
        team: &'j Team<'u>,
        machine: Machine,
        scheduler: Box<dyn Scheduler>,
        costs: Measured,
        chunks: Vec<Range<usize>>,
        call: &'j mut Call<'e>,
    ) -> Job<'j, 'u, 'e> {
        let mut engine = Engine::new(machine, scheduler, Box::new(costs));
        let (phases, initial, count) = (call.phases, call.initial, chunks.len());
        let kind = engine.kind(call.instance);
        let data = Data::register(&mut engine, team, call, &chunks);
        engine.open_batch();
        let mut steps = Vec::with_capacity(count);
        for (k, chunk) in chunks.iter().enumerate() {
            let work = Work {
                elems: chunk.len() as u64,
            };
            let task = NewTask {
                work,
                ..NewTask::new(kind, data.of(k))
            };
            engine
                .submit(task, 0)
                .expect("a chunk has data that is there, and every worker can run it");
            steps.push(Step::Chunk(k));
        }
        engine.close_batch(0);
        let scan = (phases.pattern() == Pattern::Scan).then(|| Scan::new(count, initial));
        Job {
            team,
            phases,
            call: Mutex::new(call),
            initial,
            needs_time: engine.needs_time(),
            state: Mutex::new(State {
                engine,
                steps,
                taken: vec![false; team.seats.len()],
                results: std::iter::repeat_with(|| None).take(count).collect(),
                reports: Vec::new(),
                first_failed: usize::MAX,
                scan,
                fault: None,
            }),
            chunks,
            changed: Condvar::new(),
            caller: thread::current().id(),
            started: Instant::now(),
        }
    }

    /// Lets workers in, works, and waits until all have left.
    pub(super) fn run(&self) {
        let hosts = self.team.host_seats();
        if self.team.in_turn {
            self.in_turn();
            return;
        }
        let workers = self.lock().engine.machine().workers();
        thread::scope(|scope| {
            for seat in hosts..workers {
                let name = format!("skel tasks {seat}");
                let started = thread::Builder::new()
                    .name(name)
                    .spawn_scoped(scope, move || self.serve(seat));
                if started.is_err() {
                    // The caller serves seats that have no thread.
                    break;
                }
            }
            run_crew(hosts, threads().saturating_sub(1).min(hosts), &|seat| {
                self.serve(seat)
            });
        });
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State<'u, 'e>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now_ns(&self) -> Ns {
        match self.needs_time {
            true => u64::try_from(self.started.elapsed().as_nanos()).unwrap_or(u64::MAX),
            false => 0,
        }
    }

    /// Works at a seat until the job is over. The caller also works at those that have no thread: helpers may come
    /// late or never.
    fn serve(&self, seat: usize) {
        let is_caller = thread::current().id() == self.caller;
        let mut state = self.lock();
        while state.taken[seat] && !state.is_over() {
            state = self.wait(state);
        }
        state.taken[seat] = true;
        while !state.is_over() {
            let (mut guard, mut did) = self.step(state, seat);
            if !did && is_caller {
                (guard, did) = self.stand_in(guard);
            }
            state = match did || guard.is_over() {
                true => guard,
                false => self.wait(guard),
            };
        }
        state.taken[seat] = false;
        drop(state);
        self.changed.notify_all();
    }

    /// Does one task of a seat that has no thread, if there is one.
    fn stand_in<'s>(
        &'s self,
        mut state: MutexGuard<'s, State<'u, 'e>>,
    ) -> (MutexGuard<'s, State<'u, 'e>>, bool) {
        for seat in 0..state.engine.machine().workers() {
            if state.taken[seat] || state.is_over() {
                continue;
            }
            state.taken[seat] = true;
            let (mut after, did) = self.step(state, seat);
            after.taken[seat] = false;
            state = after;
            if did {
                self.changed.notify_all();
                return (state, true);
            }
        }
        (state, false)
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State<'u, 'e>>) -> MutexGuard<'s, State<'u, 'e>> {
        self.changed
            .wait(state)
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Does the next task of a seat, if there is one.
    fn step<'s>(
        &'s self,
        mut state: MutexGuard<'s, State<'u, 'e>>,
        seat: usize,
    ) -> (MutexGuard<'s, State<'u, 'e>>, bool) {
        let now_ns = self.now_ns();
        let Some((task, step)) = state.take(seat, now_ns) else {
            self.wake(&mut state);
            return (state, false);
        };
        self.wake(&mut state);
        let chunk = step.chunk();
        let left_out = chunk > state.first_failed;
        drop(state);
        let started = Instant::now();
        let outcome = match left_out {
            true => None,
            false => Some(observe::timed(|| self.execute(seat, step))),
        };
        let took = started.elapsed();
        let took_ns = match &outcome {
            Some(Ok(_)) => u64::try_from(took.as_nanos()).unwrap_or(u64::MAX).max(1),
            _ => 0,
        };
        let mut state = self.lock();
        let now_ns = self.now_ns();
        state.note(seat, task, chunk, outcome, took_ns, now_ns);
        self.wake(&mut state);
        if state.is_over() {
            self.changed.notify_all();
        }
        (state, true)
    }

    fn wake(&self, state: &mut State<'u, 'e>) {
        if state.engine.take_wakes().count() > 0 {
            self.changed.notify_all();
        }
    }

    /// One thread does the tasks of all seats, each at its own time: always that of the seat that is free first.
    fn in_turn(&self) {
        let workers = self.lock().engine.machine().workers();
        let mut free_at_ns = vec![0_u64; workers];
        loop {
            let mut seats: Vec<usize> = (0..workers).collect();
            seats.sort_by_key(|seat| (free_at_ns[*seat], *seat));
            let mut did = false;
            for seat in seats {
                let mut state = self.lock();
                let Some((task, step)) = state.take(seat, free_at_ns[seat]) else {
                    continue;
                };
                let (chunk, reports) = (step.chunk(), state.reports.len());
                let left_out = chunk > state.first_failed;
                drop(state);
                let outcome = (!left_out).then(|| observe::timed(|| self.execute(seat, step)));
                let mut state = self.lock();
                let busy = state.reports[reports..].iter().map(|report| report.busy);
                let took_ns = busy.map(|busy| busy.as_nanos() as u64).sum();
                free_at_ns[seat] += took_ns;
                state.note(seat, task, chunk, outcome, took_ns, free_at_ns[seat]);
                did = true;
                break;
            }
            let mut state = self.lock();
            // All seats are asked again.
            state.engine.take_wakes().for_each(drop);
            if state.is_over() || !did {
                return;
            }
        }
    }

    /// What came of all, in order; `measured` learns what the chunks took.
    ///
    /// # Errors
    /// The first one in the order of elements.
    pub(super) fn finish(self, measured: &mut Measured) -> Result<Partial> {
        let state = self
            .state
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(fault) = state.fault {
            return Err(Error::Task(fault));
        }
        let mut reports = state.reports;
        reports.sort_by_key(|report| report.range.start);
        for report in &reports {
            let mut seats = self.team.seats.iter();
            if let Some(seat) = seats.position(|seat| seat.index == report.index) {
                let arch = state.engine.machine().arch_of(WorkerId(seat as u32));
                measured.note(
                    arch,
                    report.busy.as_nanos() as f64 / report.range.len() as f64,
                );
            }
            observe::piece(report.index, report.unit, &report.range, report.busy);
        }
        let is_error = |result: &Option<Result<Partial>>| matches!(result, Some(Err(_)));
        let failed = state.results.iter().position(is_error);
        let mut total = Ok(self.initial);
        for result in state.results.into_iter().flatten() {
            total = match (total, result) {
                (Ok(total), Ok(partial)) => partials::combine(self.phases, total, partial),
                // An element that trapped counts more than the operator, wherever that was.
                (Err(first), Err(error @ Error::Trap { index: Some(_), .. }))
                    if partials::is_of_operator(&first) =>
                {
                    Err(error)
                }
                (Err(first), _) => Err(first),
                (Ok(_), Err(error)) => Err(error),
            };
        }
        if let Err(error) = total {
            let call = self
                .call
                .into_inner()
                .unwrap_or_else(PoisonError::into_inner);
            let begin = failed.map_or(usize::MAX, |chunk| self.chunks[chunk].start);
            return Err(earlier_error(call, &reports, begin).unwrap_or(error));
        }
        match state.scan {
            Some(scan) => total.map(|_| scan.total()),
            None => total,
        }
    }
}

/// The first error of what devices have computed before element `begin`, where the call has failed: it is known only
/// when that is read.
fn earlier_error(call: &mut Call<'_>, reports: &[Report<'_>], begin: usize) -> Option<Error> {
    let before = reports.iter().filter(|report| report.range.start < begin);
    let on_devices = before.filter(|report| report.unit.node() != NodeId::HOST);
    let mut errors = on_devices.map(|report| call.await_outputs(&report.range));
    errors.find_map(Result::err)
}

impl Step<'_> {
    fn chunk(&self) -> usize {
        match self {
            Step::Taken => usize::MAX,
            Step::Chunk(chunk) => *chunk,
            Step::Finish(released) => released.chunk,
        }
    }
}

impl<'e> State<'_, 'e> {
    fn is_over(&self) -> bool {
        self.engine.pending() == 0 || self.fault.is_some()
    }

    /// The next task of a seat, with what it has to do.
    fn take(&mut self, seat: usize, now_ns: Ns) -> Option<(TaskId, Step<'e>)> {
        if self.is_over() {
            return None;
        }
        match self.engine.next(WorkerId(seat as u32), now_ns) {
            Ok(task) => {
                let task = task?;
                let step = std::mem::replace(&mut self.steps[task.slot()], Step::Taken);
                Some((task, step))
            }
            Err(fault) => {
                self.fault = Some(fault);
                None
            }
        }
    }

    /// A seat has done a task, or has left it out.
    fn note(
        &mut self,
        seat: usize,
        task: TaskId,
        chunk: usize,
        outcome: Option<Result<super::run::Outcome<'e>>>,
        took_ns: Ns,
        now_ns: Ns,
    ) {
        let worker = WorkerId(seat as u32);
        let mut released = Vec::new();
        match outcome {
            None => {}
            Some(Ok(outcome)) => {
                if outcome.broke {
                    self.engine.lost(worker, now_ns);
                }
                self.results[chunk] = Some(Ok(outcome.partial));
                released = outcome.released;
            }
            Some(Err(error)) => {
                // An operator's trap may hide an element's behind it.
                if !partials::is_of_operator(&error) {
                    self.first_failed = self.first_failed.min(chunk);
                }
                self.results[chunk] = Some(Err(error));
            }
        }
        let kind = self.engine.view(now_ns).task(task).kind;
        for released in released {
            let new = NewTask {
                by: Some(worker),
                ..NewTask::new(kind, &[])
            };
            match self.engine.submit(new, now_ns) {
                Ok(task) => {
                    if self.steps.len() <= task.slot() {
                        self.steps.resize_with(task.slot() + 1, || Step::Taken);
                    }
                    self.steps[task.slot()] = Step::Finish(released);
                }
                Err(fault) => self.fault = Some(fault),
            }
        }
        let how = skel_tasks::Finish::Done { took_ns };
        if let Err(fault) = self.engine.finished(task, how, worker, now_ns) {
            self.fault = Some(fault);
        }
    }
}
