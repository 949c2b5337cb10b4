//! Scans whose totals a later piece waits for: totals of blocks before the carry is known; then the prefix of
//! each block, and the blocks.

use super::{
    device::{CudaGpu, Pending},
    fold::Value,
    launch::{Extra, Numbers, Stage, spread},
    memory::{Array, Piece},
    module::Compiled,
    partial::Places,
};
use crate::device::{Launch, Launched, TrapWords};
use skel_core::{Result, frame::Partial};

/// Blocks, at most: each is short, so that neighbouring lanes read from the same lines, and one block can
/// combine the totals of all.
const MOST_BLOCKS: usize = 65_535;

/// A scan that waits for its carry.
#[derive(Debug)]
pub struct PendingScan {
    /// The total of each block; then room for the carry, and for that of what follows. In one pass, see there.
    pub(super) totals: Piece,
    /// How far its blocks will have come, if it is made in one pass.
    pub(super) states: Option<Piece>,
    pub(super) blocks: u32,
    pub(super) per_lane: u64,
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
    pub(super) carry: Partial,
    /// Whether the carry of what follows is asked for.
    pub(super) wanted: bool,
    pub(super) status: Option<&'a Piece>,
}

impl CudaGpu {
    /// Queues the totals of all blocks.
    pub(super) fn begin_scan(
        &mut self,
        queue: usize,
        kernel: &Compiled,
        launch: &Launch<'_, Array>,
        status: Option<&Piece>,
    ) -> Result<PendingScan> {
        let places = self.places(launch)?;
        let lanes = kernel.prepared.sources[0].lanes;
        let least = kernel.prepared.form.block.elems_per_lane as usize;
        let (blocks, per_lane) = spread(&launch.range, lanes, least, MOST_BLOCKS);
        let len_bytes = (u64::from(blocks) + 2) * places.device_bytes as u64;
        let totals = self.pool.take(&mut self.streams, len_bytes)?;
        let extra = Extra {
            partials: Some(&totals),
            status,
            ..Extra::default()
        };
        let numbers = Numbers {
            count: launch.range.len() as u64,
            per_lane,
            ..Numbers::default()
        };
        let stage = Stage {
            number: 0,
            blocks,
            numbers,
            extra,
        };
        self.stage(queue, kernel, launch, &stage)?;
        Ok(PendingScan {
            totals,
            states: None,
            blocks,
            per_lane,
            queue,
            words: None,
        })
    }

    /// Queues the rest. What is wanted is copied before the blocks are scanned, so that no reader waits for
    /// the blocks; but for scans in one pass.
    pub(super) fn finish_scan(
        &mut self,
        kernel: &Compiled,
        launch: &Launch<'_, Array>,
        begun: PendingScan,
        carry: Partial,
        wanted: bool,
    ) -> Result<Launched<Pending>> {
        // The words may have been read in between.
        let kept = begun.words.and_then(|n| Some((n, self.status.take(n)?)));
        let (number, noted) = match (kept, kernel.prepared.status_words) {
            (Some((number, noted)), _) => (Some(number), Some(noted)),
            (None, 0) => (None, None),
            (None, count) => (None, Some(self.reserve(begun.queue, launch.kernel, count)?)),
        };
        let rest = ScanContinuation {
            kernel,
            launch,
            begun: &begun,
            carry,
            wanted,
            status: noted.as_ref().map(|noted| &noted.words),
        };
        let result = match begun.states {
            None => self.finish_stages(&rest),
            Some(_) => self.one_pass(&rest),
        };
        let mut traps = None;
        match (number, noted) {
            (Some(number), Some(noted)) => self.status.put_back(number, noted),
            (None, Some(noted)) if result.is_ok() => {
                traps = Some(TrapWords(self.status.keep(noted)))
            }
            _ => {}
        }
        Ok(Launched {
            pending: result?.map(Pending::Value),
            traps,
        })
    }

    fn finish_stages(&mut self, rest: &ScanContinuation<'_, '_>) -> Result<Option<Value>> {
        let ScanContinuation {
            kernel,
            launch,
            carry,
            status,
            ..
        } = rest;
        let status = *status;
        let PendingScan {
            ref totals,
            blocks,
            per_lane,
            queue,
            ..
        } = *rest.begun;
        let places = self.places(launch)?;
        let size = places.device_bytes as u64;
        let behind = u64::from(blocks) * size;
        self.send_carry(queue, carry, &places, totals, behind)?;
        let carried = u64::from(!carry.is_none());
        let carries = Stage {
            number: 1,
            blocks: 1,
            numbers: Numbers {
                count: u64::from(blocks),
                per_lane: u64::from(blocks.div_ceil(kernel.prepared.sources[1].lanes)),
                carried,
                ..Numbers::default()
            },
            extra: Extra {
                partials: Some(totals),
                status,
                ..Extra::default()
            },
        };
        self.stage(queue, kernel, launch, &carries)?;
        let value: Option<Value> = match rest.wanted {
            true => Some(self.value(queue, totals, behind + size, places)?),
            false => None,
        };
        let scanned = Stage {
            number: 2,
            blocks,
            numbers: Numbers {
                count: launch.range.len() as u64,
                per_lane,
                carried,
                ..Numbers::default()
            },
            extra: Extra {
                gathered: Some(totals),
                status,
                ..Extra::default()
            },
        };
        self.stage(queue, kernel, launch, &scanned)?;
        Ok(value)
    }

    /// Queues the copy of what precedes a scan, if anything does.
    pub(super) fn send_carry(
        &mut self,
        queue: usize,
        carry: &Partial,
        places: &Places,
        piece: &Piece,
        at_bytes: u64,
    ) -> Result<()> {
        let Some(bytes) = carry.bytes(places.layout) else {
            return Ok(());
        };
        let bytes = places.to_device(bytes);
        let mut chunk = self.staging.take(&mut self.streams, bytes.len())?;
        let (after, to) = (piece.before_write(), piece.address() + at_bytes);
        let queued = chunk.send(&mut self.streams, queue, &after, &bytes, to)?;
        piece.writes(queued);
        Ok(())
    }
}
