//! Memory for more of an array than it has memory for.
//!
//! # Why a call that was admitted can be run
//! Before a call binds anything, its arrays are given memory, all at once: then it is *admitted*. Until its
//! commands have run they may lose that memory to others, and get it back. That they can holds as long as
//! they fit as they are; so arrays grow only if all that are pinned, by this call or by others, fit at once
//! with what this one adds; and what an array has memory for, it keeps, unless it has left the device and is
//! not pinned.
//!
//! A caller pins all arrays of a call before it looks at the memory of any; a call is admitted without asking if all
//! had memory at one moment behind its pins ([`Departures`]). Here, the arrays that grow are closed
//! ([`Presence::close`]) before pins are counted. So if an array grows behind that moment, the pins of the call are
//! counted; and if it was closed before that moment, it had its new memory by then, and the others had theirs beside it.
//!
//! [`Departures`]: crate::device::presence::Departures
//! [`Presence::close`]: crate::device::presence::Presence::close

use super::{ArrayForm, Arrays, spill::copies};
use crate::device::{
    Driver, cover,
    work::{ArrayId, Need},
};
use skel_core::{Error, Result, space::IntervalSet};
use std::{collections::BTreeMap, ops::Range};

/// Whether the command that needs memory was promised it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::device) enum Admission<'n> {
    /// A call is to be admitted, and has pinned its arrays, once for each need.
    Sought,
    /// The same behind the caller, who may have gone on and dropped its pins. These arrays are new, and the call's own: calls
    /// behind it may have pinned them, but have to ask for memory, so they do not count on it yet.
    Promised(&'n [ArrayId]),
    /// A command of a call that was is to be run.
    Granted,
}

/// An array that has not what is needed of it.
struct Change {
    id: ArrayId,
    /// What it has to have memory for.
    needed: Range<usize>,
    /// Whether others count on it.
    shared: bool,
}

/// How much more than is needed.
type Rounding = fn(&Range<usize>, Range<usize>) -> Range<usize>;

impl<D: Driver> Arrays<D> {
    /// Gives all of these arrays memory for what is needed of them, at the same time, with what they held.
    pub(in crate::device) fn reside(
        &mut self,
        driver: &mut D,
        needs: &[Need],
        admission: Admission<'_>,
    ) -> Result<()> {
        self.clock += 1;
        let mut is_there = true;
        for (id, r) in needs {
            if let Some(slot) = self.slots.get_mut(id) {
                slot.used = self.clock;
                is_there &= slot.has(r);
            }
        }
        // Mostly.
        if is_there {
            return Ok(());
        }
        let mut wanted: BTreeMap<ArrayId, (usize, Range<usize>)> = BTreeMap::new();
        for (id, r) in needs {
            if self.slots.contains_key(id) {
                let (pins, all) = wanted.entry(*id).or_insert((0, r.clone()));
                (*pins, *all) = (*pins + 1, cover::both(all.clone(), r.clone()));
            }
        }
        let mut changes = Vec::new();
        for (id, (pins, r)) in &wanted {
            let Some(slot) = self.slots.get_mut(id).filter(|slot| !slot.has(r)) else {
                continue;
            };
            let own = match admission {
                Admission::Sought => *pins,
                Admission::Promised(new) if new.contains(id) => usize::MAX,
                Admission::Promised(_) => 0,
                Admission::Granted => 0,
            };
            let shared = slot.presence.close(own);
            slot.forget_overwritten(own);
            let mut needed = cover::both(cover::hull(&slot.present), r.clone());
            if shared || slot.array.is_some() {
                needed = cover::both(needed, slot.form.window.clone());
            }
            changes.push(Change {
                id: *id,
                needed,
                shared,
            });
        }
        let wanted: Vec<ArrayId> = wanted.into_keys().collect();
        let result = self.change(driver, &wanted, &changes);
        for Change { id, .. } in changes.iter().filter(|_| result.is_err()) {
            if let Some(slot) = self.slots.get(id) {
                // What was promised does not hold, either.
                let window = slot.array.as_ref().map(|_| slot.form.window.clone());
                slot.presence.set_resident(window);
            }
        }
        result
    }

    /// Makes the changes: with room for more, or with just what is needed.
    fn change(&mut self, driver: &mut D, wanted: &[ArrayId], changes: &[Change]) -> Result<()> {
        let exact: Rounding = |_, needed| needed;
        let mut result = Ok(());
        for rounding in [cover::around, exact] {
            let forms = self.forms(changes, rounding);
            result = self.admits_all(wanted, changes, &forms).and_then(|()| {
                let mut forms = forms.into_iter();
                forms.try_for_each(|(id, form)| self.give(driver, id, form, wanted))
            });
            if !matches!(result, Err(Error::OutOfMemory { .. })) {
                break;
            }
        }
        result
    }

