//! Reserving the arrays of a piece: they are found or made, and get memory, before anything is bound.
#![allow(unsafe_code, reason = "vouches for whose copy an array is")]

use super::{
    Driver,
    bind::element,
    cover,
    deadline::{self, CommandKind},
    memory::Memory,
    pinned::{Handle, PinnedArray},
    presence::Presence,
    residency::{Admission, ArrayForm},
    unit::DeviceUnit,
    work::{ArrayId, Need},
};
use skel_core::{
    Error, Result,
    call::{Call, Operand},
    container::{Buffer, Remote},
    frame::ElementLayout,
    ir::Ty,
};
use std::{
    cell::Cell,
    ops::Range,
    sync::{Arc, atomic::Ordering},
};

/// What a call waits for, if its arrays need more: beside so long a transfer, the wait counts for little.
const NOT_AWAITED_BYTES: u64 = 8 << 20;

/// So often the arrays of a call are looked at, for a moment at which none left.
const LOOKS: usize = 3;

impl<D: Driver> DeviceUnit<D> {
    /// An array that is known to the device, and has no memory yet: of this form, until more of `extent` is
    /// needed.
    fn declare(&self, form: ArrayForm, extent: Range<usize>) -> Handle<D> {
        let id = self.counters.next_array.fetch_add(1, Ordering::Relaxed);
        let presence = Arc::new(Presence::new(&self.counters.departures));
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
    pub(super) fn array_of(&self, buffer: &Buffer) -> Result<PinnedArray<D>> {
        self.found_or_made(buffer).map(|(array, _)| array)
    }

    /// The same, and whether there was none.
    fn found_or_made(&self, buffer: &Buffer) -> Result<(PinnedArray<D>, bool)> {
        let is_new = Cell::new(false);
        let make = || -> Result<Arc<dyn Remote>> {
            is_new.set(true);
            // What it needs memory for, calls will say.
            let form = ArrayForm {
                layout: buffer.layout(),
                ty: buffer.ty(),
                window: 0..0,
            };
            Ok(Arc::new(self.declare(form, 0..buffer.len())))
        };
        // SAFETY: the array is declared for this buffer, with its layout and length, on this device, of which `declare`
        // tells the queue alone. It goes to the buffer and to `PinnedArray`, which pins and unpins it and no more.
        let remote = unsafe { buffer.remote(self.node, make) }?;
        let array = PinnedArray::of_container(remote).ok_or_else(|| Error::Device {
            device: self.info.name.clone(),
            operation: "a call",
            message: "a container says that another device's array is here".into(),
        })?;
        Ok((array, is_new.get()))
    }

    pub(super) fn temporary(
        &self,
        layout: ElementLayout,
        ty: Ty,
        window: Range<usize>,
    ) -> PinnedArray<D> {
        let extent = window.clone();
        PinnedArray::temporary(self.declare(ArrayForm { layout, ty, window }, extent))
    }

    /// As [`DeviceUnit::reserve`], and says whether the device stores by strides what lies apart: not if there is no
    /// room for that.
    pub(super) fn reserve_scattering(
        &self,
        call: &mut Call<'_>,
        r: &Range<usize>,
    ) -> Result<Vec<Option<PinnedArray<D>>>> {
        let by_device = self.scatters(call, r);
        call.scatter_by_device(by_device);
        match self.reserve(call, r) {
            Err(Error::OutOfMemory { .. }) if by_device => {
                call.scatter_by_device(false);
                self.reserve(call, r)
            }
            reserved => reserved,
        }
    }

    /// Finds or makes the arrays of a piece, by operand, and memory for all of them at once. Changes nothing
    /// that other threads can see.
    pub(super) fn reserve(
        &self,
        call: &Call<'_>,
        r: &Range<usize>,
    ) -> Result<Vec<Option<PinnedArray<D>>>> {
        let kernel = call.kernel()?;
        let (mut held, mut needs) = (Vec::with_capacity(call.operands.len()), Vec::new());
        // The bytes of each that is the call's own until it has been queued.
        let mut own_bytes = Vec::with_capacity(call.operands.len());
        // What is changed in place is lost if there turns out to be no memory, and it was not waited for.
        let changes = |operand: &Operand<'_>| matches!(operand, Operand::Output(o) if o.keeps());
        let changes = call.operands.iter().any(changes);
        for (operand, argument) in call.operands.iter().zip(&kernel.arguments) {
            let of_piece = |needed: Range<usize>| {
                let elem = element(&argument.ty).clone();
                let array = self.temporary(operand.element_layout(), elem, needed.clone());
                ((array, true), needed)
            };
            let array = match (operand.kept(&call.space, r), operand) {
                (Some((buffer, needed)), _) => {
                    Some((self.found_or_made(buffer)?, cover::hull(&needed)))
                }
                (None, Operand::Input(input)) if input.is_uniform() => None,
                (None, Operand::Input(input)) => {
                    Some(of_piece(cover::hull(&input.needs(&call.space, r))))
                }
                (None, Operand::Output(output)) => Some(of_piece(output.elements(r))),
            };
            let array = array.map(|((array, is_new), needed)| {
                let (layout, ty) = (operand.element_layout(), element(&argument.ty));
                let bytes = || D::array_bytes(layout, ty, needed.len());
                own_bytes.push(is_new.then(bytes));
                needs.push((array.id, needed));
                array
            });
            held.push(array);
        }
        let own_bytes = (!changes).then_some(&own_bytes[..]);
        self.find_room(held.iter().flatten(), needs, own_bytes)?;
        Ok(held)
    }

    /// Memory for all that elements `r` need of containers, before they are taken in several pieces: whether
    /// there was enough.
    pub(super) fn reserve_containers(&self, call: &Call<'_>, r: &Range<usize>) -> Result<bool> {
        let (mut held, mut needs) = (Vec::new(), Vec::new());
        for operand in &call.operands {
            if let Some((buffer, needed)) = operand.kept(&call.space, r) {
                let needed = cover::hull(&needed);
                let array = self.array_of(buffer)?;
                needs.push((array.id, needed));
                held.push(array);
            }
        }
        match self.find_room(held.iter(), needs, None) {
            Ok(()) => Ok(true),
            Err(Error::OutOfMemory { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Memory for what is needed of these arrays, which are pinned by now, unless all have it at one moment: then the
    /// device's thread is left alone (`residency/grow.rs` says why that will do). With the bytes of arrays that are the call's
    /// own, few of them are not waited for, either, nor what calls before were promised.
    fn find_room<'a>(
        &self,
        held: impl Iterator<Item = &'a PinnedArray<D>>,
        needs: Vec<Need>,
        own_bytes: Option<&[Option<u64>]>,
    ) -> Result<()>
    where
        D: 'a,
    {
        let held: Vec<&PinnedArray<D>> = held.collect();
        let departures = &self.counters.departures;
        let (mut lacking, mut is_steady) = (Vec::new(), false);
        // Other arrays may come and go, most of them not this call's.
        for _ in 0..LOOKS {
            let before = departures.count();
            let lacks = |k: &usize| !held[*k].presence.has(&needs[*k].1);
            lacking = (0..held.len()).filter(lacks).collect();
            is_steady = departures.count() == before;
            if is_steady {
                break;
            }
        }
        if lacking.is_empty() && is_steady {
            return Ok(());
        }
        let own = own_bytes.filter(|_| is_steady).and_then(|own_bytes| {
            lacking.retain(|k| !held[*k].presence.will_have(&needs[*k].1));
            let mut bytes = lacking.iter().map(|k| own_bytes[*k]);
            let bytes = bytes.try_fold(0_u64, |all, bytes| Some(all.saturating_add(bytes?)));
            let few = bytes.filter(|bytes| *bytes <= NOT_AWAITED_BYTES)?;
            self.counters.room.promise(few)
        });
        // Others may have to leave for it, of which no model knows.
        deadline::on(CommandKind::Other, || match own {
            None => {
                let seek = move |memory: &mut Memory<D>| memory.reside(&needs, Admission::Sought);
                self.queue.ask(seek)
            }
            Some(promise) => {
                for k in &lacking {
                    held[*k].presence.promise(needs[*k].1.clone());
                }
                let own: Vec<ArrayId> = lacking.iter().map(|k| needs[*k].0).collect();
                self.queue.post(move |memory| {
                    // The commands behind it need the same, and say so if it is not there.
                    let _said_later = memory.reside(&needs, Admission::Promised(&own));
                    drop(promise);
                });
                Ok(())
            }
        })
    }
}
