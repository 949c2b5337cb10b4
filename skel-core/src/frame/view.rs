//! Type-erased slices. All `unsafe` of the host face's memory access is here.
#![allow(
    unsafe_code,
    reason = "type-erased slices; see the invariants of each type"
)]

use super::ElementLayout;
use crate::Element;
use std::{any::TypeId, marker::PhantomData, mem::MaybeUninit, ops::Range};

/// A raw, typed window: elements `start..end` of an array whose element 0 would be at `base`.
///
/// `base` need not point into the allocation (the window may begin later), so it is only ever used
/// with wrapping arithmetic.
#[derive(Clone, Copy, Debug)]
struct Raw {
    base: *mut u8,
    start: usize,
    end: usize,
    ty: TypeId,
    size_bytes: usize,
}

impl Raw {
    fn check(&self, ty: TypeId, r: &Range<usize>) {
        assert!(
            self.ty == ty,
            "a slot was opened with the wrong element type"
        );
        assert!(
            self.start <= r.start && r.start <= r.end && r.end <= self.end,
            "elements {r:?} are outside of the window {}..{}",
            self.start,
            self.end
        );
    }

    fn at(&self, element: usize) -> *mut u8 {
        self.base.wrapping_add(element * self.size_bytes)
    }

    fn split_at(self, mid: usize) -> (Raw, Raw) {
        assert!(
            self.start <= mid && mid <= self.end,
            "split outside of the window"
        );
        (Raw { end: mid, ..self }, Raw { start: mid, ..self })
    }
}

macro_rules! common {
    ($name:ident) => {
        // SAFETY: it stands for a slice of elements, which are `Send + Sync`.
        unsafe impl Send for $name<'_> {}
        // SAFETY: as above.
        unsafe impl Sync for $name<'_> {}

        impl $name<'_> {
            /// The elements it covers.
            #[must_use]
            pub fn window(&self) -> Range<usize> {
                self.raw.start..self.raw.end
            }

            /// The Rust type of the elements.
            #[must_use]
            pub fn element_type(&self) -> TypeId {
                self.raw.ty
            }

            /// The layout of the elements.
            #[must_use]
            pub fn layout(&self) -> ElementLayout {
                ElementLayout {
                    ty: self.raw.ty,
                    size_bytes: self.raw.size_bytes,
                }
            }

            /// The size of the window.
            #[must_use]
            pub fn len_bytes(&self) -> usize {
                (self.raw.end - self.raw.start) * self.raw.size_bytes
            }
        }
    };
}

/// Elements to read: a `&[T]` under absolute indices. Invariant: the window is initialised memory of
/// type `ty`, and nobody writes it during `'m`.
#[derive(Clone, Copy, Debug)]
pub struct View<'m> {
    raw: Raw,
    _life: PhantomData<&'m [u8]>,
}
common!(View);

/// Elements to read and write: a `&mut [T]`. Invariant: as [`View`], and nobody else touches the
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

impl<'m> View<'m> {
    /// All of a slice.
    #[must_use]
    pub fn of<T: Element>(slice: &'m [T]) -> Self {
        let base = slice.as_ptr().cast_mut().cast();
        // SAFETY: a slice is initialised and not written while borrowed.
        unsafe { Self::from_raw(base, 0..slice.len(), TypeId::of::<T>(), size_of::<T>()) }
    }

