//! Who wants to know what programs read on the host: tuners, which follow data from call to call.

use std::{
    ops::Range,
    sync::{
        Arc, PoisonError, RwLock, Weak,
        atomic::{AtomicBool, Ordering},
    },
};

/// Told of every read: which buffer, and which elements.
pub trait ReadWatcher: Send + Sync {
    /// The program reads elements `r` of the buffer of this number.
    fn read(&self, buffer: u64, r: Range<usize>);
}

static WATCHED: AtomicBool = AtomicBool::new(false);
static WATCHERS: RwLock<Vec<Weak<dyn ReadWatcher>>> = RwLock::new(Vec::new());

/// From now on, `watcher` is told of reads, on any thread, as long as someone has it.
pub fn watch_reads(watcher: &Arc<impl ReadWatcher + 'static>) {
    let watcher: Arc<dyn ReadWatcher> = Arc::clone(watcher) as _;
    let mut watchers = WATCHERS.write().unwrap_or_else(PoisonError::into_inner);
    watchers.retain(|known| known.strong_count() > 0);
    watchers.push(Arc::downgrade(&watcher));
    WATCHED.store(true, Ordering::Relaxed);
}

/// Whether anyone wants to know.
#[inline]
pub(super) fn is_watched() -> bool {
    WATCHED.load(Ordering::Relaxed)
}

/// Tells all who want to know.
#[cold]
pub(super) fn tell(buffer: u64, r: Range<usize>) {
    // Not under the lock: whoever is told may do anything.
    let watchers: Vec<_> = {
        let watchers = WATCHERS.read().unwrap_or_else(PoisonError::into_inner);
        watchers.iter().filter_map(Weak::upgrade).collect()
    };
    if watchers.is_empty() {
        let known = WATCHERS.write().unwrap_or_else(PoisonError::into_inner);
        let any = known.iter().any(|known| known.strong_count() > 0);
        WATCHED.store(any, Ordering::Relaxed);
    }
    for watcher in watchers {
        watcher.read(buffer, r.clone());
    }
}
