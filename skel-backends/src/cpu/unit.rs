//! The CPU as a unit.
#![allow(unsafe_code, reason = "vouches for what the host wrote")]

use super::{
    crew,
    guard::{self, Failure},
    pieces::{self, Cuts},
    running_partial::RunningPartial,
    scan,
};
use crate::{
    clock::{HostLaw, Stopwatch},
    device::Scope,
    partials,
    unit::{Running, Unit},
};
use skel_core::{
    Result,
    call::Call,
    frame::{Frame, Partial, Spine},
    host_memory,
    ir::Weight,
    plan::{Kernel, Kind, Pattern, Phases},
    unit::{NodeId, UnitInfo, UnitKind},
};
use std::{
    ops::Range,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

/// The CPU's cores, or the calling thread alone.
pub struct CpuUnit {
    info: UnitInfo,
    parallel: bool,
    stopwatch: Stopwatch,
}

impl CpuUnit {
    /// The threads of whatever rayon pool is current when a call is made.
    #[must_use]
    pub fn cores() -> Self {
        Self::new(UnitKind::Cpu, true)
    }

    /// The calling thread.
    #[must_use]
    pub fn sequential() -> Self {
        Self::new(UnitKind::Sequential, false)
    }

    fn new(kind: UnitKind, parallel: bool) -> Self {
        let info = UnitInfo {
            name: super::name::processor().into(),
            kind,
            api: "cpu".into(),
            driver: format!(
                "rustc, {:?}",
                skel_core::isa::choose(skel_core::isa::Isa::V4)
            ),
            memory_bytes: None,
            limits: Vec::new(),
        };
        CpuUnit {
            info,
            parallel,
            stopwatch: Stopwatch::Wall,
        }
    }

    /// The same, which takes as long as a law says.
    pub(crate) fn under(self, law: HostLaw) -> Self {
        CpuUnit {
            stopwatch: Stopwatch::Law(law),
            ..self
        }
    }

    /// Runs a whole call here, without the ceremony of [`Unit::start`].
    ///
    /// # Errors
    /// [`skel_core::Error::Trap`], and those of downloading what the host lacks.
    pub fn run(&self, call: &mut Call<'_>) -> Result<Partial> {
        let range = 0..call.space.elems();
        let (kernel, carry) = (
            call.phases.kernel().ok(),
            Spine::beginning_with(call.initial),
        );
        let mut frame = call.host_frame(range.clone(), kind(kernel.as_deref()))?;
        let kernel = kernel.as_deref();
        let spine = self.compute(call.phases, (call.instance, kernel), &mut frame, carry)?;
        let partial = value(call.phases, &spine)?;
        // What is gathered in its slots comes to its places.
        drop(frame);
        // SAFETY: all of it went through the phase that writes, without a panic.
        unsafe { call.wrote_on_host(&range) };
        Ok(partial)
    }

    /// The same; and how long it took.
    pub(crate) fn run_measured(&self, call: &mut Call<'_>) -> Result<(Partial, Duration)> {
        let (phases, carry) = (call.phases, Spine::beginning_with(call.initial));
        let (range, space, known) = (0..call.space.elems(), call.space, phases.kernel().ok());
        let kind = kind(known.as_deref());
        let (frame, fetched) = self
            .stopwatch
            .fetch(|| call.host_frame(range.clone(), kind));
        let (frame, kernel) = (frame?, || known.clone());
        let (partial, computed) = self.stopwatch.compute(kernel, &range, &space, || {
            // Dropped in time: what is gathered in its slots comes to its places then.
            let mut frame = frame;
            let about = (call.instance, known.as_deref());
            let spine = self.compute(phases, about, &mut frame, carry)?;
            value(phases, &spine)
        });
        let partial = partial?;
        // SAFETY: as in `run`.
        unsafe { call.wrote_on_host(&range) };
        Ok((partial, fetched + computed))
    }

    /// All that is to be done of a piece which `carry` precedes, in folds and scans; the carry of what
    /// follows.
    fn compute(
        &self,
        phases: &'static dyn Phases,
        // A user function that has no device form (recursion, say) may still be run here.
        (instance, kernel): (&str, Option<&Kernel>),
        frame: &mut Frame<'_>,
        carry: Spine,
    ) -> Result<Spine> {
        let (weight, can_trap) = kernel.map_or((Weight::Unknown, true), |kernel| {
            (kernel.weight, kernel.can_trap)
        });
        // Where this crate checks for overflow, the user's most likely does, too.
        let can_trap = can_trap || cfg!(debug_assertions);
        let cuts = Cuts::new(weight, frame.range.len());
        let elems = match phases.pattern().combines() {
            // Each is one node of the grouping.
            true => cuts.piece_elems(frame.range.len()).next_power_of_two(),
            false => cuts.piece_elems(frame.range.len()),
        };
        // A piece of a fold of rows or columns is a fold of fewer.
        let along = frame
            .space
            .along()
            .map(|along| pieces::along(weight, along));
        // An element that sees lines is as much work as those are long.
        let along = frame.lines().map(pieces::lines).map(Some).or(along);
        let (cuts, elems) = match along {
            None => (cuts, elems),
            Some(known) => known.unwrap_or((Cuts::Heavy, elems)),
        };
        let job = Job {
            phases,
            instance,
            cuts,
            can_trap,
            keep: can_trap && frame.changes_arguments(),
        };
        let threads = if self.parallel { crew::threads() } else { 1 };
        if phases.pattern() == Pattern::Scan {
            return scan::finish(&job, frame, carry, threads);
        }
        let partial = match cuts {
            Cuts::Light { share } => {
                if share && threads > 1 {
                    job.shared(RunningPartial::default(), frame, elems, threads)
                } else {
                    job.alone(frame, elems)
                }
            }
            Cuts::Heavy => job.heavy(frame, threads),
        };
        match carry.is_empty() {
            true => partial,
            false => partials::join(phases, carry, partial?),
        }
    }
}

/// How elements are grouped.
fn kind(kernel: Option<&Kernel>) -> Kind {
    kernel.map_or(Kind::Heavy, |kernel| kernel.kind)
}

/// What a fold comes to; of other patterns, none asks.
fn value(phases: &dyn Phases, spine: &Spine) -> Result<Partial> {
    match phases.pattern() {
        Pattern::Fold => partials::value(phases, spine),
        Pattern::Elementwise | Pattern::Scan => Ok(Partial::NONE),
    }
}

/// What all pieces of a call have in common.
pub(super) struct Job<'j> {
    pub(super) phases: &'static dyn Phases,
    pub(super) instance: &'j str,
    pub(super) cuts: Cuts,
    can_trap: bool,
    /// Whether in-place arguments are set aside before a piece is computed, since it can trap.
    pub(super) keep: bool,
}

