//! Scans: totals of blocks before the carry is known; then what precedes each block, and the blocks.

use super::{
    WebGpu,
    cache::Compiled,
    chunk,
    convert::Conversion,
    fold::{Value, spread},
    gpu::{Gpu, map},
    launch::{Dispatch, Extra, Numbers, Recorder, narrow},
    memory::Array,
};
use crate::{codegen::wgsl::stored_bytes, device::Launch};
use skel_core::{Error, Result, frame::Partial};
use std::ops::Range;
use wgpu::{Buffer, BufferUsages};

/// Blocks of one chunk, at most: each is short, so that neighbouring lanes read from the same lines.
const MOST_BLOCKS: usize = 65_535;

/// A scan whose totals are on their way.
#[derive(Debug)]
pub struct PendingScan {
    /// The total of each block; then room for the carry, and for that of what follows.
    totals: Buffer,
    blocks: usize,
    /// Elements, work-groups, and elements per lane.
    chunks: Vec<(Range<usize>, usize, usize)>,
    /// The launch's status words, by number, and where they begin.
    words: Option<(u64, usize)>,
}

/// Buffers of totals that are not in use; the next scan may have them, in the queue's order.
#[derive(Debug, Default)]
pub(super) struct Totals(Vec<Buffer>);

impl Totals {
    /// Kept, at most.
    const MOST: usize = 8;

    fn take(&mut self, gpu: &Gpu, len_bytes: u64) -> Result<Buffer> {
        if let Some(k) = self.0.iter().position(|buffer| buffer.size() >= len_bytes) {
            return Ok(self.0.swap_remove(k));
        }
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
        gpu.buffer("totals", len_bytes, usage)
    }

    fn give_back(&mut self, buffer: Buffer) {
        self.0.push(buffer);
        if self.0.len() > Self::MOST {
            // The smallest is the easiest to replace.
            self.0
                .sort_by_key(|buffer| std::cmp::Reverse(buffer.size()));
            self.0.truncate(Self::MOST);
        }
    }
}

impl WebGpu {
    /// Queues the totals of all blocks.
    pub(super) fn begin_scan(
        &mut self,
        kernel: &Compiled,
        launch: &Launch<'_, Array>,
        words: Option<(u64, usize)>,
    ) -> Result<PendingScan> {
        let limits = self.limits.clone();
        let size = stored_bytes(launch.kernel.result_ty());
        let chunks = chunk::chunks(&limits, launch, usize::MAX);
        // One buffer holds the totals of all chunks, and the two carries.
        let bytes = limits.binding_bytes.min(limits.buffer_bytes);
        let fit = usize::try_from(bytes / size).unwrap_or(usize::MAX);
        let share = fit.saturating_sub(2) / chunks.len();
        if share == 0 {
            return Err(Error::OutOfMemory {
                device: self.gpu.name.clone(),
                needed_bytes: (chunks.len() as u64 + 2) * size,
                available_bytes: bytes,
            });
        }
        let most = MOST_BLOCKS.min(limits.groups as usize).min(share);
        let chunks: Vec<(Range<usize>, usize, usize)> = chunks
            .into_iter()
            .map(|chunk| {
                let (groups, per_lane) = spread(chunk.len(), kernel.prepared.block, most);
                (chunk, groups, per_lane)
            })
            .collect();
        let blocks = chunks.iter().map(|(_, groups, _)| groups).sum();
        let totals = self.totals.take(&self.gpu, (blocks as u64 + 2) * size)?;
        let begun = PendingScan {
            totals,
            blocks,
            chunks,
            words,
        };
        let extra = Extra {
            partials: Some(&begun.totals),
            ..Extra::default()
        };
        let mut recorder = Recorder::new(&self.gpu, &limits, &self.blocks);
        self.dispatch_blocks(&mut recorder, kernel, launch, &begun, (0, extra, 0))?;
        recorder.submit()?;
        Ok(begun)
    }

