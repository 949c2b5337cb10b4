//! What a strided operand reads from.

use crate::{
    Result,
    container::{Buffer, IntervalSet},
    frame::{ElementLayout, Parts, View},
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

    /// Some elements for reading on the host, as `wanted` counts them: from `first` on. Downloads what is
    /// missing there.
    ///
    /// # Errors
    /// Those of downloading.
    pub fn host_parts(&self, first: usize, wanted: &IntervalSet) -> Result<Parts<'e>> {
        match self {
            Source::Container(buffer) => {
                let mut there = IntervalSet::new();
                for part in wanted.ranges() {
                    there.insert(first + part.start..first + part.end);
                }
                Ok(buffer.host_parts(there)?.counted_from(first))
            }
            Source::Slice(view) => Ok(Parts::of(*view).counted_from(first)),
        }
    }
}
