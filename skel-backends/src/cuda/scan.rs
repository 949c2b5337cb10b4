//! Scans whose nodes a later piece waits for: values of tiles and the nodes above them before the carry is known; then
//! the blocks.

use super::{
    device::{CudaGpu, Pending},
    fold::{Leaves, Value},
    launch::{Extra, Stage},
    memory::{Array, PooledMemory},
    module::Compiled,
    partial::Places,
};
use crate::{
    device::{Launch, Launched},
    numbers::Numbers,
    tiling::Carried,
};
use skel_core::{Result, frame::Spine};

/// A scan that waits for its carry.
#[derive(Debug)]
pub struct PendingScan {
    /// The nodes; behind them room for what precedes the launch, and for what is listed.
    pub(super) table: PooledMemory,
    pub(super) leaves: Leaves,
    /// How far its blocks will have come, if it is made in one pass.
    pub(super) states: Option<PooledMemory>,
    pub(super) queue: usize,
    /// The launch's status words, by number.
    pub(super) words: Option<u64>,
}

/// How a scan goes on.
pub(super) struct ScanContinuation<'a, 'l> {
    pub(super) kernel: &'a Compiled,
    pub(super) launch: &'a Launch<'l, Array>,
    pub(super) begun: &'a PendingScan,
    /// What precedes it.
    pub(super) carry: Spine,
    /// Whether the carry of what follows is asked for.
    pub(super) wanted: bool,
    pub(super) status: Option<&'a PooledMemory>,
}

impl CudaGpu {
    /// Queues the values of all tiles, and the nodes above them.
    pub(super) fn begin_scan(
        &mut self,
        queue: usize,
        kernel: &Compiled,
        launch: &Launch<'_, Array>,
        status: Option<&PooledMemory>,
    ) -> Result<PendingScan> {
        let places = self.places(launch)?;
        let leaves = Leaves::new(launch, 0);
        let len_bytes = leaves.tiling.places(leaves.count) * places.device_bytes as u64;
        let begun = PendingScan {
            table: self.pool.take(&mut self.streams, len_bytes)?,
            leaves,
            states: None,
            queue,
            words: None,
        };
        // Of a single tile, nothing but itself and what precedes it need be known.
        if leaves.count > 1 || launch.followed {
            self.nodes_of_scan(kernel, launch, &begun, status)?;
        }
        Ok(begun)
    }

    fn nodes_of_scan(
        &mut self,
        kernel: &Compiled,
        launch: &Launch<'_, Array>,
        begun: &PendingScan,
        status: Option<&PooledMemory>,
    ) -> Result<()> {
        let extra = Extra {
            partials: Some(&begun.table),
            status,
            ..Extra::default()
        };
        let level = kernel.prepared.sources[0].of_block.ilog2();
        self.leaves(begun.queue, kernel, launch, (&begun.leaves, extra), level)?;
        self.nodes(begun.queue, kernel, launch, (&begun.leaves, extra))
    }

    /// Queues the rest. What is wanted is copied before the blocks are scanned, so that no reader waits for
    /// the blocks; but for scans in one pass.
    pub(super) fn finish_scan(
        &mut self,
        kernel: &Compiled,
        launch: &Launch<'_, Array>,
        begun: PendingScan,
        carry: Spine,
        wanted: bool,
    ) -> Result<Launched<Pending>> {
        let noted = begun.words.and_then(|number| self.status.take(number));
        let rest = ScanContinuation {
            kernel,
            launch,
            begun: &begun,
            carry,
            wanted,
            status: noted.as_ref().map(|noted| &noted.words),
        };
        let result = match begun.states {
            None => self.finish_stages(rest),
            Some(_) => self.one_pass(rest),
        };
        if let (Some(number), Some(noted)) = (begun.words, noted) {
            self.status.put_back(number, noted);
        }
        Ok(Launched {
            pending: result?.map(|value| Pending::Value(Box::new(value))),
            traps: None,
        })
    }

    fn finish_stages(&mut self, rest: ScanContinuation<'_, '_>) -> Result<Option<Value>> {
        let ScanContinuation {
            kernel,
            launch,
            begun,
            carry,
            wanted,
            status,
        } = rest;
        let places = self.places(launch)?;
        let carried = self.send_carry(launch, begun, &carry, &places)?;
        let mut value = None;
        if wanted {
            if begun.leaves.count == 1 && !launch.followed {
                self.nodes_of_scan(kernel, launch, begun, status)?;
            }
            let from = (&begun.table, places);
            value = Some(self.values(begun.queue, launch, from, &begun.leaves, carry)?);
        }
        let stage = Stage {
            number: 2,
            blocks: u32::try_from(begun.leaves.count)
                .unwrap_or(u32::MAX)
                .div_ceil(kernel.prepared.sources[2].of_block),
            numbers: Numbers {
                count: launch.range.len(),
                carried,
                nodes: begun.leaves.numbers(launch.kernel.grouping),
                ..Numbers::default()
            },
            extra: Extra {
                gathered: Some(&begun.table),
                status,
                ..Extra::default()
            },
        };
        self.stage(begun.queue, kernel, launch, &stage)?;
        Ok(value)
    }

    /// Queues the copy of what precedes a scan, if anything does, to behind the nodes; and says what there is.
    pub(super) fn send_carry(
        &mut self,
        launch: &Launch<'_, Array>,
        begun: &PendingScan,
        carry: &Spine,
        places: &Places,
    ) -> Result<usize> {
        let Leaves { tiling, count } = begun.leaves;
        let Carried { values, flags } = tiling.carried(launch.phases, carry)?;
        let Some(last) = values.iter().map(|(place, _)| place).max() else {
            return Ok(0);
        };
        let size = places.device_bytes;
        let mut bytes = vec![0; (*last as usize + 1) * size];
        for (place, value) in &values {
            if let Some(value) = value.bytes(places.layout) {
                let at = *place as usize * size;
                bytes[at..at + size].copy_from_slice(&places.to_device(value));
            }
        }
        let mut chunk = self.staging.take(&mut self.streams, bytes.len())?;
        let (after, to) = (
            begun.table.before_write(),
            begun.table.address() + 2 * count * size as u64,
        );
        let queued = chunk.send(&mut self.streams, begun.queue, &after, &bytes, to)?;
        begun.table.writes(queued);
        Ok(flags)
    }
}
