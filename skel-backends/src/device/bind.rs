//! The operands of a piece on a device: its arrays are found or made, and what they lack is queued.
#![allow(unsafe_code, reason = "vouches for what devices write")]

use super::{
    Driver, Scope,
    held::{Array, Handle, Held},
    memory::{Arg, ArrayId, NearArg},
    scatter::Strip,
    unit::DeviceUnit,
};
use skel_core::{
    Error, Result,
    call::{Call, Layout, Operand, Source, Window},
    container::{Buffer, IntervalSet, Remote, Shape},
    frame::{ElementLayout, ErasedArray, View, ViewMut},
    ir::Ty,
    plan::Role,
};
use std::{
    ops::Range,
    sync::{Arc, atomic::Ordering},
};

impl<D: Driver> DeviceUnit<D> {
    fn allocate(
        &self,
        layout: ElementLayout,
        ty: Ty,
        window: Range<usize>,
    ) -> Result<Arc<Handle<D>>> {
        let id = self.counters.next_array.fetch_add(1, Ordering::Relaxed);
        self.queue
            .ask(move |memory| memory.allocate(id, layout, &ty, window))?;
        Ok(Arc::new(Handle {
            id,
            queue: self.queue.clone(),
            counters: Arc::clone(&self.counters),
        }))
    }

    /// The array of a container on this device.
    fn array_of(&self, buffer: &Buffer) -> Result<Held<D>> {
        let make = || -> Result<Arc<dyn Remote>> {
            Ok(self.allocate(buffer.layout(), buffer.ty(), 0..buffer.len())?)
        };
        let remote = buffer.remote(self.node, make)?;
        let id = remote
            .as_any()
            .downcast_ref::<Handle<D>>()
            .map(|handle| handle.id);
        let id = id.ok_or_else(|| Error::Device {
            device: self.info.name.clone(),
            operation: "a call",
            message: "a container says that another device's array is here".into(),
        })?;
        Ok(Held {
            id,
            array: Array::OfContainer(remote),
        })
    }

    fn temporary(&self, layout: ElementLayout, ty: Ty, window: Range<usize>) -> Result<Held<D>> {
        let array = self.allocate(layout, ty, window)?;
        Ok(Held {
            id: array.id,
            array: Array::Temporary(array),
        })
    }

