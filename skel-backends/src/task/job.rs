//! A call's job: what its workers share, and what came of it.

use super::{
    Kept, Measured,
    data::Data,
    seats::{Lock, Seats},
    state::{self, State, Step},
    team::Team,
};
use crate::{
    cpu::{Carries, Released, ScanChunk},
    hybrid::Report,
    partials::{self, Total},
};
use skel_core::{
    Error, Result,
    call::Call,
    frame::{Partial, Spine},
    plan::{Pattern, Phases},
    unit::NodeId,
};
use skel_tasks::{NewTask, Ns, Work, WorkerId};
use std::{
    ops::Range,
    sync::{Mutex, PoisonError},
    thread::{self, ThreadId},
    time::Instant,
};

/// How much a device has at once.
#[derive(Clone, Copy)]
pub(super) struct AtOnce {
    /// So many pieces, of which it computes one.
    pub(super) ahead: usize,
    /// So many chunks in a piece, at most.
    pub(super) merge: usize,
}

/// A chunk of a scan that was combined, and can be written now.
pub(super) type ReleasedChunk<'e> = Released<Spine, ScanChunk<'e>>;

/// A call that workers share. It lies on the caller's stack; all of them have left when [`Job::run`] returns.
pub(super) struct Job<'j, 'u, 'e> {
    pub(super) team: &'j Team<'u>,
    pub(super) phases: &'static dyn Phases,
    pub(super) chunks: Vec<Range<usize>>,
    pub(super) call: Mutex<&'j mut Call<'e>>,
    initial: Partial,
    pub(super) seats: Seats<State<'u, 'e>>,
    /// Of a scan: a worker that has a chunk whose carry is known writes it at once, so that it is read and written one time.
    /// In company, a chunk is first combined; when all before it are, a second task writes it. Both have the same bits.
    pub(super) carries: Carries<Spine, ScanChunk<'e>>,
    pub(super) caller: ThreadId,
    pub(super) started: Instant,
    /// The engine's time then.
    pub(super) began_ns: Ns,
    pub(super) needs_time: bool,
    data: Data,
    pub(super) at_once: AtOnce,
}

impl<'j, 'u, 'e> Job<'j, 'u, 'e> {
    pub(super) fn new(
        team: &'j Team<'u>,
        Kept { mut engine, now_ns }: Kept,
        (chunks, at_once): (Vec<Range<usize>>, AtOnce),
        call: &'j mut Call<'e>,
    ) -> Job<'j, 'u, 'e> {
        let (phases, initial, count) = (call.phases, call.initial.clone(), chunks.len());
        let kind = engine.kind(call.instance);
        let data = Data::register(&mut engine, team, call, &chunks);
        let mut steps = Vec::with_capacity(count);
        engine.open_batch();
        for (k, chunk) in chunks.iter().enumerate() {
            let elems = chunk.len() as u64;
            let task = NewTask {
                work: Work { elems },
                ..NewTask::new(kind, data.of(k))
            };
            let task = engine
                .submit(task, now_ns)
                .expect("a chunk has data that is there, and every worker can run it");
            state::put(&mut steps, task, Step::Chunk(k));
        }
        engine.close_batch(now_ns);
        Job {
            team,
            at_once,
            phases,
            call: Mutex::new(call),
            initial: initial.clone(),
            needs_time: engine.needs_time(),
            // A scan has no workers on devices.
            seats: Seats::new(
                engine.machine().workers(),
                State::new((engine, now_ns), (steps, count), team.seats.len()),
            ),
            began_ns: now_ns,
            data,
            carries: Carries::new(Spine::beginning_with(initial)),
            chunks,
            caller: thread::current().id(),
            started: Instant::now(),
        }
    }

    pub(super) fn lock(&self) -> Lock<'_, State<'u, 'e>> {
        self.seats.lock()
    }

    pub(super) fn workers(&self) -> usize {
        self.lock().engine.machine().workers()
    }

    /// What came of all, in order; `measured` learns what the chunks took. If all went well, the engine is kept.
    ///
    /// # Errors
    /// The first one in the order of elements.
    pub(super) fn finish(
        self,
        measured: &mut Measured,
        kept: &mut Option<Kept>,
    ) -> Result<Partial> {
        let mut state = self.seats.into_state();
        // Outputs are written only if all has ended, however the workers have come to leave.
        state.give_up();
        if let Some(fault) = state.fault {
            return Err(Error::Task(fault));
        }
        let mut reports = state.reports;
        reports.sort_by_key(|report| report.range.start);
        for report in &reports {
            let mut seats = self.team.seats.iter();
            if let Some(seat) = seats.position(|seat| seat.index == report.index) {
                let arch = state.engine.machine().arch_of(WorkerId(seat as u32));
                let ns_per_elem = report.busy.as_nanos() as f64 / report.range.len() as f64;
                measured.note(arch, ns_per_elem);
            }
            report.observe();
        }
        let is_error = |result: &Option<Result<Spine>>| matches!(result, Some(Err(_)));
        let failed = state.results.iter().position(is_error);
        let mut total = Total::new(self.phases, Spine::beginning_with(self.initial.clone()));
        for result in state.results.into_iter().flatten() {
            total.add(result);
        }
        let total = match total.finish() {
            Ok(total) => total,
            Err(error) => {
                let begin = failed.map_or(usize::MAX, |chunk| self.chunks[chunk].start);
                let earlier = earlier_error(into_inner(self.call), &reports, begin);
                return Err(earlier.unwrap_or(error));
            }
        };
        // A scheduler that has lost a worker would miss it in the next call, where it is another machine's.
        if !state.has_lost {
            let (mut engine, now_ns) = (state.engine, state.now_ns);
            self.data.unregister(&mut engine);
            *kept = Some(Kept { engine, now_ns });
        }
        match self.phases.pattern() {
            Pattern::Fold => partials::value(self.phases, total),
            Pattern::Elementwise | Pattern::Scan | Pattern::Sweep => Ok(Partial::NONE),
        }
    }
}

fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// The first error of what devices have computed before element `begin`, where the call has failed: it is known only
/// when that is read.
fn earlier_error(call: &mut Call<'_>, reports: &[Report<'_>], begin: usize) -> Option<Error> {
    let before = reports.iter().filter(|report| report.range.start < begin);
    let on_devices = before.filter(|report| report.unit.node() != NodeId::HOST);
    let mut errors = on_devices.map(|report| call.await_outputs(&report.range));
    errors.find_map(Result::err)
}
