//! A streamed piece on the device's thread.

use super::{chunk_layout::ChunkLayout, feed::Feed, wrap::Wrap};
use crate::{
    device::{
        Arg, Driver,
        bind::element,
        cover,
        lease::{LeaseGuard, Touch},
        lent::{Elements, Lent, Readable, Writable},
        memory::Memory,
        presence::Presence,
        residency::{Admission, ArrayForm},
        taint::TaintSource,
        unit::Counters,
        work::{ArrayId, ArrayPart, Job, Work},
    },
    partials::Total,
};
use skel_core::{
    Error, Result,
    frame::{ElementLayout, ErasedArray, Spine, StridedViewMut, View, ViewMut, ViewOut},
    plan::{Pattern, Role},
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

/// What is to be downloaded, and, if it is changed in place, uploaded before.
enum ChunkOutput {
    InOut(Lent<ViewMut<'static>>),
    Out(Lent<ViewOut<'static>>),
    Scattered(Lent<StridedViewMut<'static>>),
}

impl ChunkOutput {
    fn form(&self) -> (ElementLayout, Range<usize>) {
        match self {
            ChunkOutput::InOut(view) => (view.layout(), view.window()),
            ChunkOutput::Out(view) => (view.layout(), view.window()),
            ChunkOutput::Scattered(elements) => (elements.layout(), elements.window()),
        }
    }

    fn put(self, touch: &Touch<'_>, computed: &ErasedArray) {
        match self {
            ChunkOutput::InOut(view) => view.into_out().out(touch).copy_from(computed.all()),
            ChunkOutput::Out(mut view) => view.out(touch).copy_from(computed.all()),
            ChunkOutput::Scattered(mut elements) => elements.put_all(touch, computed.all()),
        }
    }
}

/// What is to be uploaded.
enum ChunkInput {
    There(Lent<View<'static>>),
    Gathered(ErasedArray),
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
        let mut lent = Vec::new();
        let already = open.len();
        let end = chunk.end;
        let work = self.feed(stream, chunk, open, &mut lent)?;
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

    /// Uploads what a chunk needs.
    fn feed(
        &mut self,
        stream: &mut Stream,
        chunk: Range<usize>,
        open: &mut Vec<ArrayId>,
        to_land: &mut Vec<(ArrayId, ChunkOutput)>,
    ) -> Result<Work> {
        let mut work = stream.job.piece(chunk.clone());
        let kernel = Arc::clone(&work.job.kernel);
        let (space, along) = (
            work.job
                .space
                .along()
                .map_or(work.job.space.shape(), |along| along.space()),
            work.job.space.along(),
        );
        let counters = Arc::clone(&stream.counters);
        let lease = &stream.lease;
        let mut given: Vec<(ArrayId, ChunkInput)> = Vec::new();
        for (feed, argument) in stream.feeds.iter_mut().zip(&kernel.arguments) {
            let mut declare = |layout: ElementLayout, window: Range<usize>| {
                let id = counters.next_array.fetch_add(1, Ordering::Relaxed);
                let ty = element(&argument.ty).clone();
                let presence = Arc::new(Presence::new(&counters.departures));
                // It does not leave while the chunk is here.
                presence.pin();
                let extent = window.clone();
                self.declare(id, ArrayForm { layout, ty, window }, extent, presence);
                open.push(id);
                id
            };
            let arg = match feed {
                Feed::Uniform(value) => Arg::Uniform(ErasedArray::copy_of(value.all())?),
                Feed::Whole(id, shape) => Arg::View(ArrayPart::of(*id, 0..shape.len()), *shape),
                Feed::In(view) => {
                    let id = declare(view.layout(), chunk.clone());
                    given.push((id, ChunkInput::There(view.narrow(chunk.clone()))));
                    Arg::In(ArrayPart::of(id, chunk.clone()))
                }
                Feed::Strided(view, layout) => {
                    let chunk_layout = ChunkLayout::of(*layout, &chunk, space, along);
                    let id = declare(view.layout(), chunk_layout.window.clone());
                    let elements = match chunk_layout.gathered {
                        true => ChunkInput::Gathered(lease.touch(|touch| {
                            let from = view.view(touch);
                            chunk_layout.gather(from, layout, &chunk, space, along)
                        })??),
                        false => ChunkInput::There(view.narrow(chunk_layout.window.clone())),
                    };
                    given.push((id, elements));
                    match argument.role {
                        Role::Strided(_) => Arg::Strided(
                            ArrayPart::of(id, chunk_layout.window),
                            chunk_layout.layout,
                        ),
                        _ => Arg::In(ArrayPart::of(id, chunk.clone())),
                    }
                }
                Feed::Window(layout, parts, window, pad) => {
                    let wrap = Wrap::of(window);
                    let seen = wrap.as_ref().map_or(&**window, |(_, longer)| longer);
                    let (near, halo) = (seen.near, seen.halo(chunk.clone()));
                    let id = declare(*layout, cover::hull(&halo));
                    for r in halo.ranges() {
                        let has = |part: &&Lent<View<'static>>| {
                            part.window().start <= r.start && r.end <= part.window().end
                        };
                        // What a chunk sees, the piece sees: it is there.
                        let elements = match &wrap {
                            Some((wrap, _)) => {
                                let gathered = lease.touch(|touch| {
                                    let parts = parts.iter().map(|part| part.view(touch));
                                    wrap.gather(&parts.collect::<Vec<_>>(), r.clone())
                                })??;
                                gathered.map(ChunkInput::Gathered)
                            }
                            None => {
                                let part = parts.iter().find(has);
                                part.map(|part| ChunkInput::There(part.narrow(r.clone())))
                            }
                        };
                        let elements = elements.ok_or_else(|| Error::Device {
                            device: self.name(),
                            operation: "a transfer",
                            message: "some of what windows see was not fetched".into(),
                        })?;
                        given.push((id, elements));
                    }
                    let pad = pad.as_ref().map(|pad| ErasedArray::copy_of(pad.all()));
                    let pad = pad.transpose()?;
                    Arg::Window(ArrayPart { id, elements: halo }, near, pad)
                }
                Feed::InOut(rest) => {
                    let head = rest.take_front(chunk.end);
                    let id = declare(head.layout(), chunk.clone());
                    to_land.push((id, ChunkOutput::InOut(head)));
                    Arg::InOut(ArrayPart::of(id, chunk.clone()))
                }
                Feed::Out(rest) => {
                    let head = rest.take_front(chunk.end);
                    let id = declare(head.layout(), chunk.clone());
                    to_land.push((id, ChunkOutput::Out(head)));
                    Arg::Out(ArrayPart::of(id, chunk.clone()))
                }
                Feed::Scattered(rest) => {
                    let head = rest.take_front(chunk.end);
                    let (id, reads) = (declare(head.layout(), chunk.clone()), head.reads());
                    to_land.push((id, ChunkOutput::Scattered(head)));
                    let part = ArrayPart::of(id, chunk.clone());
                    match reads {
                        true => Arg::InOut(part),
                        false => Arg::Out(part),
                    }
                }
            };
            work.args.push(arg);
            work.offsets.push(0);
        }
        self.reside(&work.needs(), Admission::Granted)?;
        for (id, elements) in &given {
            match elements {
                ChunkInput::There(view) => self.send(&counters, *id, view),
                ChunkInput::Gathered(array) => self.send(&counters, *id, &array.all()),
            }
        }
        for (id, lent) in to_land.iter() {
            match lent {
                ChunkOutput::InOut(view) => self.send(&counters, *id, view),
                ChunkOutput::Scattered(elements) if elements.reads() => {
                    self.send(&counters, *id, &elements.copy()?.all());
                }
                ChunkOutput::Scattered(_) | ChunkOutput::Out(_) => {}
            }
        }
        Ok(work)
    }
}
