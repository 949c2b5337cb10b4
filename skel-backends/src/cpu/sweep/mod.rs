//! Sweeps: bands of tiles, and how far each band has come.
//!
//! A band is some neighbouring planes or rows, all along the other dimensions. A thread takes a band, and computes its
//! tiles in order, each when the band before has computed the tile at the same place. In every tile, what an element sees
//! is computed before it, so the bits do not depend on the bands.
//!
//! # Traps
//!
//! Each tile says which of its elements are computed, also if the function traps in it. So when all threads have stopped,
//! each element is either computed or what it was, and is known to be; those that are not computed are gone through in
//! the order of a plain loop until one traps: what such an element sees is computed by then. The first that traps in a
//! plain loop is among them, since what follows from an element that traps comes behind it.
//!
//! # No thread waits for a band without end
//!
//! A user function may let the pool work (`rayon::join`, a call within the function), and so a thread may come to take a
//! band while another one is beneath on its own stack, or while a thread waits for it that it would wait for. So a thread
//! waits for the band before for a short time only. Then it leaves the band where it is ([`Bands::left`]), and whichever
//! thread computes the tile that it lacks has it taken up again ([`Bands::release`]).
#![allow(unsafe_code, reason = "keeps to the order of tiles")]

mod cuts;

use self::cuts::{Cuts, element_ns};
use super::{
    crew::{self, More},
    guard::{self, Failure},
    job::Job,
};
use crate::trace;
use skel_core::{
    Result,
    caught::{Caught, catch},
    frame::{Before, Frame, Spine},
    host_memory,
    plan::Kernel,
    space::{SweepOrder, SweepProgress},
};
use std::{
    cmp,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

/// All elements of a sweep.
pub(super) fn run(
    job: &Job<'_>,
    kernel: Option<&Kernel>,
    frame: &mut Frame<'_>,
    threads: usize,
) -> Result<Spine> {
    let order = frame.sweep().copied().filter(|_| frame.is_whole_sweep());
    let done = match order {
        // The plan says what is wrong with it.
        None => guard::local(job.phases, frame, job.keep),
        Some(order) => match Cuts::new(&order, element_ns(kernel), threads) {
            None => alone(job, frame, order),
            Some(cuts) => shared(job, frame, &order, cuts, threads)?,
        },
    };
    done.map_err(|failure| failure.explain(job.phases, job.instance))
}

/// On the caller alone.
fn alone<'m>(
    job: &Job<'_>,
    frame: &mut Frame<'m>,
    order: SweepOrder,
) -> std::result::Result<Spine, Failure<'m>> {
    let _traced = trace::piece("elements", &frame.range);
    let (all, progress) = (order.all(), SweepProgress::default());
    // SAFETY: this is the only tile of the call: the frame has all of the sweep, so nothing else does anything with it.
    let done = catch(|| unsafe { job.phases.tile(frame, &all, &progress) });
    done.map(|()| Spine::EMPTY).map_err(|caught| {
        let is_computed = move |element| progress.has(&all, order.places(element));
        Failure::of_whole(caught, frame.take(), Before::of_sweep(is_computed))
    })
}

/// A thread waits for the band before no longer than this, and then leaves its own: longer than a thread is mostly
/// suspended for when others have the core.
const PATIENCE: Duration = Duration::from_millis(10);

/// The bands of one sweep, and how far they have come.
struct Bands<'j, 'm> {
    job: &'j Job<'j>,
    order: SweepOrder,
    cuts: Cuts,
    /// Tiles of each band.
    tiles: usize,
    /// The elements of each band, in the order of the bands.
    parts: Vec<Mutex<Frame<'m>>>,
    /// Of each band, how many tiles are done.
    done: Vec<AtomicUsize>,
    /// Of each band that was left, how many tiles of the band before it needs to go on; else 0.
    left: Vec<AtomicUsize>,
    next: Mutex<Next>,
    /// Whether it has ended early: nothing begins any more.
    stopped: AtomicBool,
    /// The first panic that ended it.
    caught: Mutex<Option<Caught>>,
    /// Of each band whose tile has panicked, how far that has come.
    partly: Mutex<Vec<(usize, SweepProgress)>>,
}

