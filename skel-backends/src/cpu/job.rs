//! What all pieces of a call on the CPU have in common, and how they are computed.

use super::{
    guard::{self, Failure},
    in_order::{self, AfterFailure},
    pieces::{self, Cuts, Work},
};
use crate::partials::Total;
use skel_core::{
    Result,
    frame::{Frame, Spine},
    ir::Weight,
    plan::{Kernel, Pace, Pattern, Phases},
    space::{Axis, Lines},
};
use std::{
    sync::atomic::{AtomicU64, AtomicUsize, Ordering},
    time::{Duration, Instant},
};

/// Until work is known to be long, each piece is so many times as long as the one before, and the first one in so many
/// where it is expected to be short.
const GROWTH: usize = 8;

/// What all pieces of a call have in common.
pub(super) struct Job<'j> {
    pub(super) phases: &'static dyn Phases,
    pub(super) instance: &'j str,
    pub(super) cuts: Cuts,
    pub(super) can_trap: bool,
    /// Whether in-place arguments are set aside before a piece is computed, since it can trap.
    pub(super) keep: bool,
    pub(super) work: Work,
    pub(super) tile_elems: usize,
    /// What a piece has at least, where nothing is combined.
    least: usize,
    /// How fast such calls were, if a time is to be expected of them.
    pace: Option<&'j Pace>,
}

/// Whether a piece is expected to be so short that it is neither shared nor cut: most calls of few elements, of which what
/// a call costs is most.
pub(super) fn is_brief(kernel: &Kernel, frame: &Frame<'_>) -> bool {
    let elems = frame.range.len();
    let patterns = [Pattern::Elementwise, Pattern::Fold];
    let is_plain = patterns.contains(&kernel.pattern) && frame.space.along().is_none();
    let elem_ns = || pieces::elem_ns(kernel.weight, kernel.pace.ns(elems));
    is_plain && elem_ns().is_some_and(|ns| !pieces::is_measurable(elems, ns)) && !kernel.has_lines()
}

