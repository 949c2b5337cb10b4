//! Scans: values of tiles and the nodes above them before the carry is known; then the blocks.

use super::{
    WebGpu,
    cache::Compiled,
    convert::Conversion,
    fold::{Cut, Value, cut, layout},
    gpu::Gpu,
    launch::{Dispatch, Extra, Recorder, grid, narrow},
    memory::Array,
};
use crate::{
    codegen::wgsl::stored_bytes,
    device::Launch,
    numbers::Numbers,
    tiling::{Carried, Tiling},
};
use skel_core::{Result, frame::Spine};
use wgpu::{Buffer, BufferUsages};

/// A scan whose nodes are on their way.
#[derive(Debug)]
pub struct PendingScan {
    /// The nodes; behind them those that make up the launch, and room for the carry.
    table: Buffer,
    cut: Cut,
    /// The launch's status words, by number, and where they begin.
    words: Option<(u64, usize)>,
}

/// Tables of nodes that are not in use; the next scan may have them, in the queue's order.
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
        gpu.buffer("nodes", len_bytes, usage)
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
    /// Queues what needs no carry.
    pub(super) fn begin_scan(
        &mut self,
        kernel: &Compiled,
        launch: &Launch<'_, Array>,
        words: Option<(u64, usize)>,
    ) -> Result<PendingScan> {
        let limits = self.limits.clone();
        let tiling = Tiling::new(launch.kernel, &launch.space, &launch.range, 0);
        let cut = cut(&limits, launch, tiling, 1);
        let bytes = cut.table_bytes(&self.gpu, &limits, launch.kernel.result_ty())?;
        let table = self.totals.take(&self.gpu, bytes)?;
        let begun = PendingScan { table, cut, words };
        // Of a single tile, nothing but itself and what precedes it need be known.
        if begun.cut.leaves > 1 || launch.followed {
            let mut recorder = Recorder::new(&self.gpu, &limits, &self.blocks);
            self.record_nodes(&mut recorder, kernel, launch, &begun)?;
            recorder.submit()?;
        }
        Ok(begun)
    }

    fn record_nodes(
        &self,
        recorder: &mut Recorder<'_>,
        kernel: &Compiled,
        launch: &Launch<'_, Array>,
        begun: &PendingScan,
    ) -> Result<()> {
        let to = (&begun.table, self.status_of(begun));
        let level = kernel.prepared.shaders[0].of_group.ilog2();
        begun
            .cut
            .leaves(recorder, &self.limits, kernel, launch, to, level)?;
        if begun.cut.leaves > 1 {
            begun
                .cut
                .nodes(recorder, &self.limits, kernel, launch, to)?;
        }
        Ok(())
    }

    /// Queues the rest. What is wanted is copied before the blocks, so that no reader waits for them.
    pub(super) fn finish_scan(
        &mut self,
        launch: &Launch<'_, Array>,
        begun: PendingScan,
        carry: Spine,
        wanted: bool,
    ) -> Result<Option<Value>> {
        let kernel = self.kernel(launch)?;
        let limits = self.limits.clone();
        let carried = self.send_carry(launch, &begun, &carry)?;
        let mut recorder = Recorder::new(&self.gpu, &limits, &self.blocks);
        let mut value = None;
        if wanted {
            let Cut { tiling, leaves, .. } = begun.cut;
            let len_bytes = tiling.count(leaves) as u64 * stored_bytes(launch.kernel.result_ty());
            let readable = self.scratch.readable(&self.gpu, len_bytes)?;
            if leaves == 1 && !launch.followed {
                self.record_nodes(&mut recorder, &kernel, launch, &begun)?;
            }
            let from = (&begun.table, readable);
            let read = begun
                .cut
                .read(&self.gpu, &mut recorder, launch, from, carry)?;
            value = Some(read);
        }
        let status = self.status_of(&begun);
        let tiles = kernel.prepared.shaders[2].of_group as usize;
        let of_group = launch.kernel.grouping.tile_elems() * tiles;
        for (chunk, slot) in &begun.cut.chunks {
            let dispatch = Dispatch {
                stage: 2,
                chunk,
                numbers: Numbers {
                    count: chunk.len(),
                    slot: *slot as usize,
                    carried,
                    nodes: begun.cut.numbers(launch.kernel.grouping),
                    ..Numbers::default()
                },
                extra: Extra {
                    gathered: Some(&begun.table),
                    status,
                    ..Extra::default()
                },
                groups: grid(chunk.len().div_ceil(of_group) as u32, limits.groups),
            };
            recorder.dispatch(&kernel, launch, dispatch)?;
        }
        recorder.submit()?;
        self.totals.give_back(begun.table);
        Ok(value)
    }

    /// Puts what precedes the launch behind the nodes; what there is of it.
    fn send_carry(
        &self,
        launch: &Launch<'_, Array>,
        begun: &PendingScan,
        carry: &Spine,
    ) -> Result<usize> {
        let Cut { tiling, leaves, .. } = &begun.cut;
        let (layout, ty) = (layout(&self.gpu, launch)?, launch.kernel.result_ty());
        let Carried { values, flags } = tiling.carried(launch.phases, carry)?;
        for (place, value) in &values {
            let Some(bytes) = value.bytes(layout) else {
                continue;
            };
            let bytes = Conversion::of(ty).to_device(bytes).map_err(|why| {
                let what = "what precedes the elements".to_owned();
                why.into_error(|| narrow(&self.gpu, launch.kernel, what))
            })?;
            let at = (2 * leaves + place) * stored_bytes(ty);
            self.gpu.scoped("launch", 0, |_, queue| {
                queue.write_buffer(&begun.table, at, &bytes);
            })?;
        }
        Ok(flags)
    }

    fn status_of(&self, begun: &PendingScan) -> Option<(&Buffer, u32)> {
        let (number, at) = begun.words?;
        Some((self.status.buffer(number)?, at as u32))
    }
}
