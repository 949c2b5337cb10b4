//! Uploads and downloads, and copies on the device.
//!
//! Large transfers go in steps, each through a chunk of page-locked memory, so that the host fills or empties
//! one while others are on their way.

use super::{
    array::Array,
    staging::{Chunk, STEP_BYTES, Staging},
};
use crate::cuda::streams::{Queued, Streams};
use skel_core::{
    Result,
    frame::{InvalidBytes, View, ViewOut},
    host_memory,
};
use std::{collections::VecDeque, ops::Range};

/// Steps of a download that are on their way at once.
const FLYING: usize = 4;

/// Host to device. Returns when the host memory was read; the device may not have it yet.
pub(in crate::cuda) fn upload(
    streams: &mut Streams,
    staging: &Staging,
    to: &Array,
    from: View<'_>,
) -> Result<()> {
    let mut address = to.address_of(from.window().start);
    let (queue, bytes) = (streams.uploads(), to.bytes_of(from.window()));
    let mut after = to.piece.before_write_of(&bytes);
    for step in from.bytes().chunks(STEP_BYTES) {
        let mut chunk = staging.take(streams, step.len())?;
        let queued = chunk.send(streams, queue, &after, step, address)?;
        // The next step comes behind this one, in the same queue.
        to.piece.writes_of(bytes.clone(), queued);
        after = queued.clock();
        address += step.len() as u64;
    }
    Ok(())
}

/// Device to host, as soon as the elements are there. `Ok(Err(_))` if they are no values of their type.
pub(in crate::cuda) fn download(
    streams: &mut Streams,
    staging: &Staging,
    from: &Array,
    to: ViewOut<'_>,
) -> Result<std::result::Result<(), InvalidBytes>> {
    let window = to.window();
    let step = (STEP_BYTES / from.element_bytes.max(1)).max(1);
    let starts = window.clone().step_by(step);
    let mut steps = starts.map(|start| start..window.end.min(start + step));
    let mut flying: VecDeque<(Range<usize>, Vec<Chunk>)> = VecDeque::new();
    let mut rest = to;
    loop {
        while flying.len() < FLYING
            && let Some(elements) = steps.next()
        {
            let chunks = fetch(streams, staging, from, &elements)?;
            flying.push_back((elements, chunks));
        }
        let Some((elements, mut chunks)) = flying.pop_front() else {
            return Ok(Ok(()));
        };
        let mut piece = rest.take_front(elements.end);
        let copied = match &mut chunks[..] {
            [chunk] => piece.copy_from_bytes(chunk.bytes(streams)?),
            chunks => {
                let mut bytes = host_memory::vec(piece.len_bytes())?;
                for chunk in chunks {
                    bytes.extend_from_slice(chunk.bytes(streams)?);
                }
                piece.copy_from_bytes(&bytes)
            }
        };
        if copied.is_err() {
            return Ok(copied);
        }
    }
}

/// Device to device, where kernels run.
pub(in crate::cuda) fn copy(
    streams: &mut Streams,
    from: &Array,
    to: &Array,
    elements: Range<usize>,
) -> Result<()> {
    let (read, written) = (
        from.bytes_of(elements.clone()),
        to.bytes_of(elements.clone()),
    );
    let mut after = from.piece.before_read_of(&read);
    after.join(&to.piece.before_write_of(&written));
    let (source, target) = (
        from.address_of(elements.start),
        to.address_of(elements.start),
    );
    let len = elements.len() * from.element_bytes;
    let queue = streams.for_kernel(&after);
    let queued = streams.queue(queue, &after, |stream| stream.copy(target, source, len))?;
    from.piece.reads_of(read, queued);
    to.piece.writes_of(written, queued);
    Ok(())
}

/// Queues the copy of some elements: one chunk, unless a single element is larger than that.
fn fetch(
    streams: &mut Streams,
    staging: &Staging,
    from: &Array,
    elements: &Range<usize>,
) -> Result<Vec<Chunk>> {
    let (queue, read) = (streams.downloads(), from.bytes_of(elements.clone()));
    let after = from.piece.before_read_of(&read);
    let (mut address, len) = (
        from.address_of(elements.start),
        elements.len() * from.element_bytes,
    );
    let mut chunks = Vec::new();
    for start in (0..len).step_by(STEP_BYTES) {
        let bytes = STEP_BYTES.min(len - start);
        let mut chunk = staging.take(streams, bytes)?;
        let queued: Queued = chunk.receive(streams, queue, &after, address)?;
        from.piece.reads_of(read.clone(), queued);
        address += bytes as u64;
        chunks.push(chunk);
    }
    Ok(chunks)
}
