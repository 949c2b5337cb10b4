//! Elements of a row of a sweep that see no edge.
#![allow(unsafe_code, reason = "see the invariants")]

use super::{Seen, seen::within};
use crate::Element;
use std::marker::PhantomData;

/// How far elements see along each dimension: a type, so that it is a constant in loops.
pub trait Sight<const RANK: usize> {
    /// So many elements, at both sides.
    const RADIUS: [isize; RANK];
}

/// Elements of one row around which all is there that they see: no access asks for edges.
///
/// Invariant: `len` elements from `first` on, at least one, are those of a [`SweepMut`](super::SweepMut), and so are those at `pitch` from
/// each of them along every dimension, as far as `S` says.
#[derive(Debug)]
pub struct SweepInside<'a, T, S, const RANK: usize> {
    pub(super) first: *mut T,
    pub(super) len: usize,
    pub(super) pitch: [isize; RANK],
    pub(super) _life: PhantomData<&'a mut [T]>,
    pub(super) _sight: PhantomData<fn() -> S>,
}

impl<T: Element, S: Sight<RANK>, const RANK: usize> SweepInside<'_, T, S, RANK> {
    /// The element before the one that is computed first, along the row; any, if none is seen there.
    #[inline(always)]
    #[must_use]
    pub(crate) fn preceding(&self) -> T {
        let x = RANK - 1;
        let begins = match self.pitch[x] < 0 {
            true => self.len - 1,
            false => 0,
        };
        let back = match S::RADIUS[x] > 0 {
            true => -self.pitch[x],
            false => 0,
        };
        // SAFETY: one of the elements, or the one before it along the row, which is in the container, by the invariant;
        // nothing writes it while the access is borrowed.
        unsafe { *self.first.wrapping_add(begins).wrapping_offset(back) }
    }

    /// What element `i` sees, counted from the first of these. `last` is the element before it, along the row: a copy, so
    /// that a loop keeps it in a register. From memory, it would wait for the store of the element before.
    ///
    /// # Panics
    /// If it is not here.
    #[inline(always)]
    #[must_use]
    pub(crate) fn get<'b>(&'b self, i: usize, last: &'b T) -> Seen<'b, T, RANK> {
        within(i, self.len);
        Seen {
            origin: self.first.wrapping_add(i),
            pitch: self.pitch,
            before: S::RADIUS,
            after: S::RADIUS,
            pad: None,
            last: (S::RADIUS[RANK - 1] > 0).then_some(last),
        }
    }

    /// Writes element `i`, counted from the first of these.
    ///
    /// # Safety
    /// See [`SweepAccess::put`](super::SweepAccess::put).
    ///
    /// # Panics
    /// If it is not here.
    #[inline(always)]
    pub(crate) unsafe fn put(&mut self, i: usize, value: T) {
        within(i, self.len);
        // SAFETY: the element is one of the sweep, by the invariant; and only this uses it now, as the caller says.
        unsafe { self.first.add(i).write(value) };
    }
}
