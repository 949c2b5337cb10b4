//! Elements to write.
#![allow(unsafe_code, reason = "see the invariants in `view`")]

use super::{ElementLayout, Raw, View, ViewMut, ViewOut};
use crate::{Element, space::Run};
use std::{any::TypeId, marker::PhantomData, mem::MaybeUninit, ops::Range};

/// Bytes from outside of Rust that are no values of the element's type. A device that gives such has
/// failed: [`Error::Device`](crate::Error::Device).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it gave bytes that are no values of the elements' type")]
pub struct InvalidBytes;

/// Elements that can be written, and not be read.
#[derive(Debug)]
pub struct OutSlice<'a, T>(pub(super) &'a mut [MaybeUninit<T>]);

impl<'a, T: Element> OutSlice<'a, T> {
    /// These elements, to be written.
    #[inline(always)]
    pub(crate) fn of(elements: &'a mut [T]) -> Self {
        let elements = std::ptr::from_mut(elements) as *mut [MaybeUninit<T>];
        // SAFETY: the types have one layout, the slice is exclusive for `'a`, and nothing but a `T` is written to an
        // `OutSlice`: so all elements are initialised when it ends.
        OutSlice(unsafe { &mut *elements })
    }

    /// # Safety
    /// So many elements from `first` on lie in one allocation, and nothing else reads or writes them during `'a`.
    #[inline(always)]
    pub(in crate::frame) unsafe fn from_raw(first: *mut T, elems: usize) -> Self {
        // SAFETY: the caller says that they are there and exclusive; `MaybeUninit` asks no more.
        OutSlice(unsafe { std::slice::from_raw_parts_mut(first.cast(), elems) })
    }

    /// Where the first of its elements is, and how many there are.
    #[inline(always)]
    pub(in crate::frame) fn into_raw(self) -> (*mut T, usize) {
        (self.0.as_mut_ptr().cast(), self.0.len())
    }

    /// # Safety
    /// All elements are initialised.
    #[inline(always)]
    pub(in crate::frame) unsafe fn assume_init(self) -> &'a mut [T] {
        let elements = std::ptr::from_mut(self.0) as *mut [T];
        // SAFETY: the types have one layout, the slice is exclusive for `'a`, and the caller says that it is initialised.
        unsafe { &mut *elements }
    }

    /// Elements `r`, counted from the beginning of the slice.
    ///
    /// # Panics
    /// If they are not within the slice.
    #[inline(always)]
    #[must_use]
    pub fn sub(&mut self, r: Range<usize>) -> OutSlice<'_, T> {
        OutSlice(&mut self.0[r])
    }

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
        layout: ElementLayout,
    ) -> Self {
        let raw = Raw {
            base,
            start: window.start,
            end: window.end,
            layout,
        };
        ViewOut {
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
        ViewOut {
            raw: self.raw.take_front(mid),
            _life: PhantomData,
        }
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
        unsafe { OutSlice::from_raw(self.raw.at(r.start).cast(), r.end - r.start) }
    }

    /// Where the first of the elements `r` is.
    ///
    /// # Panics
    /// If the elements are not `T`, or `r` is not within the window.
    #[inline(always)]
    pub(in crate::frame) fn pointer<T: Element>(&mut self, r: Range<usize>) -> *mut T {
        self.raw.check(TypeId::of::<T>(), &r);
        self.raw.at(r.start).cast()
    }

    /// All elements, to be written, for as long as the view could have lived.
    ///
    /// # Panics
    /// If the elements are not `T`.
    #[must_use]
    pub fn into_slice<T: Element>(self) -> OutSlice<'m, T> {
        let r = self.window();
        self.raw.check(TypeId::of::<T>(), &r);
        // SAFETY: type and bounds were just checked; the view is gone, so nothing else has the elements for `'m`.
        unsafe { OutSlice::from_raw(self.raw.at(r.start).cast(), r.len()) }
    }

    /// The same window once more, for as long as the view could have lived.
    ///
    /// # Safety
    /// While both live, no element is written by way of one while it is read or written by way of the other.
    pub(in crate::frame) unsafe fn again(&self) -> Self {
        ViewOut {
            raw: self.raw,
            _life: PhantomData,
        }
    }

    /// Element `place`.
    ///
    /// # Safety
    /// It is initialised, and not being written.
    pub(in crate::frame) unsafe fn read<T: Element>(&self, place: usize) -> T {
        self.raw.check(TypeId::of::<T>(), &(place..place + 1));
        // SAFETY: type and bounds were just checked; that the element is initialised and not being written, the caller says.
        unsafe { self.raw.at(place).cast::<T>().read() }
    }

    /// Copies the elements of a run to those of `to`, which are as many.
    ///
    /// # Safety
    /// As for [`ViewOut::read`].
    pub(in crate::frame) unsafe fn read_run(&self, run: Run, to: &mut ViewOut<'_>) {
        let (from, to) = ((&self.raw, run), (&to.raw, Run::one_by_one(to.window())));
        // SAFETY: that the run's elements are initialised and not being written, the caller says, and `to` is exclusive.
        unsafe { copy_run(from, to) };
    }

    /// Writes the elements of `from`, which are as many, to those of a run.
    ///
    /// # Safety
    /// No other view reads or writes these meanwhile.
    pub(in crate::frame) unsafe fn write_run(&self, run: Run, from: View<'_>) {
        let (from, to) = (
            (&from.raw, Run::one_by_one(from.window())),
            (&self.raw, run),
        );
        // SAFETY: `from` is initialised; that nothing else reads or writes the run's elements, the caller says.
        unsafe { copy_run(from, to) };
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
        self.raw
            .check(from.raw.layout.element_type(), &from.window());
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
    /// # Errors
    /// [`InvalidBytes`] if they are no values of the type, as 2 is no `bool`; nothing is written then.
    ///
    /// # Panics
    /// If the sizes differ.
    pub fn copy_from_bytes(&mut self, bytes: &[u8]) -> Result<(), InvalidBytes> {
        assert_eq!(
            bytes.len(),
            self.len_bytes(),
            "bytes for a window of another size"
        );
        if !self.raw.layout.is_valid(bytes) {
            return Err(InvalidBytes);
        }
        // SAFETY: it fits, and the bytes are values of the type, as `Element::CHECK` says.
        unsafe {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.raw.at(self.raw.start), bytes.len());
        }
        Ok(())
    }
}