    /// The forms of those arrays that have still not what is needed: first those that become smaller.
    fn forms(&self, changes: &[Change], rounding: Rounding) -> Vec<(ArrayId, ArrayForm)> {
        let form = |change: &Change| {
            let slot = self.slots.get(&change.id)?;
            let form = ArrayForm {
                window: rounding(&slot.extent, change.needed.clone()),
                ..slot.form.clone()
            };
            (!slot.has(&change.needed)).then_some((change.id, form))
        };
        let mut forms: Vec<(ArrayId, ArrayForm)> = changes.iter().filter_map(form).collect();
        let more = |id: &ArrayId, form: &ArrayForm| {
            let had = self.slots.get(id).filter(|slot| slot.array.is_some());
            i128::from(form.bytes::<D>()) - i128::from(had.map_or(0, |slot| slot.bytes))
        };
        forms.sort_by_key(|(id, form)| (more(id, form), *id));
        forms
    }

    /// Whether the wanted arrays fit at once in these forms. If some of them grow that other calls have
    /// pinned, whether all pinned arrays fit.
    fn admits_all(
        &self,
        wanted: &[ArrayId],
        changes: &[Change],
        forms: &[(ArrayId, ArrayForm)],
    ) -> Result<()> {
        let grows = |change: &Change| {
            let slot = self.slots.get(&change.id);
            let form = forms.iter().find(|(id, _)| *id == change.id);
            slot.zip(form)
                .is_some_and(|(slot, (_, form))| form.bytes::<D>() > slot.bytes)
        };
        let is_shared = changes.iter().any(|change| change.shared && grows(change));
        let bytes = |(id, slot): (&ArrayId, &super::Slot<D::Array>)| {
            let form = forms.iter().find(|(changed, _)| changed == id);
            form.map_or(slot.bytes, |(_, form)| form.bytes::<D>())
        };
        let mut counted = wanted.to_vec();
        if is_shared {
            let pinned = self
                .slots
                .iter()
                .filter(|(_, slot)| slot.presence.is_pinned());
            counted.extend(pinned.map(|(id, _)| *id));
        }
        counted.sort_unstable();
        counted.dedup();
        let counted = counted
            .iter()
            .filter_map(|id| Some((id, self.slots.get(id)?)));
        self.admits(counted.map(bytes).fold(0, u64::saturating_add))
    }

    /// Gives an array memory of this form. What it holds goes along: on the device, if there is room for both,
    /// else through host memory, where it stays if that fails.
    fn give(
        &mut self,
        driver: &mut D,
        id: ArrayId,
        form: ArrayForm,
        wanted: &[ArrayId],
    ) -> Result<()> {
        let Some(slot) = self.slots.get_mut(&id) else {
            return Ok(());
        };
        let (present, old_bytes) = (slot.present.clone(), slot.bytes);
        let mut array = None;
        if let Some(old) = slot.array.take() {
            let moved = self.moved(driver, &old, &form, &present, wanted);
            let mut room = self.spill_room();
            let Some(slot) = self.slots.get_mut(&id) else {
                return Ok(());
            };
            let left = match moved {
                Ok(new) => {
                    array = Some(new);
                    Ok(Vec::new())
                }
                Err(Error::OutOfMemory { .. }) => {
                    copies(driver, slot.form.layout, &old, present.ranges(), &mut room)
                }
                Err(error) => Err(error),
            };
            match left {
                Ok(spill) => slot.spill = spill,
                Err(error) => {
                    slot.array = Some(old);
                    return Err(error);
                }
            }
            slot.presence.set_resident(None);
            self.gave_back(old_bytes);
        }
        let array = match array {
            Some(array) => array,
            None => self.allocate(driver, &form, wanted)?,
        };
        if let Some(slot) = self.slots.get_mut(&id) {
            slot.bytes = form.bytes::<D>();
            slot.form = form;
        }
        self.settle(driver, id, array)
    }

    /// Another array, with elements of the old one; in exchange for arrays of which the host has everything.
    fn moved(
        &mut self,
        driver: &mut D,
        old: &D::Array,
        form: &ArrayForm,
        elements: &IntervalSet,
        wanted: &[ArrayId],
    ) -> Result<D::Array> {
        let mut new = loop {
            match self.try_allocate(driver, form) {
                Err(Error::OutOfMemory { .. }) if self.evict_clean(driver, wanted) => {}
                other => break other?,
            }
        };
        let mut parts = elements.ranges().iter();
        parts.try_for_each(|part| driver.copy(old, &mut new, part.clone()))?;
        Ok(new)
    }
}