    /// # Safety
    /// Elements `window` of the array at `base` keep the invariant of the type during `'m`.
    pub(crate) unsafe fn from_raw(
        base: *mut u8,
        window: Range<usize>,
        ty: TypeId,
        size_bytes: usize,
    ) -> Self {
        let raw = Raw {
            base,
            start: window.start,
            end: window.end,
            ty,
            size_bytes,
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
        self.raw.check(self.raw.ty, &r);
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

impl<'m> ViewMut<'m> {
    /// All of a slice.
    #[must_use]
    pub fn of<T: Element>(slice: &'m mut [T]) -> Self {
        let (base, n) = (slice.as_mut_ptr().cast(), slice.len());
        // SAFETY: a mutable slice is initialised and ours alone.
        unsafe { Self::from_raw(base, 0..n, TypeId::of::<T>(), size_of::<T>()) }
    }

    /// # Safety
    /// Elements `window` of the array at `base` keep the invariant of the type during `'m`.
    pub(crate) unsafe fn from_raw(
        base: *mut u8,
        window: Range<usize>,
        ty: TypeId,
        size_bytes: usize,
    ) -> Self {
        let raw = Raw {
            base,
            start: window.start,
            end: window.end,
            ty,
            size_bytes,
        };
        ViewMut {
            raw,
            _life: PhantomData,
        }
    }

    /// The elements before `mid`, and those from there.
    ///
    /// # Panics
    /// If `mid` is not within the window.
    #[must_use]
    pub fn split_at(self, mid: usize) -> (Self, Self) {
        let (a, b) = self.raw.split_at(mid);
        (
            ViewMut {
                raw: a,
                _life: PhantomData,
            },
            ViewMut {
                raw: b,
                _life: PhantomData,
            },
        )
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
        self.raw.check(self.raw.ty, &r);
        ViewMut {
            raw: Raw {
                start: r.start,
                end: r.end,
                ..self.raw
            },
            _life: PhantomData,
        }
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

/// Elements that can be written, and not be read.
#[derive(Debug)]
pub struct OutSlice<'a, T>(&'a mut [MaybeUninit<T>]);

impl<T: Element> OutSlice<'_, T> {
    /// Writes element `i`, counted from the beginning of the slice.
    ///
    /// # Panics
    /// If there is no such element.
    #[inline(always)]
    pub fn put(&mut self, i: usize, value: T) {
        self.0[i].write(value);
    }
}

impl<'m> ViewOut<'m> {
    /// # Safety
    /// Elements `window` of the array at `base` keep the invariant of the type during `'m`.
    pub(crate) unsafe fn from_raw(
        base: *mut u8,
        window: Range<usize>,
        ty: TypeId,
        size_bytes: usize,
    ) -> Self {
        let raw = Raw {
            base,
            start: window.start,
            end: window.end,
            ty,
            size_bytes,
        };
        ViewOut {
            raw,
            _life: PhantomData,
        }
    }

    /// The elements before `mid`, and those from there.
    ///
    /// # Panics
    /// If `mid` is not within the window.
    #[must_use]
    pub fn split_at(self, mid: usize) -> (Self, Self) {
        let (a, b) = self.raw.split_at(mid);
        (
            ViewOut {
                raw: a,
                _life: PhantomData,
            },
            ViewOut {
                raw: b,
                _life: PhantomData,
            },
        )
    }

    /// Elements `r`, to be written.
    ///
    /// # Panics
    /// If the elements are not `T`, or `r` is not within the window.
    #[inline]
    #[must_use]
    pub fn slice<T: Element>(&mut self, r: Range<usize>) -> OutSlice<'_, T> {
        self.raw.check(TypeId::of::<T>(), &r);
        // SAFETY: type and bounds were just checked; `&mut self` keeps it exclusive. What may be
        // initialised stays so, since an `OutSlice` can only be written.
        OutSlice(unsafe {
            std::slice::from_raw_parts_mut(self.raw.at(r.start).cast(), r.end - r.start)
        })
    }

    /// The same elements, for a shorter time.
    #[must_use]
    pub fn reborrow(&mut self) -> ViewOut<'_> {
        ViewOut {
            raw: self.raw,
            _life: PhantomData,
        }
    }

    /// The same elements, for reading and writing.
    ///
    /// # Safety
    /// They are initialised.
    #[must_use]
    pub(crate) unsafe fn assume_init(self) -> ViewMut<'m> {
        ViewMut {
            raw: self.raw,
            _life: PhantomData,
        }
    }

    /// Overwrites the elements that `from` covers.
    ///
    /// # Panics
    /// If the types differ, or `from` is not within the window.
    pub fn copy_from(&mut self, from: View<'_>) {
        self.raw.check(from.raw.ty, &from.window());
        // SAFETY: same element type, in bounds, and exclusive, so the two do not overlap.
        unsafe {
            std::ptr::copy_nonoverlapping(
                from.raw.at(from.raw.start),
                self.raw.at(from.raw.start),
                from.len_bytes(),
            );
        }
    }

    /// Overwrites the whole window with the bytes of elements of the same type: those that a device
    /// computed, or that were taken from a [`View`] of that type.
    ///
    /// # Panics
    /// If the sizes differ, or if the elements are `bool` and a byte is neither 0 nor 1.
    pub fn copy_from_bytes(&mut self, bytes: &[u8]) {
        assert_eq!(
            bytes.len(),
            self.len_bytes(),
            "bytes for a window of another size"
        );
        if self.raw.ty == TypeId::of::<bool>() {
            assert!(bytes.iter().all(|b| *b <= 1), "a `bool` is 0 or 1");
        }
        // SAFETY: it fits. All other elements are valid for any bytes (see `Element`'s implementors).
        unsafe {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.raw.at(self.raw.start), bytes.len());
        }
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn windows_keep_absolute_indices() {
        let mut data = [1_u32, 2, 3, 4, 5];
        let (mut left, mut right) = ViewMut::of(&mut data).split_at(2);
        left.slice::<u32>(1..2)[0] = 20;
        right.slice::<u32>(2..5)[0] = 30;
        assert_eq!(View::of(&data).narrow(1..4).slice::<u32>(1..3), [20, 30]);
        assert_eq!(View::of(&data).narrow(1..3).bytes().len(), 8);
    }

    #[test]
    #[should_panic(expected = "outside of the window")]
    fn elements_outside_are_refused() {
        let data = [1_u32, 2, 3];
        let _ = View::of(&data).narrow(1..2).slice::<u32>(0..1);
    }

    #[test]
    #[should_panic(expected = "wrong element type")]
    fn other_types_are_refused() {
        let data = [1_u32, 2, 3];
        let _ = View::of(&data).slice::<f32>(0..1);
    }

    #[test]
    fn outputs_are_written_by_bytes_and_by_view() {
        let mut data = vec![0_u32; 4];
        let mut out = ViewMut::of(&mut data).into_out();
        out.copy_from(View::of(&[7_u32, 8]));
        let (_, mut tail) = out.split_at(2);
        tail.copy_from_bytes(View::of(&[9_u32, 10]).bytes());
        assert_eq!(data, [7, 8, 9, 10]);
    }
}
