//! The tail of a scan: its last elements are combined, and only then written.
//!
//! That reads them one time more than [`super::scan`], but what precedes the elements behind them is known before they
//! are written. A device that computes those goes on meanwhile. Both ways have the same bits.
//!
//! # How long the tail is
//!
//! Let the host write an element in `w`, and combine it in `c < w`; let the device need `f` once it has the carry. In one
//! pass, a call takes `f` longer than the host. With a tail of `f / w` elements, the host writes as long as the device
//! goes on, and the call takes `(f / w) c` longer: the best there is. A longer tail makes the host read more than the
//! device gives time for; without a tail the device waits.
//!
//! `f` is not known here: it hangs on the device, its share, and on what else it has to do. So the tail is an eighth of
//! the piece. Let `f` be the part `p` of the time that the host writes; combining takes a third of that. Then the call
//! gets shorter as soon as `p` is more than a twenty-fourth, by up to an eighth of that time less the twenty-fourth; and
//! with a device that needs no time at all, it gets longer by that much. Under the laws of docs/evaluation.md, which are
//! in the proportions of real machines, `p` is between 0.07 and 0.15. A third instead of an eighth was slower than one
//! pass where transfers are most of what the device does.

use super::{
    guard::{self, Failure},
    in_order::{self, AfterFailure},
    job::Job,
    pieces::{self, Cuts},
    scan::PIECE,
};
use crate::partials;
use skel_core::{
    Result,
    frame::{Frame, Spine},
    host_memory,
};
use std::ops::Range;

/// The part of a piece that is its tail: one in so many elements.
const TAIL: usize = 8;

/// Where the tail of a piece begins; none, if it is over before a device has its carry, or if combining is as much work
/// as writing.
pub(super) fn tail(job: &Job<'_>, range: &Range<usize>) -> Option<usize> {
    match job.cuts {
        Cuts::Light { share: true } => {
            let mid = (range.end - range.len() / TAIL).next_multiple_of(PIECE);
            (mid < range.end).then_some(mid)
        }
        Cuts::Light { share: false } | Cuts::Heavy => None,
    }
}

/// Elements that were combined and are still to be written.
pub(super) struct Combined<'m> {
    job: Job<'m>,
    threads: usize,
    /// Each piece, and what precedes it.
    pieces: Vec<(Frame<'m>, Spine)>,
    /// What precedes the elements behind them all.
    next: Spine,
}

impl<'m> Combined<'m> {
    /// Combines all elements of `frame`, which `carry` precedes.
    pub(super) fn new(
        job: Job<'m>,
        mut frame: Frame<'m>,
        carry: Spine,
        threads: usize,
    ) -> Result<Combined<'m>> {
        let (phases, count) = (job.phases, pieces::count(&frame.range, PIECE));
        let mut pieces = host_memory::vec(count)?;
        let rest = || (!frame.range.is_empty()).then(|| pieces::take_to(&mut frame, PIECE, 1));
        let combine = |mut piece: Frame<'m>| {
            let total = guard::total(phases, &mut piece)?;
            Ok((piece, total))
        };
        let combined = in_order::compute(count, threads, AfterFailure::Stop, rest, combine)?;
        // An element that traps counts more than an operator that does where totals are joined.
        let mut next = Ok(carry);
        for combined in combined {
            let (piece, total) =
                combined.map_err(|failure: Failure<'_>| failure.explain(phases, job.instance))?;
            if let Ok(before) = next {
                pieces.push((piece, before.clone()));
                next = partials::join(phases, before, total);
            }
        }
        Ok(Combined {
            job,
            threads,
            pieces,
            next: next?,
        })
    }

    /// What precedes the elements behind them all.
    pub(super) fn next(&self) -> Spine {
        self.next.clone()
    }

    /// Writes all elements.
    pub(super) fn write(self) -> Result<()> {
        let Job {
            phases,
            keep,
            instance,
            ..
        } = self.job;
        let (count, mut pieces) = (self.pieces.len(), self.pieces.into_iter());
        let write = |(mut piece, carry): (Frame<'m>, Spine)| {
            guard::finish(phases, &mut piece, carry, keep).map(drop)
        };
        let mut written = in_order::compute(
            count,
            self.threads,
            AfterFailure::Stop,
            || pieces.next(),
            write,
        )?;
        written.try_for_each(|done| done.map_err(|failure| failure.explain(phases, instance)))
    }
}
