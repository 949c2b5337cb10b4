//! Folds: groups give partials, one group makes one value of them.

use super::{
    cache::Compiled,
    chunk,
    convert::Conversion,
    gpu::{Gpu, Mapping, map},
    launch::{Blocks, Dispatch, Extra, Numbers, Recorder},
    limits::Limits,
    memory::Array,
};
use crate::{codegen::wgsl::stored_bytes, device::Launch};
use skel_core::{
    Error, Result,
    frame::{ElementLayout, MAX_PARTIAL_BYTES, Partial},
    ir::Ty,
    plan::BlockConfig,
};
use wgpu::{Buffer, BufferUsages};

/// Groups of one chunk, at most: enough to fill a large GPU several times over.
const MOST_GROUPS: usize = 2048;

/// Elements that a lane folds at least, before more groups are taken; usually.
pub(super) const LEAST_PER_LANE: u32 = 8;

/// Bytes of the largest value on the device, where each of its scalars has 4 at least.
const MOST_VALUE_BYTES: u64 = 4 * MAX_PARTIAL_BYTES as u64;

/// A value on its way to the host.
#[derive(Debug)]
pub struct Value {
    pub(super) buffer: Buffer,
    pub(super) mapping: Mapping,
    pub(super) ty: Ty,
    pub(super) layout: ElementLayout,
}

/// Buffers that folds use and leave to the next one; in the queue's order that is safe.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    partials: Option<Buffer>,
    result: Option<Buffer>,
    /// Read already, to be used again.
    readable: Vec<Buffer>,
}

impl Scratch {
    fn partials(&mut self, gpu: &Gpu, len_bytes: u64) -> Result<Buffer> {
        match &self.partials {
            Some(buffer) if buffer.size() >= len_bytes => Ok(buffer.clone()),
            _ => {
                let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
                let buffer = gpu.buffer("partials", len_bytes, usage)?;
                Ok(self.partials.insert(buffer).clone())
            }
        }
    }

    fn result(&mut self, gpu: &Gpu) -> Result<Buffer> {
        match &self.result {
            Some(buffer) => Ok(buffer.clone()),
            None => {
                let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
                Ok(self
                    .result
                    .insert(gpu.buffer("fold result", MOST_VALUE_BYTES, usage)?)
                    .clone())
            }
        }
    }

    /// A buffer for a value to be read.
    pub(super) fn readable(&mut self, gpu: &Gpu) -> Result<Buffer> {
        match self.readable.pop() {
            Some(buffer) => Ok(buffer),
            None => gpu.buffer(
                "fold value",
                MOST_VALUE_BYTES,
                BufferUsages::MAP_READ | BufferUsages::COPY_DST,
            ),
        }
    }

    /// Waits for the value.
    pub(super) fn partial(&mut self, gpu: &Gpu, value: Value) -> Result<Partial> {
        let Value {
            buffer,
            mapping,
            ty,
            layout,
        } = value;
        let value = gpu.read("reduction", &buffer, stored_bytes(&ty), mapping, |bytes| {
            let bytes = Conversion::of(&ty).to_host(bytes)?;
            let fits = bytes.len() == layout.size_bytes() && layout.is_valid(&bytes);
            Ok::<_, Error>(fits.then(|| Partial::from_bytes(layout, &bytes)))
        })??;
        self.readable.push(buffer);
        value.ok_or_else(|| gpu.failed("reduction", format!("its result is no value of type {ty}")))
    }
}

/// How a chunk of `count` elements is spread over groups: their number, and elements per lane.
pub(super) fn spread(count: usize, block: BlockConfig, most_groups: usize) -> (usize, usize) {
    let (lanes, least) = (block.lanes as usize, block.elems_per_lane as usize);
    let groups = count.div_ceil(lanes * least).clamp(1, most_groups);
    let per_lane = count.div_ceil(lanes * groups);
    (count.div_ceil(lanes * per_lane), per_lane)
}

