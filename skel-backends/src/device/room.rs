//! How much memory a device has had for arrays at once. As long as it was never short, it most likely has as much again.
//!
//! A call whose new arrays fit into that need not wait for the device's thread to find out. Without the same again, a call
//! that replaces an array would wait after all: the old one counts until the thread has come to freeing it.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering::Relaxed},
};

/// What callers know of a device's memory. None of it has to be right: what there turns out to be no memory for fails as
/// launches do.
#[derive(Debug)]
pub(super) struct Room {
    used_bytes: AtomicU64,
    /// What was used at once.
    most_bytes: AtomicU64,
    /// With so much in use there was too little, or there may be.
    short_at_bytes: AtomicU64,
    /// For what is on its way.
    promised_bytes: AtomicU64,
}

/// Bytes that are kept for what is on its way.
#[must_use = "they are kept as long as it lives"]
#[derive(Debug)]
pub(super) struct Promise {
    room: Arc<Room>,
    bytes: u64,
}

impl Default for Room {
    fn default() -> Room {
        let [used_bytes, most_bytes, promised_bytes] = Default::default();
        Room {
            used_bytes,
            most_bytes,
            short_at_bytes: u64::MAX.into(),
            promised_bytes,
        }
    }
}

impl Room {
    /// Keeps so many bytes, if the device most likely has them beside what is used and kept.
    pub(super) fn promise(self: &Arc<Room>, bytes: u64) -> Option<Promise> {
        // Made first, so that of two callers both may be refused, and not both be granted.
        let promised = self.promised_bytes.fetch_add(bytes, Relaxed);
        let promise = Promise {
            room: Arc::clone(self),
            bytes,
        };
        let all = promised
            .saturating_add(bytes)
            .saturating_add(self.used_bytes.load(Relaxed));
        let most = self.most_bytes.load(Relaxed).saturating_mul(2);
        (all <= most && all < self.short_at_bytes.load(Relaxed)).then_some(promise)
    }

    /// So much is used now.
    pub(super) fn uses(&self, bytes: u64) {
        self.used_bytes.store(bytes, Relaxed);
        self.most_bytes.fetch_max(bytes, Relaxed);
    }

    /// Beside what is used, there was no memory for more; or there will be none beside so many bytes.
    pub(super) fn is_short_at(&self, bytes: u64) {
        self.short_at_bytes.fetch_min(bytes, Relaxed);
    }
}

impl Drop for Promise {
    fn drop(&mut self) {
        self.room.promised_bytes.fetch_sub(self.bytes, Relaxed);
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn what_was_there_is_promised_twice() {
        let room = Arc::new(Room::default());
        assert!(room.promise(1).is_none());
        room.uses(100);
        room.uses(40);
        let first = room.promise(150);
        assert!(first.is_some());
        assert!(room.promise(11).is_none());
        let second = room.promise(10);
        assert!(second.is_some());
        drop(first);
        assert!(room.promise(150).is_some());
        assert!(room.promise(u64::MAX).is_none());
        drop(second);
    }

    #[test]
    fn it_is_never_promised_what_was_too_much() {
        let room = Arc::new(Room::default());
        room.uses(100);
        room.is_short_at(100);
        assert!(room.promise(1).is_none());
        room.uses(40);
        assert!(room.promise(60).is_none());
        assert!(room.promise(59).is_some());
    }
}
