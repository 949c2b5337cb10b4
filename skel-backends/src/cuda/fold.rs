//! Folds: blocks give partials, one block makes one value of them.

use super::{
    device::{CudaGpu, Pending},
    launch::{Extra, Numbers, Stage, spread},
    memory::{Array, Chunk, Piece},
    module::Compiled,
    partial::Places,
    streams::Queued,
};
use crate::device::Launch;
use skel_core::{Result, frame::Partial};

/// Elements that a lane folds at least, before more blocks are taken; usually.
pub(super) const LEAST_PER_LANE: u32 = 8;

/// Blocks for each multiprocessor: as many as it works on at once.
const BLOCKS_EACH: usize = 8;

/// A value on its way to the host.
#[derive(Debug)]
pub struct Value {
    chunk: Chunk,
    places: Places,
}

impl CudaGpu {
    /// Queues a fold.
    pub(super) fn fold(
        &mut self,
        queue: usize,
        kernel: &Compiled,
        launch: &Launch<'_, Array>,
        status: Option<&Piece>,
    ) -> Result<Pending> {
        let places = self.places(launch)?;
        let [groups, finish] = &kernel.prepared.sources[..] else {
            return Err(self.gpu.failed("launch", "a fold has two stages"));
        };
        let most = self.multiprocessors * BLOCKS_EACH;
        let least = kernel.prepared.form.block.elems_per_lane as usize;
        let (blocks, per_lane) = spread(&launch.range, groups.lanes, least, most);
        let size = places.device_bytes as u64;
        // The partials, and behind them the value.
        let partials = self
            .pool
            .take(&mut self.streams, u64::from(blocks) * size)?;
        let extra = Extra {
            partials: Some(&partials),
            status,
            ..Extra::default()
        };
        let numbers = Numbers {
            count: launch.range.len() as u64,
            per_lane,
            ..Numbers::default()
        };
        let first = Stage {
            number: 0,
            blocks,
            numbers,
            extra,
        };
        self.stage(queue, kernel, launch, &first)?;
        if blocks == 1 {
            return self.value(queue, &partials, 0, places).map(Pending::Value);
        }
        let result = self.pool.take(&mut self.streams, size)?;
        let numbers = Numbers {
            count: u64::from(blocks),
            per_lane: u64::from(blocks.div_ceil(finish.lanes)),
            ..Numbers::default()
        };
        let extra = Extra {
            gathered: Some(&partials),
            partials: Some(&result),
            status,
            ..Extra::default()
        };
        let second = Stage {
            number: 1,
            blocks: 1,
            numbers,
            extra,
        };
        self.stage(queue, kernel, launch, &second)?;
        self.value(queue, &result, 0, places).map(Pending::Value)
    }

    /// How the values of a fold or scan lie.
    pub(super) fn places(&self, launch: &Launch<'_, Array>) -> Result<Places> {
        let layout = launch.phases.partial_layout();
        let layout = layout.ok_or_else(|| self.gpu.failed("launch", "the plan has no partials"))?;
        Ok(Places::new(layout, launch.kernel.result_ty()))
    }

    /// Queues the copy of a value to the host.
    pub(super) fn value(
        &mut self,
        queue: usize,
        piece: &Piece,
        at_bytes: u64,
        places: Places,
    ) -> Result<Value> {
        let mut chunk = self.staging.take(&mut self.streams, places.device_bytes)?;
        let (after, from) = (piece.before_read(), piece.address() + at_bytes);
        let queued: Queued = chunk.receive(&mut self.streams, queue, &after, from)?;
        piece.reads(queued);
        Ok(Value { chunk, places })
    }

    /// Waits for a value.
    pub(super) fn landed(&mut self, mut value: Value) -> Result<Partial> {
        let layout = value.places.layout;
        let bytes = value.places.to_host(value.chunk.bytes(&mut self.streams)?);
        if !layout.is_valid(&bytes) {
            let message = "its result is no value of its type";
            return Err(self.gpu.failed("reduction", message));
        }
        Ok(Partial::from_bytes(layout, &bytes))
    }
}
