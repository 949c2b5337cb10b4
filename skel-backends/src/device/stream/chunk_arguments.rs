//! The arguments of a chunk: arrays of its own, and what is to be uploaded to them and downloaded.

use super::{chunk_layout::ChunkLayout, feed::Feed, wrap::Wrap};
use crate::device::{
    Arg, Driver,
    bind::element,
    cover,
    lease::{LeaseGuard, Touch},
    lent::{Elements, Lent},
    memory::Memory,
    presence::Presence,
    residency::ArrayForm,
    unit::Counters,
    work::{ArrayId, ArrayPart, WorkArg},
};
use skel_core::{
    Error, Result,
    call::Window,
    frame::{ElementLayout, ErasedArray, StridedViewMut, View, ViewMut, ViewOut},
    plan::{Argument, Role},
    space::{Along, IndexSpace, Layout, Shape},
};
use std::{
    ops::Range,
    sync::{Arc, atomic::Ordering},
};

/// What is to be downloaded, and, if it is changed in place, uploaded before.
pub(super) enum ChunkOutput {
    InOut(Lent<ViewMut<'static>>),
    Out(Lent<ViewOut<'static>>),
    Scattered(Lent<StridedViewMut<'static>>),
}

impl ChunkOutput {
    pub(super) fn form(&self) -> (ElementLayout, Range<usize>) {
        match self {
            ChunkOutput::InOut(view) => (view.layout(), view.window()),
            ChunkOutput::Out(view) => (view.layout(), view.window()),
            ChunkOutput::Scattered(elements) => (elements.layout(), elements.window()),
        }
    }

    pub(super) fn put(self, touch: &Touch<'_>, computed: &ErasedArray) {
        match self {
            ChunkOutput::InOut(view) => view.into_out().out(touch).copy_from(computed.all()),
            ChunkOutput::Out(mut view) => view.out(touch).copy_from(computed.all()),
            ChunkOutput::Scattered(mut elements) => elements.put_all(touch, computed.all()),
        }
    }
}

/// What is to be uploaded.
pub(super) enum ChunkInput {
    There(Lent<View<'static>>),
    Gathered(ErasedArray),
}

/// The arrays of a chunk, as its arguments ask for them.
pub(super) struct ChunkArguments<'c, D: Driver> {
    memory: &'c mut Memory<D>,
    counters: &'c Arc<Counters>,
    lease: &'c LeaseGuard,
    chunk: Range<usize>,
    space: Shape,
    along: Option<Along>,
    /// The arrays that were made, to be freed whatever happens.
    open: &'c mut Vec<ArrayId>,
    pub(super) inputs: Vec<(ArrayId, ChunkInput)>,
    pub(super) outputs: Vec<(ArrayId, ChunkOutput)>,
}

impl<'c, D: Driver> ChunkArguments<'c, D> {
    pub(super) fn new(
        memory: &'c mut Memory<D>,
        (counters, lease): (&'c Arc<Counters>, &'c LeaseGuard),
        chunk: Range<usize>,
        space: &IndexSpace,
        open: &'c mut Vec<ArrayId>,
    ) -> Self {
        let along = space.along();
        ChunkArguments {
            memory,
            counters,
            lease,
            chunk,
            space: along.map_or(space.shape(), |along| along.space()),
            along,
            open,
            inputs: Vec::new(),
            outputs: Vec::new(),
        }
    }

    /// What the chunk gets of an operand.
    pub(super) fn argument(&mut self, feed: &mut Feed, argument: &Argument) -> Result<WorkArg> {
        let (chunk, end) = (self.chunk.clone(), self.chunk.end);
        Ok(match feed {
            Feed::Uniform(value) => Arg::Uniform(ErasedArray::copy_of(value.all())?),
            Feed::Whole(id, shape) => Arg::View(ArrayPart::of(*id, 0..shape.len()), *shape),
            Feed::In(view) => {
                let id = self.declare(argument, view.layout(), chunk.clone());
                let elements = ChunkInput::There(view.narrow(chunk.clone()));
                self.inputs.push((id, elements));
                Arg::In(ArrayPart::of(id, chunk))
            }
            Feed::Strided(view, layout) => self.strided(argument, view, layout)?,
            Feed::Window(layout, parts, window, pad) => {
                let pad = pad.as_ref().map(|pad| ErasedArray::copy_of(pad.all()));
                self.window(argument, (*layout, parts), window, pad.transpose()?)?
            }
            Feed::InOut(rest) => {
                let head = ChunkOutput::InOut(rest.take_front(end));
                Arg::InOut(self.output(argument, head))
            }
            Feed::Out(rest) => {
                let head = ChunkOutput::Out(rest.take_front(end));
                Arg::Out(self.output(argument, head))
            }
            Feed::Scattered(rest) => {
                let head = rest.take_front(end);
                let reads = head.reads();
                let part = self.output(argument, ChunkOutput::Scattered(head));
                match reads {
                    true => Arg::InOut(part),
                    false => Arg::Out(part),
                }
            }
        })
    }

    /// An array of the chunk's own.
    fn declare(
        &mut self,
        argument: &Argument,
        layout: ElementLayout,
        window: Range<usize>,
    ) -> ArrayId {
        let id = self.counters.next_array.fetch_add(1, Ordering::Relaxed);
        let ty = element(&argument.ty).clone();
        let presence = Arc::new(Presence::new(&self.counters.departures));
        // It does not leave while the chunk is here.
        presence.pin();
        let extent = window.clone();
        let form = ArrayForm { layout, ty, window };
        self.memory.declare(id, form, extent, presence);
        self.open.push(id);
        id
    }

    /// An array for what the chunk writes.
    fn output(&mut self, argument: &Argument, output: ChunkOutput) -> ArrayPart {
        let (layout, _) = output.form();
        let id = self.declare(argument, layout, self.chunk.clone());
        self.outputs.push((id, output));
        ArrayPart::of(id, self.chunk.clone())
    }

    /// Elements that lie apart: with what is between them, or gathered.
    fn strided(
        &mut self,
        argument: &Argument,
        view: &Lent<View<'static>>,
        layout: &Layout,
    ) -> Result<WorkArg> {
        let (chunk, space, along) = (&self.chunk, self.space, self.along);
        let chunk_layout = ChunkLayout::of(*layout, chunk, space, along);
        let elements = match chunk_layout.gathered {
            true => ChunkInput::Gathered(self.lease.touch(|touch| {
                let from = view.view(touch);
                chunk_layout.gather(from, layout, chunk, space, along)
            })??),
            false => ChunkInput::There(view.narrow(chunk_layout.window.clone())),
        };
        let chunk = chunk.clone();
        let id = self.declare(argument, view.layout(), chunk_layout.window.clone());
        self.inputs.push((id, elements));
        Ok(match argument.role {
            Role::Strided(_) => {
                let part = ArrayPart::of(id, chunk_layout.window);
                Arg::Strided(part, chunk_layout.layout)
            }
            _ => Arg::In(ArrayPart::of(id, chunk)),
        })
    }

    /// What the chunk sees of a container. What that is, the piece sees: so it is there.
    fn window(
        &mut self,
        argument: &Argument,
        (layout, parts): (ElementLayout, &[Lent<View<'static>>]),
        window: &Window<'static>,
        pad: Option<ErasedArray>,
    ) -> Result<WorkArg> {
        let wrap = Wrap::of(window);
        let seen = wrap.as_ref().map_or(window, |(_, longer)| longer);
        let (near, halo) = (seen.near, seen.halo(self.chunk.clone()));
        let id = self.declare(argument, layout, cover::hull(&halo));
        for r in halo.ranges() {
            let elements = match &wrap {
                Some((wrap, _)) => {
                    let gathered = self.lease.touch(|touch| {
                        let parts = parts.iter().map(|part| part.view(touch));
                        wrap.gather(&parts.collect::<Vec<_>>(), r.clone())
                    })??;
                    gathered.map(ChunkInput::Gathered)
                }
                None => {
                    let has = |part: &&Lent<View<'static>>| {
                        part.window().start <= r.start && r.end <= part.window().end
                    };
                    let part = parts.iter().find(has);
                    part.map(|part| ChunkInput::There(part.narrow(r.clone())))
                }
            };
            let elements = elements.ok_or_else(|| Error::Device {
                device: self.memory.name(),
                operation: "a transfer",
                message: "some of what windows see was not fetched".into(),
            })?;
            self.inputs.push((id, elements));
        }
        let part = ArrayPart { id, elements: halo };
        Ok(Arg::Window(part, near, pad))
    }
}
