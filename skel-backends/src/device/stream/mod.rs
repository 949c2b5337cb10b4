//! Pieces that do not fit the device: taken through it in chunks.
//!
//! Of each chunk, what its elements need is uploaded to arrays of its own, the kernel runs, the results are
//! downloaded to where they belong on the host, and the arrays are freed. Folds combine the partials of the
//! chunks in order; scans hand the carry from chunk to chunk. What is read at random as a whole stays on
//! the device throughout: if it does not fit, or if the needs of one element do not, the device has no
//! room for the piece, and says so before anything is lent to be written.
//!
//! Host memory is used as by borrowed slices: while a caller waits, by the driver or under its lease.

mod chunk_arguments;
mod chunk_layout;
mod chunks;
mod feed;
mod run;
mod scan;
mod wrap;

use self::{chunks::Chunks, run::Stream, scan::StreamedScan};
use super::{
    Driver, Scope,
    back_pressure::Permit,
    begin_time::BeginTime,
    bind::{Bound, element},
    piece::DevicePiece,
    pinned::PinnedArray,
    unit::DeviceUnit,
    work::{Job, Need, Wait},
};
use crate::unit::Running;
use skel_core::{
    Error, Result,
    call::{Access, Call, Operand},
    frame::Spine,
    plan::Pattern,
    space::Shape,
};
use std::{
    ops::Range,
    sync::{Arc, mpsc::channel},
    time::Duration,
};

impl<D: Driver> DeviceUnit<D> {
    /// Starts a piece whose arrays do not fit at once, as `full` says.
    pub(super) fn stream<'u, 'e: 'u>(
        &'u self,
        scope: &'u Scope<'e>,
        call: &mut Call<'e>,
        r: Range<usize>,
        (full, since, permit): (Error, BeginTime, Permit),
    ) -> Result<Box<dyn Running + 'u>> {
        let wholes = self.wholes(call)?;
        let of_view = |(k, shape): (usize, Shape)| {
            let held = wholes.get(k)?.as_ref()?;
            Some((held.id, 0..shape.len()))
        };
        let needs: Vec<Need> = call.views().filter_map(of_view).collect();
        let chunks = self.cut(call, &r, &needs, full)?;
        let (mut bound, lender) = (Bound::new(self), scope.lender(&self.queue));
        let feeds = self.feeds((scope, &lender), call, &r, &wholes, &mut bound)?;
        let stream = Stream {
            job: Job::of(call, self.node, Wait::No)?,
            feeds,
            chunks,
            lease: lender.held(),
            counters: Arc::clone(&self.counters),
        };
        let held: Vec<PinnedArray<D>> = wholes.into_iter().flatten().collect();
        if call.phases.pattern() == Pattern::Scan {
            // Its caller waits for each of its commands.
            drop(permit);
            let piece = StreamedScan::new(lender, bound.uploads, held, stream);
            return Ok(Box::new(piece));
        }
        let (answer, answered) = channel();
        lender.post(move |memory| {
            let started = since.began(memory);
            let result = memory.stream(stream, Spine::EMPTY, false);
            // The caller may have given up after an error elsewhere.
            let _receiver_gone =
                answer.send(result.map(|partial| (partial, memory.since(started))));
            drop((held, permit));
        });
        Ok(Box::new(DevicePiece {
            unit: self,
            uploads: bound.uploads,
            borrows: true,
            answered: Some(answered),
            reader: None,
            on_host: true,
            launched: None,
            partial: Spine::EMPTY,
            busy: Duration::ZERO,
        }))
    }

    /// The arrays of what is read at random.
    fn wholes(&self, call: &Call<'_>) -> Result<Vec<Option<PinnedArray<D>>>> {
        let kernel = call.kernel()?;
        let operands = call.operands.iter().zip(&kernel.arguments);
        let arrays = operands.map(|(operand, argument)| {
            let Operand::Input(input) = operand else {
                return Ok(None);
            };
            match (&input.access, input.kept()) {
                (Access::Whole(_), Some(buffer)) => self.array_of(buffer).map(Some),
                (Access::Whole(_), None) => {
                    let (layout, len) = (input.source.element_layout(), input.source.len());
                    let elem = element(&argument.ty).clone();
                    Ok(Some(self.temporary(layout, elem, 0..len)))
                }
                _ => Ok(None),
            }
        });
        arrays.collect()
    }

    /// Chunks for which the device surely has room beside what is read as a whole.
    fn cut(
        &self,
        call: &Call<'_>,
        r: &Range<usize>,
        wholes: &[Need],
        full: Error,
    ) -> Result<Vec<Range<usize>>> {
        let kernel = call.kernel()?;
        let cutter = Chunks::<D>::new(call, &kernel);
        let all = cutter.needed_bytes(r);
        let capacity = self.capacity_bytes.unwrap_or(all);
        // Two chunks are on their way at a time; where not even one element fits twice, one leaves
        // room for the other.
        let mut most = capacity.saturating_sub(cutter.whole_bytes());
        let mut chunks = cutter.cut(r, most / 2).or_else(|| cutter.cut(r, most));
        let mut full = cutter.complaint(full, r);
        // Each round halves what it asks for.
        while let Some(cut) = chunks {
            let (forms, kept) = (cutter.forms(&cut.largest), wholes.to_vec());
            let room = self.queue.ask(move |memory| memory.has_room(&kept, &forms));
            match room {
                Ok(()) => return Ok(cut.chunks),
                Err(error @ Error::OutOfMemory { .. }) => full = error,
                Err(error) => return Err(error),
            }
            most = match cutter.needed_bytes(&cut.largest) {
                // There is nothing to cut: it is what stays throughout that has no room.
                0 => break,
                bytes => bytes / 2,
            };
            chunks = cutter.cut(r, most);
        }
        Err(full)
    }
}
