//! Status words: where kernels note the smallest element that trapped, per trap site.

use super::{
    device::CudaGpu,
    limits::{Limits, Prepared},
    memory::{Chunk, PooledMemory},
};
use crate::device::Trapped;
use skel_core::{Error, Result, plan::Kernel, space::SweepOrder};
use std::{collections::HashMap, sync::Arc};

/// What a word says while nothing trapped: all bits, so that bytes can be filled with it.
const UNTRAPPED: u64 = u64::MAX;

/// Bytes of a chunk of host memory through which words are fetched, at most.
const FETCH_BYTES: usize = 64 << 10;

/// The status words of launches that may have trapped.
#[derive(Debug, Default)]
pub(super) struct Status {
    noted: HashMap<u64, LaunchStatus>,
    next: u64,
}

/// The words of one launch, and what they mean.
#[derive(Debug)]
pub(super) struct LaunchStatus {
    pub(super) words: PooledMemory,
    count: usize,
    kernel: Arc<Kernel>,
    /// The order in which the words count elements, if that is not the container's.
    sweep: Option<SweepOrder>,
    /// On their way to the host.
    fetched: Option<Chunk>,
}

impl Status {
    /// Keeps the words until they are asked for by this number.
    pub(super) fn keep(&mut self, noted: LaunchStatus) -> u64 {
        self.next += 1;
        self.put_back(self.next, noted);
        self.next
    }

    /// The words of a launch.
    pub(super) fn take(&mut self, number: u64) -> Option<LaunchStatus> {
        self.noted.remove(&number)
    }

    /// Keeps what was taken.
    pub(super) fn put_back(&mut self, number: u64, noted: LaunchStatus) {
        self.noted.insert(number, noted);
    }
}

impl CudaGpu {
    /// Words for a launch, none trapped.
    pub(super) fn reserve(
        &mut self,
        queue: usize,
        (kernel, sweep): (&Arc<Kernel>, Option<&SweepOrder>),
        count: usize,
    ) -> Result<LaunchStatus> {
        let len_bytes = count * size_of::<u64>();
        let words = self.pool.take(&mut self.streams, len_bytes as u64)?;
        let before = words.before_write();
        let queued = self.streams.queue(queue, &before, |stream| {
            stream.fill(words.address(), UNTRAPPED as u8, len_bytes)
        })?;
        words.writes(queued);
        Ok(LaunchStatus {
            words,
            count,
            kernel: Arc::clone(kernel),
            sweep: sweep.copied(),
            fetched: None,
        })
    }

    /// Queues a copy of a launch's words, so that reading them waits for the launch alone.
    pub(super) fn fetch_ahead(&mut self, number: u64) -> Result<()> {
        let Some(noted) = self.status.noted.get_mut(&number) else {
            return Ok(());
        };
        let len_bytes = noted.count * size_of::<u64>();
        if noted.fetched.is_some() || len_bytes > FETCH_BYTES {
            return Ok(());
        }
        let mut chunk = self.staging.take(&mut self.streams, len_bytes)?;
        let (queue, after) = (self.streams.downloads(), noted.words.before_read());
        let queued = chunk.receive(&mut self.streams, queue, &after, noted.words.address())?;
        noted.words.reads(queued);
        noted.fetched = Some(chunk);
        Ok(())
    }

    /// Waits for a few bytes.
    fn fetch(&mut self, piece: &PooledMemory, at_bytes: u64, len_bytes: usize) -> Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(len_bytes);
        while bytes.len() < len_bytes {
            let step = (len_bytes - bytes.len()).min(FETCH_BYTES);
            let mut chunk = self.staging.take(&mut self.streams, step)?;
            let (queue, after) = (self.streams.downloads(), piece.before_read());
            let from = piece.address() + at_bytes + bytes.len() as u64;
            let queued = chunk.receive(&mut self.streams, queue, &after, from)?;
            piece.reads(queued);
            bytes.extend_from_slice(chunk.bytes(&mut self.streams)?);
        }
        Ok(bytes)
    }

    /// Waits for the launch, and says what its words say; they are free again, but if there was no room to read
    /// them.
    pub(super) fn trapped(&mut self, number: u64) -> Result<Option<Trapped>> {
        let Some(mut noted) = self.status.take(number) else {
            return Ok(None);
        };
        let mut words = Vec::with_capacity(noted.count);
        let bytes = match &mut noted.fetched {
            Some(chunk) => chunk.bytes(&mut self.streams)?.to_vec(),
            None => match self.fetch(&noted.words, 0, noted.count * size_of::<u64>()) {
                Err(error @ Error::OutOfMemory { .. }) => {
                    self.status.put_back(number, noted);
                    return Err(error);
                }
                bytes => bytes?,
            },
        };
        for word in bytes.chunks_exact(size_of::<u64>()) {
            let mut all = [0; size_of::<u64>()];
            all.copy_from_slice(word);
            words.push(u64::from_ne_bytes(all));
        }
        let place = |number| match &noted.sweep {
            Some(order) => order.element(number),
            None => number,
        };
        Ok(meaning(&self.limits, &noted.kernel, &words, place))
    }
}

/// The smallest element that trapped; if none did, the operator.
fn meaning(
    limits: &Limits,
    kernel: &Kernel,
    words: &[u64],
    place: impl Fn(usize) -> usize,
) -> Option<Trapped> {
    // Mostly none has, and then nothing has to be printed.
    if words.iter().all(|word| *word == UNTRAPPED) {
        return None;
    }
    // Not from the cache: this kernel's source lines.
    let prepared = Prepared::new(kernel, limits.usual_form(kernel), limits).ok()?;
    let sites = &prepared.sources.first()?.sites;
    let (elements, operator) = words.split_at(sites.len().min(words.len()));
    let trapped = |(word, _): &(&u64, _)| **word != UNTRAPPED;
    let element = elements.iter().zip(sites).filter(trapped);
    let (index, site) = match element.min_by_key(|(word, _)| **word) {
        Some((word, site)) => (Some(place(*word as usize)), site),
        None => (None, operator.iter().zip(sites).find(trapped)?.1),
    };
    let function = kernel.program.function(site.function);
    let error = Error::Trap {
        function: function.name.to_owned(),
        file: function.file.to_owned(),
        line: site.line,
        index,
        message: site.kind.message().to_owned(),
    };
    Some(Trapped { index, error })
}
