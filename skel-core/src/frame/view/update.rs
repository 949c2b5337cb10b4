//! Elements to read and write.
#![allow(unsafe_code, reason = "see the invariants in `view`")]

use super::{ElementLayout, Raw, View, ViewMut, ViewOut};
use crate::Element;
use std::{any::TypeId, marker::PhantomData, ops::Range};

impl<'m> ViewMut<'m> {
    /// All of a slice.
    #[must_use]
    pub fn of<T: Element>(slice: &'m mut [T]) -> Self {
        let (base, n) = (slice.as_mut_ptr().cast(), slice.len());
        // SAFETY: a mutable slice is initialised and ours alone.
        unsafe { Self::from_raw(base, 0..n, ElementLayout::of::<T>()) }
    }

    /// # Safety
    /// Elements `window` of the array at `base` keep the invariant of the type during `'m`.
    pub(crate) unsafe fn from_raw(
        base: *mut u8,
        window: Range<usize>,
        layout: ElementLayout,
    ) -> Self {
        let raw = Raw {
            base,
            start: window.start,
            end: window.end,
            layout,
        };
        ViewMut {
            raw,
            _life: PhantomData,
        }
    }

    /// Takes the elements before `mid`: what is left begins there.
    ///
    /// # Panics
    /// If `mid` is not within the window.
    #[must_use]
    pub fn take_front(&mut self, mid: usize) -> Self {
        ViewMut {
            raw: self.raw.take_front(mid),
            _life: PhantomData,
        }
    }

    /// Elements `r`.
    ///
    /// # Panics
    /// If the elements are not `T`, or `r` is not within the window.
    #[inline]
    #[must_use]
    pub fn slice<T: Element>(&mut self, r: Range<usize>) -> &mut [T] {
        self.raw.check(TypeId::of::<T>(), &r);
        // SAFETY: type and bounds were just checked; `&mut self` keeps it exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.raw.at(r.start).cast(), r.end - r.start) }
    }

    /// The same elements, for reading.
    #[must_use]
    pub fn as_view(&self) -> View<'_> {
        View {
            raw: self.raw,
            _life: PhantomData,
        }
    }

    /// The same elements, for a shorter time.
    #[must_use]
    pub fn reborrow(&mut self) -> ViewMut<'_> {
        ViewMut {
            raw: self.raw,
            _life: PhantomData,
        }
    }

    /// Elements `r`, for as long as the view could have lived.
    ///
    /// # Safety
    /// While the result lives, `self` is not used for these elements, nor is another part of it.
    pub(crate) unsafe fn part(&mut self, r: Range<usize>) -> ViewMut<'m> {
        self.raw.check(self.raw.layout.element_type(), &r);
        ViewMut {
            raw: Raw {
                start: r.start,
                end: r.end,
                ..self.raw
            },
            _life: PhantomData,
        }
    }

    /// The same window once more, for as long as the view could have lived.
    ///
    /// # Safety
    /// While both live, no element is written by way of one while it is read or written by way of the other.
    pub(in crate::frame) unsafe fn again(&mut self) -> ViewMut<'m> {
        ViewMut {
            raw: self.raw,
            _life: PhantomData,
        }
    }

    /// Where the first of the elements `r` is.
    ///
    /// # Panics
    /// If the elements are not `T`, or `r` is not within the window.
    pub(in crate::frame) fn pointer<T: Element>(&mut self, r: Range<usize>) -> *mut T {
        self.raw.check(TypeId::of::<T>(), &r);
        self.raw.at(r.start).cast()
    }

    /// All elements, for as long as the view could have lived.
    ///
    /// # Panics
    /// If the elements are not `T`.
    #[must_use]
    pub fn into_slice<T: Element>(self) -> &'m mut [T] {
        let r = self.window();
        self.raw.check(TypeId::of::<T>(), &r);
        // SAFETY: type and bounds were just checked; the view is gone.
        unsafe { std::slice::from_raw_parts_mut(self.raw.at(r.start).cast(), r.len()) }
    }

    /// The same elements, for reading, for good.
    #[must_use]
    pub fn into_view(self) -> View<'m> {
        View {
            raw: self.raw,
            _life: PhantomData,
        }
    }

    /// The same elements, for writing only.
    #[must_use]
    pub fn into_out(self) -> ViewOut<'m> {
        ViewOut {
            raw: self.raw,
            _life: PhantomData,
        }
    }
}
