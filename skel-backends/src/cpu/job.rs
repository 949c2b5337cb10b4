//! What all pieces of a call on the CPU have in common, and how they are computed.

use super::{
    crew,
    guard::{self, Failure},
    pieces::{self, Cuts, Work},
    running_partial::RunningPartial,
};
use crate::partials;
use skel_core::{
    Result,
    frame::{Frame, Spine},
    host_memory,
    ir::Weight,
    plan::{Kernel, Pace, Pattern, Phases},
    space::Lines,
};
use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

/// What all pieces of a call have in common.
pub(super) struct Job<'j> {
    pub(super) phases: &'static dyn Phases,
    pub(super) instance: &'j str,
    pub(super) cuts: Cuts,
    pub(super) can_trap: bool,
    /// Whether in-place arguments are set aside before a piece is computed, since it can trap.
    pub(super) keep: bool,
    pub(super) work: Work,
    /// How fast such calls were, if a time is to be expected of them.
    pace: Option<&'j Pace>,
}

impl<'j> Job<'j> {
    /// How a frame is computed, and the length of the pieces that it is cut into, if it is shared.
    pub(super) fn of(
        phases: &'static dyn Phases,
        // A user function that has no device form (recursion, say) may still be run here.
        (instance, kernel): (&'j str, Option<&Kernel>),
        // The kernel's; of scans, which have cuts of their own, none.
        pace: Option<&'j Pace>,
        frame: &Frame<'_>,
        threads: usize,
    ) -> (Job<'j>, usize) {
        let (lines, along) = (frame.lines(), frame.space.along());
        let (weight, can_trap) = kernel.map_or((Weight::Unknown, true), |kernel| {
            let line_elems = lines.map_or(0, Lines::len);
            (kernel.weight, kernel.can_trap_along(line_elems))
        });
        // Where this crate checks for overflow, the user's most likely does, too.
        let can_trap = can_trap || cfg!(debug_assertions);
        // A piece of a fold of rows or columns is a fold of fewer; an element that sees lines is as much work as those
        // are long.
        let (each_elems, least, weight) = match (lines, along) {
            (Some(lines), _) => {
                let weight = Weight::Operations(pieces::LINE_OPERATIONS);
                (lines.len().max(1), pieces::least_lines(lines), weight)
            }
            (None, Some(along)) => (along.depth().max(1), pieces::least_of(along), weight),
            (None, None) => (1, 1, weight),
        };
        let mut work = Work {
            count: frame.range.len(),
            each_elems,
            weight,
            pace_ns: None,
            threads,
        };
        work.pace_ns = pace.and_then(|pace| pace.ns(work.elems()));
        let piece = match phases.pattern().combines() {
            // Each is one node of the grouping.
            true => work.piece(frame.grouping.tile_elems()).next_power_of_two(),
            false => work.piece(least),
        };
        let job = Job {
            phases,
            instance,
            cuts: work.cuts(),
            can_trap,
            keep: can_trap && frame.changes_arguments(),
            work,
            pace,
        };
        (job, piece)
    }

    /// Computes elements of a call whose time is known beforehand, and measures them, if that pays.
    fn timed<R>(&self, count: usize, compute: impl FnOnce() -> R) -> R {
        if !self.work.is_measurable() {
            return compute();
        }
        let started = Instant::now();
        let done = compute();
        self.note(count, started.elapsed());
        done
    }

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
    pub(super) fn alone(&self, rest: &mut Frame<'_>, elems: usize) -> Result<Spine> {
        self.timed(rest.range.len(), || {
            // Uncut, unless a trap would have to be searched for.
            if !self.can_trap {
                let done = guard::local(self.phases, rest, self.keep);
                return done.map_err(|failure| failure.explain(self.phases, self.instance));
            }
            let mut sum = RunningPartial::default();
            while !rest.range.is_empty() {
                let mut head = self.take(rest, elems);
                self.add(&mut sum, &mut head)?;
            }
            sum.total()
        })
    }

    /// Alone, until it is clear that it takes long; then together. Elements may be as different as
    /// they like: no estimate is needed but the time that has passed. Where the time of calls before is known, it says
    /// how long pieces are, and whether the first ones are shared already.
    pub(super) fn heavy(&self, rest: &mut Frame<'_>, threads: usize) -> Result<Spine> {
        if threads <= 1 {
            return self.alone(rest, pieces::ALONE);
        }
        let (started, mut sum) = (Instant::now(), RunningPartial::default());
        let all = rest.range.len();
        let is_long = self.work.is_long();
        if is_long.is_none() {
            for probe in pieces::PROBES {
                if !rest.range.is_empty() {
                    let mut head = pieces::take(rest, probe);
                    self.add(&mut sum, &mut head)?;
                }
            }
        }
        let elems = self.work.heavy_piece(rest.range.len());
        let elems = match self.phases.pattern().combines() {
            true => elems.next_power_of_two(),
            false => elems,
        };
        while !rest.range.is_empty() {
            let is_long = is_long == Some(true) || started.elapsed() > pieces::WORTH_SHARING;
            if is_long && rest.range.len() > elems {
                return self.shared(sum, rest, elems, threads);
            }
            let mut head = self.take(rest, elems);
            self.add(&mut sum, &mut head)?;
        }
        self.note(all, started.elapsed());
        sum.total()
    }

    /// So many of what a range counts took one thread so long, or several together.
    fn note(&self, count: usize, took: Duration) {
        if let Some(pace) = self.pace {
            let elems = count.saturating_mul(self.work.each_elems);
            pace.note(self.work.elems(), elems, took);
        }
    }

    /// On the caller and the pool's idle workers.
    pub(super) fn shared(
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
        // Of functions with loops all pieces are measured, which may be unlike each other; of others, one.
        let measures = match self.cuts {
            Cuts::Heavy => frames.len(),
            Cuts::Light { .. } => usize::from(self.work.is_measurable()),
        };
        let (measured, took_ns) = (AtomicUsize::new(0), AtomicU64::new(0));
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
            let count = frame.range.len();
            let started = (k < measures).then(Instant::now);
            let done = guard::local(self.phases, &mut frame, self.keep);
            if let Some(started) = started {
                let ns = u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX);
                took_ns.fetch_add(ns, Ordering::Relaxed);
                measured.fetch_add(count, Ordering::Relaxed);
            }
            if done.is_err() && !self.goes_on() {
                limit.fetch_min(k, Ordering::Relaxed);
            }
            *cell = Cell::Done(done);
        });
        let (measured, took_ns) = (measured.into_inner(), took_ns.into_inner());
        if measured > 0 {
            self.note(measured, Duration::from_nanos(took_ns));
        }
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
#[expect(
    clippy::large_enum_variant,
    reason = "all of them wait at first, in one array"
)]
enum Cell<'m> {
    Waiting(Frame<'m>),
    Taken,
    Done(std::result::Result<Spine, Failure<'m>>),
}
