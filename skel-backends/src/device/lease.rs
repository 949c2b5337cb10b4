//! Host memory, lent to a device's thread until the caller gives it up.
//!
//! A caller waits for commands that borrow from it. If a device hangs, it cannot wait; but then its
//! memory must not be touched any more, even if the device comes back. So where there is a watchdog, a
//! command does not hold the memory itself but a **lease**: what it copies from or to host memory, it
//! copies in [`Lease::touch`], under a lock, from or to memory of its own; everything that may hang is done
//! outside. Giving up means to take the lock, which waits for a copy between two places of the host's memory
//! and for nothing else, and to revoke the lease: the command copies no more.

use super::watch::{Patience, Watch};
use crate::finally::Finally;
use skel_core::Result;
use std::{
    cell::Cell,
    ptr,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Life {
    /// The command waits for its turn, or runs.
    Held,
    /// The command is gone, done or not.
    Over,
    /// The caller has given up.
    Revoked,
}

/// What one command has been lent.
///
/// Invariant: it is `Held` until no [`LeaseGuard`] of it is left, or, if it can be revoked, until it is. What it was once,
/// it is not again.
pub(super) struct Lease {
    life: Mutex<Life>,
    changed: Condvar,
    guards: AtomicUsize,
    /// What says when to give up; none if the caller waits as long as it takes.
    watch: Option<Arc<Watch>>,
    /// Whether host memory has been written, or may have been.
    wrote: AtomicBool,
    /// All elements of the piece before this one have been computed, and all that came of them is in its
    /// place; 0 if nothing is known.
    landed: AtomicUsize,
}

thread_local! {
    static IS_WAITED_FOR: Cell<bool> = const { Cell::new(false) };
}

/// Whether a caller waits for the command that this thread runs.
pub(super) fn is_waited_for() -> bool {
    IS_WAITED_FOR.get()
}

impl Lease {
    fn lock(&self) -> MutexGuard<'_, Life> {
        self.life.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Copies from or to the memory that was lent, unless the caller has given up. Must not wait for
    /// anything.
    pub(super) fn touch<R>(&self, copy: impl FnOnce(&Touch<'_>) -> R) -> Option<R> {
        let life = self.lock();
        (*life == Life::Held).then(|| copy(&Touch(self)))
    }

    fn writes(&self) {
        self.wrote.store(true, Ordering::Release);
    }

    /// Whether host memory may have been written.
    pub(super) fn has_written(&self) -> bool {
        self.wrote.load(Ordering::Acquire)
    }

    /// The end of the elements of which all is in its place.
    pub(super) fn landed(&self) -> usize {
        self.landed.load(Ordering::Acquire)
    }

    /// The command is gone.
    fn end(&self) {
        let mut life = self.lock();
        if *life == Life::Held {
            *life = Life::Over;
        }
        self.changed.notify_all();
    }

    /// The command touches nothing any more; waits for a copy that is under way, and for nothing else. If the lease
    /// cannot be revoked, waits until the command is gone.
    pub(super) fn revoke(&self) {
        let mut life = self.lock();
        while self.watch.is_none() && *life == Life::Held {
            life = (self.changed.wait(life)).unwrap_or_else(PoisonError::into_inner);
        }
        if *life == Life::Held {
            *life = Life::Revoked;
        }
    }

    /// Waits until the command is gone, or, if its device hangs, revokes the lease.
    pub(super) fn settle(&self) {
        let Some(watch) = &self.watch else {
            return self.revoke();
        };
        while *self.lock() == Life::Held {
            // Asked without the lock: the thread that finds the device hung prints it.
            let patience = watch.patience();
            let life = self.lock();
            if *life != Life::Held {
                return;
            }
            match patience {
                Patience::Unlimited => {
                    let waited = self.changed.wait(life);
                    drop(waited.unwrap_or_else(PoisonError::into_inner));
                }
                Patience::For(time) => {
                    let waited = self.changed.wait_timeout(life, time);
                    drop(waited.unwrap_or_else(PoisonError::into_inner));
                }
                Patience::Over => {
                    drop(life);
                    self.revoke();
                }
            }
        }
    }
}

/// Shows that a lease is held, and will be as long as this is there.
pub(super) struct Touch<'l>(&'l Lease);

impl Touch<'_> {
    /// Host memory is about to be written.
    pub(super) fn writes(&self) {
        self.0.writes();
    }

    /// The results of the elements before `end` are in their places, all of them in this one touch: a caller that gives up
    /// finds none of them or all.
    pub(super) fn lands(&self, end: usize) {
        self.0.landed.store(end, Ordering::Release);
    }
}

/// What has one may use what was lent. The command has one, and so has each thing that it was lent.
pub(super) struct LeaseGuard(Arc<Lease>);

impl LeaseGuard {
    /// The first one of a new lease.
    pub(super) fn new(watch: &Arc<Watch>) -> Self {
        LeaseGuard(Arc::new(Lease {
            life: Mutex::new(Life::Held),
            changed: Condvar::new(),
            guards: AtomicUsize::new(1),
            watch: watch.is_timed().then(|| Arc::clone(watch)),
            wrote: AtomicBool::new(false),
            landed: AtomicUsize::new(0),
        }))
    }

    pub(super) fn lease(&self) -> &Arc<Lease> {
        &self.0
    }

    /// Whether the caller may give up.
    pub(super) fn is_revocable(&self) -> bool {
        self.0.watch.is_some()
    }

    /// Host memory is about to be written, though the lease is not touched.
    pub(super) fn writes(&self) {
        self.0.writes();
    }

    /// As [`Lease::touch`].
    ///
    /// # Errors
    /// If the caller has given up.
    pub(super) fn touch<R>(&self, copy: impl FnOnce(&Touch<'_>) -> R) -> Result<R> {
        let touched = self.0.touch(copy);
        touched.ok_or_else(|| match &self.0.watch {
            Some(watch) => watch.lost(),
            None => unreachable!("a lease that is not revoked is held as long as it has a guard"),
        })
    }

    /// # Panics
    /// If it is another lease that is held.
    pub(super) fn check(&self, touch: &Touch<'_>) {
        assert!(ptr::eq(&*self.0, touch.0), "touched under another lease");
    }

    /// Runs the command that has the lease, unless the caller has given up.
    pub(super) fn run(held: Option<&LeaseGuard>, command: impl FnOnce()) {
        if held.is_some_and(|held| *held.0.lock() == Life::Revoked) {
            return;
        }
        IS_WAITED_FOR.set(held.is_some());
        let _restore = Finally(|| IS_WAITED_FOR.set(false));
        command();
    }
}

impl Clone for LeaseGuard {
    fn clone(&self) -> Self {
        let lease = Arc::clone(&self.0);
        lease.guards.fetch_add(1, Ordering::Relaxed);
        LeaseGuard(lease)
    }
}

impl Drop for LeaseGuard {
    /// What was done with one guard happens before the lease ends, by the order of the counter.
    fn drop(&mut self) {
        if self.0.guards.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.0.end();
        }
    }
}
