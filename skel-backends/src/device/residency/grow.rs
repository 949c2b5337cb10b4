//! Memory for more of an array than it has memory for.

use super::{Arrays, Form, spill::copies};
use crate::device::{
    Driver, cover,
    work::{ArrayId, Need},
};
use skel_core::{Error, Result, container::IntervalSet};
use std::{collections::HashMap, ops::Range};

impl<D: Driver> Arrays<D> {
    /// The forms of those arrays that have not what is needed of them.
    pub(super) fn forms(
        &self,
        needs: &[Need],
        window: impl Fn(&Range<usize>, Range<usize>) -> Range<usize>,
    ) -> HashMap<ArrayId, Form> {
        let mut forms: HashMap<ArrayId, Form> = HashMap::new();
        for (id, r) in needs {
            let Some(slot) = self.slots.get(id) else {
                continue;
            };
            let mut needed = slot.needed(r);
            // Another argument of the call may be another part of it.
            if let Some(form) = forms.get(id) {
                needed = cover::both(needed, form.window.clone());
            } else if slot.has(r) {
                continue;
            }
            let form = Form {
                window: window(&slot.extent, needed),
                ..slot.form.clone()
            };
            forms.insert(*id, form);
        }
        forms
    }

    /// What these arrays take together, some of them in other forms than they have.
    pub(super) fn bytes_with(&self, wanted: &[ArrayId], forms: &HashMap<ArrayId, Form>) -> u64 {
        let mut ids = wanted.to_vec();
        ids.sort_unstable();
        ids.dedup();
        let bytes = ids.iter().filter_map(|id| match forms.get(id) {
            Some(form) => Some(form.bytes::<D>()),
            None => self.slots.get(id).map(|slot| slot.bytes),
        });
        bytes.fold(0, u64::saturating_add)
    }

    /// Gives an array memory of this form. What it holds goes along: on the device, if there is room for both,
    /// else through host memory, where it stays if that fails.
    pub(super) fn give(
        &mut self,
        driver: &mut D,
        id: ArrayId,
        form: Form,
        wanted: &[ArrayId],
    ) -> Result<()> {
        let mut room = self.spill_room();
        let Some(slot) = self.slots.get_mut(&id) else {
            return Ok(());
        };
        let (present, old_bytes) = (slot.present.clone(), slot.bytes);
        let mut array = None;
        if let Some(old) = slot.array.take() {
            let moved = self.moved(driver, &old, &form, &present);
            let Some(slot) = self.slots.get_mut(&id) else {
                return Ok(());
            };
            match moved {
                Ok(new) => array = Some(new),
                Err(Error::OutOfMemory { .. }) => {
                    let layout = slot.form.layout;
                    match copies(driver, layout, &old, present.ranges(), &mut room) {
                        Ok(spill) => slot.spill = spill,
                        Err(error) => {
                            slot.array = Some(old);
                            return Err(error);
                        }
                    }
                }
                Err(error) => {
                    slot.array = Some(old);
                    return Err(error);
                }
            }
            slot.presence.set_resident(None);
            self.used_bytes -= old_bytes;
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

    /// Another array, with elements of the old one.
    fn moved(
        &self,
        driver: &mut D,
        old: &D::Array,
        form: &Form,
        elements: &IntervalSet,
    ) -> Result<D::Array> {
        let mut new = self.try_allocate(driver, form)?;
        let mut parts = elements.ranges().iter();
        parts.try_for_each(|part| driver.copy(old, &mut new, part.clone()))?;
        Ok(new)
    }
}
