//! Status words: where kernels note the smallest element that trapped, per trap site.

use super::{
    gpu::{Gpu, Mapping},
    limits::Limits,
};
use skel_core::{Error, Result, plan::Kernel, space::SweepOrder};
use std::{collections::HashMap, ops::Range, sync::Arc};
use wgpu::{Buffer, BufferUsages};

/// Words of a block.
const BLOCK_WORDS: usize = 4096;

/// What a word says while nothing trapped.
pub(super) const UNTRAPPED: u32 = u32::MAX;

/// The status words of one device: blocks, shared by many launches. Another block is only needed while the
/// words of thousands of launches are unread.
#[derive(Debug, Default)]
pub(super) struct Status {
    blocks: Vec<Block>,
    noted: HashMap<u64, LaunchStatus>,
    next: u64,
}

#[derive(Debug)]
struct Block {
    buffer: Buffer,
    words: usize,
    /// Taken words, in order.
    taken: Vec<Range<usize>>,
}

/// The words of one launch, and what they mean.
#[derive(Debug)]
pub(super) struct LaunchStatus {
    block: usize,
    pub(super) words: Range<usize>,
    pub(super) kernel: Arc<Kernel>,
    /// The launch's first element.
    start: usize,
    /// The order in which its words count elements, if that is not the container's.
    sweep: Option<SweepOrder>,
    /// On their way to the host.
    fetched: Option<(Buffer, Mapping)>,
}

impl LaunchStatus {
    /// The element that a word names.
    pub(super) fn element(&self, word: u32) -> usize {
        match &self.sweep {
            Some(order) => order.element(word as usize),
            None => self.start + word as usize,
        }
    }
}

impl Status {
    /// Words for a launch, all [`UNTRAPPED`]. Gives the launch's number, and where the words begin.
    pub(super) fn reserve(
        &mut self,
        gpu: &Gpu,
        limits: &Limits,
        (kernel, start, sweep): (&Arc<Kernel>, usize, Option<&SweepOrder>),
        words: usize,
    ) -> Result<(u64, usize)> {
        let (block, at) = match self.find(words) {
            Some(place) => place,
            None => {
                let fit = usize::try_from(limits.binding_bytes / 4).unwrap_or(usize::MAX);
                let size = words.max(BLOCK_WORDS.min(fit));
                let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
                let buffer = gpu.buffer("status words", size as u64 * 4, usage)?;
                self.blocks.push(Block {
                    buffer,
                    words: size,
                    taken: Vec::new(),
                });
                (self.blocks.len() - 1, 0)
            }
        };
        let buffer = &self.blocks[block].buffer;
        // In the queue's order: behind the launch that had the words before.
        gpu.scoped("launch", 0, |_, queue| {
            queue.write_buffer(buffer, at as u64 * 4, &vec![0xff; words * 4]);
        })?;
        let taken = &mut self.blocks[block].taken;
        taken.push(at..at + words);
        taken.sort_by_key(|range| range.start);
        self.next += 1;
        let noted = LaunchStatus {
            block,
            words: at..at + words,
            kernel: kernel.clone(),
            start,
            sweep: sweep.copied(),
            fetched: None,
        };
        self.noted.insert(self.next, noted);
        Ok((self.next, at))
    }

    /// The buffer that holds the words of launch `number`.
    pub(super) fn buffer(&self, number: u64) -> Option<&Buffer> {
        self.noted
            .get(&number)
            .map(|noted| &self.blocks[noted.block].buffer)
    }

    /// Gives the launch's words back, unread. Their next owner resets them in the queue's order, so the
    /// launch may still be running.
    pub(super) fn forget(&mut self, number: u64) -> Option<LaunchStatus> {
        let noted = self.noted.remove(&number)?;
        self.blocks[noted.block]
            .taken
            .retain(|range| *range != noted.words);
        Some(noted)
    }

    /// Waits for the launch, gives its words back, and says what they were. If there is no room to read them,
    /// they stay.
    pub(super) fn take(
        &mut self,
        gpu: &Gpu,
        number: u64,
    ) -> Result<Option<(LaunchStatus, Vec<u32>)>> {
        let fetched = self.fetch_ahead(gpu, number);
        if let Err(error @ Error::OutOfMemory { .. }) = fetched {
            return Err(error);
        }
        let Some(mut noted) = self.forget(number) else {
            return Ok(None);
        };
        fetched?;
        let Some((buffer, mapping)) = noted.fetched.take() else {
            return Err(gpu.failed("reading traps", "they were not copied"));
        };
        let len_bytes = noted.words.len() as u64 * 4;
        let words = gpu.read("reading traps", &buffer, len_bytes, mapping, |bytes| {
            bytes
                .chunks_exact(4)
                .map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]]))
                .collect()
        })?;
        Ok(Some((noted, words)))
    }

    /// Queues a copy of a launch's words, so that reading them waits for the launch alone.
    pub(super) fn fetch_ahead(&mut self, gpu: &Gpu, number: u64) -> Result<()> {
        let Some(noted) = self.noted.get_mut(&number) else {
            return Ok(());
        };
        if noted.fetched.is_some() {
            return Ok(());
        }
        let len_bytes = noted.words.len() as u64 * 4;
        let to = gpu.buffer(
            "trap",
            len_bytes,
            BufferUsages::MAP_READ | BufferUsages::COPY_DST,
        )?;
        let words = &self.blocks[noted.block].buffer;
        let copy = [(words, noted.words.start as u64 * 4, len_bytes)];
        let mapping = gpu.copy_out("reading traps", &copy, &to)?;
        noted.fetched = Some((to, mapping));
        Ok(())
    }

    /// The first gap of `words` words.
    fn find(&self, words: usize) -> Option<(usize, usize)> {
        self.blocks.iter().enumerate().find_map(|(k, block)| {
            let mut at = 0;
            for taken in &block.taken {
                if taken.start - at >= words {
                    break;
                }
                at = taken.end;
            }
            (block.words - at >= words).then_some((k, at))
        })
    }
}
