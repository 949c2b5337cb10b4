//! Scans whose nodes no later piece waits for: one kernel, which reads every element once, where three read
//! them twice.
//!
//! Its blocks use decoupled look-back, see `codegen/templates/cuda/scan_look_back.cu`. Values of nodes lie in a table as
//! in three passes, with a state each. Behind it there is room for what precedes the launch; for nodes that lie astride
//! its beginning, by level; and for what all comes to.

use super::{
    device::CudaGpu,
    fold::{Leaves, Value},
    launch::{Extra, Stage},
    memory::Array,
    module::Compiled,
    scan::{PendingScan, ScanContinuation},
};
use crate::{device::Launch, numbers::Numbers};
use skel_core::Result;

/// Where the value of all lies behind the table, as the kernel knows as well.
const TOTAL: u64 = 129;

/// What the kernel is told besides what precedes it: that its total is wanted.
const WANTS_TOTAL: usize = 4;

impl CudaGpu {
    /// Queues what can be done without the carry: no block has come anywhere.
    pub(super) fn begin_one_pass(
        &mut self,
        queue: usize,
        kernel: &Compiled,
        launch: &Launch<'_, Array>,
    ) -> Result<PendingScan> {
        let size = self.places(launch)?.device_bytes as u64;
        let leaves = Leaves::new(launch, kernel.prepared.sources[0].of_block.ilog2());
        let places = 2 * leaves.count + TOTAL + 1;
        let table = self.pool.take(&mut self.streams, places * size)?;
        // One more counts the blocks that have begun.
        let len_bytes = (places as usize + 1) * size_of::<u32>();
        let states = self.pool.take(&mut self.streams, len_bytes as u64)?;
        let before = states.before_write();
        let queued = self.streams.queue(queue, &before, |stream| {
            stream.fill(states.address(), 0, len_bytes)
        })?;
        states.writes(queued);
        Ok(PendingScan {
            table,
            leaves,
            states: Some(states),
            queue,
            words: None,
        })
    }

    /// Queues the rest, and behind it the copy of what is wanted.
    pub(super) fn one_pass(&mut self, rest: ScanContinuation<'_, '_>) -> Result<Option<Value>> {
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
        let count = begun.leaves.count;
        let stage = Stage {
            number: 0,
            blocks: u32::try_from(count).unwrap_or(u32::MAX),
            numbers: Numbers {
                count: launch.range.len(),
                carried: carried + if wanted { WANTS_TOTAL } else { 0 },
                nodes: begun.leaves.numbers(launch.kernel.grouping),
                ..Numbers::default()
            },
            extra: Extra {
                partials: Some(&begun.table),
                states: begun.states.as_ref(),
                status,
                ..Extra::default()
            },
        };
        self.stage(begun.queue, kernel, launch, &stage)?;
        match wanted {
            true => {
                let from = (&begun.table, places);
                let value = self.total(begun.queue, launch, from, 2 * count + TOTAL)?;
                Ok(Some(value))
            }
            false => Ok(None),
        }
    }
}
