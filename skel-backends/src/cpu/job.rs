//! What all pieces of a call on the CPU have in common, and how they are computed.

use super::{
    crew,
    guard::{self, Failure},
    pieces::{self, Cuts},
    running_partial::RunningPartial,
};
use crate::partials;
use skel_core::{
    Result,
    frame::{Frame, Spine},
    host_memory,
    ir::Weight,
    plan::{Kernel, Pattern, Phases},
    space::Lines,
};
use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Instant,
};

/// What all pieces of a call have in common.
pub(super) struct Job<'j> {
    pub(super) phases: &'static dyn Phases,
    pub(super) instance: &'j str,
    pub(super) cuts: Cuts,
    pub(super) can_trap: bool,
    /// Whether in-place arguments are set aside before a piece is computed, since it can trap.
    pub(super) keep: bool,
}

impl<'j> Job<'j> {
    /// How a frame is computed, and the length of the pieces that it is cut into, if it is shared.
    pub(super) fn of(
        phases: &'static dyn Phases,
        // A user function that has no device form (recursion, say) may still be run here.
        (instance, kernel): (&'j str, Option<&Kernel>),
        frame: &Frame<'_>,
    ) -> (Job<'j>, usize) {
        let (weight, can_trap) = kernel.map_or((Weight::Unknown, true), |kernel| {
            let line_elems = frame.lines().map_or(0, Lines::len);
            (kernel.weight, kernel.can_trap_along(line_elems))
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
        (job, elems)
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
    }

    /// Alone, until it is clear that it takes long; then together. Elements may be as different as
    /// they like: no estimate is needed but the time that has passed.
    pub(super) fn heavy(&self, rest: &mut Frame<'_>, threads: usize) -> Result<Spine> {
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
#[expect(
    clippy::large_enum_variant,
    reason = "all of them wait at first, in one array"
)]
enum Cell<'m> {
    Waiting(Frame<'m>),
    Taken,
    Done(std::result::Result<Spine, Failure<'m>>),
}
