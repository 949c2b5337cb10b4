//! The operands of a piece on a device: its arrays are found or made, and what they lack is queued.
#![allow(unsafe_code, reason = "vouches for what devices write")]

use super::{
    Driver, Scope,
    held::Held,
    scatter::Strip,
    unit::DeviceUnit,
    work::{Arg, ArrayId, NearArg},
};
use skel_core::{
    Error, Result,
    call::{Call, Layout, Operand, Source, Window},
    container::{Buffer, IntervalSet, Shape},
    frame::{ErasedArray, View, ViewMut},
    ir::Ty,
    plan::Role,
};
use std::{ops::Range, sync::atomic::Ordering};

impl<D: Driver> DeviceUnit<D> {
    /// Binds the operands of a piece to these arrays, and queues what they lack.
    pub(super) fn bind<'e>(
        &self,
        scope: &Scope<'e>,
        call: &mut Call<'e>,
        r: &Range<usize>,
        reserved: Vec<Option<Held<D>>>,
        bound: &mut Bound<'e, D>,
    ) -> Result<()> {
        let kernel = call.kernel()?;
        let in_place = |operand: &Operand<'_>| {
            matches!(operand, Operand::Update(_) | Operand::Scatter(_, _, true))
        };
        if call.operands.iter().any(in_place) {
            self.fetch(scope, call, r, &reserved, bound)?;
        }
        self.fetch_strips(call, r)?;
        let (space, along, mut strips) = (call.space(), call.along, Vec::new());
        let row_major = Layout::row_major(0, space);
        let needs = call.needs(r);
        let operands = call.operands.iter_mut().zip(reserved);
        for (k, (operand, held)) in operands.enumerate() {
            // What is read element by element, at places `needs`: as it is, or, to fold a row or column, by
            // strides.
            let read = |id, layout: Layout, needs: Range<usize>| match kernel.arguments[k].role {
                Role::Strided(_) => Arg::Strided(id, layout, needs),
                _ => Arg::In(id),
            };
            let value = match operand {
                Operand::Scalar(buffer) => Some(buffer.host_view(0..1)?),
                Operand::Uniform(view) => Some(*view),
                _ => None,
            };
            if let Some(value) = value {
                bound.offsets.push(0);
                bound.args.push(Arg::Uniform(ErasedArray::copy_of(value)?));
            }
            // All but single values have arrays.
            let Some(held) = held else { continue };
            let (id, mut offset) = (held.id, 0);
            let arg = match operand {
                Operand::Uniform(_) | Operand::Scalar(_) => continue,
                Operand::Read(buffer) => {
                    self.bring(scope, id, buffer, [needs.clone()], bound)?;
                    read(id, row_major, needs.clone())
                }
                Operand::Strided(source, layout) => {
                    let places = layout.needed(r, space, along);
                    match *source {
                        Source::Container(buffer) => {
                            self.bring(scope, id, buffer, [places.clone()], bound)?;
                        }
                        Source::Slice(view) => {
                            self.post_upload(scope, id, view.narrow(places.clone()));
                            bound.borrows = true;
                        }
                    }
                    if along.is_none() {
                        offset = layout.over(space).contiguous().unwrap_or(0);
                    }
                    read(id, *layout, places)
                }
                Operand::View(buffer, shape) => {
                    self.bring(scope, id, buffer, std::iter::once(0..buffer.len()), bound)?;
                    Arg::View(id, *shape)
                }
                Operand::Window(buffer, window) => {
                    let halo = window.halo(r.clone());
                    self.bring(scope, id, buffer, halo.ranges().iter().cloned(), bound)?;
                    near(id, window, halo)?
                }
                Operand::WindowSlice(view, window) => {
                    // Only what the piece sees is moved.
                    let halo = window.halo(r.clone());
                    for part in halo.ranges() {
                        self.post_upload(scope, id, view.narrow(part.clone()));
                    }
                    bound.borrows = true;
                    near(id, window, halo)?
                }
                Operand::ViewSlice(view) => {
                    self.post_upload(scope, id, *view);
                    bound.borrows = true;
                    Arg::View(id, Shape::D1(view.window().len()))
                }
                Operand::ViewPart(source, part, shape) => {
                    let all = std::iter::once(0..shape.len());
                    self.post_part(scope, id, *source, part, all, bound)?;
                    Arg::View(id, *shape)
                }
                Operand::WindowPart(source, part, window) => {
                    // A copy of what the piece sees: devices count the elements of containers from 0 on.
                    let halo = window.halo(r.clone());
                    let seen = halo.ranges().iter().cloned();
                    self.post_part(scope, id, *source, part, seen, bound)?;
                    near(id, window, halo)?
                }
                Operand::ReadSlice(view) => {
                    self.post_upload(scope, id, view.narrow(needs.clone()));
                    bound.borrows = true;
                    read(id, row_major, needs.clone())
                }
                Operand::Update(target) => {
                    // Its host memory is lent for the upload, and not valid any more, since the
                    // kernel will write the elements.
                    let places = target.places(r);
                    offset = target.window().start;
                    for part in target.buffer().missing(self.node, places.clone()) {
                        self.post_upload(scope, id, target.lend_mut(part)?.into_view());
                        bound.borrows = true;
                    }
                    // SAFETY: the launch is queued below, or, if that fails, the call poisons the elements;
                    // a download asks the driver.
                    unsafe { target.wrote(self.node, places) };
                    Arg::InOut(id)
                }
                Operand::Write(target) => {
                    let places = target.places(r);
                    offset = target.window().start;
                    // SAFETY: the launch is queued below, or, if that fails, the call poisons the elements;
                    // a download asks the driver.
                    unsafe { target.wrote(self.node, places) };
                    Arg::Out(id)
                }
                Operand::Scatter(_, _, reads) => {
                    strips.push(id);
                    match *reads {
                        true => Arg::InOut(id),
                        false => Arg::Out(id),
                    }
                }
                Operand::UpdateSlice(slice) => {
                    bound.slices.push((id, slice.lend(r.clone()), true));
                    Arg::InOut(id)
                }
                Operand::WriteSlice(slice) => {
                    bound.slices.push((id, slice.lend(r.clone()), false));
                    Arg::Out(id)
                }
            };
            bound.args.push(arg);
            bound.offsets.push(offset);
            bound.held.push(held);
        }
        self.lend_strips(call, r, strips, bound)
    }

    /// Queues what the piece lacks of all that is only read, before anything is taken to be written: a call
    /// that cannot be run leaves what it would have changed as it was.
    pub(super) fn fetch<'e>(
        &self,
        scope: &Scope<'e>,
        call: &Call<'e>,
        r: &Range<usize>,
        reserved: &[Option<Held<D>>],
        bound: &mut Bound<'e, D>,
    ) -> Result<()> {
        let (space, along) = (call.space(), call.along);
        for (operand, held) in call.operands.iter().zip(reserved) {
            let (buffer, wanted): (&'e Buffer, _) = match operand {
                Operand::Read(buffer) => (buffer, IntervalSet::of(call.needs(r))),
                Operand::Strided(Source::Container(buffer), layout) => {
                    (buffer, IntervalSet::of(layout.needed(r, space, along)))
                }
                Operand::View(buffer, _) => (buffer, IntervalSet::of(0..buffer.len())),
                Operand::Window(buffer, window) => (buffer, window.halo(r.clone())),
                Operand::Scalar(buffer) => {
                    buffer.host_view(0..1)?;
                    continue;
                }
                Operand::ViewPart(source, part, _) => {
                    source.host_view(part.clone())?;
                    continue;
                }
                Operand::WindowPart(source, part, window) => {
                    source.host_parts(part.start, &window.halo(r.clone()))?;
                    continue;
                }
                _ => continue,
            };
            if let Some(held) = held {
                let parts = wanted.ranges().iter().cloned();
                self.bring(scope, held.id, buffer, parts, bound)?;
            }
        }
        Ok(())
    }

    /// Uploads elements of part of a container or slice, counted from its beginning.
    pub(super) fn post_part<'e>(
        &self,
        scope: &Scope<'e>,
        id: ArrayId,
        source: Source<'e>,
        part: &Range<usize>,
        wanted: impl IntoIterator<Item = Range<usize>>,
        bound: &mut Bound<'e, D>,
    ) -> Result<()> {
        for r in wanted {
            let view = source.host_view(part.start + r.start..part.start + r.end)?;
            self.post_upload(scope, id, view.counted_from(part.start));
        }
        bound.borrows = true;
        Ok(())
    }

    pub(super) fn unsupported(&self, instance: &str, reason: &str) -> Error {
        Error::Unsupported {
            unit: self.info.name.clone(),
            instance: instance.into(),
            reason: reason.into(),
        }
    }

    /// Queues what a container's array, which is `id`, lacks of the elements `wanted`.
    pub(super) fn bring<'e>(
        &self,
        scope: &Scope<'e>,
        id: ArrayId,
        buffer: &'e Buffer,
        wanted: impl IntoIterator<Item = Range<usize>>,
        bound: &mut Bound<'e, D>,
    ) -> Result<()> {
        for r in wanted {
            let post = |view| self.post_upload(scope, id, view);
            // SAFETY: `id` is the buffer's own array on this node, as `reserve` found it; the queue runs commands
            // in their order, and an upload that fails taints what it should have brought.
            let parts = unsafe { buffer.upload_missing(self.node, r, post) }?;
            let parts = parts.into_iter().map(|part| (buffer, part));
            bound.uploaded.extend(parts);
        }
        Ok(())
    }

    /// Makes the next call upload these parts again.
    pub(super) fn retract<'e>(&self, parts: impl IntoIterator<Item = (&'e Buffer, Range<usize>)>) {
        for (buffer, part) in parts {
            buffer.retract(self.node, part);
        }
    }

    pub(super) fn count_upload(&self, view: View<'_>) {
        self.counters
            .uploaded_bytes
            .fetch_add(view.len_bytes() as u64, Ordering::Relaxed);
    }

    pub(super) fn post_upload<'e>(&self, scope: &Scope<'e>, id: ArrayId, view: View<'e>) {
        self.count_upload(view);
        // SAFETY: the view is for the driver.
        unsafe { scope.post(&self.queue, move |memory| memory.upload(id, view)) };
    }
}

