//! Some elements of an array, in several ranges.
#![allow(unsafe_code, reason = "type-erased memory; see the invariant")]

use super::{ElementLayout, View};
use crate::{Element, space::IntervalSet};
use std::{any::TypeId, marker::PhantomData, ops::Range};

/// Elements to read, in any number of ranges of one array. Invariant: those in `present` are
/// initialised memory of the type that `layout` says, and they are not written during `'m`.
#[derive(Clone, Debug)]
pub struct SparseView<'m> {
    /// Where element 0 would be; used with wrapping arithmetic only.
    base: *const u8,
    present: IntervalSet,
    layout: ElementLayout,
    _life: PhantomData<&'m [u8]>,
}

// SAFETY: it reads elements that are not written during `'m`, and elements are `Sync`.
unsafe impl Send for SparseView<'_> {}
// SAFETY: through a shared one nothing but elements that are not written during `'m` is read; they are `Sync`.
unsafe impl Sync for SparseView<'_> {}

impl<'m> SparseView<'m> {
    /// # Safety
    /// The elements in `present` of the array at `base` keep the invariant of the type during `'m`.
    pub(crate) unsafe fn from_raw(
        base: *const u8,
        present: IntervalSet,
        layout: ElementLayout,
    ) -> Self {
        SparseView {
            base,
            present,
            layout,
            _life: PhantomData,
        }
    }

    /// All elements of a view.
    #[must_use]
    pub fn of(view: View<'m>) -> Self {
        let first = view.bytes().as_ptr();
        let before = view.window().start * view.layout().size_bytes();
        // SAFETY: that is a view's invariant.
        unsafe {
            Self::from_raw(
                first.wrapping_sub(before),
                IntervalSet::of(view.window()),
                view.layout(),
            )
        }
    }

    /// The elements from `first` on, counted from there.
    #[must_use]
    pub fn counted_from(&self, first: usize) -> Self {
        let mut present = IntervalSet::new();
        for part in self.present.ranges().iter().filter(|part| part.end > first) {
            present.insert(part.start.saturating_sub(first)..part.end - first);
        }
        let base = self.base.wrapping_add(first * self.layout.size_bytes());
        // SAFETY: the same elements, under other numbers.
        unsafe { Self::from_raw(base, present, self.layout) }
    }

    /// The layout of the elements.
    #[must_use]
    pub fn layout(&self) -> ElementLayout {
        self.layout
    }

    /// Elements `r`, under the same numbers.
    ///
    /// # Panics
    /// If some of them are not here, or there are none.
    #[must_use]
    pub fn view(&self, r: Range<usize>) -> View<'m> {
        // Of none, there may be no place in memory.
        assert!(
            !r.is_empty() && self.contain(&r),
            "elements {r:?} were not fetched"
        );
        // SAFETY: they are present, and what is present is initialised and not written during `'m`, by the type's invariant.
        unsafe { View::from_raw(self.base.cast_mut(), r, self.layout) }
    }

    /// Whether all elements of `r` are here.
    #[inline]
    #[must_use]
    pub fn contain(&self, r: &Range<usize>) -> bool {
        match self.present.ranges() {
            [all] => r.is_empty() || (all.start <= r.start && r.end <= all.end),
            _ => self.present.contains(r),
        }
    }

    /// The elements around one that are here, without a gap; none if it is not here.
    #[must_use]
    pub fn around(&self, element: usize) -> Range<usize> {
        let mut parts = self.present.ranges().iter();
        let around = parts.find(|part| part.contains(&element));
        around.cloned().unwrap_or_default()
    }

    /// Where element `at` is, or would be if it were here.
    ///
    /// # Panics
    /// If the elements are not `T`.
    #[inline]
    #[must_use]
    pub fn pointer<T: Element>(&self, at: usize) -> *const T {
        assert!(
            self.layout.element_type() == TypeId::of::<T>(),
            "a slot was opened with the wrong element type"
        );
        self.base.cast::<T>().wrapping_add(at)
    }

    /// Elements `r`.
    ///
    /// # Panics
    /// If the elements are not `T`, or some of them are not here.
    #[inline]
    #[must_use]
    pub fn slice<T: Element>(&self, r: Range<usize>) -> &'m [T] {
        let (first, len) = (self.pointer(r.start), r.len());
        assert!(self.contain(&r), "elements {r:?} were not fetched");
        if len == 0 {
            return &[];
        }
        // SAFETY: of this type and present, as was just seen; the rest is the type's invariant.
        unsafe { std::slice::from_raw_parts(first, len) }
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn parts_of_a_view_keep_their_numbers() {
        let data = [10_u32, 11, 12, 13, 14];
        let parts = SparseView::of(View::of(&data).narrow(1..4));
        assert_eq!(parts.slice::<u32>(2..4), [12, 13]);
        assert!(!parts.contain(&(0..2)));
        assert_eq!(parts.around(2), 1..4);
        assert!(parts.around(4).is_empty());
    }

    #[test]
    fn a_part_is_counted_from_its_beginning() {
        let data = [10_u32, 11, 12, 13, 14];
        let parts = SparseView::of(View::of(&data).narrow(1..4)).counted_from(2);
        assert_eq!(parts.slice::<u32>(0..2), [12, 13]);
        assert!(!parts.contain(&(0..3)));
    }

    #[test]
    #[should_panic(expected = "elements 3..5 were not fetched")]
    fn what_is_not_there_is_not_read() {
        let data = [10_u32, 11, 12, 13, 14];
        let _ = SparseView::of(View::of(&data).narrow(1..4)).slice::<u32>(3..5);
    }
}
