//! Owned, type-erased elements.
#![allow(unsafe_code, reason = "type-erased storage")]

use super::{ElementLayout, View, ViewMut, ViewOut};
use crate::{Result, host_memory};
use std::ops::Range;

/// A copy of some elements in memory of its own, under their absolute indices: the device memory of
/// mock units, and what is set aside before an in-place call.
#[derive(Debug)]
pub struct ErasedArray {
    /// All-zero at first, which is a value of every element type.
    data: Vec<u128>,
    layout: ElementLayout,
    window: Range<usize>,
}

impl ErasedArray {
    /// Zeroed elements `window`.
    ///
    /// # Errors
    /// [`crate::Error::OutOfMemory`].
    pub fn zeroed(layout: ElementLayout, window: Range<usize>) -> Result<Self> {
        let bytes = window.len().saturating_mul(layout.size_bytes());
        let data = host_memory::filled(bytes.div_ceil(16), 0)?;
        Ok(ErasedArray {
            data,
            layout,
            window,
        })
    }

    /// Elements `window` in the memory of another array, if that has room for them and they are of the same type: then they
    /// are what was there. Else they are zero.
    ///
    /// # Errors
    /// [`crate::Error::OutOfMemory`].
    pub fn renewed(
        old: Option<ErasedArray>,
        layout: ElementLayout,
        window: Range<usize>,
    ) -> Result<Self> {
        match old {
            Some(old) if old.has_room_for(layout, window.len()) => {
                Ok(ErasedArray { window, ..old })
            }
            _ => Self::zeroed(layout, window),
        }
    }

    /// Whether [`ErasedArray::renewed`] gives so many elements of this type in its memory.
    pub(super) fn has_room_for(&self, layout: ElementLayout, elems: usize) -> bool {
        let bytes = elems.saturating_mul(layout.size_bytes());
        self.layout == layout && bytes.div_ceil(16) <= self.data.len()
    }

    /// How many bytes its memory has.
    pub(super) fn room_bytes(&self) -> usize {
        self.data.len() * 16
    }

    /// A copy of what `view` shows.
    ///
    /// # Errors
    /// [`crate::Error::OutOfMemory`].
    pub fn copy_of(view: View<'_>) -> Result<Self> {
        // Not zeroed before: of large ones, that would take as long as copying.
        let (words, rest) = view.bytes().as_chunks::<16>();
        let mut data = host_memory::vec(words.len() + 1)?;
        data.extend(words.iter().map(|word| u128::from_ne_bytes(*word)));
        let mut last = [0; 16];
        last[..rest.len()].copy_from_slice(rest);
        data.push(u128::from_ne_bytes(last));
        Ok(ErasedArray {
            data,
            layout: view.layout(),
            window: view.window(),
        })
    }

    /// The layout of its elements.
    #[must_use]
    pub fn layout(&self) -> ElementLayout {
        self.layout
    }

    /// Which elements it has.
    #[must_use]
    pub fn window(&self) -> Range<usize> {
        self.window.clone()
    }