/// The argument for a container of which each element sees a neighbourhood.
fn near(id: ArrayId, window: &Window<'_>, halo: IntervalSet) -> Result<Arg> {
    let pad = window.pad.map(ErasedArray::copy_of).transpose()?;
    let near = window.near;
    Ok(Arg::Window(id, Box::new(NearArg { near, halo, pad })))
}

/// The element type of an argument.
pub(super) fn element(ty: &Ty) -> &Ty {
    match ty {
        Ty::View(view) => &view.elem,
        ty => ty,
    }
}

impl<D: Driver> Default for Bound<'_, D> {
    fn default() -> Self {
        Bound {
            args: Vec::new(),
            offsets: Vec::new(),
            slices: Vec::new(),
            strips: Vec::new(),
            held: Vec::new(),
            uploaded: Vec::new(),
            borrows: false,
        }
    }
}

/// The operands of a piece, on this device.
pub(super) struct Bound<'e, D: Driver> {
    pub(super) args: Vec<Arg>,
    pub(super) offsets: Vec<usize>,
    pub(super) slices: Vec<(ArrayId, ViewMut<'e>, bool)>,
    /// What is written one by one.
    pub(super) strips: Vec<Strip<'e>>,
    pub(super) held: Vec<Held<D>>,
    /// What was uploaded of containers.
    pub(super) uploaded: Vec<(&'e Buffer, Range<usize>)>,
    /// Whether other uploads borrow from the caller.
    pub(super) borrows: bool,
}
