//! Scans whose totals no later piece waits for: one kernel, which reads every element once, where three read
//! them twice.
//!
//! Its blocks use decoupled look-back, see `codegen/templates/cuda/scan_one_pass.cu`. What it combines lies
//! in one piece of memory: a value of each block, the last one of which is the carry of what follows; and the
//! carry.

use super::{
    device::CudaGpu,
    fold::Value,
    launch::{Extra, Numbers, Stage},
    memory::Array,
    module::Compiled,
    scan::{PendingScan, ScanContinuation},
};
use crate::device::Launch;
use skel_core::Result;

impl CudaGpu {
    /// Queues what can be done without the carry: no block has come anywhere.
    pub(super) fn begin_one_pass(
        &mut self,
        queue: usize,
        kernel: &Compiled,
        launch: &Launch<'_, Array>,
    ) -> Result<PendingScan> {
        let size = self.places(launch)?.device_bytes as u64;
        let each = kernel.prepared.sources[0].elems_per_block();
        // No device has memory for more.
        let blocks = u32::try_from(launch.range.len().div_ceil(each)).unwrap_or(u32::MAX);
        let len_bytes = (u64::from(blocks) + 1) * size;
        let totals = self.pool.take(&mut self.streams, len_bytes)?;
        // One more counts the blocks that have begun.
        let len_bytes = (blocks as usize + 1) * size_of::<u32>();
        let states = self.pool.take(&mut self.streams, len_bytes as u64)?;
        let before = states.before_write();
        let queued = self.streams.queue(queue, &before, |stream| {
            stream.fill(states.address(), 0, len_bytes)
        })?;
        states.writes(queued);
        Ok(PendingScan {
            totals,
            states: Some(states),
            blocks,
            per_lane: 0,
            queue,
            words: None,
        })
    }

    /// Queues the rest, and behind it the copy of what is wanted.
    pub(super) fn one_pass(&mut self, rest: &ScanContinuation<'_, '_>) -> Result<Option<Value>> {
        let ScanContinuation {
            kernel,
            launch,
            begun,
            carry,
            wanted,
            status,
        } = rest;
        let places = self.places(launch)?;
        let (queue, blocks) = (begun.queue, u64::from(begun.blocks));
        let (size, totals) = (places.device_bytes as u64, &begun.totals);
        self.send_carry(queue, carry, &places, totals, blocks * size)?;
        let stage = Stage {
            number: 0,
            blocks: begun.blocks,
            numbers: Numbers {
                count: launch.range.len() as u64,
                carried: u64::from(!carry.is_none()),
                ..Numbers::default()
            },
            extra: Extra {
                partials: Some(totals),
                states: begun.states.as_ref(),
                status: *status,
                ..Extra::default()
            },
        };
        self.stage(queue, kernel, launch, &stage)?;
        match wanted {
            true => {
                let last = (blocks - 1) * size;
                self.value(queue, totals, last, places).map(Some)
            }
            false => Ok(None),
        }
    }
}
