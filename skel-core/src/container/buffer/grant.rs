//! Grants: buffers that stand for another one, each for a range of it, so that several calls write and read one
//! container at the same time.
//!
//! The elements of a buffer, and what is known of them, stay with that buffer, its *home*. A buffer that stands for it has
//! the same host memory, looks at the home's state under the home's lock, and reaches only the elements that it was granted.
//! What it may write is written by no other, and read by no other; so each operation is as it would be with the whole
//! buffer at hand, as far as these elements go.
#![allow(unsafe_code, reason = "reaches the buffer that another one stands for")]

use super::{Buffer, Coherence, State};
use crate::{
    Error, Result,
    space::IntervalSet,
    sync::{AtomicBool, Mutex, MutexGuard},
};
use skel_tasks::TaskError;
use std::{
    ops::{Deref, DerefMut, Range},
    ptr::NonNull,
    sync::{PoisonError, atomic::AtomicU64},
};

/// Which elements of another buffer may be reached.
///
/// Invariant: while the grant exists, `home` does, and no reference but shared ones leads to it; nothing else writes an
/// element of `reads`, and nothing else reads or writes one of `writes`.
pub(super) struct Grant {
    /// Nothing, if no element may be reached.
    home: Option<NonNull<Buffer>>,
    reads: IntervalSet,
    writes: IntervalSet,
}

/// The state of a buffer that a call has for itself; of one that stands for another, under that one's lock.
pub(super) enum Exclusive<'b> {
    Own(&'b mut State),
    Locked(MutexGuard<'b, State>),
}

impl Deref for Exclusive<'_> {
    type Target = State;

    fn deref(&self) -> &State {
        match self {
            Exclusive::Own(state) => state,
            Exclusive::Locked(state) => state,
        }
    }
}

impl DerefMut for Exclusive<'_> {
    fn deref_mut(&mut self) -> &mut State {
        match self {
            Exclusive::Own(state) => state,
            Exclusive::Locked(state) => state,
        }
    }
}

impl Buffer {
    /// A buffer that stands for this one, and reaches these elements of it; of a buffer that itself stands for another one,
    /// those that it may reach.
    ///
    /// # Safety
    /// Until it is dropped, this buffer stays where it is, and nothing has `&mut` to it; nothing else writes the elements
    /// that it may read, and nothing else reads or writes those that it may write.
    pub(in crate::container) unsafe fn granted(
        &self,
        mut reads: IntervalSet,
        mut writes: IntervalSet,
    ) -> Buffer {
        // What is changed in place is read.
        for r in writes.ranges() {
            reads.insert(r.clone());
        }
        if let Some(own) = &self.grant {
            (reads, writes) = (
                reads.intersection(&own.reads),
                writes.intersection(&own.writes),
            );
        }
        let home = Some(NonNull::from(self.home()));
        self.standing_for(Grant {
            home,
            reads,
            writes,
        })
    }

    /// A buffer of as many elements, of which none may be reached.
    pub(in crate::container) fn outline(&self) -> Buffer {
        let (home, none) = (None, IntervalSet::new);
        self.standing_for(Grant {
            home,
            reads: none(),
            writes: none(),
        })
    }

    fn standing_for(&self, grant: Grant) -> Buffer {
        Buffer {
            ptr: self.ptr,
            len: self.len,
            capacity: 0,
            layout: self.layout,
            free: super::keep,
            alike: self.alike,
            id: AtomicU64::new(0),
            complete: AtomicBool::new(false),
            state: Mutex::new(State::new(Coherence::nowhere(self.len))),
            grant: Some(Box::new(grant)),
        }
    }

    /// The buffer that has the elements.
    #[inline]
    pub(super) fn home(&self) -> &Buffer {
        match self.grant.as_deref() {
            Some(Grant {
                home: Some(home), ..
            }) => {
                // SAFETY: it exists as long as the grant, and is not borrowed by `&mut` meanwhile.
                unsafe { home.as_ref() }
            }
            Some(Grant { home: None, .. }) | None => self,
        }
    }

    /// The state, and whether all is valid on the host, which is said while the state is held.
    #[inline]
    pub(super) fn exclusive(&mut self) -> (Exclusive<'_>, &AtomicBool) {
        if self.grant.is_some() {
            let home = self.home();
            let state = home.state.lock().unwrap_or_else(PoisonError::into_inner);
            return (Exclusive::Locked(state), &home.complete);
        }
        let state = self.state.get_mut();
        let state = state.unwrap_or_else(PoisonError::into_inner);
        (Exclusive::Own(state), &self.complete)
    }

    /// Whether elements `r` may be read.
    ///
    /// # Errors
    /// [`TaskError::NotOfChunk`].
    #[inline]
    pub(super) fn may_read(&self, r: &Range<usize>) -> Result<()> {
        match &self.grant {
            Some(grant) if !(r.is_empty() || grant.reads.contains(r)) => {
                let Range { start, end } = *r;
                Err(Error::Task(TaskError::NotOfChunk { start, end }))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Those of elements `r` that may be written.
    pub(super) fn writable(&self, r: Range<usize>) -> Vec<Range<usize>> {
        match &self.grant {
            Some(grant) => grant.writes.present(r),
            None => vec![r],
        }
    }

    /// # Panics
    /// Unless elements `r` may be written.
    #[inline]
    pub(super) fn assert_may_write(&self, r: &Range<usize>) {
        if let Some(grant) = &self.grant {
            assert!(
                r.is_empty() || grant.writes.contains(r),
                "elements {r:?} of a chunk that may write {:?}",
                grant.writes.ranges()
            );
        }
    }
}

#[cfg(test)]
mod test;