/// Copies the elements of one run to those of another.
///
/// # Panics
/// If one has more elements than the other, they are outside of their views, or have other types.
///
/// # Safety
/// The first are initialised, and the second ours.
pub(super) unsafe fn copy_run((from, from_run): (&Raw, Run), (to, to_run): (&Raw, Run)) {
    assert_eq!(from_run.len, to_run.len, "runs of one length");
    if from_run.len == 0 {
        return;
    }
    for (raw, run) in [(from, from_run), (to, to_run)] {
        raw.check(from.layout.element_type(), &run.places());
    }
    let size_bytes = from.layout.size_bytes();
    let (source, target) = (from.at(from_run.first), to.at(to_run.first));
    let steps = [from_run, to_run].map(|run| run.stride * size_bytes as isize);
    // SAFETY: types and bounds were just checked; the caller says that the first can be read and the second written.
    unsafe {
        if (from_run.stride, to_run.stride) == (1, 1) {
            std::ptr::copy_nonoverlapping(source, target, from_run.len * size_bytes);
            return;
        }
        match size_bytes {
            // Constants, so that nothing is called.
            4 => copy_apart::<4>(source, target, steps, from_run.len),
            8 => copy_apart::<8>(source, target, steps, from_run.len),
            _ => {
                for k in 0..from_run.len as isize {
                    let (source, target) =
                        (source.offset(k * steps[0]), target.offset(k * steps[1]));
                    std::ptr::copy_nonoverlapping(source, target, size_bytes);
                }
            }
        }
    }
}

/// Copies elements of so many bytes, which lie `steps` bytes apart.
///
/// # Safety
/// `count` elements from `source` on can be read, and as many from `target` on be written.
unsafe fn copy_apart<const BYTES: usize>(
    source: *const u8,
    target: *mut u8,
    steps: [isize; 2],
    count: usize,
) {
    for k in 0..count as isize {
        // SAFETY: element `k` is one of those that the caller names.
        unsafe {
            let (source, target) = (source.offset(k * steps[0]), target.offset(k * steps[1]));
            std::ptr::copy_nonoverlapping(source, target, BYTES);
        }
    }
}
