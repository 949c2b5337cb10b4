//! The arrays of a piece: found, or made, and given memory, before anything is bound to them.

use super::{
    Driver,
    bind::element,
    due::{self, Errand},
    held::{Handle, Held},
    presence::Presence,
    residency::Form,
    unit::DeviceUnit,
    work::ArrayId,
};
use skel_core::{
    Error, Result,
    call::{Call, Operand, Source},
    container::{Buffer, Remote},
    frame::ElementLayout,
    ir::Ty,
};
use std::{
    ops::Range,
    sync::{Arc, atomic::Ordering},
};

impl<D: Driver> DeviceUnit<D> {
    /// An array that is known to the device, and has no memory yet.
    pub(super) fn declare(&self, layout: ElementLayout, ty: Ty, window: Range<usize>) -> Handle<D> {
        let id = self.counters.next_array.fetch_add(1, Ordering::Relaxed);
        let presence = Arc::<Presence>::default();
        let (form, shared) = (Form { layout, ty, window }, Arc::clone(&presence));
        self.queue
            .post(move |memory| memory.declare(id, form, shared));
        Handle {
            id,
            presence,
            queue: self.queue.clone(),
            counters: Arc::clone(&self.counters),
        }
    }

    /// The array of a container on this device.
    pub(super) fn array_of(&self, buffer: &Buffer) -> Result<Held<D>> {
        let make = || -> Result<Arc<dyn Remote>> {
            let handle = self.declare(buffer.layout(), buffer.ty(), 0..buffer.len());
            Ok(Arc::new(handle))
        };
        let remote = buffer.remote(self.node, make)?;
        Held::of_container(remote).ok_or_else(|| Error::Device {
            device: self.info.name.clone(),
            operation: "a call",
            message: "a container says that another device's array is here".into(),
        })
    }

    pub(super) fn temporary(&self, layout: ElementLayout, ty: Ty, window: Range<usize>) -> Held<D> {
        Held::temporary(self.declare(layout, ty, window))
    }

    /// Finds or makes the arrays of a piece, by operand, and memory for all of them at once. Changes
    /// nothing that anyone could see.
    pub(super) fn reserve(
        &self,
        call: &Call<'_>,
        r: &Range<usize>,
    ) -> Result<Vec<Option<Held<D>>>> {
        let kernel = call.kernel()?;
        let (space, along) = (call.space(), call.along);
        let mut held = Vec::with_capacity(call.operands.len());
        for (k, operand) in call.operands.iter().enumerate() {
            let elem = || element(&kernel.arguments[k].ty).clone();
            held.push(match operand {
                Operand::Uniform(_) | Operand::Scalar(_) => None,
                Operand::Read(buffer)
                | Operand::Strided(Source::Container(buffer), _)
                | Operand::View(buffer, _)
                | Operand::Window(buffer, _) => Some(self.array_of(buffer)?),
                Operand::Update(target) | Operand::Write(target) => {
                    Some(self.array_of(target.buffer())?)
                }
                Operand::ViewPart(source, part, _) | Operand::WindowPart(source, part, _) => {
                    Some(self.temporary(source.element_layout(), elem(), 0..part.len()))
                }
                Operand::Scatter(target, ..) => {
                    Some(self.temporary(target.buffer().layout(), elem(), r.clone()))
                }
                Operand::Strided(Source::Slice(view), layout) => {
                    let places = layout.needed(r, space, along);
                    Some(self.temporary(view.layout(), elem(), places))
                }
                Operand::ReadSlice(view) => {
                    Some(self.temporary(view.layout(), elem(), call.needs(r)))
                }
                // Bound as a whole, as containers are.
                Operand::ViewSlice(view) | Operand::WindowSlice(view, _) => {
                    Some(self.temporary(view.layout(), elem(), view.window()))
                }
                Operand::UpdateSlice(slice) | Operand::WriteSlice(slice) => {
                    Some(self.temporary(slice.layout(), elem(), r.clone()))
                }
            });
        }
        if !held
            .iter()
            .flatten()
            .all(|held| held.presence.is_resident())
        {
            let ids: Vec<ArrayId> = held.iter().flatten().map(|held| held.id).collect();
            // Others may have to leave for it, of which no model knows.
            due::on(Errand::Other, || {
                self.queue.ask(move |memory| memory.reside(&ids))
            })?;
        }
        Ok(held)
    }
}
