//! The CPU as a unit.
#![allow(unsafe_code, reason = "vouches for what the host wrote")]

use super::{
    crew,
    job::{self, Job},
    pieces::Cuts,
    scan, steps, sweep, temporal,
    two_pass::{self, Combined},
};
use crate::{
    clock::{COMBINING, HostLaw, Stopwatch},
    device::Scope,
    partials,
    unit::{Running, Unit},
};
use skel_core::{
    Result,
    call::Call,
    frame::{Frame, Partial, Spine},
    plan::{Grouping, Kernel, Pace, Pattern, Phases, StepWay, TemporalBlocks},
    space::IndexSpace,
    unit::{NodeId, UnitInfo, UnitKind},
};
use std::{
    ops::Range,
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
            driver: format!("rustc, {:?}", skel_core::isa::current()),
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
        let kernel = kernel(call.phases);
        let partial = {
            let mut frame = call.closed_frame(range.clone(), grouping(kernel));
            call.open_frame(&mut frame)?;
            let carry = Spine::beginning_with(call.initial.clone());
            let spine = self.compute(call.phases, (call.instance, kernel), &mut frame, carry)?;
            value(call.phases, spine)?
            // What is gathered in the frame's slots comes to its places here.
        };
        // SAFETY: the frame had all elements of `range`, and computing it was no error: so each of its pieces has gone
        // through the phase that writes, which by the promise of `Phases` has written them in every output.
        unsafe { call.wrote_on_host(&range) };
        Ok(partial)
    }

    /// How at most `most_steps` steps of a call are taken; nothing if one by one, as always.
    pub(crate) fn steps(&self, call: &Call<'_>, most_steps: usize) -> Option<temporal::Steps> {
        temporal::choose(call, most_steps, self.threads())
    }

    /// Takes steps so, and measures it; how many.
    ///
    /// # Errors
    /// As [`CpuUnit::run`] and [`CpuUnit::run_together`].
    pub(crate) fn run_steps(&self, call: &mut Call<'_>, steps: &temporal::Steps) -> Result<usize> {
        let started = Instant::now();
        let done = match steps.way() {
            StepWay::Single => self.run(call).map(|_| 1)?,
            StepWay::Together => self.run_together(call, steps.blocks())?,
        };
        steps.took(call, started.elapsed() / done as u32);
        Ok(done)
    }

    /// Runs steps of a call together, as these blocks of it say; how many.
    ///
    /// # Errors
    /// That memory is short, or that an element panicked, of which it is not said where it is.
    ///
    /// # Panics
    /// If the blocks are those of another call.
    pub fn run_together(&self, call: &mut Call<'_>, blocks: &TemporalBlocks) -> Result<usize> {
        // Of others, the phase that steps go through writes nothing.
        assert_eq!(call.phases.pattern(), Pattern::Elementwise, "no stencil");
        let range = 0..call.space.elems();
        {
            let mut frame = call.host_frame(range.clone(), grouping(kernel(call.phases)))?;
            let about = (call.phases, call.instance);
            temporal::run(blocks, about, &mut frame, self.threads())?;
        }
        // SAFETY: the frame had all elements of `range`, and each of its pieces was computed without an error: so its last
        // step went through the local phase of an elementwise plan, which by the promise of `Phases` has written every output.
        unsafe { call.wrote_on_host(&range) };
        Ok(blocks.steps())
    }

    /// Runs a whole call here, as [`CpuUnit::run`]; and how long it took.
    pub(crate) fn run_measured(&self, call: &mut Call<'_>) -> Result<(Partial, Duration)> {
        let (phases, carry) = (call.phases, Spine::beginning_with(call.initial.clone()));
        let (range, space, known) = (0..call.space.elems(), call.space, kernel(phases));
        let grouping = grouping(known);
        let (frame, fetched) = self
            .stopwatch
            .fetch(|| call.host_frame(range.clone(), grouping));
        let (frame, about) = (frame?, || (known, &range, &space));
        let (partial, computed) = self.stopwatch.compute(1.0, about, || {
            // Dropped in time: what is gathered in its slots comes to its places then.
            let mut frame = frame;
            let about = (call.instance, known);
            let spine = self.compute(phases, about, &mut frame, carry)?;
            value(phases, spine)
        });
        let partial = partial?;
        // SAFETY: the frame had all elements of `range`, and its phase, which has returned, has written them in every output
        // by the promise of `Phases`.
        unsafe { call.wrote_on_host(&range) };
        Ok((partial, fetched + computed))
    }

    /// All that is to be done of a piece which `carry` precedes, in folds and scans; the carry of what
    /// follows.
    fn compute(
        &self,
        phases: &'static dyn Phases,
        about: (&str, Option<&Kernel>),
        frame: &mut Frame<'_>,
        carry: Spine,
    ) -> Result<Spine> {
        let mut is_due = false;
        if let Some(kernel) = about.1
            && carry.is_empty()
            && job::is_brief(kernel, frame)
        {
            is_due = Pace::is_due();
            if !is_due {
                return job::at_once((phases, about.0, kernel), frame);
            }
        }
        let pace = about.1.map(|kernel| &kernel.pace);
        let threads = self.threads();
        let job = Job::of(phases, about, pace, frame, threads);
        match phases.pattern() {
            Pattern::Scan => return scan::finish(&job, frame, carry, threads),
            Pattern::Sweep => return sweep::run(&job, about.1, frame, threads),
            Pattern::Elementwise | Pattern::Fold => {}
        }
        if let Some(done) = steps::run(&job, frame, threads) {
            return done;
        }
        let partial = match job.cuts {
            Cuts::Light { share } => {
                if share && threads > 1 {
                    job.shared(job.none(), frame, job.piece(), threads)
                } else {
                    job.short(frame, threads, is_due)
                }
            }
            Cuts::Heavy => job.heavy(frame, threads),
        };
        match carry.is_empty() {
            true => partial,
            false => partials::join(phases, carry, partial?),
        }
    }

    fn threads(&self) -> usize {
        if self.parallel { crew::threads() } else { 1 }
    }
}

