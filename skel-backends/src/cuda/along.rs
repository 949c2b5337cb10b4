//! Folds of rows and columns: elementwise launches that keep nodes of the tree over each value's leaves.

use super::{
    device::{BLOCKS_EACH, CudaGpu},
    launch::{Extra, NodeNumbers, Numbers, Stage},
    memory::{Array, Piece},
    module::Compiled,
};
use crate::{along::Leaves, codegen::cuda::padded_bytes, device::Launch};
use skel_core::{Error, Result, space::Along};

impl CudaGpu {
    /// Queues the folds of a launch.
    pub(super) fn along(
        &mut self,
        queue: usize,
        kernel: &Compiled,
        launch: &Launch<'_, Array>,
        status: Option<&Piece>,
        along: Along,
    ) -> Result<()> {
        let leaves = Leaves::new(launch.kernel, along);
        if let (true, Some(reason)) = (leaves.by_lanes, &kernel.prepared.no_rows) {
            return Err(Error::Unsupported {
                unit: self.gpu.name().to_owned(),
                instance: launch
                    .kernel
                    .program
                    .function(launch.kernel.map)
                    .name
                    .into(),
                reason: reason.clone(),
            });
        }
        let number = usize::from(leaves.by_lanes);
        let source = &kernel.prepared.sources[number];
        let rows_log2 = leaves.rows_log2(source.of_block, launch.range.len());
        let values_per_block = match leaves.by_lanes {
            true => 1 << rows_log2,
            false => source.lanes as usize,
        };
        let count = launch.range.len();
        let blocks = count.div_ceil(values_per_block);
        let blocks = blocks.clamp(1, self.multiprocessors * BLOCKS_EACH);
        let node_bytes = padded_bytes(launch.kernel.result_ty());
        let len_bytes = (count * node_bytes) as u64 * u64::from(leaves.levels());
        let table = self.pool.take(&mut self.streams, len_bytes.max(1))?;
        let stage = Stage {
            number,
            blocks: u32::try_from(blocks).unwrap_or(u32::MAX),
            numbers: Numbers {
                count: count as u64,
                leaves: Some(leaves),
                nodes: NodeNumbers {
                    level: u64::from(rows_log2),
                    ..NodeNumbers::default()
                },
                ..Numbers::default()
            },
            extra: Extra {
                partials: Some(&table),
                status,
                ..Extra::default()
            },
        };
        self.stage(queue, kernel, launch, &stage).map(|_| ())
    }
}
