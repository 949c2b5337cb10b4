//! What precedes each piece of a scan: a carry is known when all pieces before are combined or written.
//!
//! A piece whose carry is not known is left here with its total. The thread that has the piece whose carry is known is the
//! only one that advances; so it combines carries without a lock: an operator may let the pool work, and come here again.
//! `cargo xtask loom` tries the orders of threads that are interrupted up to three times.

use crate::sync::{AtomicUsize, Mutex, MutexGuard, Ordering};
use std::{collections::HashMap, sync::PoisonError};

/// The carries of a scan, `C`, and its pieces, `P`, by number.
pub(crate) struct Carries<C, P> {
    /// The piece whose carry is known; changed under the lock of `links`, under which pieces are left.
    known: AtomicUsize,
    links: Mutex<Links<C, P>>,
}

/// How the pieces hang together.
struct Links<C, P> {
    /// What precedes the piece whose carry is known.
    carry: C,
    /// Later pieces that were combined, with their totals.
    waiting: HashMap<usize, (C, P)>,
    /// Of those, the ones whose carry has become known, and which are not yet taken to be written.
    released: Vec<Released<C, P>>,
}

/// A piece that was left, and can be written now.
pub(crate) struct Released<C, P> {
    /// Its number.
    pub(crate) number: usize,
    /// What precedes it.
    pub(crate) carry: C,
    /// The piece.
    pub(crate) piece: P,
}

impl<C: Clone, P> Carries<C, P> {
    /// Of pieces of which none is done, and which this precedes.
    pub(crate) fn new(carry: C) -> Self {
        Carries {
            known: AtomicUsize::new(0),
            links: Mutex::new(Links {
                carry,
                waiting: HashMap::new(),
                released: Vec::new(),
            }),
        }
    }

    /// Whether the carry of the piece is known, and it is neither combined nor written.
    pub(crate) fn is_known(&self, number: usize) -> bool {
        self.known.load(Ordering::Acquire) == number
    }

    /// What precedes the piece, if that is known.
    pub(crate) fn of(&self, number: usize) -> Option<C> {
        self.is_known(number).then(|| self.links().carry.clone())
    }

    /// Leaves a piece that was combined to `total`: whichever thread makes its carry known releases it. If that is known,
    /// it is given back with it, and the caller has to [advance](Self::advance).
    pub(crate) fn leave(&self, number: usize, total: C, piece: P) -> Option<(C, C, P)> {
        let mut links = self.links();
        if self.is_known(number) {
            return Some((links.carry.clone(), total, piece));
        }
        links.waiting.insert(number, (total, piece));
        None
    }

    /// `next` precedes the piece behind `number`, whose carry was known; so pieces behind it that were combined have carries,
    /// too, and are released.
    ///
    /// # Errors
    /// What `join` says of a carry and the total of a piece, and the number of that piece.
    pub(crate) fn advance<E>(
        &self,
        mut number: usize,
        mut next: C,
        join: impl Fn(C, C) -> Result<C, E>,
    ) -> Result<(), (usize, E)> {
        loop {
            number += 1;
            let waiting = {
                let mut links = self.links();
                links.carry = next.clone();
                self.known.store(number, Ordering::Release);
                links.waiting.remove(&number)
            };
            let Some((total, piece)) = waiting else {
                return Ok(());
            };
            let carry = next;
            next = join(carry.clone(), total).map_err(|error| (number, error))?;
            self.links().released.push(Released {
                number,
                carry,
                piece,
            });
        }
    }

    /// A piece that can be written, which the caller sees to from now on. Whoever has advanced takes them until there is none.
    pub(crate) fn take_released(&self) -> Option<Released<C, P>> {
        self.links().released.pop()
    }

    /// What precedes the piece whose carry is known.
    pub(crate) fn into_last(self) -> C {
        let links = self.links.into_inner();
        links.unwrap_or_else(PoisonError::into_inner).carry
    }

    fn links(&self) -> MutexGuard<'_, Links<C, P>> {
        self.links.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
