//! Elements of a row of a sweep, and what each of them sees.
#![allow(unsafe_code, reason = "see the invariants")]

use super::{SweepInside, SweepNeighbourhood, SweepRadius, neighbourhood::within};
use crate::Element;
use std::{marker::PhantomData, ops::Range};

/// Elements of one row, one of which at a time sees others.
///
/// Invariant: `len` elements from `first` on are those of a [`SweepMut`](super::SweepMut), and so are those at `pitch` from each of them
/// along every dimension, as far as `before` and `after` say for the first one.
#[derive(Debug)]
pub struct SweepAccess<'a, T, const RANK: usize> {
    pub(super) first: *mut T,
    pub(super) len: usize,
    /// From an element to the next one of the sweep along each dimension, in elements.
    pub(super) pitch: [isize; RANK],
    /// How many elements come before the first, and behind it, along each dimension.
    pub(super) before: [isize; RANK],
    pub(super) after: [isize; RANK],
    pub(super) pad: Option<&'a T>,
    pub(super) _life: PhantomData<&'a mut [T]>,
}

impl<'a, T: Element, const RANK: usize> SweepAccess<'a, T, RANK> {
    /// Elements `r`, counted from the first of these.
    ///
    /// # Panics
    /// If some of them are not here.
    #[inline(always)]
    #[must_use]
    pub(crate) fn sub(&mut self, r: Range<usize>) -> SweepAccess<'_, T, RANK> {
        assert!(
            r.start <= r.end && r.end <= self.len,
            "{r:?} of {}",
            self.len
        );
        let SweepNeighbourhood { before, after, .. } = self.at(r.start);
        SweepAccess {
            first: self.first.wrapping_add(r.start),
            len: r.len(),
            pitch: self.pitch,
            before,
            after,
            pad: self.pad,
            _life: PhantomData,
        }
    }

    /// The same, of which all is there that is so far away.
    ///
    /// # Panics
    /// If some of them are not here, or are nearer to an edge.
    #[inline(always)]
    #[must_use]
    pub(crate) fn inside<S: SweepRadius<RANK>>(
        &mut self,
        r: Range<usize>,
    ) -> SweepInside<'_, T, S, RANK> {
        assert!(
            r.start < r.end && r.end <= self.len,
            "{r:?} of {}",
            self.len
        );
        for i in [r.start, r.end - 1] {
            let SweepNeighbourhood { before, after, .. } = self.at(i);
            let inside = |d: usize| 0 <= S::RADIUS[d] && S::RADIUS[d] <= before[d].min(after[d]);
            assert!((0..RANK).all(inside), "elements at an edge");
        }
        SweepInside {
            first: self.first.wrapping_add(r.start),
            len: r.len(),
            pitch: self.pitch,
            _life: PhantomData,
            _radius: PhantomData,
        }
    }

    /// What element `i` sees, counted from the first of these.
    ///
    /// # Panics
    /// If it is not here.
    #[inline(always)]
    #[must_use]
    pub(crate) fn get(&self, i: usize) -> SweepNeighbourhood<'_, T, RANK> {
        within(i, self.len);
        self.at(i)
    }

    #[inline(always)]
    fn at(&self, i: usize) -> SweepNeighbourhood<'_, T, RANK> {
        let (mut before, mut after) = (self.before, self.after);
        let x = RANK - 1;
        let along = match self.pitch[x] < 0 {
            true => -i.cast_signed(),
            false => i.cast_signed(),
        };
        before[x] += along;
        after[x] -= along;
        SweepNeighbourhood {
            origin: self.first.wrapping_add(i),
            pitch: self.pitch,
            before,
            after,
            pad: self.pad,
            near: None,
        }
    }

    /// Writes element `i`, counted from the first of these.
    ///
    /// # Safety
    /// Nothing reads or writes it at the same time: elements that it sees at offsets of which none is positive were
    /// written before, and those at offsets of which none is negative, which all see it, have not begun.
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
