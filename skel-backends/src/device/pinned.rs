//! Arrays on a device, seen from the host.
#![allow(unsafe_code, reason = "the promise of `Remote`")]

use super::{
    Driver,
    deadline::{self, CommandKind},
    lent::Lent,
    memory::Memory,
    presence::Presence,
    queue::Queue,
    unit::Counters,
    work::ArrayId,
};
use skel_core::{Result, container::Remote, frame::ViewOut, space::IntervalSet};
use std::{
    any::Any,
    ops::Range,
    sync::{Arc, atomic::Ordering},
};

/// An array that stays while a command that uses it is queued: it is there, and it is pinned.
pub(super) struct PinnedArray<D: Driver> {
    pub(super) id: ArrayId,
    pub(super) presence: Arc<Presence>,
    array: Array<D>,
}

enum Array<D: Driver> {
    OfContainer(Arc<dyn Remote>),
    Temporary(Arc<Handle<D>>),
}

impl<D: Driver> PinnedArray<D> {
    /// The array of a container, which has pinned it.
    pub(super) fn of_container(remote: Arc<dyn Remote>) -> Option<Self> {
        let handle = remote.as_any().downcast_ref::<Handle<D>>()?;
        let (id, presence) = (handle.id, Arc::clone(&handle.presence));
        let array = Array::OfContainer(remote);
        Some(PinnedArray {
            id,
            presence,
            array,
        })
    }

    /// An array with this one owner.
    pub(super) fn temporary(handle: Handle<D>) -> Self {
        handle.presence.pin();
        PinnedArray {
            id: handle.id,
            presence: Arc::clone(&handle.presence),
            array: Array::Temporary(Arc::new(handle)),
        }
    }
}

impl<D: Driver> Clone for PinnedArray<D> {
    fn clone(&self) -> Self {
        let array = match &self.array {
            Array::OfContainer(array) => Array::OfContainer(Arc::clone(array)),
            Array::Temporary(array) => Array::Temporary(Arc::clone(array)),
        };
        self.presence.pin();
        PinnedArray {
            id: self.id,
            presence: Arc::clone(&self.presence),
            array,
        }
    }
}

impl<D: Driver> Drop for PinnedArray<D> {
    fn drop(&mut self) {
        self.presence.unpin();
    }
}

/// An array on the device, seen from the host.
pub(super) struct Handle<D: Driver> {
    pub(super) id: ArrayId,
    pub(super) presence: Arc<Presence>,
    pub(super) queue: Queue<Memory<D>>,
    pub(super) counters: Arc<Counters>,
}

impl<D: Driver> Handle<D> {
    /// Whether this process has the device's thread. If it was forked from that one, the thread may have stopped
    /// with a lock in its hands.
    fn is_here(&self) -> bool {
        !self.queue.watch().is_left()
    }

    /// Waits until elements have been copied to the host.
    fn fetch(
        &self,
        into: ViewOut<'_>,
        copy: impl FnOnce(&mut Memory<D>, ArrayId, Lent<ViewOut<'static>>) -> Result<()>
        + Send
        + 'static,
    ) -> Result<()> {
        let (id, bytes) = (self.id, into.len_bytes() as u64);
        deadline::on(CommandKind::Fetch { bytes }, || {
            let copy = move |memory: &mut Memory<D>, into| copy(memory, id, into);
            self.queue.ask_lending(into, copy)
        })?;
        self.counters
            .downloaded_bytes
            .fetch_add(bytes, Ordering::Relaxed);
        Ok(())
    }
}

impl<D: Driver> Drop for Handle<D> {
    /// Behind the commands that use the array; does not wait.
    fn drop(&mut self) {
        let (id, giving_back) = (self.id, self.queue.watch().gives_back());
        self.queue.post(move |memory| {
            memory.free(id);
            memory.ends_with(giving_back);
        });
    }
}

// SAFETY: `Arrays::download` fills the window by the driver, which promises that one without an error has written all of
// it, or from a spill, and finds an error where that lacks some. An answer without an error is that of a download: where
// the thread is gone, or takes too long, the queue gives an error of its own.
unsafe impl<D: Driver> Remote for Handle<D> {
    fn download(&self, into: ViewOut<'_>) -> Result<()> {
        self.fetch(into, Memory::download)
    }

    fn peek(&self, into: ViewOut<'_>) -> Result<()> {
        self.fetch(into, Memory::peek)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn pin(&self) {
        if self.is_here() {
            self.presence.pin();
        }
    }

    fn overwritten(&self, r: &Range<usize>) {
        if !self.is_here() {
            return;
        }
        self.presence.overwrite(r);
        if self.queue.watch().asks_to_free() {
            let giving_back = self.queue.watch().gives_back();
            self.queue.post(|memory| {
                memory.let_go(None);
                memory.ends_with(giving_back);
            });
        }
    }

    fn claimed(&self, r: &Range<usize>) {
        if self.is_here() {
            self.presence.claim(r);
        }
    }

    fn kept(&self) -> Option<IntervalSet> {
        self.is_here().then(|| self.presence.take_kept())?
    }

    fn is_released(&self) -> bool {
        self.is_here() && self.presence.is_released()
    }
}
