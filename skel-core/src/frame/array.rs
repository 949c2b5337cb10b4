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

    /// A copy of what `view` shows.
    ///
    /// # Errors
    /// [`crate::Error::OutOfMemory`].
    pub fn copy_of(view: View<'_>) -> Result<Self> {
        let mut array = Self::zeroed(view.layout(), view.window())?;
        array.view_out(view.window()).copy_from(view);
        Ok(array)
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
