//! The last phase of a scan on the CPU: pieces in a chain, each of which hands the next one its carry.
//!
//! Alone, a piece is written at once: it is read and written one time. In company, a piece is first
//! combined, which is quick and leaves it in the cache; its carry and total are the next one's carry,
//! and then it is written. Both have the same bits.
//!
//! # No thread waits for a piece
//!
//! A user function may let the pool work while it waits for a part of its own (`rayon::join`, a call within the
//! function). The thread that has this part may wait in turn, help the scan meanwhile, and take the next piece. If it
//! waited for the carry there, it would wait for the piece before, which waits for what is beneath on its own stack.
//!
//! So a piece whose carry does not come at once is left in the chain ([`Carries::leave`]), and whichever thread makes
//! its carry known sees to it that it is written. What remains are waits of a caller for helpers of its own call
//! (`crew`), and of the user's functions for parts of their own. Each of them is for something that began after the
//! frame that waits. That excludes circles of any length: let each thread of a circle wait, in the frame at the top of
//! its stack, for a frame on the stack of the next thread. That frame began after the one that waits for it, and the
//! next thread's top, being above it, began later still. Around the circle, a frame would have begun after itself.
use super::{
    carries::Carries,
    crew,
    guard::{self, Failure},
    job::Job,
    pieces::{self, Cuts},
};
use crate::partials;
use skel_core::{
    Result,
    frame::{Frame, Spine},
    plan::Pace,
};
use std::{
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::Instant,
};

/// Pieces of light work, in elements: several per core's cache, and a power of two, so that most are one node
/// of the grouping.
pub(super) const PIECE: usize = 1 << 14;

/// Where threads share a scan, pieces are as long as a core's cache keeps what it has read for the second time: they are
/// read from memory in few long streams then. Two threads of a Zen 4, scan of 10⁷ `f32`: pieces of 64 KiB 3.1 to 4.0 ms, of
/// 256 KiB 2.9 to 3.2.
const SHARED_PIECE_BYTES: usize = 256 << 10;

/// Of few elements there are so many pieces for each thread, so that threads end at about the same time, but for very
/// short ones.
const PIECES_PER_THREAD: usize = 4;
const SHORT_PIECE: usize = 1 << 12;

/// Functions with loops: the first pieces are short, so that not much time has passed when it is first looked at.
const PROBES: [usize; 2] = [pieces::BLOCK, 7 * pieces::BLOCK];

/// The length of the pieces of light work that threads share.
fn shared_piece(job: &Job<'_>, elems: usize, threads: usize) -> usize {
    let layout = job.phases.partial_layout();
    let elem_bytes = layout.map_or(1, |layout| layout.size_bytes().max(1));
    let most = (SHARED_PIECE_BYTES / elem_bytes).clamp(SHORT_PIECE, 4 * PIECE);
    let piece = elems / (threads * PIECES_PER_THREAD);
    1 << piece.clamp(SHORT_PIECE, most).ilog2()
}

/// The least length of pieces whose rows lie by columns, 1 if they do not: neighbouring rows are written together.
fn banded_piece(frame: &Frame<'_>, threads: usize) -> usize {
    let most = frame.range.len() / (2 * threads.max(1));
    let elems = frame.band_elems().map(|elems| elems.min(most).max(1));
    elems.map_or(1, |elems| 1 << elems.ilog2())
}

/// Writes the outputs of `frame`, which `carry` precedes; gives the carry of what follows.
pub(super) fn finish<'m>(
    job: &Job<'_>,
    rest: &mut Frame<'m>,
    mut carry: Spine,
    threads: usize,
) -> Result<Spine> {
    let (probes, elems): (&[usize], usize) = match job.cuts {
        Cuts::Light { share } if share && threads > 1 => {
            let elems = shared_piece(job, rest.range.len(), threads);
            let elems = elems.max(banded_piece(rest, threads));
            return shared(job, rest.take(), elems, carry, threads);
        }
        Cuts::Light { .. } => (&[], PIECE.max(banded_piece(rest, 1))),
        Cuts::Heavy => {
            let left = rest.range.len().saturating_sub(PROBES.iter().sum());
            let elems = job.work.piece_of_unlike(left, None);
            // No piece ends within a tile, also where there are no lanes whose blocks would see to it.
            (&PROBES, elems.next_multiple_of(job.tile_elems))
        }
    };
    let (is_light, count) = (probes.is_empty(), rest.range.len());
    let is_measured = is_light && (job.work.is_measurable() || Pace::is_due());
    let may_share = !is_light && threads > 1;
    let started = (is_measured || may_share).then(Instant::now);
    let finish = |frame: &mut Frame<'m>, carry| {
        guard::finish(job.phases, frame, carry, job.keep)
            .map_err(|failure| failure.explain(job.phases, job.instance))
    };
    if is_light && !job.can_trap {
        // Uncut: no trap would have to be searched for.
        carry = finish(rest, carry)?;
    } else {
        let sizes = probes.iter().copied().chain(std::iter::repeat(elems));
        for (k, size) in sizes.enumerate() {
            if rest.range.is_empty() {
                break;
            }
            let long = may_share && k >= probes.len() && rest.range.len() > elems;
            if long && started.is_some_and(|started| started.elapsed() > pieces::WORTH_SHARING) {
                return shared(job, rest.take(), elems, carry, threads);
            }
            carry = finish(&mut pieces::take_to(rest, size, 1), carry)?;
        }
    }
    if let Some(started) = started.filter(|_| is_measured) {
        job.note(count, started.elapsed());
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
        carries: Carries::new(carry),
        failed: AtomicUsize::new(usize::MAX),
        failure: Mutex::new(None),
    };
    crew::run(count, threads - 1, &|_| chain.next());
    if let Some((_, failure)) = into_inner(chain.failure) {
        return Err(failure.explain(job.phases, job.instance));
    }
    Ok(chain.carries.into_last())
}