    /// The number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.window.len()
    }

    /// Whether there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.window.is_empty()
    }

    fn base(&self) -> *mut u8 {
        self.data
            .as_ptr()
            .cast_mut()
            .cast::<u8>()
            .wrapping_sub(self.window.start * self.layout.size_bytes())
    }

    fn base_mut(&mut self) -> *mut u8 {
        self.data
            .as_mut_ptr()
            .cast::<u8>()
            .wrapping_sub(self.window.start * self.layout.size_bytes())
    }

    fn check(&self, r: &Range<usize>) {
        assert!(
            self.window.start <= r.start && r.start <= r.end && r.end <= self.window.end,
            "elements {r:?} are outside of {:?}",
            self.window
        );
    }

    /// Room for elements up to `end`: if there is none, elements `keep` are moved to the beginning of the memory, or to
    /// more of it, and all others forgotten.
    ///
    /// # Errors
    /// [`crate::Error::OutOfMemory`].
    ///
    /// # Panics
    /// If `keep` is not within the array, or `end` is before its end.
    pub fn slide(&mut self, keep: Range<usize>, end: usize) -> Result<()> {
        self.check(&keep);
        assert!(keep.end <= end, "elements behind the end are kept");
        if end <= self.window.end {
            return Ok(());
        }
        let size_bytes = self.layout.size_bytes();
        let window = keep.start..end.max(keep.start + self.window.len());
        let words = window.len().saturating_mul(size_bytes).div_ceil(16);
        if words > self.data.len() {
            let mut larger = Self::zeroed(self.layout, window)?;
            larger.view_out(keep.clone()).copy_from(self.view(keep));
            *self = larger;
            return Ok(());
        }
        let from = (keep.start - self.window.start) * size_bytes;
        let data = self.data.as_mut_ptr().cast::<u8>();
        // SAFETY: the elements `keep` lie in the data from byte `from` on, as was checked, and so do as many bytes from its
        // beginning. They are values of the type wherever they lie, and so is what was there before: all of it is
        // initialised.
        unsafe { std::ptr::copy(data.add(from), data, keep.len() * size_bytes) };
        self.window = window;
        Ok(())
    }

    /// Elements `r`, to read.
    ///
    /// # Panics
    /// If `r` is not within the array.
    #[must_use]
    pub fn view(&self, r: Range<usize>) -> View<'_> {
        self.check(&r);
        // SAFETY: in bounds, initialised, aligned to 16, and borrowed.
        unsafe { View::from_raw(self.base(), r, self.layout) }
    }

    /// All elements, to read.
    #[must_use]
    pub fn all(&self) -> View<'_> {
        self.view(self.window.clone())
    }

    /// Elements `r`, to read and write.
    ///
    /// # Panics
    /// If `r` is not within the array.
    #[must_use]
    pub fn view_mut(&mut self, r: Range<usize>) -> ViewMut<'_> {
        self.check(&r);
        // SAFETY: in bounds, initialised, aligned to 16, and borrowed mutably.
        unsafe { ViewMut::from_raw(self.base_mut(), r, self.layout) }
    }

    /// Elements `r`, to write.
    ///
    /// # Panics
    /// If `r` is not within the array.
    #[must_use]
    pub fn view_out(&mut self, r: Range<usize>) -> ViewOut<'_> {
        self.view_mut(r).into_out()
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn memory_is_used_again_by_elements_of_the_same_type_alone() {
        let first = ErasedArray::copy_of(View::of(&[7_u32, 8, 9, 10, 11])).unwrap();
        let layout = first.layout();
        let again = ErasedArray::renewed(Some(first), layout, 2..5).unwrap();
        assert_eq!(again.all().slice::<u32>(2..5), [7, 8, 9]);
        let other = ErasedArray::renewed(Some(again), ElementLayout::of::<f32>(), 0..3).unwrap();
        assert_eq!(other.all().slice::<f32>(0..3), [0.0; 3]);
        let larger = ErasedArray::renewed(Some(other), ElementLayout::of::<f32>(), 0..90).unwrap();
        assert_eq!(larger.all().slice::<f32>(0..90), [0.0; 90]);
    }

    #[test]
    fn elements_that_are_kept_slide_to_the_beginning() {
        let mut array = ErasedArray::zeroed(ElementLayout::of::<u32>(), 10..14).unwrap();
        let put = |array: &mut ErasedArray, r: Range<usize>| {
            let first = r.start;
            let mut view = array.view_out(r.clone());
            let mut slice = view.slice::<u32>(r.clone());
            r.for_each(|k| slice.put(k - first, k as u32));
        };
        put(&mut array, 10..14);
        // There is room.
        array.slide(11..14, 14).unwrap();
        assert_eq!(array.window(), 10..14);
        array.slide(12..14, 16).unwrap();
        put(&mut array, 14..16);
        assert_eq!(array.view(12..16).slice::<u32>(12..16), [12, 13, 14, 15]);
        // In memory that is larger.
        array.slide(13..16, 40).unwrap();
        put(&mut array, 16..40);
        let all: Vec<u32> = (13..40).collect();
        assert_eq!(array.all().slice::<u32>(13..40), all);
        // None is kept.
        array.slide(40..40, 60).unwrap();
        put(&mut array, 40..60);
        assert_eq!(array.view(59..60).slice::<u32>(59..60), [59]);
    }

    #[test]
    #[should_panic(expected = "elements 9..12 are outside of 10..14")]
    fn what_is_not_there_is_not_kept() {
        let mut array = ErasedArray::zeroed(ElementLayout::of::<u32>(), 10..14).unwrap();
        let _ = array.slide(9..12, 20);
    }
}
