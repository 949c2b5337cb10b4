//! Where the data of a handle is: in the graph, or lent to it.
#![allow(
    unsafe_code,
    reason = "the lives of what is lent are the scope's to keep"
)]

use skel_tasks::TaskError;

/// Data, as the lock of a handle guards it.
pub(in super::super) enum Slot<C: 'static> {
    /// It is the graph's.
    Owned(C),
    /// Tasks may change it until the lease ends.
    Lent(&'static mut C),
    /// Tasks may read it until the lease ends.
    Shared(&'static C),
    /// It was taken out, or its lease has ended.
    Empty,
}

/// What was lent and has to be given back.
pub(in super::super) trait Lease: Send + Sync {
    /// Waits for a task that uses it, and lets no other one find it.
    fn end(&self);
}

impl<C> Slot<C> {
    /// Lends it to readers.
    ///
    /// # Safety
    /// The slot is emptied while the borrow lasts, by way of the lock that guards it.
    pub(super) unsafe fn lend(data: &C) -> Slot<C> {
        // SAFETY: it is not used when the slot is empty, which it is before the borrow ends, by this function's contract.
        Slot::Shared(unsafe { &*std::ptr::from_ref(data) })
    }

    /// Lends it to tasks that change it.
    ///
    /// # Safety
    /// The slot is emptied while the borrow lasts, by way of the lock that guards it.
    pub(super) unsafe fn lend_mut(data: &mut C) -> Slot<C> {
        // SAFETY: the borrow is unique and ends after the slot was emptied, by this function's contract.
        Slot::Lent(unsafe { &mut *std::ptr::from_mut(data) })
    }

    /// The data, if it is there.
    pub(in super::super) fn get(&self) -> Option<&C> {
        match self {
            Slot::Owned(data) => Some(data),
            Slot::Lent(data) => Some(data),
            Slot::Shared(data) => Some(data),
            Slot::Empty => None,
        }
    }

    /// The data, if it is there and may be changed: for changing it by way of `&C`.
    pub(in super::super) fn get_to_change(&self) -> Option<&C> {
        match self {
            Slot::Owned(data) => Some(data),
            Slot::Lent(data) => Some(data),
            Slot::Shared(_) | Slot::Empty => None,
        }
    }

    /// The data, if it is there and may be changed.
    pub(in super::super) fn get_mut(&mut self) -> Option<&mut C> {
        match self {
            Slot::Owned(data) => Some(data),
            Slot::Lent(data) => Some(data),
            Slot::Shared(_) | Slot::Empty => None,
        }
    }

    /// Whether it has to be given back.
    pub(in super::super) fn is_lent(&self) -> bool {
        matches!(self, Slot::Lent(_) | Slot::Shared(_))
    }

    /// Takes the data out, if it is the graph's.
    pub(in super::super) fn take(&mut self) -> Result<C, TaskError> {
        match std::mem::replace(self, Slot::Empty) {
            Slot::Owned(data) => Ok(data),
            other => {
                *self = other;
                Err(TaskError::Taken)
            }
        }
    }
}
