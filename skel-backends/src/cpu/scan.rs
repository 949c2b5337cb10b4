//! The last phase of a scan on the CPU: pieces in a chain, each of which hands the next one its carry.
//!
//! Alone, a piece is written at once: it is read and written one time. In company, a piece is first
//! combined, which is quick and leaves it in the cache; its carry and total are the next one's carry,
//! and then it is written. Both have the same bits.

use super::{
    crew,
    guard::{self, Failure},
    in_hand::InHand,
    pieces::{self, Cuts},
    unit::Job,
};
use crate::partials;
use skel_core::{
    Result,
    frame::{Frame, Spine},
};
use std::{
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// Pieces of light work, in elements: several per core's cache, and a power of two, so that most are one node
/// of the grouping.
const PIECE: usize = 1 << 14;

/// Writes the outputs of `frame`, which `carry` precedes; gives the carry of what follows.
pub(super) fn finish<'m>(
    job: &Job<'_>,
    rest: &mut Frame<'m>,
    mut carry: Spine,
    threads: usize,
) -> Result<Spine> {
    let (probes, elems): (&[usize], usize) = match job.cuts {
        Cuts::Light { share } if share && threads > 1 => {
            return shared(job, rest.take(), PIECE, carry, threads);
        }
        Cuts::Light { .. } => (&[], PIECE),
        Cuts::Heavy => {
            let probed = pieces::PROBES.iter().sum();
            let left = rest.range.len().saturating_sub(probed);
            (&pieces::PROBES, job.cuts.piece_elems(left))
        }
    };
    let may_share = matches!(job.cuts, Cuts::Heavy) && threads > 1;
    let started = Instant::now();
    let sizes = probes.iter().copied().chain(std::iter::repeat(elems));
    for (k, size) in sizes.enumerate() {
        if rest.range.is_empty() {
            break;
        }
        let long = k >= probes.len() && rest.range.len() > elems;
        if may_share && long && started.elapsed() > pieces::WORTH_SHARING {
            return shared(job, rest.take(), elems, carry, threads);
        }
        let mut head = pieces::take_to(rest, size);
        carry = guard::finish(job.phases, &mut head, carry, job.keep)
            .map_err(|failure| failure.explain(job.phases, job.instance))?;
    }
    Ok(carry)
}

/// On the caller and the pool's idle workers.
fn shared<'m>(
    job: &Job<'_>,
    frame: Frame<'m>,
    elems: usize,
    carry: Spine,
    threads: usize,
) -> Result<Spine> {
    let count = pieces::count(&frame.range, elems);
    let chain = Chain {
        job,
        elems,
        caller: thread::current().id(),
        company: AtomicBool::new(false),
        rest: Mutex::new((0, Some(frame))),
        turn: AtomicUsize::new(0),
        carry: Mutex::new(carry),
        failed: AtomicUsize::new(usize::MAX),
        failure: Mutex::new(None),
    };
    crew::run(count, threads - 1, &|_| chain.next());
    // What was left to helpers that were at work already.
    while lock(&chain.rest)
        .1
        .as_ref()
        .is_some_and(|rest| !rest.range.is_empty())
        && chain.failed.load(Ordering::Relaxed) == usize::MAX
    {
        chain.next();
    }
    if let Some((_, failure)) = into_inner(chain.failure) {
        return Err(failure.explain(job.phases, job.instance));
    }
    Ok(into_inner(chain.carry))
}

/// What the pieces of a shared scan have in common.
struct Chain<'j, 'm> {
    job: &'j Job<'j>,
    elems: usize,
    caller: thread::ThreadId,
    /// Whether a helper has come.
    company: AtomicBool,
    /// The number of the next piece, and all elements from there.
    rest: Mutex<(usize, Option<Frame<'m>>)>,
    /// The piece whose carry is known, and that carry.
    turn: AtomicUsize,
    carry: Mutex<Spine>,
    /// The first piece that failed, by number, and how. Pieces before it run to their end.
    failed: AtomicUsize,
    failure: Mutex<Option<(usize, Failure<'m>)>>,
}

impl<'m> Chain<'_, 'm> {
    /// Computes the next piece, unless this thread has one in hand: a user function that lets the pool
    /// work meanwhile may be sent here again, and would wait for what is beneath it.
    fn next(&self) {
        let is_caller = thread::current().id() == self.caller;
        let Some(_in_hand) = InHand::new(std::ptr::from_ref(self).addr(), is_caller) else {
            return;
        };
        if !is_caller {
            self.company.store(true, Ordering::Relaxed);
        }
        let Some((k, mut frame)) = self.take() else {
            return;
        };
        let known = self.turn.load(Ordering::Acquire) == k;
        let done = if known && !self.company.load(Ordering::Relaxed) {
            let carry = lock(&self.carry).clone();
            guard::finish(self.job.phases, &mut frame, carry, self.job.keep)
                .map(|carry| self.hand_over(k, carry))
        } else {
            self.in_company(k, frame)
        };
        if let Err(failure) = done {
            self.failed.fetch_min(k, Ordering::Release);
            let mut first = lock(&self.failure);
            if first.as_ref().is_none_or(|(number, _)| k < *number) {
                *first = Some((k, failure));
            }
        }
    }

    /// Combines the piece, lets the next one go on, and writes the piece.
    fn in_company(&self, k: usize, mut frame: Frame<'m>) -> std::result::Result<(), Failure<'m>> {
        let Job { phases, keep, .. } = *self.job;
        let total = guard::total(phases, &mut frame)?;
        if !self.wait_for(k) {
            return Ok(());
        }
        let carry = lock(&self.carry).clone();
        let next = partials::join(phases, carry.clone(), total).map_err(Failure::Error)?;
        self.hand_over(k, next);
        guard::finish(phases, &mut frame, carry, keep).map(|_| ())
    }

    /// The next piece; none after a failure before it.
    fn take(&self) -> Option<(usize, Frame<'m>)> {
        let mut rest = lock(&self.rest);
        let (number, frame) = &mut *rest;
        let k = *number;
        if k > self.failed.load(Ordering::Relaxed) {
            return None;
        }
        let head = pieces::take_to(frame.as_mut()?, self.elems);
        *number = k + 1;
        Some((k, head))
    }

    /// Waits for the carry of piece `k`, which is on its way: pieces are taken in order, so the thread that has
    /// the one before is at work, and waits for earlier ones at most. Says whether it came.
    fn wait_for(&self, k: usize) -> bool {
        let mut rounds = 0_u32;
        while self.turn.load(Ordering::Acquire) != k {
            if self.failed.load(Ordering::Acquire) < k {
                return false;
            }
            rounds += 1;
            if rounds < 200 {
                std::hint::spin_loop();
            } else if rounds < 2000 {
                thread::yield_now();
            } else {
                thread::sleep(Duration::from_micros(50));
            }
        }
        true
    }

    /// Piece `k + 1` may go on.
    fn hand_over(&self, k: usize, carry: Spine) {
        *lock(&self.carry) = carry;
        self.turn.store(k + 1, Ordering::Release);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}
