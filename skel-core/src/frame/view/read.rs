//! Elements to read.
#![allow(unsafe_code, reason = "see the invariants in `view`")]

use super::{ElementLayout, Raw, View};
use crate::Element;
use std::{any::TypeId, marker::PhantomData, ops::Range};

impl<'m> View<'m> {
    /// All of a slice.
    #[must_use]
    pub fn of<T: Element>(slice: &'m [T]) -> Self {
        let base = slice.as_ptr().cast_mut().cast();
        // SAFETY: a slice is initialised and not written while borrowed.
        unsafe { Self::from_raw(base, 0..slice.len(), ElementLayout::of::<T>()) }
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
        View {
            raw,
            _life: PhantomData,
        }
    }

    /// Fewer of its elements, under the same indices.
    ///
    /// # Panics
    /// If `r` is not within the window.
    #[must_use]
    pub fn narrow(self, r: Range<usize>) -> Self {
        self.raw.check(self.raw.layout.element_type(), &r);
        View {
            raw: Raw {
                start: r.start,
                end: r.end,
                ..self.raw
            },
            ..self
        }
    }

    /// Elements `r`.
    ///
    /// # Panics
    /// If the elements are not `T`, or `r` is not within the window.
    #[inline]
    #[must_use]
    pub fn slice<T: Element>(&self, r: Range<usize>) -> &'m [T] {
        self.raw.check(TypeId::of::<T>(), &r);
        // SAFETY: type and bounds were just checked; the rest is the type's invariant.
        unsafe { std::slice::from_raw_parts(self.raw.at(r.start).cast(), r.end - r.start) }
    }

    /// The bytes of the window.
    #[must_use]
    pub fn bytes(&self) -> &'m [u8] {
        // SAFETY: the window is initialised, and elements have no padding.
        unsafe { std::slice::from_raw_parts(self.raw.at(self.raw.start), self.len_bytes()) }
    }
}
