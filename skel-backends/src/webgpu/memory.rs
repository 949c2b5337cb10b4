//! Arrays and transfers.

use super::{
    convert::Conversion,
    gpu::{Gpu, Mapping},
    limits::Limits,
    pool::Pool,
};
use crate::codegen::wgsl::stored_bytes;
use skel_core::{
    Error, Result,
    frame::{View, ViewOut},
    ir::{TrapKind, Ty},
};
use std::ops::Range;
use wgpu::{Buffer, BufferUsages};

/// Bytes that one step of a transfer moves: large enough to hide what a step costs, small enough
/// that the next step's copy overlaps it and that little host memory is held.
pub(super) const STEP_BYTES: u64 = 16 << 20;

/// Segments begin at multiples of this many elements, so that what lies side by side in several
/// arrays can be bound side by side.
const SEGMENT_ELEMS: usize = 256;

/// The elements of one container: one buffer, or several where one would be too large.
#[derive(Debug)]
pub struct Array {
    pub(super) ty: Ty,
    conversion: Conversion,
    pub(super) window: Range<usize>,
    /// Elements of each segment but the last.
    segment_elems: usize,
    segments: Vec<Buffer>,
    /// Where they go.
    pool: Pool,
}

impl Drop for Array {
    fn drop(&mut self) {
        for segment in self.segments.drain(..) {
            self.pool.give(segment);
        }
    }
}

/// Elements of type `ty` that lie in one buffer of an array, at most.
pub(super) fn segment_elems(buffer_bytes: u64, ty: &Ty) -> usize {
    let fit = usize::try_from(buffer_bytes / stored_bytes(ty)).unwrap_or(usize::MAX);
    match fit - fit % SEGMENT_ELEMS {
        0 => fit.max(1),
        elems => elems,
    }
}

impl Array {
    /// Room for elements `window`.
    pub(super) fn new(
        gpu: &Gpu,
        limits: &Limits,
        pool: &Pool,
        ty: &Ty,
        window: Range<usize>,
    ) -> Result<Array> {
        let size = stored_bytes(ty);
        let segment_elems = segment_elems(limits.buffer_bytes, ty);
        let mut left = window.len();
        // What has been taken goes back if the rest cannot be had.
        let mut array = Array {
            ty: ty.clone(),
            conversion: Conversion::of(ty),
            window,
            segment_elems,
            segments: Vec::new(),
            pool: pool.clone(),
        };
        if left == 0 {
            // Something that can be bound, of a container read at random that has nothing in it.
            let bytes = size.next_multiple_of(16);
            array.segments.push(pool.take(gpu, limits, bytes)?);
        }
        while left > 0 {
            let elems = left.min(segment_elems);
            let bytes = elems as u64 * size;
            array.segments.push(pool.take(gpu, limits, bytes)?);
            left -= elems;
        }
        Ok(array)
    }

    /// The bytes of all elements, if they lie in one buffer; what is bound of it.
    pub(super) fn bound_bytes(&self) -> u64 {
        let size = stored_bytes(&self.ty);
        (self.window.len() as u64 * size).max(size.next_multiple_of(16))
    }

    /// The buffer that holds `element`, the byte in it where the element begins, and the first
    /// element behind the buffer.
    pub(super) fn locate(&self, element: usize) -> (&Buffer, u64, usize) {
        let at = element - self.window.start;
        let (segment, within) = (at / self.segment_elems, at % self.segment_elems);
        let end = self.window.start + (segment + 1) * self.segment_elems;
        (
            &self.segments[segment],
            within as u64 * stored_bytes(&self.ty),
            end.min(self.window.end),
        )
    }

    /// `elements` as steps of a transfer.
    fn steps(&self, elements: Range<usize>, step_bytes: u64) -> Vec<Step<'_>> {
        let size = stored_bytes(&self.ty);
        let most = usize::try_from(step_bytes / size)
            .unwrap_or(usize::MAX)
            .max(1);
        let mut steps = Vec::new();
        let mut start = elements.start;
        while start < elements.end {
            let (buffer, offset, end) = self.locate(start);
            let end = end.min(elements.end).min(start + most);
            steps.push(Step {
                buffer,
                offset,
                elements: start..end,
                len_bytes: (end - start) as u64 * size,
            });
            start = end;
        }
        steps
    }
}

struct Step<'a> {
    buffer: &'a Buffer,
    offset: u64,
    elements: Range<usize>,
    len_bytes: u64,
}

