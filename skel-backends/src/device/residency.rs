//! Which arrays have memory on the device, and what becomes of those that have to leave it.
//!
//! An array has a number from its first binding on. It has memory on the device from the first command that
//! needs it until something else needs the room. Least recently used arrays leave first, in three rounds:
//!
//! 1. those of which the host has everything: they are dropped;
//! 2. those that launches have written since the host last asked: these elements (*dirty* ones) are copied
//!    to a *spill* beside the array, in host memory that no container owns; all else is dropped;
//! 3. those that a queued command will use: all that they hold is spilled.
//!
//! What was spilled (`spill`) is as valid on the device as it was: downloads read it, and the next command that
//! needs the array brings it back. What was dropped is noted in [`Presence`].
//!
//! An array of a container has memory for what is needed of it, and not for all elements ([`cover`]): a device
//! that takes a third of each call has room for three times as much. If a command needs more than that, the
//! array gets other memory, and all that it holds goes along.
//!
//! # Why nothing is lost
//! An element that is valid on this device, and not on the host, was written by a launch on this device after
//! it was last uploaded or downloaded, for an upload needs it on the host, a download brings it there, and
//! the host's elements lose validity only by a write elsewhere, which takes this device's validity, too. A
//! launch marks what it writes as dirty, and only uploads and downloads take the mark. So whatever is not
//! dirty is also on the host, or is valid nowhere. Until the launch has run, its arrays are pinned. (Marks of
//! what others have overwritten since are taken away before an array leaves: what is valid elsewhere needs no
//! safety.)

mod grow;
mod spill;

pub(super) use grow::Admission;

use super::{
    Driver, cover,
    lent::{Readable, Writable},
    presence::Presence,
    room::Room,
    taint::{TaintSource, Taints},
    work::{ArrayId, Need},
};
use skel_core::{
    Error, Result,
    frame::{ElementLayout, ErasedArray},
    ir::Ty,
    space::IntervalSet,
};
use std::{collections::HashMap, ops::Range, sync::Arc};

/// What an array is to hold.
#[derive(Clone, Debug)]
pub(super) struct ArrayForm {
    pub(super) layout: ElementLayout,
    pub(super) ty: Ty,
    pub(super) window: Range<usize>,
}

impl ArrayForm {
    pub(super) fn bytes<D: Driver>(&self) -> u64 {
        D::array_bytes(self.layout, &self.ty, self.window.len())
    }
}

/// An array, with or without memory on the device.
pub(super) struct Slot<A> {
    /// What it has memory for, or had last.
    form: ArrayForm,
    bytes: u64,
    /// What it can hold.
    extent: Range<usize>,
    pub(super) array: Option<A>,
    /// What it held when it left the device.
    spill: Vec<ErasedArray>,
    /// What it holds, there or here.
    present: IntervalSet,
    /// What only this device has.
    dirty: IntervalSet,
    pub(super) taints: Taints,
    presence: Arc<Presence>,
    used: u64,
}

impl<A> Slot<A> {
    /// Whether it has memory for elements `r`.
    fn has(&self, r: &Range<usize>) -> bool {
        self.array.is_some() && cover::contains(&self.form.window, r)
    }

    /// Notes what was written elsewhere, and so is not held here any more, if only the caller, with its `own`
    /// pins, will use the array.
    fn forget_overwritten(&mut self, own: usize) {
        for r in self.presence.overwritten(own).ranges() {
            self.dirty.remove(r.clone());
            self.present.remove(r.clone());
        }
    }

    /// Elements `r` have been uploaded.
    pub(super) fn uploaded(&mut self, r: Range<usize>) {
        self.presence.claim(&r);
        self.dirty.remove(r.clone());
        self.present.insert(r);
    }

    /// A launch has written elements `r`, or should have: perhaps it found no memory for them.
    pub(super) fn wrote(&mut self, r: Range<usize>) {
        let window = &self.form.window;
        let r = r.start.max(window.start)..r.end.min(window.end);
        if !r.is_empty() {
            self.dirty.insert(r.clone());
            self.present.insert(r);
        }
    }

    /// Whether it can be freed for good, since the host has everything, or no node anything; then it is to be.
    fn release(&mut self) -> bool {
        self.forget_overwritten(0);
        self.dirty.is_empty() && self.presence.release()
    }