/// What is to be taken next.
struct Next {
    /// The first band that was never taken.
    fresh: usize,
    /// Bands that were left and can go on, and the tile that each goes on with.
    ready: Vec<(usize, usize)>,
}

/// How waiting ended.
enum Waited {
    Done,
    TooLong,
    Stopped,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Bands<'_, '_> {
    /// Computes bands until there is none to take. Once no thread does any more, all are done: take the first that is not.
    /// What it needs of the band before is done, so it was not left, or was taken up again when that was; and what takes
    /// something up, or ends a band, looks here once more. Threads that have found nothing come back for bands that can go
    /// on again: slow tiles would else be left to one thread.
    fn work(&self, more: &More<'_>) {
        while let Some((band, tile)) = self.take() {
            self.advance(band, tile, more);
        }
    }

    /// A band, and the tile that it goes on with: one that was left, or the next one, if it could go on.
    fn take(&self) -> Option<(usize, usize)> {
        if self.stopped.load(Ordering::Relaxed) {
            return None;
        }
        let mut next = lock(&self.next);
        let first = (0..next.ready.len()).min_by_key(|k| next.ready[*k].0);
        if let Some(first) = first {
            return Some(next.ready.swap_remove(first));
        }
        let band = next.fresh;
        let is_left = |band: usize| self.left[band].load(Ordering::SeqCst) > 0;
        if band == self.parts.len() || band.checked_sub(1).is_some_and(is_left) {
            return None;
        }
        next.fresh += 1;
        Some((band, 0))
    }

    /// Computes the tiles of a band from this one on, as far as the band before lets it.
    fn advance(&self, band: usize, from: usize, more: &More<'_>) {
        let before = band.checked_sub(1).filter(|_| self.cuts.waits);
        let mut part = lock(&self.parts[band]);
        for tile in from..self.tiles {
            match before.map_or(Waited::Done, |before| self.wait_for(before, tile + 1)) {
                Waited::Done => {}
                Waited::Stopped => return,
                Waited::TooLong => {
                    drop(part);
                    if self.leave(band, tile) {
                        return;
                    }
                    part = lock(&self.parts[band]);
                }
            }
            if self.stopped.load(Ordering::Relaxed) {
                return;
            }
            let places = self.cuts.places(&self.order, band, tile);
            let progress = SweepProgress::default();
            // SAFETY: tiles before this one in this band were computed by this thread, or by one that had its part locked
            // before. Those of earlier bands at the same place or before it were computed before the counter of the band
            // before said so, which was read after (release and acquire), and so on from band to band; where bands do not
            // wait, no element sees one of another band. So what comes before this tile has happened, and what it is
            // seen by waits for it. Each tile is computed once: a band is fresh once, and is taken up from where it was
            // left by the one that has set `left` to 0.
            let computed = catch(|| unsafe { self.job.phases.tile(&mut part, &places, &progress) });
            if let Err(caught) = computed {
                lock(&self.caught).get_or_insert(caught);
                // There is room for each band, which ends here.
                lock(&self.partly).push((band, progress));
                self.stopped.store(true, Ordering::Relaxed);
                return;
            }
            self.done[band].store(tile + 1, Ordering::SeqCst);
            self.release(band + 1, tile + 1, more);
        }
    }

    /// Waits until so many tiles of a band are done, for some time.
    fn wait_for(&self, band: usize, tiles: usize) -> Waited {
        let (mut rounds, mut slept_since) = (0_u32, None);
        while self.done[band].load(Ordering::Acquire) < tiles {
            if self.stopped.load(Ordering::Relaxed) {
                return Waited::Stopped;
            }
            rounds += 1;
            if rounds < 200 {
                std::hint::spin_loop();
            } else if rounds < 2000 {
                std::thread::yield_now();
            } else {
                let since = *slept_since.get_or_insert_with(Instant::now);
                if since.elapsed() > PATIENCE {
                    return Waited::TooLong;
                }
                std::thread::sleep(Duration::from_micros(50));
            }
        }
        Waited::Done
    }

    /// Leaves a band, which goes on with this tile when it can; false if it can by now, and no other thread has it.
    fn leave(&self, band: usize, tile: usize) -> bool {
        let needs = tile + 1;
        self.left[band].store(needs, Ordering::SeqCst);
        // Either this sees that the tile is done, or the thread that has done it sees that the band was left.
        let is_done = self.done[band - 1].load(Ordering::SeqCst) >= needs;
        !(is_done && self.take_back(band, needs))
    }

    /// Has a band taken up again that was left for want of these tiles.
    fn release(&self, band: usize, tiles: usize, more: &More<'_>) {
        let Some(left) = self.left.get(band) else {
            return;
        };
        let needs = left.load(Ordering::SeqCst);
        if needs > 0 && needs <= tiles && self.take_back(band, needs) {
            lock(&self.next).ready.push((band, needs - 1));
            more.once();
        }
    }

    /// Whether this thread is the one that takes it up.
    fn take_back(&self, band: usize, needs: usize) -> bool {
        self.left[band]
            .compare_exchange(needs, 0, Ordering::SeqCst, Ordering::SeqCst)
            .is_ok()
    }
}

/// On the caller and the pool's idle workers.
fn shared<'m>(
    job: &Job<'_>,
    frame: &mut Frame<'m>,
    order: &SweepOrder,
    cuts: Cuts,
    threads: usize,
) -> Result<std::result::Result<Spine, Failure<'m>>> {
    let count = cuts.bands(order);
    let mut parts = host_memory::vec(count)?;
    let (mut done, mut left) = (host_memory::vec(count)?, host_memory::vec(count)?);
    let (ready, partly) = (host_memory::vec(count)?, host_memory::vec(count)?);
    // As the container has them: of a sweep downwards, the last band comes first.
    let descends = order.is_descending()[cuts.along];
    let elems_of_step: usize = order.extents()[cuts.along + 1..].iter().product();
    let extent = order.extents()[cuts.along];
    for number in 0..count {
        let steps = match descends {
            true => extent - (count - 1 - number) * cuts.band,
            false => extent.min((number + 1) * cuts.band),
        };
        parts.push(Mutex::new(frame.take_front(steps * elems_of_step)));
        done.push(AtomicUsize::new(0));
        left.push(AtomicUsize::new(0));
    }
    if descends {
        parts.reverse();
    }
    let bands = Bands {
        job,
        order: *order,
        cuts,
        tiles: cuts.tiles(order),
        parts,
        done,
        left,
        next: Mutex::new(Next { fresh: 0, ready }),
        stopped: AtomicBool::new(false),
        caught: Mutex::new(None),
        partly: Mutex::new(partly),
    };
    crew::run_and_more(count, threads - 1, &|_, more| bands.work(more));
    let Bands {
        mut parts,
        done,
        caught,
        partly,
        ..
    } = bands;
    let caught = caught.into_inner().unwrap_or_else(PoisonError::into_inner);
    let Some(caught) = caught else {
        return Ok(Ok(Spine::EMPTY));
    };
    if descends {
        parts.reverse();
    }
    for part in parts.into_iter().rev() {
        let part = part.into_inner().unwrap_or_else(PoisonError::into_inner);
        frame.join_front(part);
    }
    let partly = partly.into_inner().unwrap_or_else(PoisonError::into_inner);
    let order = *order;
    let before = Before::of_sweep(move |element| {
        let places = order.places(element);
        let (band, tile) = cuts.tile_of(places);
        let partly = || partly.iter().find(|(of, _)| *of == band);
        match tile.cmp(&done[band].load(Ordering::Relaxed)) {
            cmp::Ordering::Less => true,
            cmp::Ordering::Greater => false,
            cmp::Ordering::Equal => partly().is_some_and(|(_, progress)| {
                progress.has(&cuts.places(&order, band, tile), places)
            }),
        }
    });
    Ok(Err(Failure::of_whole(caught, frame.take(), before)))
}
