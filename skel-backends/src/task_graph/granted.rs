//! What a chunk of a call has of a container.
#![allow(
    unsafe_code,
    reason = "tasks write ranges of a container that others have ranges of"
)]

use super::{data::Datum, range_table::HeldRange, scope::Slot};
use crate::chunked::Use;
use skel_core::container::Ranges;
use skel_tasks::TaskError;
use std::sync::RwLockReadGuard;

/// A container that stands for that of a handle, for as long as a task has some elements of it. Its fields are dropped in
/// their order.
pub(super) struct Granted<'t, C: 'static> {
    container: C,
    _held: Option<(HeldRange<'t>, RwLockReadGuard<'t, Slot<C>>)>,
}

impl<'t, C: Ranges> Granted<'t, C> {
    /// The elements of a chunk.
    ///
    /// # Errors
    /// [`TaskError::Taken`]; [`TaskError::Conflict`] for a fault of the graph's order; [`TaskError::NotByChunks`] if the
    /// container is not the one that the call was planned for.
    pub(super) fn new(datum: &'t Datum<C>, of_chunk: &Use) -> Result<Self, TaskError> {
        let Use { reads, writes, .. } = of_chunk;
        let outline = datum.outline.as_ref().ok_or(TaskError::Taken)?;
        if reads.is_empty() && writes.is_empty() {
            // The task is not in the order of those that use the container.
            return Ok(Granted {
                container: outline.outline(),
                _held: None,
            });
        }
        let home = datum.reading()?;
        let found = match writes.is_empty() {
            true => home.get(),
            false => home.get_to_change(),
        };
        let data = found.ok_or(TaskError::Taken)?;
        if !outline.is_alike(data) {
            return Err(TaskError::NotByChunks {
                kind: String::new(),
                reason: format!(
                    "a task has put a container of another shape in the place of {}",
                    datum.id
                ),
            });
        }
        let range = datum.ranges.take(reads.clone(), writes.clone());
        let (kind, handle) = (String::new(), datum.id);
        let range = range.ok_or(TaskError::Conflict { kind, handle })?;
        // SAFETY: the container lies in the slot, which stays where it is and is read only while `home` has its lock for
        // reading: nothing has `&mut` to it. Tasks reach it by `Reading`, which is `ReadAll` in the table, or by this. While
        // `range` is in the table, no other task has what is written here, and none writes what is read. Both are dropped
        // after the container. Of a container that is lent to readers alone, nothing is written: `get_to_change`.
        let container = unsafe { data.granted(reads.clone(), writes.clone()) };
        Ok(Granted {
            container,
            _held: Some((range, home)),
        })
    }

    /// The container. It is lent to closures as `&C`, or as a [`RangeMut`](skel_core::container::RangeMut): by `&mut C`, a
    /// closure could take the container out, and keep it when the elements are another task's.
    pub(super) fn get_mut(&mut self) -> &mut C {
        &mut self.container
    }
}