    /// The host has got elements `r`.
    fn downloaded(&mut self, r: Range<usize>) {
        self.dirty.remove(r);
        // What the host has needs no spill.
        let nothing = IntervalSet::new();
        if self.array.is_none() && self.dirty.is_empty() && self.presence.keep(&nothing) {
            self.spill = Vec::new();
            self.present = nothing;
        }
    }
}

/// All arrays of a device.
pub(super) struct Arrays<D: Driver> {
    slots: HashMap<ArrayId, Slot<D::Array>>,
    device: String,
    capacity_bytes: Option<u64>,
    used_bytes: u64,
    /// What callers know of it.
    room: Arc<Room>,
    /// What may lie in host memory instead.
    most_spilled_bytes: u64,
    clock: u64,
}

impl<D: Driver> Arrays<D> {
    pub(super) fn new(driver: &D, room: Arc<Room>) -> Self {
        let capacity_bytes = driver.capacity_bytes();
        room.is_short_at(capacity_bytes.map_or(u64::MAX, |bytes| bytes.saturating_add(1)));
        Arrays {
            slots: HashMap::new(),
            device: driver.info().name,
            capacity_bytes,
            used_bytes: 0,
            room,
            most_spilled_bytes: u64::MAX,
            clock: 0,
        }
    }

    pub(super) fn set_capacity(&mut self, bytes: u64) {
        self.capacity_bytes = Some(bytes);
        self.room.is_short_at(bytes.saturating_add(1));
    }

    /// Arrays have got so much more memory.
    fn got(&mut self, bytes: u64) {
        self.used_bytes += bytes;
        self.room.uses(self.used_bytes);
    }

    /// Arrays have so much less memory.
    fn gave_back(&mut self, bytes: u64) {
        self.used_bytes -= bytes;
        self.room.uses(self.used_bytes);
    }

    pub(super) fn set_most_spilled(&mut self, bytes: u64) {
        self.most_spilled_bytes = bytes;
    }

    /// An array that has no memory yet, and can hold elements `extent`. Of a container's it is found out how many
    /// are needed; the form of others is as it is.
    pub(super) fn declare(
        &mut self,
        id: ArrayId,
        form: ArrayForm,
        extent: Range<usize>,
        presence: Arc<Presence>,
    ) {
        let slot = Slot {
            bytes: form.bytes::<D>(),
            extent,
            form,
            array: None,
            spill: Vec::new(),
            present: IntervalSet::new(),
            dirty: IntervalSet::new(),
            taints: Taints::default(),
            presence,
            used: 0,
        };
        self.slots.insert(id, slot);
    }

    /// Frees, for good, all arrays of which the host has everything, or no node anything.
    pub(super) fn release_clean(&mut self) {
        let mut freed_bytes = 0;
        self.slots.retain(|_, slot| {
            let stays = !slot.release();
            if !stays && slot.array.is_some() {
                freed_bytes += slot.bytes;
            }
            stays
        });
        self.gave_back(freed_bytes);
    }

    /// The same of one array.
    pub(super) fn release_if_clean(&mut self, id: ArrayId) {
        if self.slots.get_mut(&id).is_some_and(Slot::release) {
            self.free(id);
        }
    }

    /// How many arrays there are.
    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    pub(super) fn free(&mut self, id: ArrayId) {
        if let Some(slot) = self.slots.remove(&id)
            && slot.array.is_some()
        {
            self.gave_back(slot.bytes);
        }
    }

    pub(super) fn get(&self, id: ArrayId) -> Option<&Slot<D::Array>> {
        self.slots.get(&id)
    }

    pub(super) fn get_mut(&mut self, id: ArrayId) -> Option<&mut Slot<D::Array>> {
        self.slots.get_mut(&id)
    }

    /// Takes arrays out, to be borrowed beside others.
    pub(super) fn take(&mut self, id: ArrayId) -> Option<(ArrayId, Slot<D::Array>)> {
        Some((id, self.slots.remove(&id)?))
    }

    pub(super) fn put_back(&mut self, taken: impl IntoIterator<Item = (ArrayId, Slot<D::Array>)>) {
        self.slots.extend(taken);
    }

    /// Whether arrays of so many bytes fit at once, when all else has gone.
    pub(super) fn admits(&self, needed_bytes: u64) -> Result<()> {
        match self.capacity_bytes {
            Some(available_bytes) if needed_bytes > available_bytes => Err(Error::OutOfMemory {
                device: self.device.clone(),
                needed_bytes,
                available_bytes,
            }),
            _ => Ok(()),
        }
    }

