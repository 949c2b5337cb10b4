//! The arrays of a piece: found, or made, and given memory, before anything is bound to them.
#![allow(unsafe_code, reason = "vouches for whose copy an array is")]

use super::{
    Driver,
    bind::element,
    cover,
    due::{self, Errand},
    held::{Handle, Held},
    presence::Presence,
    residency::{Admission, Form},
    unit::DeviceUnit,
    work::{ArrayId, Need},
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
    /// An array that is known to the device, and has no memory yet: of this form, until more of `extent` is
    /// needed.
    fn declare(&self, form: Form, extent: Range<usize>) -> Handle<D> {
        let id = self.counters.next_array.fetch_add(1, Ordering::Relaxed);
        let presence = Arc::<Presence>::default();
        let shared = Arc::clone(&presence);
        self.queue
            .post(move |memory| memory.declare(id, form, extent, shared));
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
            // What it needs memory for, calls will say.
            let form = Form {
                layout: buffer.layout(),
                ty: buffer.ty(),
                window: 0..0,
            };
            Ok(Arc::new(self.declare(form, 0..buffer.len())))
        };
        // SAFETY: the array is declared for this buffer, with its layout and length, on this device; `Held` does
        // nothing to it but to use it.
        let remote = unsafe { buffer.remote(self.node, make) }?;
        Held::of_container(remote).ok_or_else(|| Error::Device {
            device: self.info.name.clone(),
            operation: "a call",
            message: "a container says that another device's array is here".into(),
        })
    }

    pub(super) fn temporary(&self, layout: ElementLayout, ty: Ty, window: Range<usize>) -> Held<D> {
        let extent = window.clone();
        Held::temporary(self.declare(Form { layout, ty, window }, extent))
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
        let (mut held, mut needs) = (Vec::with_capacity(call.operands.len()), Vec::new());
        for (k, operand) in call.operands.iter().enumerate() {
            let of_piece = |layout: ElementLayout, needed: Range<usize>| {
                let elem = element(&kernel.arguments[k].ty).clone();
                (self.temporary(layout, elem, needed.clone()), needed)
            };
            let array = match operand {
                Operand::Uniform(_) | Operand::Scalar(_) => None,
                Operand::ViewPart(source, part, _) => {
                    Some(of_piece(source.element_layout(), 0..part.len()))
                }
                Operand::WindowPart(source, _, window) => {
                    let seen = cover::hull(&window.halo(r.clone()));
                    Some(of_piece(source.element_layout(), seen))
                }
                Operand::Scatter(target, ..) => Some(of_piece(target.buffer().layout(), r.clone())),
                Operand::Strided(Source::Slice(view), layout) => {
                    let places = layout.needed(r, space, along);
                    Some(of_piece(view.layout(), places))
                }
                Operand::ReadSlice(view) => Some(of_piece(view.layout(), call.needs(r))),
                Operand::ViewSlice(view) => Some(of_piece(view.layout(), view.window())),
                Operand::WindowSlice(view, window) => {
                    let seen = cover::hull(&window.halo(r.clone()));
                    Some(of_piece(view.layout(), seen))
                }
                Operand::UpdateSlice(slice) | Operand::WriteSlice(slice) => {
                    Some(of_piece(slice.layout(), r.clone()))
                }
                Operand::Read(_)
                | Operand::Strided(Source::Container(_), _)
                | Operand::View(..)
                | Operand::Window(..)
                | Operand::Update(_)
                | Operand::Write(_) => match kept(call, operand, r) {
                    Some((buffer, needed)) => Some((self.array_of(buffer)?, needed)),
                    None => None,
                },
            };
            let array = array.map(|(array, needed)| {
                needs.push((array.id, array.presence.has(&needed), needed));
                array
            });
            held.push(array);
        }
        self.find_room(needs)?;
        Ok(held)
    }

    /// Memory for all that elements `r` need of containers, before they are taken in several pieces: whether
    /// there was enough.
    pub(super) fn reserve_containers(&self, call: &Call<'_>, r: &Range<usize>) -> Result<bool> {
        let (mut held, mut needs) = (Vec::new(), Vec::new());
        for operand in &call.operands {
            if let Some((buffer, needed)) = kept(call, operand, r) {
                let array = self.array_of(buffer)?;
                needs.push((array.id, array.presence.has(&needed), needed));
                held.push(array);
            }
        }
        match self.find_room(needs) {
            Ok(()) => Ok(true),
            Err(Error::OutOfMemory { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Memory for what is needed of these arrays, unless all have it: then the device's thread is left alone.
    fn find_room(&self, needs: Vec<(ArrayId, bool, Range<usize>)>) -> Result<()> {
        if needs.iter().all(|(_, there, _)| *there) {
            return Ok(());
        }
        let needs: Vec<Need> = needs.into_iter().map(|(id, _, r)| (id, r)).collect();
        // Others may have to leave for it, of which no model knows.
        due::on(Errand::Other, || {
            self.queue
                .ask(move |memory| memory.reside(&needs, Admission::Sought))
        })
    }
}

/// The container whose array is kept after the call, and what elements `r` need of it, from the first to the
/// last.
fn kept<'c>(
    call: &'c Call<'_>,
    operand: &'c Operand<'_>,
    r: &Range<usize>,
) -> Option<(&'c Buffer, Range<usize>)> {
    Some(match operand {
        Operand::Read(buffer) => (*buffer, call.needs(r)),
        Operand::Strided(Source::Container(buffer), layout) => {
            (*buffer, layout.needed(r, call.space(), call.along))
        }
        Operand::View(buffer, _) => (*buffer, 0..buffer.len()),
        Operand::Window(buffer, window) => (*buffer, cover::hull(&window.halo(r.clone()))),
        Operand::Update(target) | Operand::Write(target) => (target.buffer(), target.places(r)),
        _ => return None,
    })
}
