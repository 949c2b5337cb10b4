//! Host memory that transfers go through, kept for later: to page-lock memory takes a second per GiB.
//!
//! A chunk is written by the program, by a copy or by a kernel, never by two of them: while a copy or kernel may be at it,
//! the program does not get at its bytes.
#![allow(unsafe_code, reason = "memory that copies read and write")]

use crate::cuda::{
    options::Options,
    order::Clock,
    raw::{Gpu, HostMemory},
    streams::{Queued, Streams},
};
use skel_core::{Error, Result};
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
};

/// Bytes of the largest chunk: a step of a large transfer. Large enough to hide what a step costs, small
/// enough that copying the next one on the host overlaps it.
pub(super) const STEP_BYTES: usize = 4 << 20;

/// Bytes of a chunk, how many are locked at once, and how many there are before one waits.
const CLASSES: [(usize, usize, usize); 3] =
    [(256, 256, 4096), (64 << 10, 16, 64), (STEP_BYTES, 1, 8)];

/// Threads that hold one of the largest chunks each, so that as many may be on their way.
const MOST_LANDING: usize = CLASSES[CLASSES.len() - 1].2 / 2;

/// Each thread that helps copying has so much at least.
const SHARE_BYTES: usize = 1 << 20;

/// The host memory of one device's transfers.
#[derive(Clone, Debug)]
pub(in crate::cuda) struct Staging {
    state: Arc<Mutex<State>>,
    copiers: usize,
}

#[derive(Debug)]
struct State {
    gpu: Arc<Gpu>,
    pinned: bool,
    classes: [Class; CLASSES.len()],
}

#[derive(Debug, Default)]
struct Class {
    count: usize,
    unused: Vec<LockedRegion>,
    /// Those that went back with a copy going on, the oldest first. Copies end much as they were queued, so that the
    /// first one is asked for, and not each.
    busy: VecDeque<(LockedRegion, Queued)>,
}

/// A part of locked memory.
#[derive(Debug)]
struct LockedRegion {
    memory: Arc<HostMemory>,
    at: usize,
}

/// Some host memory. It goes back when it is dropped, also with a copy going on: its next owner waits for
/// that.
#[derive(Debug)]
pub(in crate::cuda) struct Chunk {
    staging: Staging,
    class: usize,
    /// Always there, until it is dropped.
    part: Option<LockedRegion>,
    /// The last copy or kernel that uses it.
    busy: Option<Queued>,
    /// Whether it is for a kernel of which nothing else is known.
    is_lent: bool,
    len_bytes: usize,
}