    /// Makes room for arrays of these forms beside those that are `wanted`, all at the same time.
    pub(super) fn has_room(
        &mut self,
        driver: &mut D,
        needs: &[Need],
        forms: &[ArrayForm],
    ) -> Result<()> {
        self.reside(driver, needs, Admission::Sought)?;
        let mut wanted: Vec<ArrayId> = needs.iter().map(|(id, _)| *id).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let kept = wanted.iter().filter_map(|id| self.slots.get(id));
        let kept = kept.map(|slot| slot.bytes);
        let new = forms.iter().map(ArrayForm::bytes::<D>);
        self.admits(kept.chain(new).fold(0, u64::saturating_add))?;
        let (mut arrays, mut taken_bytes, mut result) = (Vec::new(), 0, Ok(()));
        for form in forms {
            match self.allocate(driver, form, &wanted) {
                Ok(array) => arrays.push(array),
                Err(error) => {
                    result = Err(error);
                    break;
                }
            }
            taken_bytes += form.bytes::<D>();
            self.got(form.bytes::<D>());
        }
        self.gave_back(taken_bytes);
        result
    }

    /// Memory for an array, in exchange for that of others, but not of those `wanted`. Each round takes one
    /// array's memory away, so there are no more rounds than arrays.
    pub(super) fn allocate(
        &mut self,
        driver: &mut D,
        form: &ArrayForm,
        wanted: &[ArrayId],
    ) -> Result<D::Array> {
        loop {
            let failed = match self.try_allocate(driver, form) {
                Err(error @ Error::OutOfMemory { .. }) => error,
                other => return other,
            };
            self.room.is_short_at(self.used_bytes);
            if !self.evict_one(driver, wanted) {
                return Err(failed);
            }
        }
    }

    /// Memory for an array, of what is left.
    fn try_allocate(&self, driver: &mut D, form: &ArrayForm) -> Result<D::Array> {
        let bytes = form.bytes::<D>();
        match self.capacity_bytes {
            Some(most) if self.used_bytes.saturating_add(bytes) > most => Err(Error::OutOfMemory {
                device: self.device.clone(),
                needed_bytes: bytes,
                available_bytes: most.saturating_sub(self.used_bytes),
            }),
            _ => driver.allocate(form.layout, &form.ty, form.window.clone()),
        }
    }

    /// Copies elements to the host, for the array's container if it is `kept`, and else only to be looked at: then the
    /// device is still the one that has them.
    pub(super) fn download(
        &mut self,
        driver: &mut D,
        id: ArrayId,
        into: impl Writable,
        kept: bool,
    ) -> Option<Result<()>> {
        let slot = self.slots.get_mut(&id)?;
        let window = into.window();
        if let Some(error) = slot.taints.resolve(driver, &window) {
            return Some(Err(error));
        }
        match &slot.array {
            Some(array) => {
                if let Err(error) = into.fill(|into| driver.download(array, into)) {
                    return Some(Err(error));
                }
            }
            None => match into.put(|into| slot.unspill(into)) {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => return Some(Err(error)),
            },
        }
        if kept {
            slot.downloaded(window);
        }
        Some(Ok(()))
    }

    /// Copies elements to the device. If that fails, the command that reads them there reports it.
    pub(super) fn upload(&mut self, driver: &mut D, id: ArrayId, view: &impl Readable) {
        let window = view.window();
        let need = [(id, window.clone())];
        let mut result = self.reside(driver, &need, Admission::Granted);
        loop {
            let Some(slot) = self.slots.get_mut(&id) else {
                return;
            };
            if result.is_ok() {
                result = match &mut slot.array {
                    Some(array) => view.read(|view| driver.upload(array, view)),
                    None => Err(Error::Device {
                        device: self.device.clone(),
                        operation: "an upload",
                        message: "its array has no memory".into(),
                    }),
                };
            }
            match &result {
                Ok(()) => {
                    slot.taints.clear(&window);
                    slot.uploaded(window);
                    return;
                }
                // The driver needs memory of its own for it.
                Err(Error::OutOfMemory { .. }) if self.evict_one(driver, &[id]) => {
                    result = self.reside(driver, &need, Admission::Granted);
                }
                Err(_) => break,
            }
        }
        if let (Some(slot), Err(error)) = (self.slots.get_mut(&id), result) {
            slot.taints.clear(&window);
            slot.taints.add(&window, &[TaintSource::failed(error)]);
        }
    }
}
