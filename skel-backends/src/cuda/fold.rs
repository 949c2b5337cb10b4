//! Folds: a value of each leaf of tiles, and the nodes of the tree over them.

use super::{
    device::{CudaGpu, Pending},
    launch::{Extra, NodeNumbers, Numbers, Stage},
    memory::{Array, Chunk, Piece},
    module::Compiled,
    partial::Places,
    streams::Queued,
};
use crate::{device::Launch, tiling::Tiling};
use skel_core::{
    Result,
    frame::{Partial, Spine},
};

/// Elements that a lane folds at least, before more blocks are taken; usually.
pub(super) const LEAST_PER_LANE: u32 = 8;

/// What a launch comes to, on its way to the host.
#[derive(Debug)]
pub struct Value {
    chunk: Chunk,
    places: Places,
    /// Of a fold: whose nodes they are, and of how many leaves.
    nodes: Option<(Tiling, u64)>,
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
        let [first, above] = &kernel.prepared.sources[..] else {
            return Err(self.gpu.failed("launch", "a fold has two stages"));
        };
        let (kind, most_level) = (launch.kernel.kind, first.of_block.ilog2());
        let tiling = Tiling::new(launch.kernel, &launch.space, &launch.range, most_level);
        let leaves = launch.range.len().div_ceil(tiling.leaf_elems(kind)) as u64;
        let size = places.device_bytes as u64;
        let len_bytes = tiling.places(leaves) * size;
        let table = self.pool.take(&mut self.streams, len_bytes)?;
        let nodes = NodeNumbers {
            level: u64::from(tiling.level),
            width: tiling.width(kind) as u64,
            first_leaf: tiling.first,
            leaves,
            to_leaf: 0,
        };
        let extra = Extra {
            partials: Some(&table),
            status,
            ..Extra::default()
        };
        let stage = |number: usize, blocks: u64, nodes: NodeNumbers| Stage {
            number,
            // No device has memory for more.
            blocks: u32::try_from(blocks).unwrap_or(u32::MAX),
            numbers: Numbers {
                count: launch.range.len() as u64,
                nodes,
                ..Numbers::default()
            },
            extra,
        };
        self.stage(queue, kernel, launch, &stage(0, leaves, nodes))?;
        if leaves == 1 {
            let value = self.values(queue, &table, 0, places, Some((tiling, leaves)))?;
            return Ok(Pending::Value(value));
        }
        for pass in tiling.passes(leaves, above.of_block.ilog2()) {
            let nodes = NodeNumbers {
                level: u64::from(pass.level),
                to_leaf: pass.to_leaf,
                ..nodes
            };
            self.stage(queue, kernel, launch, &stage(1, pass.groups, nodes))?;
        }
        let listed = 2 * leaves * size;
        let value = self.values(queue, &table, listed, places, Some((tiling, leaves)))?;
        Ok(Pending::Value(value))
    }

    /// How the values of a fold or scan lie.
    pub(super) fn places(&self, launch: &Launch<'_, Array>) -> Result<Places> {
        let layout = launch.phases.partial_layout();
        let layout = layout.ok_or_else(|| self.gpu.failed("launch", "the plan has no partials"))?;
        Ok(Places::new(layout, launch.kernel.result_ty()))
    }

    /// Queues the copy of what a scan's part comes to.
    pub(super) fn value(
        &mut self,
        queue: usize,
        piece: &Piece,
        at_bytes: u64,
        places: Places,
    ) -> Result<Value> {
        self.values(queue, piece, at_bytes, places, None)
    }

    /// Queues the copy of a value to the host, or of the nodes of a fold.
    fn values(
        &mut self,
        queue: usize,
        piece: &Piece,
        at_bytes: u64,
        places: Places,
        nodes: Option<(Tiling, u64)>,
    ) -> Result<Value> {
        let count = nodes.map_or(1, |(tiling, leaves)| tiling.count(leaves));
        let len_bytes = count * places.device_bytes;
        let mut chunk = self.staging.take(&mut self.streams, len_bytes)?;
        let (after, from) = (piece.before_read(), piece.address() + at_bytes);
        let queued: Queued = chunk.receive(&mut self.streams, queue, &after, from)?;
        piece.reads(queued);
        Ok(Value {
            chunk,
            places,
            nodes,
        })
    }

    /// Waits for what a launch comes to.
    pub(super) fn landed(&mut self, mut value: Value) -> Result<Spine> {
        let places = &value.places;
        let (layout, each) = (places.layout, places.device_bytes);
        let all = value.chunk.bytes(&mut self.streams)?.chunks(each.max(1));
        let values = all.map(|bytes| {
            let bytes = places.to_host(bytes);
            let fits = layout.is_valid(&bytes);
            fits.then(|| Partial::from_bytes(layout, &bytes))
        });
        let Some(values) = values.collect::<Option<Vec<Partial>>>() else {
            let message = "its result is no value of its type";
            return Err(self.gpu.failed("reduction", message));
        };
        Ok(match value.nodes {
            Some((tiling, leaves)) => tiling.spine(leaves, &values),
            None => Spine::lump(values.first().copied().unwrap_or(Partial::NONE)),
        })
    }
}
