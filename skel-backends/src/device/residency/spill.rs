//! Spills: elements that leave a device, and come back.

use super::Arrays;
use crate::device::{Driver, residency::Slot, work::ArrayId};
use skel_core::{
    Error, Result,
    frame::{ElementLayout, ErasedArray, ViewOut},
    space::IntervalSet,
};
use std::{cmp::Reverse, collections::BinaryHeap, ops::Range};

impl<A> Slot<A> {
    /// Copies elements that were spilled.
    pub(super) fn unspill(&self, mut into: ViewOut<'_>) -> bool {
        let window = into.window();
        let mut left = IntervalSet::of(window.clone());
        for part in &self.spill {
            let own = part.window();
            let both = own.start.max(window.start)..own.end.min(window.end);
            if !both.is_empty() {
                into.copy_from(part.view(both.clone()));
                left.remove(both);
            }
        }
        left.is_empty()
    }

    fn spilled_bytes(&self) -> u64 {
        let bytes = self.spill.iter().map(|part| part.all().len_bytes() as u64);
        bytes.sum()
    }

    /// Takes memory away. What only the array has is copied to `spill` first, as far as there is `room` for
    /// that; if that fails, the array stays.
    fn leave<D: Driver<Array = A>>(&mut self, driver: &mut D, room: u64) -> bool {
        let Some(array) = &self.array else {
            return false;
        };
        let (layout, mut room) = (self.form.layout, room);
        let mut copy = |parts: &[Range<usize>]| copies(driver, layout, array, parts, &mut room);
        let Ok(mut spill) = copy(self.dirty.ranges()) else {
            return false;
        };
        if self.presence.keep(&self.dirty) {
            for gap in self.dirty.missing(self.extent.clone()) {
                self.taints.clear(&gap);
            }
            self.present = self.dirty.clone();
        } else {
            // A command will use it: then all of it counts as there.
            let present = self.present.ranges().iter();
            let clean = present.flat_map(|r| self.dirty.missing(r.clone()));
            match copy(&clean.collect::<Vec<_>>()) {
                Ok(rest) => spill.extend(rest),
                Err(_) => return false,
            }
        }
        self.spill = spill;
        self.array = None;
        self.presence.set_resident(None);
        true
    }
}

/// Copies of elements that an array has, in host memory that no container owns, as far as there is `room`.
pub(super) fn copies<D: Driver>(
    driver: &mut D,
    layout: ElementLayout,
    array: &D::Array,
    parts: &[Range<usize>],
    room: &mut u64,
) -> Result<Vec<ErasedArray>> {
    let copies = parts.iter().map(|r| {
        let needed_bytes = (r.len() * layout.size_bytes()) as u64;
        let full = || Error::OutOfMemory {
            device: "the host".into(),
            needed_bytes,
            available_bytes: 0,
        };
        *room = room.checked_sub(needed_bytes).ok_or_else(full)?;
        let mut copy = ErasedArray::zeroed(layout, r.clone())?;
        driver.download(array, copy.view_out(r.clone()))?;
        Ok(copy)
    });
    copies.collect()
}

impl<D: Driver> Arrays<D> {
    /// How many bytes the host may still take.
    pub(super) fn spill_room(&self) -> u64 {
        let spilled: u64 = self.slots.values().map(Slot::spilled_bytes).sum();
        self.most_spilled_bytes.saturating_sub(spilled)
    }

    /// An array has got memory, and gets what was spilled and is still held: what was overwritten elsewhere since need not
    /// lie within its memory. If that fails, the spill stays where it is.
    pub(super) fn settle(
        &mut self,
        driver: &mut D,
        id: ArrayId,
        mut array: D::Array,
    ) -> Result<()> {
        let Some(slot) = self.slots.get_mut(&id) else {
            return Ok(());
        };
        for part in &slot.spill {
            for held in slot.present.present(part.window()) {
                driver.upload(&mut array, part.view(held))?;
            }
        }
        slot.spill = Vec::new();
        slot.array = Some(array);
        slot.presence.set_resident(Some(slot.form.window.clone()));
        let bytes = slot.bytes;
        self.got(bytes);
        Ok(())
    }

    /// Takes memory from the array that is missed least, if there is one besides those `wanted`. One of which
    /// the host has no room for what only it has stays, and the next one is asked.
    pub(in crate::device) fn evict_one(&mut self, driver: &mut D, wanted: &[ArrayId]) -> bool {
        self.evict(driver, wanted, |_| true)
    }

    /// The same, if it is not pinned, and the host has everything.
    pub(super) fn evict_clean(&mut self, driver: &mut D, wanted: &[ArrayId]) -> bool {
        self.evict(driver, wanted, |slot| {
            !slot.presence.is_pinned() && slot.dirty.is_empty()
        })
    }

    fn evict(
        &mut self,
        driver: &mut D,
        wanted: &[ArrayId],
        may: impl Fn(&Slot<D::Array>) -> bool,
    ) -> bool {
        let mut others = Vec::new();
        for (id, slot) in &mut self.slots {
            if slot.array.is_some() && !wanted.contains(id) {
                slot.forget_overwritten(0);
                if may(slot) {
                    let pinned = slot.presence.is_pinned();
                    others.push(Reverse((pinned, !slot.dirty.is_empty(), slot.used, *id)));
                }
            }
        }
        let mut others = BinaryHeap::from(others);
        let room = self.spill_room();
        while let Some(Reverse((.., id))) = others.pop() {
            if let Some(slot) = self.slots.get_mut(&id)
                && slot.leave(driver, room)
            {
                let bytes = slot.bytes;
                self.gave_back(bytes);
                return true;
            }
        }
        false
    }
}