/// Two buffers that downloads go through in turn; kept, since making one costs more than using it.
#[derive(Debug, Default)]
pub(super) struct Staging {
    buffers: [Option<Buffer>; 2],
}

impl Staging {
    fn get(&mut self, gpu: &Gpu, turn: usize, len_bytes: u64) -> Result<Buffer> {
        let place = &mut self.buffers[turn % 2];
        match place {
            Some(buffer) if buffer.size() >= len_bytes => Ok(buffer.clone()),
            _ => {
                let usage = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
                let buffer = gpu.buffer("download", len_bytes, usage)?;
                Ok(place.insert(buffer).clone())
            }
        }
    }
}

/// A value that the device has no room for: the call's fault, and not the device's.
fn too_wide(gpu: &Gpu) -> Error {
    Error::Unsupported {
        unit: gpu.name.clone(),
        instance: "a container".into(),
        reason: TrapKind::Narrow.message().into(),
    }
}

/// Host to device.
pub(super) fn upload(gpu: &Gpu, to: &Array, from: View<'_>) -> Result<()> {
    for step in to.steps(from.window(), STEP_BYTES) {
        let host = from.narrow(step.elements);
        let bytes = to
            .conversion
            .to_device(host.bytes())
            .map_err(|why| why.into_error(|| too_wide(gpu)))?;
        let submission = gpu.scoped("upload", step.len_bytes, |_, queue| {
            queue.write_buffer(step.buffer, step.offset, &bytes);
            // Begins now, so that copying the next step overlaps it.
            queue.submit([])
        })?;
        gpu.submitted(submission, step.len_bytes)?;
    }
    Ok(())
}

/// Device to host.
pub(super) fn download(
    gpu: &Gpu,
    limits: &Limits,
    staging: &mut Staging,
    from: &Array,
    to: ViewOut<'_>,
) -> Result<()> {
    let done = download_by(gpu, limits, staging, from, to);
    if done.is_err() {
        // One of them may still be mapped, or be about to be.
        *staging = Staging::default();
    }
    done
}

fn download_by(
    gpu: &Gpu,
    limits: &Limits,
    staging: &mut Staging,
    from: &Array,
    to: ViewOut<'_>,
) -> Result<()> {
    let steps = from.steps(to.window(), STEP_BYTES.min(limits.buffer_bytes));
    let mut rest = to;
    let mut flying: Option<(&Step<'_>, Buffer, Mapping)> = None;
    for (turn, step) in steps.iter().enumerate() {
        let buffer = staging.get(gpu, turn, step.len_bytes)?;
        let copy = [(step.buffer, step.offset, step.len_bytes)];
        let mapping = gpu.copy_out("download", &copy, &buffer)?;
        if let Some(landed) = flying.replace((step, buffer, mapping)) {
            land(gpu, &from.conversion, landed, &mut rest)?;
        }
    }
    if let Some(landed) = flying {
        land(gpu, &from.conversion, landed, &mut rest)?;
    }
    Ok(())
}

/// Device to device.
pub(super) fn copy(gpu: &Gpu, from: &Array, to: &Array, elements: Range<usize>) -> Result<()> {
    let size = stored_bytes(&from.ty);
    let submission = gpu.scoped("copy", 0, |device, queue| {
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut start = elements.start;
        while start < elements.end {
            let (source, source_at, source_end) = from.locate(start);
            let (target, target_at, target_end) = to.locate(start);
            let end = elements.end.min(source_end).min(target_end);
            let len_bytes = (end - start) as u64 * size;
            encoder.copy_buffer_to_buffer(source, source_at, target, target_at, len_bytes);
            start = end;
        }
        queue.submit([encoder.finish()])
    })?;
    gpu.submitted(submission, 0)
}

/// Copies a step's bytes to where they belong, at the beginning of `rest`.
fn land(
    gpu: &Gpu,
    conversion: &Conversion,
    (step, buffer, mapping): (&Step<'_>, Buffer, Mapping),
    rest: &mut ViewOut<'_>,
) -> Result<()> {
    let mut piece = rest.take_front(step.elements.end);
    gpu.read("download", &buffer, step.len_bytes, mapping, |bytes| {
        let bytes = conversion.to_host(bytes)?;
        Ok(piece.copy_from_bytes(&bytes))
    })??
    .map_err(|error| gpu.failed("download", error.to_string()))
}
