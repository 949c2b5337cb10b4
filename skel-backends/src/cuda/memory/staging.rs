//! Host memory that transfers go through, kept for later: to page-lock memory takes a second per GiB.
//!
//! A chunk is written by the program or by a copy, never by both: while a copy may be going on, the program
//! does not get at its bytes.
#![allow(unsafe_code, reason = "memory that copies read and write")]

use crate::cuda::{
    options::Options,
    order::Clock,
    raw::{Gpu, HostMemory},
    streams::{Queued, Streams},
};
use skel_core::Result;
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
};

/// Bytes of the largest chunk: a step of a large transfer. Large enough to hide what a step costs, small
/// enough that copying the next one on the host overlaps it.
pub(super) const STEP_BYTES: usize = 4 << 20;

/// Bytes of a chunk, how many are locked at once, and how many there are before one waits.
const CLASSES: [(usize, usize, usize); 3] =
    [(256, 256, 4096), (64 << 10, 16, 64), (STEP_BYTES, 1, 8)];

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
    free: Vec<Part>,
}

/// A part of locked memory, and the last copy that uses it.
#[derive(Debug)]
struct Part {
    memory: Arc<HostMemory>,
    at: usize,
    busy: Option<Queued>,
}

/// Some host memory. It goes back when it is dropped, also with a copy going on: its next owner waits for
/// that.
#[derive(Debug)]
pub(in crate::cuda) struct Chunk {
    staging: Staging,
    class: usize,
    /// Always there, until it is dropped.
    part: Option<Part>,
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

    /// A chunk of so many bytes, a step's at most, that no copy uses.
    pub(in crate::cuda) fn take(&self, streams: &mut Streams, len_bytes: usize) -> Result<Chunk> {
        let fits = |(most, ..): &(usize, usize, usize)| len_bytes <= *most;
        let class = CLASSES.iter().position(fits).unwrap_or(CLASSES.len() - 1);
        let part = self.state().take(streams, class)?;
        Ok(Chunk {
            staging: self.clone(),
            class,
            part: Some(part),
            len_bytes: len_bytes.min(CLASSES[class].0),
        })
    }
}

impl State {
    fn take(&mut self, streams: &mut Streams, class: usize) -> Result<Part> {
        let free = &mut self.classes[class].free;
        let mut ready = None;
        for (k, part) in free.iter().enumerate() {
            if part
                .busy
                .map_or(Ok(true), |queued| streams.is_done(queued))?
            {
                ready = Some(k);
                break;
            }
        }
        if let Some(k) = ready {
            let part = free.remove(k);
            return Ok(Part { busy: None, ..part });
        }
        let (bytes, at_once, most) = CLASSES[class];
        if self.classes[class].count >= most && !self.classes[class].free.is_empty() {
            // The one that has been going on for longest.
            let part = self.classes[class].free.remove(0);
            if let Some(queued) = part.busy
                && let Err(error) = streams.wait(queued)
            {
                self.classes[class].free.insert(0, part);
                return Err(error);
            }
            return Ok(Part { busy: None, ..part });
        }
        let memory = Arc::new(HostMemory::new(&self.gpu, bytes * at_once, self.pinned)?);
        let parts = (0..at_once).map(|k| Part {
            memory: Arc::clone(&memory),
            at: k * bytes,
            busy: None,
        });
        let mut parts: Vec<Part> = parts.collect();
        self.classes[class].count += at_once;
        let last = parts.swap_remove(at_once - 1);
        self.classes[class].free.extend(parts);
        Ok(last)
    }
}

impl Chunk {
    fn part(&mut self) -> &mut Part {
        let Some(part) = &mut self.part else {
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
        let part = self.part();
        assert!(part.busy.is_none() && bytes.len() == len, "a chunk in use");
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
        let part = self.part();
        assert!(part.busy.is_none(), "a chunk in use");
        let queued = streams.queue(queue, after, |stream| {
            // SAFETY: the part is neither read nor freed until the copy is done: `busy` keeps it back till
            // then, here and in the pool.
            unsafe { part.memory.download(stream, from, part.at, len) }
        })?;
        self.note(streams, queued)?;
        Ok(queued)
    }

    /// A copy uses it from now on. What is not page-locked is not left alone with it.
    fn note(&mut self, streams: &mut Streams, queued: Queued) -> Result<()> {
        let part = self.part();
        part.busy = Some(queued);
        if !part.memory.is_pinned() {
            streams.wait(queued)?;
            part.busy = None;
        }
        Ok(())
    }

    /// Waits for the copy that was queued last, and gives the bytes.
    pub(in crate::cuda) fn bytes(&mut self, streams: &mut Streams) -> Result<&[u8]> {
        let len = self.len_bytes;
        let part = self.part();
        if let Some(queued) = part.busy {
            streams.wait(queued)?;
            part.busy = None;
        }
        // SAFETY: no copy is going on, and the chunk is ours alone.
        Ok(unsafe { part.memory.bytes(part.at, len) })
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        if let Some(part) = self.part.take() {
            self.staging.state().classes[self.class].free.push(part);
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
    thread::scope(|scope| {
        let mut shares = to.chunks_mut(share).zip(from.chunks(share));
        let own = shares.next();
        for (to, from) in shares {
            scope.spawn(|| to.copy_from_slice(from));
        }
        if let Some((to, from)) = own {
            to.copy_from_slice(from);
        }
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