impl Staging {
    /// None is asked for yet.
    pub(in crate::cuda) fn new(gpu: &Arc<Gpu>, options: &Options) -> Staging {
        let state = State {
            gpu: Arc::clone(gpu),
            pinned: options.pinned,
            classes: Default::default(),
        };
        Staging {
            state: Arc::new(Mutex::new(state)),
            copiers: options.copiers,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many threads copy so many steps; each holds a chunk.
    pub(super) fn copiers_of(&self, steps: usize) -> usize {
        self.copiers.min(MOST_LANDING).min(steps).max(1)
    }

    /// A chunk of so many bytes, a step's at most, that no copy uses.
    pub(in crate::cuda) fn take(&self, streams: &mut Streams, len_bytes: usize) -> Result<Chunk> {
        let fits = |(most, ..): &(usize, usize, usize)| len_bytes <= *most;
        let class = CLASSES.iter().position(fits).unwrap_or(CLASSES.len() - 1);
        let part = self.state().take(streams, class)?;
        Ok(Chunk {
            staging: self.clone(),
            class,
            part: Some(part),
            busy: None,
            is_lent: false,
            len_bytes: len_bytes.min(CLASSES[class].0),
        })
    }
}

impl State {
    fn take(&mut self, streams: &mut Streams, class: usize) -> Result<LockedRegion> {
        let (bytes, at_once, most) = CLASSES[class];
        let Class {
            count,
            unused,
            busy,
        } = &mut self.classes[class];
        if let Some((_, queued)) = busy.front() {
            let is_last = unused.is_empty() && *count >= most;
            let is_done = streams.is_done(*queued)?;
            if is_last && !is_done {
                streams.wait(*queued)?;
            }
            if is_last || is_done {
                unused.extend(busy.pop_front().map(|(part, _)| part));
            }
        }
        if unused.is_empty() {
            let len_bytes = bytes * at_once;
            let memory = match HostMemory::new(&self.gpu, len_bytes, self.pinned) {
                // The host has no more to be page-locked; of the device's memory that says nothing.
                Err(Error::OutOfMemory { .. }) if self.pinned => {
                    HostMemory::new(&self.gpu, len_bytes, false)
                }
                made => made,
            };
            let memory = Arc::new(memory?);
            unused.extend((0..at_once).map(|k| LockedRegion {
                memory: Arc::clone(&memory),
                at: k * bytes,
            }));
            *count += at_once;
        }
        let Some(part) = unused.pop() else {
            unreachable!("some were made just now")
        };
        Ok(part)
    }
}

impl Chunk {
    fn part(&self) -> &LockedRegion {
        let Some(part) = &self.part else {
            unreachable!("a chunk has its memory until it is dropped")
        };
        part
    }

    /// Fills it, and queues its copy to the device, behind all that the clock names.
    pub(in crate::cuda) fn send(
        &mut self,
        streams: &mut Streams,
        queue: usize,
        after: &Clock,
        bytes: &[u8],
        to: u64,
    ) -> Result<Queued> {
        let (len, copiers) = (self.len_bytes, self.staging.copiers);
        assert!(self.busy.is_none() && bytes.len() == len, "a chunk in use");
        let part = self.part();
        // SAFETY: no copy is going on, and the chunk is ours alone.
        fill(
            unsafe { part.memory.bytes_mut(part.at, len) },
            bytes,
            copiers,
        );
        let queued = streams.queue(queue, after, |stream| {
            // SAFETY: the part stays as it is until the copy is done: `busy` says so, here and when it has
            // gone back.
            unsafe { part.memory.upload(stream, part.at, len, to) }
        })?;
        self.note(streams, queued)?;
        Ok(queued)
    }

    /// Queues a copy from the device, behind all that the clock names.
    pub(in crate::cuda) fn receive(
        &mut self,
        streams: &mut Streams,
        queue: usize,
        after: &Clock,
        from: u64,
    ) -> Result<Queued> {
        let len = self.len_bytes;
        assert!(self.busy.is_none(), "a chunk in use");
        let part = self.part();
        let queued = streams.queue(queue, after, |stream| {
            // SAFETY: the part is neither read nor freed until the copy is done: `busy` keeps it back till
            // then, here and in the pool.
            unsafe { part.memory.download(stream, from, part.at, len) }
        })?;
        self.note(streams, queued)?;
        Ok(queued)
    }

    /// Where a kernel that is about to be queued may write it, if kernels get at it.
    pub(in crate::cuda) fn lend(&mut self) -> Option<u64> {
        assert!(self.busy.is_none(), "a chunk in use");
        let part = self.part();
        let address = part.memory.address(part.at, self.len_bytes);
        self.is_lent = address.is_some();
        address
    }

    /// The kernel was queued for which it was lent, if it was.
    pub(in crate::cuda) fn written_by(&mut self, queued: Queued) {
        if std::mem::take(&mut self.is_lent) {
            self.busy = Some(queued);
        }
    }

    /// No kernel writes it any more, whatever became of the one for which it was lent.
    pub(in crate::cuda) fn take_back(&mut self) {
        self.is_lent = false;
    }

    /// A copy uses it from now on. What is not page-locked is not left alone with it.
    fn note(&mut self, streams: &mut Streams, queued: Queued) -> Result<()> {
        self.busy = Some(queued);
        if !self.part().memory.is_pinned() {
            streams.wait(queued)?;
            self.busy = None;
        }
        Ok(())
    }

    /// Waits for the copy that was queued last, and gives the bytes.
    pub(in crate::cuda) fn bytes(&mut self, streams: &mut Streams) -> Result<&[u8]> {
        self.wait(streams)?;
        Ok(self.landed())
    }

    /// Waits for the copy that was queued last.
    pub(super) fn wait(&mut self, streams: &mut Streams) -> Result<()> {
        if let Some(queued) = self.busy {
            streams.wait(queued)?;
            self.busy = None;
        }
        Ok(())
    }

    /// The bytes, once the copy has been waited for.
    pub(super) fn landed(&self) -> &[u8] {
        assert!(self.busy.is_none() && !self.is_lent, "a chunk in use");
        let part = self.part();
        // SAFETY: no copy is going on, and the chunk is ours alone.
        unsafe { part.memory.bytes(part.at, self.len_bytes) }
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        if let Some(part) = self.part.take() {
            if self.is_lent {
                // Perhaps it was launched, and then something failed. Nothing else gets this memory.
                return std::mem::forget(part);
            }
            let class = &mut self.staging.state().classes[self.class];
            match self.busy {
                Some(queued) => class.busy.push_back((part, queued)),
                None => class.unused.push(part),
            }
        }
    }
}

/// Copies, on several threads if it is much.
fn fill(to: &mut [u8], from: &[u8], copiers: usize) {
    let threads = copiers.min(to.len() / SHARE_BYTES).max(1);
    if threads == 1 {
        return to.copy_from_slice(from);
    }
    let share = to.len().div_ceil(threads);
    let shares = Mutex::new(to.chunks_mut(share).zip(from.chunks(share)));
    let copy = || {
        let next = || shares.lock().unwrap_or_else(PoisonError::into_inner).next();
        while let Some((to, from)) = next() {
            to.copy_from_slice(from);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // A system that has no thread to give leaves the rest to this one.
            if thread::Builder::new().spawn_scoped(scope, copy).is_err() {
                break;
            }
        }
        copy();
    });
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn several_threads_copy_all_of_it() {
        let from: Vec<u8> = (0..(5 << 20) + 3).map(|k: u32| (k % 251) as u8).collect();
        for copiers in [1, 2, 3, 16] {
            let mut to = vec![0; from.len()];
            fill(&mut to, &from, copiers);
            assert!(to == from, "{copiers}");
        }
    }
}
