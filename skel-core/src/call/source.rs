//! What a strided operand reads from.

use crate::{
    Result,
    container::Buffer,
    frame::{ElementLayout, View},
};
use std::ops::Range;

/// A container, or a borrowed slice, of which an operand takes some elements.
#[derive(Clone, Copy)]
pub enum Source<'e> {
    /// A container.
    Container(&'e Buffer),
    /// A borrowed slice.
    Slice(View<'e>),
}

impl<'e> Source<'e> {
    /// The number of elements it has.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Source::Container(buffer) => buffer.len(),
            Source::Slice(view) => view.window().len(),
        }
    }

    /// Whether there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The layout of each element.
    #[must_use]
    pub fn element_layout(&self) -> ElementLayout {
        match self {
            Source::Container(buffer) => buffer.layout(),
            Source::Slice(view) => view.layout(),
        }
    }

    /// Elements `r` for reading on the host; downloads what is missing there.
    ///
    /// # Errors
    /// Those of downloading.
    pub fn host_view(&self, r: Range<usize>) -> Result<View<'e>> {
        match self {
            Source::Container(buffer) => buffer.host_view(r),
            Source::Slice(view) => Ok(view.narrow(r)),
        }
    }
}
