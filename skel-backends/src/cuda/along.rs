//! Folds of rows and columns: elementwise launches that keep nodes of the tree over each value's leaves.

use super::{
    device::{BLOCKS_EACH, CudaGpu},
    launch::{Extra, Stage},
    memory::{Array, PooledMemory},
    module::Compiled,
};
use crate::{
    along::{Leaves, Most},
    codegen::cuda::padded_bytes,
    device::Launch,
    numbers::{NodeNumbers, Numbers},
};
use skel_core::{Error, Result, space::Along};

/// Threads of a multiprocessor, and blocks of rows, that keep it busy.
const THREADS_EACH: usize = 2048;
const GROUPS_EACH: usize = 16;

/// Bytes of nodes for which fewer spans are taken instead.
const MOST_TABLE_BYTES: usize = 64 << 20;

impl CudaGpu {
    /// Queues the folds of a launch.
    pub(super) fn along(
        &mut self,
        queue: usize,
        kernel: &Compiled,
        launch: &Launch<'_, Array>,
        status: Option<&PooledMemory>,
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
        let sources = &kernel.prepared.sources;
        let source = usize::from(leaves.by_lanes);
        let values = launch.range.len();
        let rows_log2 = leaves.rows_log2(sources[source].of_block, values);
        let node_bytes = padded_bytes(launch.kernel.result_ty());
        let most = self.most(&leaves, node_bytes);
        let (passes, nodes) = leaves.passes(values, most);
        let table_bytes = (nodes * node_bytes) as u64;
        let table = self.pool.take(&mut self.streams, table_bytes.max(1))?;
        for pass in passes {
            let (number, blocks) = match leaves.by_lanes && !pass.joining {
                true => (source, values.div_ceil(1 << rows_log2) * pass.spans),
                false => (0, (values * pass.spans).div_ceil(sources[0].lanes as usize)),
            };
            let blocks = blocks.clamp(1, self.multiprocessors * BLOCKS_EACH);
            let stage = Stage {
                number,
                blocks: u32::try_from(blocks).unwrap_or(u32::MAX),
                numbers: Numbers {
                    count: values,
                    along: Some(pass),
                    nodes: NodeNumbers {
                        level: rows_log2,
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
            self.stage(queue, kernel, launch, &stage)?;
        }
        Ok(())
    }

    /// The spans that keep the device busy, and whose nodes of so many bytes have room.
    fn most(&self, leaves: &Leaves, node_bytes: usize) -> Most {
        let each = match leaves.by_lanes {
            true => GROUPS_EACH,
            false => THREADS_EACH,
        };
        // Each has a few levels of nodes beside its own.
        let fit = MOST_TABLE_BYTES / 8 / node_bytes.max(1);
        Most {
            slots: fit.min(self.multiprocessors * each),
            span: usize::MAX,
        }
    }
}