    /// Queues the rest. What is wanted is copied before the blocks, so that no reader waits for them.
    pub(super) fn finish_scan(
        &mut self,
        launch: &Launch<'_, Array>,
        begun: PendingScan,
        carry: Partial,
        wanted: bool,
    ) -> Result<Option<Value>> {
        let kernel = self.kernel(launch)?;
        let limits = self.limits.clone();
        let ty = launch.kernel.result_ty().clone();
        let Some(layout) = launch.phases.partial_layout() else {
            return Err(self.gpu.failed("launch", "the plan has no partials"));
        };
        let (size, blocks) = (stored_bytes(&ty), begun.blocks);
        let carried = u32::from(!carry.is_none());
        if let Some(bytes) = carry.bytes(layout) {
            let bytes = Conversion::of(&ty).to_device(bytes).map_err(|why| {
                let what = "what precedes the elements".to_owned();
                why.into_error(|| narrow(&self.gpu, launch.kernel, what))
            })?;
            self.gpu.scoped("launch", 0, |_, queue| {
                queue.write_buffer(&begun.totals, blocks as u64 * size, &bytes);
            })?;
        }
        let readable = match wanted {
            true => Some(self.scratch.readable(&self.gpu)?),
            false => None,
        };
        let mut recorder = Recorder::new(&self.gpu, &limits, &self.blocks);
        let status = self.status_of(&begun);
        let extra = Extra {
            partials: Some(&begun.totals),
            status: status.map(|(buffer, _)| buffer),
            ..Extra::default()
        };
        let numbers = Numbers {
            count: blocks as u32,
            status: status.map_or(0, |(_, at)| at),
            per_lane: blocks.div_ceil(kernel.prepared.block.lanes as usize) as u32,
            carried,
            ..Numbers::default()
        };
        recorder.dispatch(
            &kernel,
            launch,
            Dispatch {
                stage: 1,
                chunk: &launch.range,
                numbers,
                extra,
                groups: (1, 1),
            },
        )?;
        let mut value = None;
        if let Some(buffer) = readable {
            recorder.copy(&begun.totals, (blocks as u64 + 1) * size, &buffer, size)?;
            let submission = recorder.submit()?;
            let mapping = self
                .gpu
                .scoped("reduction", 0, |_, _| map(&buffer, size, submission))?;
            value = Some(Value {
                buffer,
                mapping,
                ty,
                layout,
            });
        }
        let extra = Extra {
            gathered: Some(&begun.totals),
            ..Extra::default()
        };
        self.dispatch_blocks(&mut recorder, &kernel, launch, &begun, (2, extra, carried))?;
        recorder.submit()?;
        self.totals.give_back(begun.totals);
        Ok(value)
    }

    fn status_of(&self, begun: &PendingScan) -> Option<(&Buffer, u32)> {
        let (number, at) = begun.words?;
        Some((self.status.buffer(number)?, at as u32))
    }

    /// Records a stage, its buffers and whether there is a carry, for all blocks of all chunks.
    fn dispatch_blocks(
        &self,
        recorder: &mut Recorder<'_>,
        kernel: &Compiled,
        launch: &Launch<'_, Array>,
        begun: &PendingScan,
        (stage, extra, carried): (usize, Extra<'_>, u32),
    ) -> Result<()> {
        let status = self.status_of(begun);
        let extra = Extra {
            status: status.map(|(buffer, _)| buffer),
            ..extra
        };
        let mut slot = 0;
        for (chunk, groups, per_lane) in &begun.chunks {
            let numbers = Numbers {
                count: chunk.len() as u32,
                first: (chunk.start - launch.range.start) as u32,
                status: status.map_or(0, |(_, at)| at),
                per_lane: *per_lane as u32,
                slot,
                carried,
                ..Numbers::default()
            };
            let dispatch = Dispatch {
                stage,
                chunk,
                numbers,
                extra,
                groups: (*groups as u32, 1),
            };
            recorder.dispatch(kernel, launch, dispatch)?;
            slot += *groups as u32;
        }
        Ok(())
    }
}
