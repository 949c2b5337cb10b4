//! Elements of a row of a sweep that see no edge.
#![allow(unsafe_code, reason = "see the invariants")]

use super::{Near, SweepNeighbourhood, neighbourhood::within};
use crate::Element;
use std::marker::PhantomData;

/// How far elements see along each dimension: a type, so that it is a constant in loops.
pub trait SweepRadius<const RANK: usize> {
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
    pub(super) _radius: PhantomData<fn() -> S>,
}

impl<T: Element, S: SweepRadius<RANK>, const RANK: usize> SweepInside<'_, T, S, RANK> {
    /// Whether elements see others along the row (0), or along the dimension before that (1).
    #[inline(always)]
    fn sees_back(d: usize) -> bool {
        RANK > d && S::RADIUS[RANK - 1 - d] > 0
    }

    /// How far the element before lies along these; 0 where it is not seen.
    #[inline(always)]
    fn back(&self) -> [isize; 2] {
        [0, 1].map(|d| match Self::sees_back(d) {
            true => -self.pitch[RANK - 1 - d],
            false => 0,
        })
    }

    /// What is beside the element that is computed first.
    #[inline(always)]
    #[must_use]
    pub(crate) fn preceding(&self) -> Near<T> {
        let begins = match self.pitch[RANK - 1] < 0 {
            true => self.len - 1,
            false => 0,
        };
        let ([x, y], first) = (self.back(), self.first.wrapping_add(begins));
        // SAFETY: one of the elements, or such beside it as it sees, which are in the container, by the invariant; nothing
        // writes them while the access is borrowed.
        let read = |distance: isize| unsafe { *first.wrapping_offset(distance) };
        Near {
            last: read(x),
            above: read(y),
            corner: read(x + y),
        }
    }

    /// Looks at the element in the row before element `i`, counted from the first of these.
    ///
    /// # Panics
    /// If it is not here.
    #[inline(always)]
    pub(crate) fn look(&self, i: usize, near: &mut Near<T>) {
        within(i, self.len);
        if Self::sees_back(1) {
            let [_, above] = self.back();
            // SAFETY: in the container, by the invariant. It precedes element `i`, which is computed next, so it was
            // written before, and nothing writes it again in this sweep.
            near.above = unsafe { *self.first.wrapping_add(i).wrapping_offset(above) };
        }
    }

    /// What element `i` sees, counted from the first of these. `near` is what is beside it.
    ///
    /// # Panics
    /// If it is not here.
    #[inline(always)]
    #[must_use]
    pub(crate) fn get<'b>(
        &'b self,
        i: usize,
        near: &'b Near<T>,
    ) -> SweepNeighbourhood<'b, T, RANK> {
        within(i, self.len);
        SweepNeighbourhood {
            origin: self.first.wrapping_add(i),
            pitch: self.pitch,
            before: S::RADIUS,
            after: S::RADIUS,
            pad: None,
            near: Some(near),
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