    /// Binds the operands of a piece: finds or makes its arrays, and queues what they lack.
    pub(super) fn bind<'e>(
        &self,
        scope: &Scope<'e>,
        call: &mut Call<'e>,
        r: &Range<usize>,
        bound: &mut Bound<'e, D>,
    ) -> Result<()> {
        let kernel = call.kernel()?;
        let in_place = |operand: &Operand<'_>| {
            matches!(operand, Operand::Update(_) | Operand::Scatter(_, _, true))
        };
        if call.operands.iter().any(in_place) {
            self.fetch(scope, call, r, bound)?;
        }
        self.fetch_strips(call, r)?;
        let (space, along, mut strips) = (call.space(), call.along, Vec::new());
        let row_major = Layout::row_major(0, space);
        let needs = call.needs(r);
        for (k, operand) in call.operands.iter_mut().enumerate() {
            let ty = || kernel.arguments[k].ty.clone();
            // What is read element by element, at places `needs`: as it is, or, to fold a row or column, by
            // strides.
            let read = |id, layout: Layout, needs: Range<usize>| match kernel.arguments[k].role {
                Role::Strided(_) => Arg::Strided(id, layout, needs),
                _ => Arg::In(id),
            };
            let mut offset = 0;
            let (arg, held) = match operand {
                Operand::Uniform(view) => {
                    bound.offsets.push(0);
                    bound.args.push(Arg::Uniform(ErasedArray::copy_of(*view)));
                    continue;
                }
                Operand::Scalar(buffer) => {
                    let value = ErasedArray::copy_of(buffer.host_view(0..1)?);
                    bound.offsets.push(0);
                    bound.args.push(Arg::Uniform(value));
                    continue;
                }
                Operand::Read(buffer) => {
                    let buffer: &'e Buffer = buffer;
                    let held = self.resident(scope, buffer, [needs.clone()], bound)?;
                    (read(held.id, row_major, needs.clone()), held)
                }
                Operand::Strided(source, layout) => {
                    let (source, layout): (Source<'e>, _) = (*source, *layout);
                    let places = layout.needed(r, space, along);
                    let held = match source {
                        Source::Container(buffer) => {
                            self.resident(scope, buffer, [places.clone()], bound)?
                        }
                        Source::Slice(view) => {
                            let held = self.temporary(view.layout(), ty(), places.clone())?;
                            self.post_upload(scope, held.id, view.narrow(places.clone()));
                            bound.borrows = true;
                            held
                        }
                    };
                    if along.is_none() {
                        offset = layout.over(space).contiguous().unwrap_or(0);
                    }
                    (read(held.id, layout, places), held)
                }
                Operand::View(buffer, shape) => {
                    let (buffer, shape): (&'e Buffer, _) = (buffer, *shape);
                    let held =
                        self.resident(scope, buffer, std::iter::once(0..buffer.len()), bound)?;
                    (Arg::View(held.id, shape), held)
                }
                Operand::Window(buffer, window) => {
                    let (buffer, halo): (&'e Buffer, _) = (buffer, window.halo(r.clone()));
                    let parts = halo.ranges().iter().cloned();
                    let held = self.resident(scope, buffer, parts, bound)?;
                    (near(held.id, window, halo), held)
                }
                Operand::WindowSlice(view, window) => {
                    // Bound as a whole, as containers are; only what the piece sees is moved.
                    let (all, halo) = (view.window(), window.halo(r.clone()));
                    let elem = element(&kernel.arguments[k].ty);
                    let held = self.temporary(view.layout(), elem.clone(), all)?;
                    for part in halo.ranges() {
                        self.post_upload(scope, held.id, view.narrow(part.clone()));
                    }
                    bound.borrows = true;
                    (near(held.id, window, halo), held)
                }
                Operand::ViewSlice(view) => {
                    let (all, elem) = (view.window(), element(&kernel.arguments[k].ty));
                    let shape = Shape::D1(all.len());
                    let held = self.temporary(view.layout(), elem.clone(), all)?;
                    self.post_upload(scope, held.id, *view);
                    bound.borrows = true;
                    (Arg::View(held.id, shape), held)
                }
                Operand::ViewPart(source, part, shape) => {
                    let (source, part, shape): (Source<'e>, _, _) = (*source, part.clone(), *shape);
                    let elem = element(&kernel.arguments[k].ty);
                    let held =
                        self.temporary(source.element_layout(), elem.clone(), 0..part.len())?;
                    self.post_part(scope, held.id, source, part, [0..shape.len()], bound)?;
                    (Arg::View(held.id, shape), held)
                }
                Operand::WindowPart(source, part, window) => {
                    // A copy of what the piece sees: devices count the elements of containers from 0 on.
                    let (source, part): (Source<'e>, _) = (*source, part.clone());
                    let (halo, elem) = (window.halo(r.clone()), element(&kernel.arguments[k].ty));
                    let held =
                        self.temporary(source.element_layout(), elem.clone(), 0..part.len())?;
                    let seen = halo.ranges().iter().cloned();
                    self.post_part(scope, held.id, source, part, seen, bound)?;
                    (near(held.id, window, halo), held)
                }
                Operand::ReadSlice(view) => {
                    let held = self.temporary(view.layout(), ty(), needs.clone())?;
                    self.post_upload(scope, held.id, view.narrow(needs.clone()));
                    bound.borrows = true;
                    (read(held.id, row_major, needs.clone()), held)
                }
                Operand::Update(target) => {
                    let held = self.array_of(target.buffer())?;
                    // Its host memory is lent for the upload, and not valid any more, since the
                    // kernel will write the elements.
                    let places = target.places(r);
                    offset = target.window().start;
                    for part in target.buffer().missing(self.node, places.clone()) {
                        self.post_upload(scope, held.id, target.lend_mut(part)?.into_view());
                        bound.borrows = true;
                    }
                    // SAFETY: the launch is queued below, or, if that fails, the call poisons the elements;
                    // a download asks the driver.
                    unsafe { target.wrote(self.node, places) };
                    (Arg::InOut(held.id), held)
                }
                Operand::Write(target) => {
                    let held = self.array_of(target.buffer())?;
                    let places = target.places(r);
                    offset = target.window().start;
                    // SAFETY: the launch is queued below, or, if that fails, the call poisons the elements;
                    // a download asks the driver.
                    unsafe { target.wrote(self.node, places) };
                    (Arg::Out(held.id), held)
                }
                Operand::Scatter(target, _, reads) => {
                    let layout = target.buffer().layout();
                    let held = self.temporary(layout, ty(), r.clone())?;
                    strips.push(held.id);
                    match *reads {
                        true => (Arg::InOut(held.id), held),
                        false => (Arg::Out(held.id), held),
                    }
                }
                Operand::UpdateSlice(slice) => {
                    let held = self.temporary(slice.layout(), ty(), r.clone())?;
                    bound.slices.push((held.id, slice.lend(r.clone()), true));
                    (Arg::InOut(held.id), held)
                }
                Operand::WriteSlice(slice) => {
                    let held = self.temporary(slice.layout(), ty(), r.clone())?;
                    bound.slices.push((held.id, slice.lend(r.clone()), false));
                    (Arg::Out(held.id), held)
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
    fn fetch<'e>(
        &self,
        scope: &Scope<'e>,
        call: &Call<'e>,
        r: &Range<usize>,
        bound: &mut Bound<'e, D>,
    ) -> Result<()> {
        let (space, along) = (call.space(), call.along);
        for operand in &call.operands {
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
            let parts = wanted.ranges().iter().cloned();
            self.resident(scope, buffer, parts, bound)?;
        }
        Ok(())
    }

    /// Uploads elements of part of a container or slice, counted from its beginning.
    fn post_part<'e>(
        &self,
        scope: &Scope<'e>,
        id: ArrayId,
        source: Source<'e>,
        part: Range<usize>,
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

    /// The array of a container, with the elements `wanted` on the device or on their way.
    fn resident<'e>(
        &self,
        scope: &Scope<'e>,
        buffer: &'e Buffer,
        wanted: impl IntoIterator<Item = Range<usize>>,
        bound: &mut Bound<'e, D>,
    ) -> Result<Held<D>> {
        let held = self.array_of(buffer)?;
        for r in wanted {
            let parts = buffer.upload_missing(self.node, r, |view| {
                self.post_upload(scope, held.id, view);
            })?;
            let parts = parts.into_iter().map(|part| (buffer, part));
            bound.uploaded.extend(parts);
        }
        Ok(held)
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

    fn post_upload<'e>(&self, scope: &Scope<'e>, id: ArrayId, view: View<'e>) {
        self.count_upload(view);
        // SAFETY: the view is for the driver.
        unsafe { scope.post(&self.queue, move |memory| memory.upload(id, view)) };
    }
}

/// The argument for a container of which each element sees a neighbourhood.
fn near(id: ArrayId, window: &Window<'_>, halo: IntervalSet) -> Arg {
    let pad = window.pad.map(ErasedArray::copy_of);
    let near = window.near;
    Arg::Window(id, Box::new(NearArg { near, halo, pad }))
}

/// The element type of an argument.
pub(super) fn element(ty: &Ty) -> &Ty {
    match ty {
        Ty::View(view) => &view.elem,
        ty => ty,
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
