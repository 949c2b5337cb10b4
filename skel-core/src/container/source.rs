//! Elements to be read: of a container, or of a borrowed slice.

use crate::{
    Result,
    container::Buffer,
    frame::{ElementLayout, SparseView, View},
    space::IntervalSet,
};
use std::ops::Range;

/// Where the elements are that an operand reads. They are counted from the first of them on.
#[derive(Clone, Copy)]
pub enum Source<'e> {
    /// Neighbouring elements of a container.
    Container {
        /// The container.
        buffer: &'e Buffer,
        /// The first of them.
        first: usize,
        /// How many.
        len: usize,
    },
    /// A borrowed slice or value.
    Slice(View<'e>),
}

impl<'e> From<&'e Buffer> for Source<'e> {
    fn from(buffer: &'e Buffer) -> Self {
        Source::Container {
            buffer,
            first: 0,
            len: buffer.len(),
        }
    }
}

impl<'e> From<View<'e>> for Source<'e> {
    fn from(view: View<'e>) -> Self {
        Source::Slice(view)
    }
}

impl<'e> Source<'e> {
    /// The number of elements.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Source::Container { len, .. } => *len,
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
            Source::Container { buffer, .. } => buffer.layout(),
            Source::Slice(view) => view.layout(),
        }
    }

    /// The container.
    #[must_use]
    pub fn buffer(&self) -> Option<&'e Buffer> {
        match self {
            Source::Container { buffer, .. } => Some(buffer),
            Source::Slice(_) => None,
        }
    }

    /// Neighbouring elements of it.
    #[must_use]
    pub fn part(self, r: Range<usize>) -> Source<'e> {
        match self {
            Source::Container { buffer, first, .. } => Source::Container {
                buffer,
                first: first + r.start,
                len: r.len(),
            },
            Source::Slice(view) => Source::Slice(view.narrow(r.clone()).counted_from(r.start)),
        }
    }

    /// Brings these elements to the host.
    ///
    /// # Errors
    /// Those of downloading.
    pub fn fetch(&self, wanted: &IntervalSet) -> Result<()> {
        if let Source::Container { .. } = self {
            for r in wanted.ranges() {
                let _fetched = self.host_view(r.clone())?;
            }
        }
        Ok(())
    }

    /// Elements `r` for reading on the host; downloads what is missing there.
    ///
    /// # Errors
    /// Those of downloading.
    #[inline]
    pub fn host_view(&self, r: Range<usize>) -> Result<View<'e>> {
        match self {
            Source::Container { buffer, first, .. } => {
                let view = buffer.host_view(first + r.start..first + r.end)?;
                Ok(view.counted_from(*first))
            }
            Source::Slice(view) => Ok(view.narrow(r)),
        }
    }

    /// Some elements for reading on the host; downloads what is missing there.
    ///
    /// # Errors
    /// Those of downloading.
    pub fn host_sparse_view(&self, wanted: &IntervalSet) -> Result<SparseView<'e>> {
        match self {
            Source::Container {
                buffer, first: 0, ..
            } => buffer.host_sparse_view(wanted.clone()),
            Source::Container { buffer, first, .. } => {
                let mut there = IntervalSet::new();
                for r in wanted.ranges() {
                    there.insert(first + r.start..first + r.end);
                }
                Ok(buffer.host_sparse_view(there)?.counted_from(*first))
            }
            Source::Slice(view) => Ok(SparseView::of(*view)),
        }
    }
}
