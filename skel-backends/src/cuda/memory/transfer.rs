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
use std::{
    collections::VecDeque,
    ops::Range,
    panic::resume_unwind,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{TrySendError, sync_channel},
    },
    thread,
};

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
///
/// What has come is copied to its place by several threads: one copies slower than a bus brings.
pub(in crate::cuda) fn download(
    streams: &mut Streams,
    staging: &Staging,
    from: &Array,
    to: ViewOut<'_>,
) -> Result<Landing> {
    let copiers = staging.copiers_of(to.len_bytes().div_ceil(STEP_BYTES));
    if copiers == 1 {
        return in_steps(streams, staging, from, to, Step::land);
    }
    thread::scope(|scope| {
        let (steps, incoming) = sync_channel::<Step<'_>>(0);
        let incoming = Arc::new(Mutex::new(incoming));
        let copier = || {
            let incoming = Arc::clone(&incoming);
            let copies = move || {
                loop {
                    let step = incoming
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .recv();
                    let Ok(step) = step else {
                        return Ok(Ok(()));
                    };
                    match step.land() {
                        Ok(Ok(())) => {}
                        failed => return failed,
                    }
                }
            };
            // A system that has no thread to give has this one.
            thread::Builder::new().spawn_scoped(scope, copies).ok()
        };
        let others: Vec<_> = (1..copiers).filter_map(|_| copier()).collect();
        // The receiver ends with the last of them.
        drop(incoming);
        let sent = in_steps(streams, staging, from, to, |step| {
            match steps.try_send(step) {
                Ok(()) => Ok(Ok(())),
                // All are busy, or have failed.
                Err(TrySendError::Full(step) | TrySendError::Disconnected(step)) => step.land(),
            }
        });
        drop(steps);
        others.into_iter().fold(sent, |done, other| {
            let other = other.join().unwrap_or_else(|panic| resume_unwind(panic));
            match done {
                Ok(Ok(())) => other,
                failed => failed,
            }
        })
    })
}

/// Whether what has come are values of its type.
type Landing = std::result::Result<(), InvalidBytes>;

/// Some elements of a download, which have come.
struct Step<'a> {
    piece: ViewOut<'a>,
    /// One, unless a single element is larger than that.
    chunks: Vec<Chunk>,
}

impl Step<'_> {
    /// Copies them to their place.
    fn land(mut self) -> Result<Landing> {
        Ok(match &self.chunks[..] {
            [chunk] => self.piece.copy_from_bytes(chunk.landed()),
            chunks => {
                let mut bytes = host_memory::vec(self.piece.len_bytes())?;
                for chunk in chunks {
                    bytes.extend_from_slice(chunk.landed());
                }
                self.piece.copy_from_bytes(&bytes)
            }
        })
    }
}

/// Fetches elements step by step, and has each landed when it has come.
fn in_steps<'a>(
    streams: &mut Streams,
    staging: &Staging,
    from: &Array,
    mut to: ViewOut<'a>,
    mut land: impl FnMut(Step<'a>) -> Result<Landing>,
) -> Result<Landing> {
    let window = to.window();
    let step = (STEP_BYTES / from.element_bytes.max(1)).max(1);
    let starts = window.clone().step_by(step);
    let mut steps = starts.map(|start| start..window.end.min(start + step));
    let mut flying: VecDeque<(Range<usize>, Vec<Chunk>)> = VecDeque::new();
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
        for chunk in &mut chunks {
            chunk.wait(streams)?;
        }
        let piece = to.take_front(elements.end);
        let landed = land(Step { piece, chunks })?;
        if landed.is_err() {
            return Ok(landed);
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
