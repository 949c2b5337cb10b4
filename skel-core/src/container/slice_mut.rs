//! A borrowed slice that one call writes, part by part.
#![allow(unsafe_code, reason = "hands out disjoint parts of one mutable borrow")]

use crate::{
    Element, Result,
    frame::{ElementLayout, ErasedArray, ViewMut},
    space::IntervalSet,
};
use std::ops::Range;

/// A `&mut [T]` whose elements can each be lent once, to any unit.
pub struct SliceMut<'e> {
    whole: ViewMut<'e>,
    lent: IntervalSet,
}

impl<'e> SliceMut<'e> {
    /// All of the slice.
    #[must_use]
    pub fn of<T: Element>(slice: &'e mut [T]) -> Self {
        SliceMut {
            whole: ViewMut::of(slice),
            lent: IntervalSet::new(),
        }
    }

    /// All elements of `array`.
    pub(crate) fn over(array: &'e mut ErasedArray) -> Self {
        let window = array.window();
        SliceMut {
            whole: array.view_mut(window),
            lent: IntervalSet::new(),
        }
    }

    /// A copy of all elements, of which none is lent yet.
    ///
    /// # Errors
    /// [`crate::Error::OutOfMemory`].
    ///
    /// # Panics
    /// If some were lent.
    pub(crate) fn copy(&self) -> Result<ErasedArray> {
        assert!(self.lent.is_empty(), "elements were lent before");
        ErasedArray::copy_of(self.whole.as_view())
    }

    /// The number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.whole.window().len()
    }

    /// Whether there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The layout of the elements.
    #[must_use]
    pub fn layout(&self) -> ElementLayout {
        self.whole.layout()
    }

    /// Elements `r` may be lent again.
    ///
    /// # Safety
    /// The unit that they were lent to does not use them any more.
    pub unsafe fn reclaim(&mut self, r: Range<usize>) {
        self.lent.remove(r);
    }

    /// Elements `r`.
    ///
    /// # Panics
    /// If some of them were lent before, or `r` exceeds the length.
    #[must_use]
    pub fn lend(&mut self, r: Range<usize>) -> ViewMut<'e> {
        assert!(r.end <= self.len(), "elements {r:?} of {}", self.len());
        if !r.is_empty() {
            assert!(self.lent.is_disjoint(&r), "elements {r:?} were lent before");
            self.lent.insert(r.clone());
        }
        // SAFETY: the whole is ours for `'e`, and each element is lent once.
        unsafe { self.whole.part(r) }
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn parts_live_side_by_side() {
        let mut data = [0_u32; 5];
        let mut lender = SliceMut::of(&mut data);
        let (mut a, mut b) = (lender.lend(0..2), lender.lend(2..5));
        a.slice::<u32>(0..2).fill(1);
        b.slice::<u32>(2..5).fill(2);
        assert_eq!(data, [1, 1, 2, 2, 2]);
    }

    #[test]
    #[should_panic(expected = "were lent before")]
    fn not_twice() {
        let mut data = [0_u32; 5];
        let mut lender = SliceMut::of(&mut data);
        let _a = lender.lend(0..3);
        let _b = lender.lend(1..2);
    }
}