/// Computes such a piece, and does not look at the clock.
pub(super) fn at_once(
    (phases, instance, kernel): (&'static dyn Phases, &str, &Kernel),
    frame: &mut Frame<'_>,
) -> Result<Spine> {
    let can_trap = kernel.can_trap_along(0) || cfg!(debug_assertions);
    let keep = can_trap && frame.changes_arguments();
    guard::local(phases, frame, keep).map_err(|failure| failure.explain(phases, instance))
}

impl<'j> Job<'j> {
    /// How a frame is computed.
    pub(super) fn of(
        phases: &'static dyn Phases,
        // A user function that has no device form (recursion, say) may still be run here.
        (instance, kernel): (&'j str, Option<&Kernel>),
        // The kernel's.
        pace: Option<&'j Pace>,
        frame: &Frame<'_>,
        threads: usize,
    ) -> Job<'j> {
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
            (None, Some(along)) => (
                along.depth().max(1),
                pieces::least_of(along, threads),
                weight,
            ),
            (None, None) => (1, 1, weight),
        };
        let mut work = Work {
            count: frame.range.len(),
            each_elems,
            weight,
            pace_ns: None,
            threads,
            // Functions with loops have lanes; others vectorise better in round lengths.
            block: match kernel {
                Some(_) if lines.is_none() && along.is_none() => pieces::BLOCK,
                _ => 1,
            },
        };
        work.pace_ns = pace.and_then(|pace| pace.ns(work.elems()));
        let tile_elems = frame.grouping.tile_elems();
        Job {
            phases,
            instance,
            cuts: work.cuts(),
            can_trap,
            keep: can_trap && frame.changes_arguments(),
            work,
            tile_elems,
            least,
            pace,
        }
    }

    /// The length of pieces of work that is known beforehand. Not asked for by calls that are not cut: it takes divisions.
    pub(super) fn piece(&self) -> usize {
        match self.phases.pattern().combines() {
            // Each is one node of the grouping.
            true => self.work.piece(self.tile_elems).next_power_of_two(),
            false => self.work.piece(self.least),
        }
    }

    /// Takes the next piece.
    fn take<'m>(&self, rest: &mut Frame<'m>, elems: usize) -> Frame<'m> {
        match self.phases.pattern().combines() {
            true => pieces::take_to(rest, elems, self.work.block),
            false => pieces::take(rest, elems, self.work.block),
        }
    }

    /// Computes one more piece, and adds its partial to the sum of those before it.
    fn add(&self, sum: &mut Total, frame: &mut Frame<'_>) -> Result<()> {
        let done = guard::local(self.phases, frame, self.keep);
        self.join(sum, done)
    }

    /// Adds what came of a piece.
    fn join(&self, sum: &mut Total, done: std::result::Result<Spine, Failure<'_>>) -> Result<()> {
        let partial = done.map_err(|failure| failure.explain(self.phases, self.instance));
        match self.after_failure() {
            AfterFailure::GoOn => sum.add(partial),
            AfterFailure::Stop => sum.add(Ok(partial?)),
        }
        sum.check()
    }

    /// The sum of no pieces.
    pub(super) fn none(&self) -> Total {
        Total::new(self.phases, Spine::EMPTY)
    }

    /// Pieces of a fold behind a panic are computed all the same: the operator may have been what panicked, and an element
    /// behind it counts more.
    fn after_failure(&self) -> AfterFailure {
        match self.phases.pattern() {
            Pattern::Fold => AfterFailure::GoOn,
            _ => AfterFailure::Stop,
        }
    }

    /// On the calling thread: in the pieces of shared work, if that makes a difference.
    pub(super) fn alone(
        &self,
        rest: &mut Frame<'_>,
        piece: impl FnOnce() -> usize,
    ) -> Result<Spine> {
        // Uncut, unless a trap would have to be searched for.
        if !self.can_trap {
            let done = guard::local(self.phases, rest, self.keep);
            return done.map_err(|failure| failure.explain(self.phases, self.instance));
        }
        let (mut sum, elems) = (self.none(), piece());
        while !rest.range.is_empty() {
            let mut head = self.take(rest, elems);
            self.add(&mut sum, &mut head)?;
        }
        sum.finish()
    }

    /// Work that is expected to be too short to be shared. The clock is looked at if that `is_due`, or would not count.
    pub(super) fn short(
        &self,
        rest: &mut Frame<'_>,
        threads: usize,
        is_due: bool,
    ) -> Result<Spine> {
        if !(is_due || self.work.is_measurable() || Pace::is_due()) {
            return self.alone(rest, || self.piece());
        }
        let count = rest.range.len();
        // Few columns at a time are read in strips, which takes several times as long.
        let is_of_columns = rest
            .space
            .along()
            .is_some_and(|along| along.axis == Axis::Cols);
        if threads > 1 && self.work.may_be_long() && !is_of_columns {
            return self.until_long(rest, count / GROWTH, threads);
        }
        let started = Instant::now();
        let done = self.alone(rest, || self.piece())?;
        self.note(count, started.elapsed());
        Ok(done)
    }

    /// Functions with loops, whose elements may be as different as they like.
    pub(super) fn heavy(&self, rest: &mut Frame<'_>, threads: usize) -> Result<Spine> {
        if threads <= 1 {
            return self.alone(rest, || pieces::ALONE);
        }
        let count = rest.range.len();
        match self.work.is_long() {
            None => self.until_long(rest, 1, threads),
            Some(false) => self.until_long(rest, count / GROWTH, threads),
            Some(true) => {
                let pace_ns = self.work.pace_ns.map(f64::from);
                let elems = self.node(self.work.piece_of_unlike(count, pace_ns));
                self.shared(self.none(), rest, elems, threads)
            }
        }
    }

    /// On the calling thread, in pieces each of which is longer than the one before, until it is clear that it takes long; the
    /// rest together, in pieces by what it took until then. So no expectation has to be right.
    fn until_long(&self, rest: &mut Frame<'_>, first: usize, threads: usize) -> Result<Spine> {
        let (started, mut sum) = (Instant::now(), self.none());
        let (count, mut next) = (rest.range.len(), self.node(first.max(1)));
        while !rest.range.is_empty() {
            let (took, left) = (started.elapsed(), rest.range.len());
            if took > pieces::WORTH_SHARING && left < count {
                let done = (count - left).saturating_mul(self.work.each_elems);
                let elem_ns = took.as_nanos() as f64 / done as f64;
                let elems = self.node(self.work.piece_of_unlike(left, Some(elem_ns)));
                if left > elems {
                    return self.shared(sum, rest, elems, threads);
                }
            }
            let mut head = self.take(rest, next);
            self.add(&mut sum, &mut head)?;
            next = next.saturating_mul(GROWTH);
        }
        self.note(count, started.elapsed());
        sum.finish()
    }

    /// A length of pieces such that each is one node of the grouping, if it matters.
    fn node(&self, elems: usize) -> usize {
        match self.phases.pattern().combines() {
            true => elems.max(self.tile_elems).next_power_of_two(),
            false => elems,
        }
    }

    /// So many of what a range counts took one thread so long, or several together. Of few elements, what they have in
    /// common counts as much as they do: so that says nothing but how long they take at most.
    pub(super) fn note(&self, count: usize, took: Duration) {
        let elems = count.saturating_mul(self.work.each_elems);
        let is_much = took >= pieces::MEASURABLE || self.work.is_measurable();
        let most_ns = took.as_secs_f32() * 1e9 / elems.max(1) as f32;
        if let Some(pace) = self.pace
            && (is_much || self.work.pace_ns.is_some_and(|known_ns| most_ns < known_ns))
        {
            pace.note(self.work.elems(), elems, took);
        }
    }

    /// On the caller and the pool's idle workers.
    pub(super) fn shared<'m>(
        &self,
        mut sum: Total,
        rest: &mut Frame<'m>,
        elems: usize,
        threads: usize,
    ) -> Result<Spine> {
        let most = pieces::count(&rest.range, elems);
        let next = || (!rest.range.is_empty()).then(|| self.take(rest, elems));
        // All of them, since they may be unlike each other.
        let measures = matches!(self.cuts, Cuts::Heavy) || self.work.is_measurable();
        let (measured, took_ns) = (AtomicUsize::new(0), AtomicU64::new(0));
        let compute = |mut frame: Frame<'m>| {
            let count = frame.range.len();
            let started = measures.then(Instant::now);
            let done = guard::local(self.phases, &mut frame, self.keep);
            if let (Some(started), true) = (started, done.is_ok()) {
                took_ns.fetch_add(pieces::ns_since(started), Ordering::Relaxed);
                measured.fetch_add(count, Ordering::Relaxed);
            }
            done
        };
        let done = in_order::compute(most, threads, self.after_failure(), next, compute)?;
        let (measured, took_ns) = (measured.into_inner(), took_ns.into_inner());
        if measured > 0 {
            self.note(measured, Duration::from_nanos(took_ns));
        }
        for partial in done {
            self.join(&mut sum, partial)?;
        }
        sum.finish()
    }
}
