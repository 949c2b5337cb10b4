//! The seats of a job: one for each worker that the scheduler knows. Threads take seats, do the tasks that the scheduler
//! gives their workers, and sleep while there are none.
//!
//! A seat without a thread is the caller's to see to, so a job ends even if no other thread comes. All that threads tell
//! each other is under one lock, with one condition variable. `cargo xtask loom` tries the orders in which threads may
//! run (`interleavings.rs`).

use crate::sync::{Condvar, Mutex, MutexGuard};
use std::{
    ops::{Deref, DerefMut},
    sync::PoisonError,
};

/// What threads at seats work at.
pub(super) trait Work {
    /// What is shared under the lock.
    type State;
    /// What a worker takes, and computes without the lock.
    type Piece;
    /// What comes of it.
    type Outcome;

    /// The seats.
    fn seats(&self) -> &Seats<Self::State>;
    /// How many threads a seat has room for.
    fn room(&self, seat: usize) -> usize;
    /// Whether nothing is left, or can be done any more.
    fn is_over(state: &Self::State) -> bool;
    /// The next pieces of a seat, if there are some.
    fn take(&self, state: &mut Self::State, seat: usize) -> Vec<Self::Piece>;
    /// Whether sleeping workers have something to do since this was asked last.
    fn wakes(&self, state: &mut Self::State) -> bool;
    /// Whether a piece that was taken is still to be computed.
    fn wants(&self, state: &Self::State, piece: &Self::Piece) -> bool;
    /// Computes a piece, if it is wanted.
    fn compute(&self, seat: usize, piece: Self::Piece, wanted: bool) -> Self::Outcome;
    /// A piece is done.
    fn note(&self, state: &mut Self::State, seat: usize, outcome: Self::Outcome);
}

/// What is shared, and how many threads have each seat.
pub(super) struct Occupied<S> {
    taken: Vec<usize>,
    state: S,
}

impl<S> Deref for Occupied<S> {
    type Target = S;

    fn deref(&self) -> &S {
        &self.state
    }
}

impl<S> DerefMut for Occupied<S> {
    fn deref_mut(&mut self) -> &mut S {
        &mut self.state
    }
}

pub(super) type Lock<'s, S> = MutexGuard<'s, Occupied<S>>;

/// The seats, and what is shared under their lock.
pub(super) struct Seats<S> {
    occupied: Mutex<Occupied<S>>,
    /// For those that have found nothing: something has changed.
    changed: Condvar,
}

/// Which thread it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Thread {
    /// That which makes the call. It also works at seats that have no thread: helpers may come late, leave, or never come.
    Caller,
    /// One that is there for the seat alone.
    Own,
    /// One of a pool, which leaves when it has found nothing for a while: the pool has need of it, perhaps for what the
    /// others' tasks wait for.
    Helper,
}

impl<S> Seats<S> {
    pub(super) fn new(count: usize, state: S) -> Seats<S> {
        Seats {
            occupied: Mutex::new(Occupied {
                taken: vec![0; count],
                state,
            }),
            changed: Condvar::new(),
        }
    }

    pub(super) fn lock(&self) -> Lock<'_, S> {
        self.occupied.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is left when all threads have gone.
    pub(super) fn into_state(self) -> S {
        let occupied = self.occupied.into_inner();
        occupied.unwrap_or_else(PoisonError::into_inner).state
    }

    fn wait<'s>(&self, lock: Lock<'s, S>) -> Lock<'s, S> {
        let waited = self.changed.wait(lock);
        waited.unwrap_or_else(PoisonError::into_inner)
    }
}

/// Works at a seat until the work is over.
pub(super) fn serve<W: Work>(work: &W, seat: usize, thread: Thread) {
    let (seats, mut patience) = (work.seats(), Patience::default());
    let mut lock = seats.lock();
    // Where it is full, and a helper has waited for long, the caller stands in. What it does there may wait for what is
    // beneath the helper.
    while lock.taken[seat] == work.room(seat) && !W::is_over(&lock) {
        let stays;
        (lock, stays) = rest(seats, lock, thread, &mut patience);
        if !stays {
            return;
        }
    }
    lock.taken[seat] += 1;
    patience = Patience::default();
    while !W::is_over(&lock) {
        let mut did;
        (lock, did) = step(work, lock, seat);
        if !did && thread == Thread::Caller {
            (lock, did) = stand_in(work, lock);
        }
        if did {
            patience = Patience::default();
        } else if !W::is_over(&lock) {
            let stays;
            (lock, stays) = rest(seats, lock, thread, &mut patience);
            if !stays {
                break;
            }
        }
    }
    lock.taken[seat] -= 1;
    drop(lock);
    seats.changed.notify_all();
}

