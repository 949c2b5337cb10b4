//! Device memory that is kept when it is freed: asking the driver costs more than most kernels, and giving
//! back waits for all of them.

use super::{
    spans::{Spans, Taken},
    uses::Uses,
};
use crate::cuda::{
    order::Clock,
    raw::{DeviceMemory, Gpu},
    streams::{Queued, Streams},
};
use skel_core::{Error, Result};
use std::{
    cell::RefCell,
    collections::HashMap,
    ops::Range,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Pieces begin at multiples of it, as much as any access of a kernel needs.
const GRANULE: u64 = 256;

/// The classes, so that what is small and short-lived does not cut up what large arrays need: the largest piece, and the
/// least that is asked of the driver at once. Those of the last one have blocks of their own.
const CLASSES: [(u64, u64); 3] = [(1 << 20, 2 << 20), (32 << 20, 32 << 20), (u64::MAX, 0)];
const OWN_BLOCK: usize = CLASSES.len() - 1;

/// A piece that has a block of its own leaves at most one in so many of its bytes unused.
const UNUSED: u64 = 4;

/// Bytes of the piece for so many.
pub(in crate::cuda) fn piece_bytes(len_bytes: u64) -> Option<u64> {
    len_bytes.max(1).checked_next_multiple_of(GRANULE)
}

/// The memory of one device.
#[derive(Clone, Debug)]
pub(in crate::cuda) struct Pool(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    gpu: Arc<Gpu>,
    /// Whether memory is kept.
    keeps: bool,
    classes: [Spans; CLASSES.len()],
    /// What was asked of the driver, by address.
    blocks: HashMap<u64, DeviceMemory>,
    /// Without an owner, but a command may still use it: freed when that is done.
    leaving: Vec<(DeviceMemory, Clock)>,
}

/// A piece of device memory, with what uses it. It goes back when it is dropped, at once: its next owner
/// waits on the device.
#[derive(Debug)]
pub(in crate::cuda) struct PooledMemory {
    pool: Pool,
    class: usize,
    address: u64,
    len_bytes: u64,
    uses: RefCell<Uses>,
}

impl Pool {
    /// None is asked for yet.
    pub(in crate::cuda) fn new(gpu: &Arc<Gpu>, keeps: bool) -> Pool {
        Pool(Arc::new(Mutex::new(State {
            gpu: Arc::clone(gpu),
            keeps,
            classes: Default::default(),
            blocks: HashMap::new(),
            leaving: Vec::new(),
        })))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives back what is unused.
    pub(in crate::cuda) fn trim(&self, streams: &mut Streams) -> Result<()> {
        let mut state = self.state();
        state.give_back();
        state.bury(streams)
    }

    /// So many bytes, or a few more.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] when all that is unused was given back and the driver still has too little.
    pub(in crate::cuda) fn take(
        &self,
        streams: &mut Streams,
        len_bytes: u64,
    ) -> Result<PooledMemory> {
        let too_much = || self.state().out_of_memory(len_bytes);
        let len = piece_bytes(len_bytes).ok_or_else(too_much)?;
        let class = CLASSES.iter().position(|(most, _)| len <= *most);
        let class = class.ok_or_else(too_much)?;
        let mut state = self.state();
        state.bury(streams)?;
        let (class, taken) = state.take(streams, class, len)?;
        drop(state);
        Ok(PooledMemory {
            pool: self.clone(),
            class,
            address: taken.address,
            len_bytes: taken.len,
            uses: RefCell::new(Uses::after(taken.clock)),
        })
    }
}

impl State {
    /// A piece, and of which class it is.
    fn take(&mut self, streams: &mut Streams, class: usize, len: u64) -> Result<(usize, Taken)> {
        let kept = match class {
            OWN_BLOCK => self.classes[class].take_whole(len, len.saturating_add(len / UNUSED)),
            _ => self.classes[class].take(len),
        };
        if let Some(taken) = kept {
            return Ok((class, taken));
        }
        let least = if self.keeps { CLASSES[class].1 } else { len };
        // First what the class likes, then just what is needed; then the same, with all that is unused
        // given back.
        for attempt in 0..2 {
            let mut sizes = vec![least.max(len), len];
            sizes.dedup();
            for size in sizes {
                if let Some(memory) = DeviceMemory::new(&self.gpu, size)? {
                    self.classes[class].add(memory.address(), memory.len_bytes());
                    self.blocks.insert(memory.address(), memory);
                    let found = self.classes[class].take(len);
                    return Ok((class, found.ok_or_else(|| self.out_of_memory(len))?));
                }
            }
            if attempt == 0 {
                self.give_back();
                self.bury(streams)?;
            }
        }
        // Another class may have a gap.
        let mut classes = self.classes.iter_mut().enumerate();
        let found = classes.find_map(|(class, spans)| Some((class, spans.take(len)?)));
        found.ok_or_else(|| self.out_of_memory(len))
    }

    /// Frees the blocks of which nothing is in use.
    fn give_back(&mut self) {
        for spans in &mut self.classes {
            for (address, clock) in spans.remove_unused() {
                let memory = self.blocks.remove(&address);
                self.leaving.extend(memory.map(|memory| (memory, clock)));
            }
        }
    }

    /// Frees what has left, when it is not used any more.
    fn bury(&mut self, streams: &mut Streams) -> Result<()> {
        while let Some((memory, clock)) = self.leaving.pop() {
            if let Err(error) = streams.wait_for(&clock) {
                self.leaving.push((memory, clock));
                return Err(error);
            }
        }
        Ok(())
    }

    fn out_of_memory(&self, needed_bytes: u64) -> Error {
        Error::OutOfMemory {
            device: self.gpu.name().to_owned(),
            needed_bytes,
            available_bytes: self.gpu.free_bytes()
                + self.classes.iter().map(Spans::free_bytes).sum::<u64>(),
        }
    }
}

impl PooledMemory {
    /// Where it begins.
    pub(in crate::cuda) fn address(&self) -> u64 {
        self.address
    }

    /// All of it.
    fn all(&self) -> Range<u64> {
        0..self.len_bytes
    }

    /// What must be done before it is read.
    pub(in crate::cuda) fn before_read(&self) -> Clock {
        self.before_read_of(&self.all())
    }

    /// What must be done before it is written.
    pub(in crate::cuda) fn before_write(&self) -> Clock {
        self.before_write_of(&self.all())
    }

    /// Something that reads it was queued.
    pub(in crate::cuda) fn reads(&self, queued: Queued) {
        self.reads_of(self.all(), queued);
    }

    /// Something that writes it was queued, behind all that used it before.
    pub(in crate::cuda) fn writes(&self, queued: Queued) {
        self.writes_of(self.all(), queued);
    }

    /// What must be done before some bytes are read.
    pub(in crate::cuda) fn before_read_of(&self, bytes: &Range<u64>) -> Clock {
        self.uses.borrow().before_read(bytes)
    }

    /// What must be done before some bytes are written.
    pub(in crate::cuda) fn before_write_of(&self, bytes: &Range<u64>) -> Clock {
        self.uses.borrow().before_write(bytes)
    }

    /// Something that reads no other bytes was queued.
    pub(in crate::cuda) fn reads_of(&self, bytes: Range<u64>, queued: Queued) {
        self.uses.borrow_mut().reads(bytes, queued.clock());
    }

    /// Something that writes no other bytes was queued, behind all that used them before.
    pub(in crate::cuda) fn writes_of(&self, bytes: Range<u64>, queued: Queued) {
        self.uses.borrow_mut().writes(bytes, queued.clock());
    }
}

impl Drop for PooledMemory {
    fn drop(&mut self) {
        let clock = self.before_write();
        let mut state = self.pool.state();
        state.classes[self.class].give(self.address, self.len_bytes, clock);
        if !state.keeps {
            state.give_back();
        }
    }
}