/// Queues a fold.
pub(super) fn launch(
    gpu: &Gpu,
    limits: &Limits,
    blocks: &Blocks,
    scratch: &mut Scratch,
    kernel: &Compiled,
    launch: &Launch<'_, Array>,
    status: Option<(&Buffer, u32)>,
) -> Result<Value> {
    let ty = launch.kernel.result_ty().clone();
    let Some(layout) = launch.phases.partial_layout() else {
        return Err(gpu.failed("launch", "the plan has no partials"));
    };
    let block = kernel.prepared.block;
    let most_groups = MOST_GROUPS.min(limits.groups as usize);
    let chunks = chunk::chunks(limits, launch, usize::MAX);
    let spreads: Vec<(usize, usize)> = chunks
        .iter()
        .map(|chunk| spread(chunk.len(), block, most_groups))
        .collect();
    let slots: usize = spreads.iter().map(|(groups, _)| groups).sum();

    let size = stored_bytes(&ty);
    if slots as u64 * size > limits.binding_bytes.min(limits.buffer_bytes) {
        return Err(Error::OutOfMemory {
            device: gpu.name.clone(),
            needed_bytes: slots as u64 * size,
            available_bytes: limits.binding_bytes.min(limits.buffer_bytes),
        });
    }
    let partials = scratch.partials(gpu, slots as u64 * size)?;
    let result = scratch.result(gpu)?;
    let readable = scratch.readable(gpu)?;
    let (status, status_at) = status.map_or((None, 0), |(buffer, at)| (Some(buffer), at));

    let mut recorder = Recorder::new(gpu, limits, blocks);
    let mut slot = 0;
    for (chunk, &(groups, per_lane)) in chunks.iter().zip(&spreads) {
        let numbers = Numbers {
            count: chunk.len() as u32,
            first: (chunk.start - launch.range.start) as u32,
            status: status_at,
            per_lane: per_lane as u32,
            slot,
            ..Numbers::default()
        };
        let extra = Extra {
            partials: Some(&partials),
            status,
            ..Extra::default()
        };
        let groups = (groups as u32, 1);
        recorder.dispatch(
            kernel,
            launch,
            Dispatch {
                stage: 0,
                chunk,
                numbers,
                extra,
                groups,
            },
        )?;
        slot += groups.0;
    }
    let mut total = &partials;
    if slots > 1 {
        let numbers = Numbers {
            count: slot,
            status: status_at,
            per_lane: slots.div_ceil(block.lanes as usize) as u32,
            ..Numbers::default()
        };
        let extra = Extra {
            gathered: Some(&partials),
            partials: Some(&result),
            status,
        };
        let dispatch = Dispatch {
            stage: 1,
            chunk: &launch.range,
            numbers,
            extra,
            groups: (1, 1),
        };
        recorder.dispatch(kernel, launch, dispatch)?;
        total = &result;
    }
    recorder.copy(total, 0, &readable, size)?;
    let submission = recorder.submit()?;
    let mapping = gpu.scoped("reduction", 0, |_, _| map(&readable, size, submission))?;
    Ok(Value {
        buffer: readable,
        mapping,
        ty,
        layout,
    })
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn every_element_has_a_lane_and_every_group_an_element() {
        for count in [1, 2, 63, 64, 65, 512, 513, 5000, 1 << 20] {
            for (lanes, elems_per_lane, most) in [(64, 8, 2048), (256, 32, 4), (1, 1, 3)] {
                let block = BlockConfig {
                    lanes,
                    elems_per_lane,
                };
                let (groups, per_lane) = spread(count, block, most);
                let lanes = lanes as usize;
                assert!(groups * lanes * per_lane >= count, "{count} {lanes} {most}");
                assert!(
                    (groups - 1) * lanes * per_lane < count,
                    "{count} {lanes} {most}"
                );
                assert!(groups <= most);
            }
        }
    }
}
