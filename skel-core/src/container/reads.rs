//! Watchers of what programs read on the host: tuning follows data from call to call.

use std::{
    ops::Range,
    sync::{
        Arc, PoisonError, RwLock, Weak,
        atomic::{AtomicBool, Ordering},
    },
};

/// Called for every read: which buffer, and which elements.
pub trait ReadWatcher: Send + Sync {
    /// The program reads elements `r` of the buffer of this number.
    fn read(&self, buffer: u64, r: Range<usize>);
}

static WATCHED: AtomicBool = AtomicBool::new(false);
static WATCHERS: RwLock<Vec<Weak<dyn ReadWatcher>>> = RwLock::new(Vec::new());

/// From now on, `watcher` is called for reads, on any thread, as long as there is an owner of it.
pub fn watch_reads(watcher: &Arc<impl ReadWatcher + 'static>) {
    let watcher: Arc<dyn ReadWatcher> = Arc::clone(watcher) as _;
    let mut watchers = WATCHERS.write().unwrap_or_else(PoisonError::into_inner);
    watchers.retain(|known| known.strong_count() > 0);
    watchers.push(Arc::downgrade(&watcher));
    WATCHED.store(true, Ordering::Relaxed);
}

/// Whether there is a watcher.
#[inline]
pub(super) fn is_watched() -> bool {
    WATCHED.load(Ordering::Relaxed)
}

/// Tells all watchers.
#[cold]
pub(super) fn tell(buffer: u64, r: Range<usize>) {
    // Not under the lock: a watcher may do anything.
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
