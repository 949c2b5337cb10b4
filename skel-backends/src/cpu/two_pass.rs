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
    crew,
    guard::{self, Failure},
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
use std::{
    ops::Range,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

/// How far one piece has come.
enum State<'m> {
    /// To be combined.
    Begun(Frame<'m>),
    /// To be written, with its total.
    Combined(Frame<'m>, Spine),
    Written,
    Failed(Failure<'m>),
}

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
    pieces: Vec<Mutex<State<'m>>>,
    /// What precedes each piece.
    carries: Vec<Spine>,
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
        while !frame.range.is_empty() {
            let piece = pieces::take_to(&mut frame, PIECE, 1);
            pieces.push(Mutex::new(State::Begun(piece)));
        }
        let mut combined = Combined {
            job,
            threads,
            pieces,
            carries: host_memory::vec(count)?,
            next: carry,
        };
        combined.pass(|_, state| match state {
            State::Begun(mut frame) => match guard::total(phases, &mut frame) {
                Ok(total) => State::Combined(frame, total),
                Err(failure) => State::Failed(failure),
            },
            other => other,
        })?;
        for piece in &mut combined.pieces {
            let State::Combined(_, total) = get_mut(piece) else {
                unreachable!("a pass ended well, and left a piece behind");
            };
            let total = std::mem::replace(total, Spine::EMPTY);
            combined.carries.push(combined.next.clone());
            combined.next = partials::join(phases, combined.next, total)?;
        }
        Ok(combined)
    }

    /// What precedes the elements behind them all.
    pub(super) fn next(&self) -> Spine {
        self.next.clone()
    }

    /// Writes all elements.
    pub(super) fn write(mut self) -> Result<()> {
        let (phases, keep) = (self.job.phases, self.job.keep);
        let carries = std::mem::take(&mut self.carries);
        self.pass(|k, state| match state {
            State::Combined(mut frame, _) => {
                match guard::finish(phases, &mut frame, carries[k].clone(), keep) {
                    Ok(_) => State::Written,
                    Err(failure) => State::Failed(failure),
                }
            }
            other => other,
        })
    }

    /// Takes each piece on by one state, on the caller and the pool's idle workers; the first failure in the order of
    /// the pieces.
    fn pass(&mut self, step: impl Fn(usize, State<'m>) -> State<'m> + Sync) -> Result<()> {
        let first_failed = AtomicUsize::new(usize::MAX);
        let (job, pieces) = (&self.job, &self.pieces);
        crew::run(pieces.len(), self.threads - 1, &|k| {
            // Pieces before it have begun, since they are taken in order, and run to their end.
            if k > first_failed.load(Ordering::Relaxed) {
                return;
            }
            let mut piece = pieces[k].lock().unwrap_or_else(PoisonError::into_inner);
            *piece = step(k, std::mem::replace(&mut *piece, State::Written));
            if matches!(*piece, State::Failed(_)) {
                first_failed.fetch_min(k, Ordering::Relaxed);
            }
        });
        let failed = self.pieces.get_mut(first_failed.into_inner());
        match failed.map(get_mut) {
            None => Ok(()),
            Some(state) => match std::mem::replace(state, State::Written) {
                State::Failed(failure) => Err(failure.explain(job.phases, job.instance)),
                _ => unreachable!("the first failure is a failure"),
            },
        }
    }
}

fn get_mut<'p, 'm>(piece: &'p mut Mutex<State<'m>>) -> &'p mut State<'m> {
    piece.get_mut().unwrap_or_else(PoisonError::into_inner)
}
