//! Type-erased slices. All `unsafe` of the host face's memory access is here.
#![allow(
    unsafe_code,
    reason = "type-erased slices; see the invariants of each type"
)]

mod out;
mod read;
mod rows;
mod stream;
mod update;

pub use out::{InvalidBytes, OutSlice};
pub(crate) use stream::Block;
pub use stream::Fence;

use super::ElementLayout;
use std::{any::TypeId, marker::PhantomData, ops::Range};

/// A raw, typed window: elements `start..end` of an array whose element 0 would be at `base`.
///
/// `base` need not point into the allocation (the window may begin later), so it is only ever used
/// with wrapping arithmetic.
#[derive(Clone, Copy, Debug)]
struct Raw {
    base: *mut u8,
    start: usize,
    end: usize,
    layout: ElementLayout,
}

impl Raw {
    #[inline]
    fn check(&self, ty: TypeId, r: &Range<usize>) {
        assert!(
            self.layout.element_type() == ty,
            "a slot was opened with the wrong element type"
        );
        assert!(
            self.start <= r.start && r.start <= r.end && r.end <= self.end,
            "elements {r:?} are outside of the window {}..{}",
            self.start,
            self.end
        );
    }

    #[inline]
    fn at(&self, element: usize) -> *mut u8 {
        self.base.wrapping_add(element * self.layout.size_bytes())
    }

    #[inline]
    fn counted_from(self, first: usize) -> Raw {
        if first == 0 {
            return self;
        }
        assert!(
            first <= self.start,
            "element {first} is behind the window's first, {}",
            self.start
        );
        Raw {
            base: self.at(first),
            start: self.start - first,
            end: self.end - first,
            ..self
        }
    }

    fn numbered_from(self, first: usize) -> Raw {
        let end = first.checked_add(self.end - self.start);
        Raw {
            base: self
                .at(self.start)
                .wrapping_sub(first.wrapping_mul(self.layout.size_bytes())),
            start: first,
            end: end.expect("numbers of elements fit `usize`"),
            ..self
        }
    }

    fn take_front(&mut self, mid: usize) -> Raw {
        assert!(
            self.start <= mid && mid <= self.end,
            "split outside of the window"
        );
        let front = Raw { end: mid, ..*self };
        self.start = mid;
        front
    }
}

macro_rules! common {
    ($name:ident) => {
        // SAFETY: it stands for a slice of elements, which are `Send + Sync`; so a slice of them, `&mut` too, is `Send`.
        unsafe impl Send for $name<'_> {}
        // SAFETY: through a shared one elements are read at most, and elements are `Sync`.
        unsafe impl Sync for $name<'_> {}

        impl $name<'_> {
            /// The elements it covers.
            #[inline]
            #[must_use]
            pub fn window(&self) -> Range<usize> {
                self.raw.start..self.raw.end
            }

            /// The Rust type of the elements.
            #[must_use]
            pub fn element_type(&self) -> TypeId {
                self.raw.layout.element_type()
            }

            /// The layout of the elements.
            #[inline]
            #[must_use]
            pub fn layout(&self) -> ElementLayout {
                self.raw.layout
            }

            /// The same elements under other indices: what is element `first` becomes element 0.
            ///
            /// # Panics
            /// If the window begins before it.
            #[inline]
            #[must_use]
            pub fn counted_from(mut self, first: usize) -> Self {
                self.raw = self.raw.counted_from(first);
                self
            }

            /// The same elements under other indices: the first one is element `first`.
            ///
            /// # Panics
            /// If the number of the last one does not fit `usize`.
            #[must_use]
            pub fn numbered_from(mut self, first: usize) -> Self {
                self.raw = self.raw.numbered_from(first);
                self
            }

            /// The size of the window.
            #[must_use]
            pub fn len_bytes(&self) -> usize {
                (self.raw.end - self.raw.start) * self.raw.layout.size_bytes()
            }
        }
    };
}

/// Elements to read: a `&[T]` under absolute indices. Invariant: the window is initialised memory of
/// type `ty`, and it is not written during `'m`.
#[derive(Clone, Copy, Debug)]
pub struct View<'m> {
    raw: Raw,
    _life: PhantomData<&'m [u8]>,
}
common!(View);

/// Elements to read and write: a `&mut [T]`. Invariant: as [`View`], and no other view covers the
/// window during `'m`.
#[derive(Debug)]
pub struct ViewMut<'m> {
    raw: Raw,
    _life: PhantomData<&'m mut [u8]>,
}
common!(ViewMut);

/// Elements to write: a `&mut [MaybeUninit<T>]` that is written only, so that what was initialised
/// stays so. Invariant: as [`ViewMut`], less the initialisation.
#[derive(Debug)]
pub struct ViewOut<'m> {
    raw: Raw,
    _life: PhantomData<&'m mut [u8]>,
}
common!(ViewOut);

#[cfg(test)]
mod test;
