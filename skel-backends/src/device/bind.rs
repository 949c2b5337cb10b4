//! The operands of a piece on a device: its arrays are found or made, and what they lack is queued.
#![allow(unsafe_code, reason = "vouches for what devices write")]

use super::{
    Arg, Driver, Scope, cover,
    pinned::PinnedArray,
    scatter::StagedOutput,
    unit::DeviceUnit,
    uploads::Uploads,
    work::{ArrayId, ArrayPart, WorkArg},
};
use skel_core::{
    Error, Result,
    call::{Access, Call, Input, Operand, Output, OutputAccess, OutputTarget},
    container::{Buffer, BufferMut},
    frame::{ErasedArray, StridedViewMut, View, ViewMut},
    ir::Ty,
    plan::Role,
    space::{IndexSpace, IntervalSet, Layout},
};
use std::{ops::Range, sync::atomic::Ordering};

impl<D: Driver> DeviceUnit<D> {
    /// Binds the operands of a piece to these arrays, and queues what they lack.
    pub(super) fn bind<'e>(
        &self,
        scope: &Scope<'e>,
        call: &mut Call<'e>,
        r: &Range<usize>,
        reserved: Vec<Option<PinnedArray<D>>>,
    ) -> Result<Bound<'e, D>> {
        let mut all = Bound::new(self);
        let (kernel, bound) = (call.kernel()?, &mut all);
        let changes = |operand: &Operand<'_>| match operand {
            Operand::Output(output) => output.keeps() && output.target.buffer().is_some(),
            Operand::Input(_) => false,
        };
        if call.operands.iter().any(changes) {
            self.fetch(scope, call, r, &reserved, bound)?;
        }
        self.fetch_scattered(call, r)?;
        let (space, mut staged) = (call.space, Vec::new());
        let operands = call.operands.iter_mut().zip(reserved);
        for (k, (operand, held)) in operands.enumerate() {
            let id = held.as_ref().map(|held| held.id);
            let (arg, offset) = match operand {
                Operand::Input(input) => {
                    let is_strided = matches!(kernel.arguments[k].role, Role::Strided(_));
                    self.bind_input(scope, (&space, r), input, (id, is_strided), bound)?
                }
                Operand::Output(output) => {
                    // All that is written has an array.
                    let Some(id) = id else { continue };
                    if !output.is_ranged() {
                        staged.push(id);
                    }
                    self.bind_output(scope, r, output, id, bound)?
                }
            };
            bound.args.push(arg);
            bound.offsets.push(offset);
            bound.held.extend(held);
        }
        self.stage_outputs(call, r, staged, bound)?;
        Ok(all)
    }

    /// The argument of a launch that elements `r` read of an input, with the place of the call's first element
    /// in its array; what the array lacks is queued.
    fn bind_input<'e>(
        &self,
        scope: &Scope<'e>,
        (space, r): (&IndexSpace, &Range<usize>),
        input: &Input<'e>,
        (id, is_strided): (Option<ArrayId>, bool),
        bound: &mut Bound<'e, D>,
    ) -> Result<(WorkArg, usize)> {
        // All but single values have arrays.
        let Some(id) = id else {
            let value = ErasedArray::copy_of(input.source.host_view(0..1)?)?;
            return Ok((Arg::Uniform(value), 0));
        };
        let needs = input.needs(space, r);
        self.send(scope, id, input, &needs, bound)?;
        let mut offset = 0;
        let arg = match &input.access {
            Access::Uniform => Arg::Uniform(ErasedArray::copy_of(input.source.host_view(0..1)?)?),
            Access::Each | Access::Strided(_) => {
                // At those places as they are, or, to fold a row or column, by strides.
                let layout = input.layout(space);
                if space.along().is_none() {
                    let first = |layout: Layout| layout.over(space.arguments()).contiguous();
                    offset = layout.and_then(first).unwrap_or(0);
                }
                match layout {
                    Some(layout) if is_strided => {
                        Arg::Strided(ArrayPart::of(id, cover::hull(&needs)), layout)
                    }
                    _ => Arg::In(ArrayPart::of(id, offset + r.start..offset + r.end)),
                }
            }
            Access::Whole(shape) => Arg::View(ArrayPart::of(id, 0..shape.len()), *shape),
            Access::Lines(lines) => Arg::Lines(ArrayPart::of(id, lines.hull(r)), **lines),
            Access::Window(window) => {
                let pad = window.pad.map(ErasedArray::copy_of).transpose()?;
                let elements = needs;
                Arg::Window(ArrayPart { id, elements }, window.near, pad)
            }
        };
        Ok((arg, offset))
    }

    /// The argument of a launch that elements `r` write, as [`DeviceUnit::bind_input`].
    fn bind_output<'e>(
        &self,
        scope: &Scope<'e>,
        r: &Range<usize>,
        output: &mut Output<'e>,
        id: ArrayId,
        bound: &mut Bound<'e, D>,
    ) -> Result<(WorkArg, usize)> {
        let (mut offset, reads, keeps) = (0, output.reads, output.keeps());
        let (elements, is_ranged) = (output.elements(r), output.is_ranged());
        let mut taken = elements.clone();
        match &mut output.target {
            // They are lent last.
            OutputTarget::Container(_) if !is_ranged => {}
            OutputTarget::Container(target) => {
                let places = target.places(&elements);
                (offset, taken) = (target.window().start, places.clone());
                match keeps {
                    true => bound.borrows |= self.move_here(scope, id, target, places)?,
                    // SAFETY: the launch that writes them is queued behind this. If it is not, or fails, the call
                    // poisons them or the launch taints them, and a download of them fails.
                    false => unsafe { target.wrote(self.node, places) },
                }
            }
            OutputTarget::Slice(slice) => bound.slices.push((id, slice.lend(elements), reads)),
        }
        let part = ArrayPart::of(id, taken);
        let arg = match output.access.as_deref() {
            Some(OutputAccess::Lines(lines)) => Arg::LinesMut(part, *lines),
            Some(OutputAccess::Sweep(swept)) => {
                let pad = swept.pad.map(ErasedArray::copy_of).transpose()?;
                Arg::Sweep(part, swept.order, pad)
            }
            Some(OutputAccess::Scattered(scattered)) if scattered.by_device => {
                // The layout counts as the container does.
                offset = 0;
                Arg::StridedMut(part, scattered.layout)
            }
            Some(OutputAccess::Scattered(_)) | None => match reads {
                true => Arg::InOut(part),
                false => Arg::Out(part),
            },
        };
        Ok((arg, offset))
    }

    /// Queues what a container's array, which is `id`, lacks of elements that are changed in place, and takes them from
    /// all other nodes. Says whether anything was lent.
    pub(super) fn move_here<'e>(
        &self,
        scope: &Scope<'e>,
        id: ArrayId,
        target: &mut BufferMut<'e>,
        places: Range<usize>,
    ) -> Result<bool> {
        let missing = target.buffer().missing(self.node, places.clone());
        for part in &missing {
            // Not valid on the host any more, since the kernel will write the elements.
            self.post_upload(scope, id, target.lend_mut(part.clone())?.into_view());
        }
        // SAFETY: what of them was not valid on this node is uploaded ahead of all that will read it there. An upload
        // that fails, or that a lost device drops, makes a download of its elements fail.
        unsafe { target.wrote(self.node, places) };
        Ok(!missing.is_empty())
    }

    /// Queues what the piece lacks of all that is only read, before anything is taken to be written: a call
    /// that cannot be run leaves what it would have changed as it was.
    pub(super) fn fetch<'e>(
        &self,
        scope: &Scope<'e>,
        call: &Call<'e>,
        r: &Range<usize>,
        reserved: &[Option<PinnedArray<D>>],
        bound: &mut Bound<'e, D>,
    ) -> Result<()> {
        for (operand, held) in call.operands.iter().zip(reserved) {
            let Operand::Input(input) = operand else {
                continue;
            };
            let needs = input.needs(&call.space, r);
            match (input.kept(), held) {
                (Some(buffer), Some(held)) => self.bring(scope, held.id, buffer, &needs, bound)?,
                _ => input.source.fetch(&needs)?,
            }
        }
        Ok(())
    }

    /// Queues what an input's array, which is `id`, lacks of the elements `needs`. Of what is no container, or
    /// but part of one, all of it: the array is the piece's own.
    pub(super) fn send<'e>(
        &self,
        scope: &Scope<'e>,
        id: ArrayId,
        input: &Input<'e>,
        needs: &IntervalSet,
        bound: &mut Bound<'e, D>,
    ) -> Result<()> {
        if let Some(buffer) = input.kept() {
            return self.bring(scope, id, buffer, needs, bound);
        }
        for part in needs.ranges() {
            self.post_upload(scope, id, input.source.host_view(part.clone())?);
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
        wanted: &IntervalSet,
        bound: &mut Bound<'e, D>,
    ) -> Result<()> {
        for r in wanted.ranges().iter().cloned() {
            let post = |view| self.post_upload(scope, id, view);
            // SAFETY: `post` queues an upload to `id`, which is the buffer's own array on this node, as `reserve` found
            // it; the queue runs commands in their order. An upload that fails taints what it should have brought, so a
            // download of that fails. `post_upload` looks at no buffer.
            let parts = unsafe { buffer.upload_missing(self.node, r, post) }?;
            bound.uploads.add(buffer, parts);
        }
        Ok(())
    }

    pub(super) fn count_upload(&self, view: View<'_>) {
        self.counters
            .uploaded_bytes
            .fetch_add(view.len_bytes() as u64, Ordering::Relaxed);
    }

    pub(super) fn post_upload<'e>(&self, scope: &Scope<'e>, id: ArrayId, view: View<'e>) {
        self.count_upload(view);
        let lender = scope.lender(&self.queue);
        let view = lender.lend(view);
        lender.post(move |memory| memory.upload(id, &view));
    }
}

/// The element type of an argument.
pub(super) fn element(ty: &Ty) -> &Ty {
    match ty {
        Ty::View(view) => &view.elem,
        ty => ty,
    }
}

impl<D: Driver> Bound<'_, D> {
    /// Nothing yet.
    pub(super) fn new(unit: &DeviceUnit<D>) -> Self {
        Bound {
            args: Vec::new(),
            offsets: Vec::new(),
            slices: Vec::new(),
            staged: Vec::new(),
            held: Vec::new(),
            uploads: Uploads::to(unit),
            borrows: false,
        }
    }
}

/// The operands of a piece, on this device.
pub(super) struct Bound<'e, D: Driver> {
    pub(super) args: Vec<WorkArg>,
    pub(super) offsets: Vec<usize>,
    pub(super) slices: Vec<(ArrayId, ViewMut<'e>, bool)>,
    /// What is written one by one.
    pub(super) staged: Vec<StagedOutput<StridedViewMut<'e>>>,
    pub(super) held: Vec<PinnedArray<D>>,
    /// What was uploaded of containers.
    pub(super) uploads: Uploads<'e>,
    /// Whether other uploads borrow from the caller.
    pub(super) borrows: bool,
}
