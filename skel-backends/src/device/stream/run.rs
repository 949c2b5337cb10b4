//! A streamed piece on the device's thread.

use super::{
    chunk_arguments::{ChunkArguments, ChunkInput, ChunkOutput},
    feed::Feed,
};
use crate::{
    device::{
        Driver,
        lease::LeaseGuard,
        lent::{Readable, Writable},
        memory::Memory,
        residency::Admission,
        taint::TaintSource,
        unit::Counters,
        work::{ArrayId, Job, Work},
    },
    partials::Total,
};
use skel_core::{
    Result,
    frame::{ErasedArray, Spine},
    plan::Pattern,
};
use std::{
    ops::Range,
    sync::{Arc, atomic::Ordering},
};

/// A piece on its way.
pub(in crate::device) struct Stream {
    pub(super) job: Job,
    /// By operand.
    pub(super) feeds: Vec<Feed>,
    pub(super) chunks: Vec<Range<usize>>,
    /// By which the feeds are lent.
    pub(super) lease: LeaseGuard,
    pub(super) counters: Arc<Counters>,
}

/// A chunk on its way: its kernel is queued.
struct ChunkInFlight<D: Driver> {
    arrays: Vec<ArrayId>,
    /// What is to be downloaded.
    lent: Vec<(ArrayId, ChunkOutput)>,
    /// The end of its elements.
    end: usize,
    /// Of a fold, what comes of it.
    partial: Option<(D::Pending, Vec<TaintSource>)>,
}

impl<D: Driver> Memory<D> {
    /// Takes a piece through the device. `carry` is what precedes it in a scan; what comes is the partial of
    /// a fold, or the carry of what follows a scan, if that is wanted.
    pub(in crate::device) fn stream(
        &mut self,
        mut stream: Stream,
        carry: Spine,
        wanted: bool,
    ) -> Result<Spine> {
        let mut open = Vec::new();
        let result = self.chunks(&mut stream, &mut open, carry, wanted);
        // Those that an error has left.
        open.into_iter().for_each(|id| self.free(id));
        result
    }

    /// All chunks, two at a time: the next one departs before the last one has landed, so that a driver can
    /// move the one while it computes the other.
    fn chunks(
        &mut self,
        stream: &mut Stream,
        open: &mut Vec<ArrayId>,
        carry: Spine,
        wanted: bool,
    ) -> Result<Spine> {
        let chunks = std::mem::take(&mut stream.chunks);
        let mut sum = Total::new(stream.job.phases, carry);
        let last = chunks.len().saturating_sub(1);
        let mut before = None;
        for (k, chunk) in chunks.into_iter().enumerate() {
            let departed = self.depart(stream, open, chunk, &mut sum, wanted || k < last);
            // Its own error, if it has one, is the first.
            if let Some(before) = before.take() {
                self.land(stream, open, before, &mut sum)?;
            }
            before = Some(departed?);
        }
        if let Some(before) = before {
            self.land(stream, open, before, &mut sum)?;
        }
        sum.finish()
    }

    /// Uploads what a chunk needs, and queues its kernel.
    fn depart(
        &mut self,
        stream: &mut Stream,
        open: &mut Vec<ArrayId>,
        chunk: Range<usize>,
        sum: &mut Total,
        wanted: bool,
    ) -> Result<ChunkInFlight<D>> {
        let already = open.len();
        let end = chunk.end;
        let (work, lent) = self.feed(stream, chunk, open)?;
        let arrays = open[already..].to_vec();
        let mut partial = None;
        match work.job.phases.pattern() {
            Pattern::Elementwise | Pattern::Sweep => _ = self.start(&work)?,
            Pattern::Fold => {
                let (pending, causes) = self.start(&work)?;
                partial = pending.map(|pending| (pending, causes));
            }
            Pattern::Scan => {
                let begun = self.begin(work)?;
                let carry = sum.take();
                sum.set(self.finish(begun, carry, wanted)?);
            }
        }
        Ok(ChunkInFlight {
            arrays,
            lent,
            end,
            partial,
        })
    }

    /// Takes the results of a chunk, and frees its arrays.
    fn land(
        &mut self,
        stream: &Stream,
        open: &mut Vec<ArrayId>,
        in_flight: ChunkInFlight<D>,
        sum: &mut Total,
    ) -> Result<()> {
        if let Some((pending, causes)) = in_flight.partial {
            // An element of a later chunk may count more.
            sum.add(self.outcome(Some(pending), &causes));
            sum.check()?;
        }
        // What is changed in place goes to its place when all of the chunk is here: until then, the chunk can be
        // computed again of what is there. All else goes there at once.
        let (mut aside, changes) = (Vec::new(), stream.job.kernel.changes_arguments());
        for (id, lent) in in_flight.lent {
            // What trapped shows here.
            let bytes = match lent {
                ChunkOutput::Out(view) if !changes => self.fetch(id, view)?,
                lent => {
                    let (layout, range) = lent.form();
                    let mut computed = ErasedArray::zeroed(layout, range.clone())?;
                    let bytes = self.fetch(id, computed.view_out(range))?;
                    aside.push((lent, computed));
                    bytes
                }
            };
            let counter = &stream.counters.downloaded_bytes;
            counter.fetch_add(bytes, Ordering::Relaxed);
        }
        stream.lease.touch(|touch| {
            for (lent, computed) in aside {
                lent.put(touch, &computed);
            }
            touch.lands(in_flight.end);
        })?;
        open.retain(|id| !in_flight.arrays.contains(id));
        in_flight.arrays.into_iter().for_each(|id| self.free(id));
        Ok(())
    }

    /// Downloads elements, and says how many bytes they were.
    fn fetch(&mut self, id: ArrayId, into: impl Writable) -> Result<u64> {
        let bytes = into.len_bytes() as u64;
        self.download(id, into)?;
        Ok(bytes)
    }

    /// Uploads elements, and counts their bytes.
    fn send(&mut self, counters: &Counters, id: ArrayId, view: &impl Readable) {
        let bytes = view.len_bytes() as u64;
        counters.uploaded_bytes.fetch_add(bytes, Ordering::Relaxed);
        self.upload(id, view);
    }

    /// The work of a chunk, what it needs being uploaded; and what is to be downloaded.
    fn feed(
        &mut self,
        stream: &mut Stream,
        chunk: Range<usize>,
        open: &mut Vec<ArrayId>,
    ) -> Result<(Work, Vec<(ArrayId, ChunkOutput)>)> {
        let mut work = stream.job.piece(chunk.clone());
        let of_stream = (&stream.counters, &stream.lease);
        let mut arguments = ChunkArguments::new(self, of_stream, chunk, &work.job.space, open);
        for (feed, argument) in stream.feeds.iter_mut().zip(&work.job.kernel.arguments) {
            work.args.push(arguments.argument(feed, argument)?);
            work.offsets.push(0);
        }
        let ChunkArguments {
            inputs, outputs, ..
        } = arguments;
        self.reside(&work.needs(), Admission::Granted)?;
        let counters = &stream.counters;
        for (id, elements) in &inputs {
            match elements {
                ChunkInput::There(view) => self.send(counters, *id, view),
                ChunkInput::Gathered(array) => self.send(counters, *id, &array.all()),
            }
        }
        for (id, lent) in &outputs {
            match lent {
                ChunkOutput::InOut(view) => self.send(counters, *id, view),
                ChunkOutput::Scattered(elements) if elements.reads() => {
                    self.send(counters, *id, &elements.copy()?.all());
                }
                ChunkOutput::Scattered(_) | ChunkOutput::Out(_) => {}
            }
        }
        Ok((work, outputs))
    }
}