/// How often a thread looks whether the carry of its piece has come, before it goes on with another: for most of
/// them, the pieces before are being combined, and this one is in its cache.
const LOOKS: u32 = 200;
const YIELDS: u32 = 100;

/// What the pieces of a shared scan have in common.
struct Chain<'j, 'm> {
    job: &'j Job<'j>,
    elems: usize,
    caller: thread::ThreadId,
    /// Whether a helper has come.
    company: AtomicBool,
    /// The number of the next piece, and all elements from there.
    rest: Mutex<(usize, Option<Frame<'m>>)>,
    carries: Carries<Spine, Frame<'m>>,
    /// The first piece that failed, by number, and how. Pieces before it run to their end.
    failed: AtomicUsize,
    failure: Mutex<Option<(usize, Failure<'m>)>>,
}

/// A piece that has failed, by number.
type Failed<'m> = (usize, Failure<'m>);

impl<'m> Chain<'_, 'm> {
    /// Computes the next piece, as far as that can be done, and writes those that were left and can be written now.
    fn next(&self) {
        if thread::current().id() != self.caller {
            self.company.store(true, Ordering::Relaxed);
        }
        if let Some((k, frame)) = self.take() {
            self.note(self.compute(k, frame));
        }
        while let Some(released) = self.carries.take_released() {
            let (k, carry, mut frame) = (released.number, released.carry, released.piece);
            self.note(self.write(k, &mut frame, carry).map(|_| ()));
        }
    }

    fn note(&self, done: std::result::Result<(), Failed<'m>>) {
        if let Err((k, failure)) = done {
            self.failed.fetch_min(k, Ordering::Release);
            let mut first = lock(&self.failure);
            if first.as_ref().is_none_or(|(number, _)| k < *number) {
                *first = Some((k, failure));
            }
        }
    }

    fn write(
        &self,
        k: usize,
        frame: &mut Frame<'m>,
        carry: Spine,
    ) -> std::result::Result<Spine, Failed<'m>> {
        let Job { phases, keep, .. } = *self.job;
        guard::finish(phases, frame, carry, keep).map_err(|failure| (k, failure))
    }

    /// Writes the piece, or combines it and leaves it behind.
    fn compute(&self, k: usize, mut frame: Frame<'m>) -> std::result::Result<(), Failed<'m>> {
        let is_alone = !self.company.load(Ordering::Relaxed);
        if let Some(carry) = is_alone.then(|| self.carries.of(k)).flatten() {
            let (started, count) = (Instant::now(), frame.range.len());
            let next = self.write(k, &mut frame, carry)?;
            self.job.note(count, started.elapsed());
            return self.advance(k, next);
        }
        let phases = self.job.phases;
        let total = guard::total(phases, &mut frame).map_err(|failure| (k, failure))?;
        self.look_for(k);
        let Some((carry, total, mut frame)) = self.carries.leave(k, total, frame) else {
            return Ok(());
        };
        let next = partials::join(phases, carry.clone(), total);
        let next = next.map_err(|error| (k, Failure::Error(error)))?;
        self.advance(k, next)?;
        self.write(k, &mut frame, carry).map(|_| ())
    }

    fn advance(&self, k: usize, next: Spine) -> std::result::Result<(), Failed<'m>> {
        let join = |carry, total| partials::join(self.job.phases, carry, total);
        let advanced = self.carries.advance(k, next, join);
        advanced.map_err(|(k, error)| (k, Failure::Error(error)))
    }

    /// Looks for the carry of piece `k` for a moment.
    fn look_for(&self, k: usize) {
        for look in 0..LOOKS + YIELDS {
            if self.carries.is_known(k) || self.failed.load(Ordering::Relaxed) < k {
                return;
            }
            match look < LOOKS {
                true => std::hint::spin_loop(),
                false => thread::yield_now(),
            }
        }
    }

    /// The next piece; none after a failure before it.
    fn take(&self) -> Option<(usize, Frame<'m>)> {
        let mut rest = lock(&self.rest);
        let (number, frame) = &mut *rest;
        let k = *number;
        if k > self.failed.load(Ordering::Relaxed) {
            return None;
        }
        let head = pieces::take_to(frame.as_mut()?, self.elems, 1);
        *number = k + 1;
        Some((k, head))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}
