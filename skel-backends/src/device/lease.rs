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
use std::{
    cell::RefCell,
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
pub(super) struct Lease {
    life: Mutex<Life>,
    changed: Condvar,
    /// What says when to give up; none if the caller waits as long as it takes.
    watch: Option<Arc<Watch>>,
    /// Whether host memory has been written, or may have been.
    wrote: AtomicBool,
    /// All elements of the piece before this one have been computed, and all that came of them is in its
    /// place; 0 if nothing is known.
    landed: AtomicUsize,
}

thread_local! {
    /// That of the command which this thread runs.
    static CURRENT: RefCell<Option<Arc<Lease>>> = const { RefCell::new(None) };
}

/// The lease of the command that this thread runs.
pub(super) fn current() -> Option<Arc<Lease>> {
    CURRENT.with_borrow(Option::clone)
}

/// Reads memory that the command of this thread was lent; nothing, if the caller has given up.
pub(super) fn reading<R>(copy: impl FnOnce() -> R) -> Option<R> {
    match current() {
        None => Some(copy()),
        Some(lease) => lease.touch(copy),
    }
}

/// The same, of what writes it.
pub(super) fn writing<R>(copy: impl FnOnce() -> R) -> Option<R> {
    reading(|| {
        CURRENT.with_borrow(|lease| lease.iter().for_each(|lease| lease.writes()));
        copy()
    })
}

/// Copies the results of the elements before `end` to their places, in one step: a caller that gives up finds
/// none of them or all.
pub(super) fn landing<R>(end: usize, put: impl FnOnce() -> R) -> Option<R> {
    reading(|| {
        let result = put();
        CURRENT.with_borrow(|lease| lease.iter().for_each(|lease| lease.land(end)));
        result
    })
}

/// Does what has nothing to do with the memory that was lent to the command which this thread runs.
pub(super) fn aside<R>(work: impl FnOnce() -> R) -> R {
    let current = CURRENT.take();
    let result = work();
    CURRENT.set(current);
    result
}

impl Lease {
    pub(super) fn new(watch: &Arc<Watch>) -> Arc<Self> {
        Arc::new(Lease {
            life: Mutex::new(Life::Held),
            changed: Condvar::new(),
            watch: watch.is_timed().then(|| Arc::clone(watch)),
            wrote: AtomicBool::new(false),
            landed: AtomicUsize::new(0),
        })
    }

    fn lock(&self) -> MutexGuard<'_, Life> {
        self.life.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the caller may give up.
    pub(super) fn is_revocable(&self) -> bool {
        self.watch.is_some()
    }

    /// Runs the command that has the lease, unless the caller has given up.
    pub(super) fn run(lease: Option<&Arc<Lease>>, command: impl FnOnce()) {
        if let Some(lease) = lease {
            if *lease.lock() == Life::Revoked {
                return;
            }
            CURRENT.set(Some(Arc::clone(lease)));
        }
        let _restore = Finally(|| CURRENT.set(None));
        command();
    }

    /// Copies from or to the memory that was lent, unless the caller has given up. Must not wait for
    /// anything.
    pub(super) fn touch<R>(&self, copy: impl FnOnce() -> R) -> Option<R> {
        let life = self.lock();
        (*life != Life::Revoked).then(copy)
    }

    /// Host memory is about to be written.
    pub(super) fn writes(&self) {
        self.wrote.store(true, Ordering::Release);
    }

    /// Whether host memory may have been written.
    pub(super) fn has_written(&self) -> bool {
        self.wrote.load(Ordering::Acquire)
    }

    fn land(&self, end: usize) {
        self.landed.store(end, Ordering::Release);
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

    /// The command touches nothing any more; waits for a copy that is under way, and for nothing else.
    pub(super) fn revoke(&self) {
        let mut life = self.lock();
        if *life == Life::Held {
            *life = Life::Revoked;
        }
    }

    /// Waits until the command is gone, or, if its device hangs, revokes the lease.
    pub(super) fn settle(&self) {
        while *self.lock() == Life::Held {
            // Asked without the lock: the thread that finds the device hung prints it.
            let patience = match &self.watch {
                Some(watch) => watch.patience(),
                None => Patience::Unlimited,
            };
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

/// Dropped when a command is gone, done or not.
pub(super) struct LeaseGuard(pub(super) Arc<Lease>);

impl Drop for LeaseGuard {
    fn drop(&mut self) {
        self.0.end();
    }
}