/// Sleeps until something has changed; whether the thread stays.
fn rest<'s, S>(
    seats: &Seats<S>,
    lock: Lock<'s, S>,
    thread: Thread,
    patience: &mut Patience,
) -> (Lock<'s, S>, bool) {
    match thread {
        Thread::Caller | Thread::Own => (seats.wait(lock), true),
        Thread::Helper => patience.wait(lock, &seats.changed),
    }
}

/// Does the next pieces of a seat that has no thread, if there are some.
fn stand_in<'s, W: Work>(work: &'s W, mut lock: Lock<'s, W::State>) -> (Lock<'s, W::State>, bool) {
    for seat in 0..lock.taken.len() {
        if lock.taken[seat] > 0 || W::is_over(&lock) {
            continue;
        }
        lock.taken[seat] += 1;
        let did;
        (lock, did) = step(work, lock, seat);
        lock.taken[seat] -= 1;
        if did {
            work.seats().changed.notify_all();
            return (lock, true);
        }
    }
    (lock, false)
}

/// Does the next pieces of a seat, if there are some. Says whether it has to be asked again: also where workers were
/// woken, since it may be among them.
fn step<'s, W: Work>(
    work: &'s W,
    mut lock: Lock<'s, W::State>,
    seat: usize,
) -> (Lock<'s, W::State>, bool) {
    let seats = work.seats();
    let next = work.take(&mut lock, seat);
    let woke = wake(work, &mut lock);
    let did = !next.is_empty();
    for piece in next {
        let wanted = work.wants(&lock, &piece);
        drop(lock);
        if work.room(seat) > 1 {
            // There may be a further piece for its other threads.
            seats.changed.notify_all();
        }
        let outcome = work.compute(seat, piece, wanted);
        lock = seats.lock();
        work.note(&mut lock, seat, outcome);
        wake(work, &mut lock);
    }
    (lock, did || woke)
}

fn wake<W: Work>(work: &W, lock: &mut Lock<'_, W::State>) -> bool {
    let woke = work.wakes(lock);
    if woke || W::is_over(lock) {
        work.seats().changed.notify_all();
    }
    woke
}

#[cfg(not(loom))]
mod patience {
    use super::{Condvar, Lock, PoisonError};
    use std::time::{Duration, Instant};

    /// How long a helper has found nothing.
    #[derive(Default)]
    pub(super) struct Patience(Option<Instant>);

    /// A helper that has found nothing for so long leaves.
    const MOST: Duration = Duration::from_millis(1);

    impl Patience {
        /// Sleeps until something has changed, but not for too long in all; false if that was long enough.
        pub(super) fn wait<'s, S>(
            &mut self,
            lock: Lock<'s, S>,
            changed: &Condvar,
        ) -> (Lock<'s, S>, bool) {
            let since = *self.0.get_or_insert_with(Instant::now);
            let left = MOST.saturating_sub(since.elapsed());
            if left.is_zero() {
                return (lock, false);
            }
            let waited = changed.wait_timeout(lock, left);
            (waited.unwrap_or_else(PoisonError::into_inner).0, true)
        }
    }
}

/// loom's clock stands still, so patience is over whenever a helper waits for the second time.
#[cfg(loom)]
mod patience {
    use super::{Condvar, Lock};

    #[derive(Default)]
    pub(super) struct Patience(bool);

    impl Patience {
        pub(super) fn wait<'s, S>(
            &mut self,
            lock: Lock<'s, S>,
            _: &Condvar,
        ) -> (Lock<'s, S>, bool) {
            (lock, !std::mem::replace(&mut self.0, true))
        }
    }
}

use patience::Patience;