/// The kernel, if there is one.
pub(crate) fn kernel(phases: &'static dyn Phases) -> Option<&'static Kernel> {
    phases.kernel().ok().map(|kernel| &**kernel)
}

/// How elements are grouped.
fn grouping(kernel: Option<&Kernel>) -> Grouping {
    kernel.map_or(Grouping::Heavy, |kernel| kernel.grouping)
}

/// What a fold comes to; of other patterns, none asks.
fn value(phases: &dyn Phases, spine: Spine) -> Result<Partial> {
    match phases.pattern() {
        Pattern::Fold => partials::value(phases, spine),
        Pattern::Elementwise | Pattern::Scan | Pattern::Sweep => Ok(Partial::NONE),
    }
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
        let grouping = Grouping::of(call.phases);
        let (frame, fetched) = self
            .stopwatch
            .fetch(|| call.host_frame(range.clone(), grouping));
        let (frame, instance) = (frame?, call.instance);
        Ok(Box::new(CpuPiece {
            unit: self,
            phases: call.phases,
            instance,
            range,
            space: call.space,
            frame: Some(frame),
            combined: None,
            until_carry: None,
            partial: Spine::EMPTY,
            busy: fetched,
        }))
    }
}

/// A piece that waits for the calling thread.
struct CpuPiece<'u, 'e> {
    unit: &'u CpuUnit,
    phases: &'static dyn Phases,
    instance: &'e str,
    range: Range<usize>,
    space: IndexSpace,
    frame: Option<Frame<'e>>,
    /// The tail of a scan, which is still to be written, and how much of the piece it is.
    combined: Option<(Combined<'e>, f64)>,
    until_carry: Option<Duration>,
    partial: Spine,
    busy: Duration,
}

impl<'e> CpuPiece<'_, 'e> {
    fn compute(&mut self, carry: Spine) -> Result<Spine> {
        let (unit, phases, instance) = (self.unit, self.phases, self.instance);
        let Some(mut frame) = self.frame.take() else {
            return Ok(carry);
        };
        self.timed(1.0, |kernel| {
            unit.compute(phases, (instance, kernel), &mut frame, carry)
        })
    }

    /// Writes a scan but for its tail, and combines that; the carry of what follows. See [`two_pass`].
    fn hand_on(&mut self, carry: Spine) -> Result<Spine> {
        let (phases, instance, kernel) = (self.phases, self.instance, kernel(self.phases));
        let threads = self.unit.threads();
        let Some(frame) = &mut self.frame else {
            return Ok(carry);
        };
        let about = (instance, kernel);
        let pace = kernel.map(|kernel| &kernel.pace);
        let job = Job::of(phases, about, pace, frame, threads);
        let Some(mid) = two_pass::tail(&job, &frame.range) else {
            return self.compute(carry);
        };
        let tail = (frame.range.end - mid) as f64 / frame.range.len() as f64;
        let (mut head, rest) = (frame.take_front(mid), frame.take());
        self.frame = None;
        let carry = self.timed(1.0 - tail, |_| {
            scan::finish(&job, &mut head, carry, threads)
        })?;
        let combined = self.timed(tail * COMBINING, |_| {
            Combined::new(job, rest, carry, threads)
        })?;
        let next = combined.next();
        (self.combined, self.until_carry) = (Some((combined, tail)), Some(self.busy));
        Ok(next)
    }

    /// Computes something of the piece, which gets the kernel if there is one.
    fn timed<R>(&mut self, share: f64, body: impl FnOnce(Option<&Kernel>) -> R) -> R {
        let known = kernel(self.phases);
        let about = || (known, &self.range, &self.space);
        let body = || body(known);
        let (result, took) = self.unit.stopwatch.compute(share, about, body);
        self.busy += took;
        result
    }
}

impl Running for CpuPiece<'_, '_> {
    fn work(&mut self) -> Result<()> {
        // A scan waits for its carry.
        if self.phases.pattern() != Pattern::Scan {
            self.partial = self.compute(Spine::EMPTY)?;
        }
        Ok(())
    }

    fn finish(&mut self, carry: Spine, wanted: bool) -> Result<Spine> {
        match wanted {
            true => self.hand_on(carry),
            false => self.compute(carry),
        }
    }

    fn until_carry(&self) -> Option<Duration> {
        self.until_carry
    }

    fn partial(&mut self) -> Result<Spine> {
        Ok(std::mem::replace(&mut self.partial, Spine::EMPTY))
    }

    fn complete(&mut self) -> Result<()> {
        match self.combined.take() {
            Some((combined, tail)) => self.timed(tail, |_| combined.write()),
            None => Ok(()),
        }
    }

    fn busy(&self) -> Duration {
        self.busy
    }
}