impl Job<'_> {
    /// Takes the next piece.
    fn take<'m>(&self, rest: &mut Frame<'m>, elems: usize) -> Frame<'m> {
        match self.phases.pattern().combines() {
            true => pieces::take_to(rest, elems),
            false => pieces::take(rest, elems),
        }
    }

    /// Computes one more piece, and adds its partial to the sum of those before it.
    fn add(&self, sum: &mut RunningPartial, frame: &mut Frame<'_>) -> Result<()> {
        let done = guard::local(self.phases, frame, self.keep);
        self.join(sum, done)
    }

    /// Adds what came of a piece.
    fn join(
        &self,
        sum: &mut RunningPartial,
        done: std::result::Result<Spine, Failure<'_>>,
    ) -> Result<()> {
        let joined = match done {
            Err(failure) => Err(failure.explain(self.phases, self.instance)),
            Ok(_) if sum.trapped.is_some() => return Ok(()),
            Ok(partial) if sum.total.is_empty() => Ok(partial),
            Ok(partial) => {
                let total = std::mem::replace(&mut sum.total, Spine::EMPTY);
                partials::join(self.phases, total, partial)
            }
        };
        match joined {
            Ok(total) => sum.total = total,
            Err(error) if self.goes_on() && partials::is_of_operator(&error) => {
                sum.trapped.get_or_insert(error);
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Whether pieces behind a panic are computed all the same: the operator may have been what panicked,
    /// and an element behind it counts more.
    fn goes_on(&self) -> bool {
        self.phases.pattern() == Pattern::Fold
    }

    /// On the calling thread: in the pieces of shared work, if that makes a difference.
    fn alone(&self, rest: &mut Frame<'_>, elems: usize) -> Result<Spine> {
        // Uncut, unless a trap would have to be searched for.
        if !self.can_trap {
            let mut sum = RunningPartial::default();
            self.add(&mut sum, rest)?;
            return sum.total();
        }
        let mut sum = RunningPartial::default();
        while !rest.range.is_empty() {
            let mut head = self.take(rest, elems);
            self.add(&mut sum, &mut head)?;
        }
        sum.total()
    }

    /// Alone, until it is clear that it takes long; then together. Elements may be as different as
    /// they like: no estimate is needed but the time that has passed.
    fn heavy(&self, rest: &mut Frame<'_>, threads: usize) -> Result<Spine> {
        let (started, mut sum) = (Instant::now(), RunningPartial::default());
        for probe in pieces::PROBES {
            if !rest.range.is_empty() {
                let mut head = pieces::take(rest, probe);
                self.add(&mut sum, &mut head)?;
            }
        }
        let elems = self.cuts.piece_elems(rest.range.len());
        let elems = match self.phases.pattern().combines() {
            true => elems.next_power_of_two(),
            false => elems,
        };
        while !rest.range.is_empty() {
            if threads > 1 && started.elapsed() > pieces::WORTH_SHARING && rest.range.len() > elems
            {
                return self.shared(sum, rest, elems, threads);
            }
            let mut head = self.take(rest, elems);
            self.add(&mut sum, &mut head)?;
        }
        sum.total()
    }

    /// On the caller and the pool's idle workers.
    fn shared(
        &self,
        mut sum: RunningPartial,
        rest: &mut Frame<'_>,
        elems: usize,
        threads: usize,
    ) -> Result<Spine> {
        let mut frames = host_memory::vec(pieces::count(&rest.range, elems))?;
        while !rest.range.is_empty() {
            frames.push(Mutex::new(Cell::Waiting(self.take(rest, elems))));
        }
        // After a panic, pieces behind it need not begin, unless an element there counts more. Those
        // before it have begun, since pieces are taken in order, and run to their end: so the first
        // panic in order is found.
        let limit = AtomicUsize::new(frames.len());
        crew::run(frames.len(), threads - 1, &|k| {
            if k > limit.load(Ordering::Relaxed) {
                return;
            }
            let mut cell = frames[k].lock().unwrap_or_else(PoisonError::into_inner);
            let Cell::Waiting(mut frame) = std::mem::replace(&mut *cell, Cell::Taken) else {
                return;
            };
            let done = guard::local(self.phases, &mut frame, self.keep);
            if done.is_err() && !self.goes_on() {
                limit.fetch_min(k, Ordering::Relaxed);
            }
            *cell = Cell::Done(done);
        });
        for cell in frames {
            match cell.into_inner().unwrap_or_else(PoisonError::into_inner) {
                Cell::Done(done) => self.join(&mut sum, done)?,
                Cell::Waiting(_) | Cell::Taken => {
                    unreachable!("a piece was left behind, without a panic before it")
                }
            }
        }
        sum.total()
    }
}

/// A piece of shared work.
enum Cell<'m> {
    Waiting(Frame<'m>),
    Taken,
    Done(std::result::Result<Spine, Failure<'m>>),
}

// SAFETY: a piece that ends without an error has gone through the phase of its plan that writes, without a panic.
unsafe impl Unit for CpuUnit {
    fn info(&self) -> &UnitInfo {
        &self.info
    }

    fn node(&self) -> NodeId {
        NodeId::HOST
    }

    fn check(&self, _: &Call<'_>) -> Result<()> {
        Ok(())
    }

    fn start<'u, 'e: 'u>(
        &'u self,
        _: &'u Scope<'e>,
        call: &mut Call<'e>,
        range: Range<usize>,
    ) -> Result<Box<dyn Running + 'u>> {
        let kind = Kind::of(call.phases);
        let (frame, fetched) = self
            .stopwatch
            .fetch(|| call.host_frame(range.clone(), kind));
        let (frame, instance) = (frame?, call.instance);
        Ok(Box::new(Piece {
            unit: self,
            phases: call.phases,
            instance,
            frame: Some(frame),
            partial: Spine::EMPTY,
            busy: fetched,
        }))
    }
}

/// A piece that waits for the calling thread.
struct Piece<'u, 'e> {
    unit: &'u CpuUnit,
    phases: &'static dyn Phases,
    instance: &'e str,
    frame: Option<Frame<'e>>,
    partial: Spine,
    busy: Duration,
}

impl Piece<'_, '_> {
    fn compute(&mut self, carry: Spine) -> Result<Spine> {
        let (unit, phases) = (self.unit, self.phases);
        let Some(frame) = self.frame.take() else {
            return Ok(carry);
        };
        let (range, space) = (frame.range.clone(), frame.space);
        let known = phases.kernel().ok();
        let kernel = || known.clone();
        let (partial, busy) = unit.stopwatch.compute(kernel, &range, &space, || {
            let mut frame = frame;
            let about = (self.instance, known.as_deref());
            unit.compute(phases, about, &mut frame, carry)
        });
        self.busy += busy;
        partial
    }
}

impl Running for Piece<'_, '_> {
    fn work(&mut self) -> Result<()> {
        // A scan waits for its carry.
        if self.phases.pattern() != Pattern::Scan {
            self.partial = self.compute(Spine::EMPTY)?;
        }
        Ok(())
    }

    fn finish(&mut self, carry: Spine, _: bool) -> Result<Spine> {
        self.compute(carry)
    }

    fn partial(&mut self) -> Result<Spine> {
        Ok(std::mem::replace(&mut self.partial, Spine::EMPTY))
    }

    fn complete(&mut self) -> Result<()> {
        Ok(())
    }

    fn busy(&self) -> Duration {
        self.busy
    }
}
