//! A streamed piece on the device's thread.

use super::{chunks::hull, feed::Feed, lie::Lie};
use crate::{
    cpu::combine,
    device::{
        Driver,
        bind::element,
        memory::Memory,
        presence::Presence,
        residency::Form,
        unit::Counters,
        work::{Arg, ArrayId, NearArg, Work},
    },
};
use skel_core::{
    Result,
    frame::{ElementLayout, ErasedArray, Partial, View, ViewMut, ViewOut},
    plan::{Pattern, Role},
};
use std::{
    ops::Range,
    sync::{Arc, atomic::Ordering},
};

/// A piece on its way.
pub(in crate::device) struct Stream<'e> {
    /// All of it but arguments.
    pub(super) work: Work<'static>,
    pub(super) instance: &'e str,
    /// By operand.
    pub(super) feeds: Vec<Feed<'e>>,
    pub(super) chunks: Vec<Range<usize>>,
    pub(super) counters: Arc<Counters>,
}

/// The arrays of a chunk.
#[derive(Default)]
struct Taken<'e> {
    arrays: Vec<ArrayId>,
    /// What is to be downloaded, and uploaded before, if it is changed in place.
    lent: Vec<(ArrayId, Lent<'e>)>,
}

enum Lent<'e> {
    InOut(ViewMut<'e>),
    Out(ViewOut<'e>),
}

/// What is to be uploaded.
enum Given<'e> {
    There(View<'e>),
    Gathered(ErasedArray),
}

impl<D: Driver> Memory<D> {
    /// Takes a piece through the device. `carry` is what precedes it in a scan; what comes is the partial of
    /// a fold, or the carry of what follows a scan, if that is wanted.
    pub(in crate::device) fn stream(
        &mut self,
        mut stream: Stream<'_>,
        carry: Partial,
        wanted: bool,
    ) -> Result<Partial> {
        let (mut total, chunks) = (carry, std::mem::take(&mut stream.chunks));
        let last = chunks.len().saturating_sub(1);
        for (k, chunk) in chunks.into_iter().enumerate() {
            let mut taken = Taken::default();
            let result = self.chunk(&mut stream, chunk, &mut taken, total, wanted || k < last);
            // Also after an error.
            taken.arrays.into_iter().for_each(|id| self.free(id));
            total = result?;
        }
        Ok(total)
    }

    fn chunk<'e>(
        &mut self,
        stream: &mut Stream<'e>,
        chunk: Range<usize>,
        taken: &mut Taken<'e>,
        total: Partial,
        wanted: bool,
    ) -> Result<Partial> {
        let work = self.feed(stream, chunk, taken)?;
        let (phases, pattern) = (work.phases, work.phases.pattern());
        let total = match pattern {
            Pattern::Elementwise => {
                self.start(&work)?;
                total
            }
            Pattern::Fold => match self.start(&work)? {
                (Some(pending), causes) => {
                    let partial = self.partial(pending, &causes)?;
                    combine(phases, stream.instance, total, partial)?
                }
                (None, _) => total,
            },
            Pattern::Scan => {
                let begun = self.begin(work)?;
                self.finish(begun, total, wanted)?
            }
        };
        for (id, lent) in std::mem::take(&mut taken.lent) {
            let out = match lent {
                Lent::InOut(view) => view.into_out(),
                Lent::Out(view) => view,
            };
            let bytes = out.len_bytes() as u64;
            // What trapped shows here.
            self.download(id, out)?;
            stream
                .counters
                .downloaded_bytes
                .fetch_add(bytes, Ordering::Relaxed);
        }
        Ok(total)
    }

    /// Uploads what a chunk needs.
    fn feed<'e>(
        &mut self,
        stream: &mut Stream<'e>,
        chunk: Range<usize>,
        taken: &mut Taken<'e>,
    ) -> Result<Work<'static>> {
        let mut work = stream.work.for_range(chunk.clone());
        let kernel = Arc::clone(&work.kernel);
        let (space, along) = (
            work.along.map_or(work.shape, |along| along.space()),
            work.along,
        );
        let counters = Arc::clone(&stream.counters);
        let mut given: Vec<(ArrayId, Given<'e>)> = Vec::new();
        for (feed, argument) in stream.feeds.iter_mut().zip(&kernel.arguments) {
            let mut declare = |layout: ElementLayout, window: Range<usize>| {
                let id = counters.next_array.fetch_add(1, Ordering::Relaxed);
                let ty = element(&argument.ty).clone();
                let presence = Arc::<Presence>::default();
                // It does not leave while the chunk is here.
                presence.pin();
                self.declare(id, Form { layout, ty, window }, presence);
                taken.arrays.push(id);
                id
            };
            let arg = match feed {
                Feed::Uniform(value) => Arg::Uniform(ErasedArray::copy_of(value.all())),
                Feed::Whole(id, shape) => Arg::View(*id, *shape),
                Feed::In(view) => {
                    let id = declare(view.layout(), chunk.clone());
                    given.push((id, Given::There(view.narrow(chunk.clone()))));
                    Arg::In(id)
                }
                Feed::Strided(view, layout) => {
                    let lie = Lie::of(*layout, &chunk, space, along);
                    let id = declare(view.layout(), lie.window.clone());
                    let elements = match lie.gathered {
                        true => Given::Gathered(lie.gather(*view, layout, &chunk, space, along)),
                        false => Given::There(view.narrow(lie.window.clone())),
                    };
                    given.push((id, elements));
                    match argument.role {
                        Role::Strided(_) => Arg::Strided(id, lie.layout, lie.window),
                        _ => Arg::In(id),
                    }
                }
                Feed::Window(parts, window) => {
                    let halo = window.halo(chunk.clone());
                    let Some(layout) = parts.first().map(View::layout) else {
                        continue;
                    };
                    let id = declare(layout, hull(&halo));
                    for r in halo.ranges() {
                        let has = |part: &&View<'e>| {
                            part.window().start <= r.start && r.end <= part.window().end
                        };
                        // What a chunk sees, the piece sees.
                        if let Some(part) = parts.iter().find(has) {
                            given.push((id, Given::There(part.narrow(r.clone()))));
                        }
                    }
                    let pad = window.pad.map(ErasedArray::copy_of);
                    let near = window.near;
                    Arg::Window(id, Box::new(NearArg { near, halo, pad }))
                }
                Feed::InOut(rest) => {
                    let Some(all) = rest.take() else { continue };
                    let (head, tail) = all.split_at(chunk.end);
                    *rest = Some(tail);
                    let id = declare(head.layout(), chunk.clone());
                    taken.lent.push((id, Lent::InOut(head)));
                    Arg::InOut(id)
                }
                Feed::Out(rest) => {
                    let Some(all) = rest.take() else { continue };
                    let (head, tail) = all.split_at(chunk.end);
                    *rest = Some(tail);
                    let id = declare(head.layout(), chunk.clone());
                    taken.lent.push((id, Lent::Out(head)));
                    Arg::Out(id)
                }
            };
            work.args.push(arg);
            work.offsets.push(0);
        }
        self.reside(&work.arrays())?;
        let mut upload = |id: ArrayId, view: View<'_>| {
            let bytes = view.len_bytes() as u64;
            counters.uploaded_bytes.fetch_add(bytes, Ordering::Relaxed);
            self.upload(id, view);
        };
        for (id, elements) in &given {
            match elements {
                Given::There(view) => upload(*id, *view),
                Given::Gathered(array) => upload(*id, array.all()),
            }
        }
        for (id, lent) in &taken.lent {
            if let Lent::InOut(view) = lent {
                upload(*id, view.as_view());
            }
        }
        Ok(work)
    }
}
