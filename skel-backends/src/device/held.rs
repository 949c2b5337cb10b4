//! Arrays on a device, seen from the host.
#![allow(unsafe_code, reason = "the promise of `Remote`")]

use super::{
    Driver,
    memory::{ArrayId, Memory},
    queue::Queue,
    unit::Counters,
};
use skel_core::{Result, container::Remote, frame::ViewOut};
use std::{
    any::Any,
    sync::{Arc, atomic::Ordering},
};

/// An array that stays while a command that uses it is queued.
pub(super) struct Held<D: Driver> {
    pub(super) id: ArrayId,
    pub(super) array: Array<D>,
}

impl<D: Driver> Clone for Held<D> {
    fn clone(&self) -> Self {
        let array = match &self.array {
            Array::OfContainer(array) => Array::OfContainer(Arc::clone(array)),
            Array::Temporary(array) => Array::Temporary(Arc::clone(array)),
        };
        Held { id: self.id, array }
    }
}

pub(super) enum Array<D: Driver> {
    OfContainer(Arc<dyn Remote>),
    Temporary(Arc<Handle<D>>),
}

/// An array on the device, seen from the host.
pub(super) struct Handle<D: Driver> {
    pub(super) id: ArrayId,
    pub(super) queue: Queue<Memory<D>>,
    pub(super) counters: Arc<Counters>,
}

impl<D: Driver> Drop for Handle<D> {
    /// Behind the commands that use the array; does not wait.
    fn drop(&mut self) {
        let id = self.id;
        self.queue.post(move |memory| memory.free(id));
    }
}

// SAFETY: a driver promises as much; a device whose thread is gone answers with an error.
unsafe impl<D: Driver> Remote for Handle<D> {
    fn download(&self, into: ViewOut<'_>) -> Result<()> {
        let (id, bytes) = (self.id, into.len_bytes() as u64);
        let download = move |memory: &mut Memory<D>| memory.download(id, into);
        // SAFETY: the view is for the driver.
        unsafe { self.queue.ask_lending(download) }?;
        self.counters
            .downloaded_bytes
            .fetch_add(bytes, Ordering::Relaxed);
        Ok(())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
