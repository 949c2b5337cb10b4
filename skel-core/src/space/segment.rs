//! Neighbouring elements of an index space.

use super::{MAX_RANK, Shape, Stream};
use std::ops::Range;

/// The space that a segment is part of: what positions and random numbers of its elements follow from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SegmentSpace {
    /// How the elements are arranged.
    pub shape: Shape,
    /// Which random numbers they get.
    pub stream: Stream,
}

/// Neighbouring elements. Where a function asks for rows or columns, all are of one row, so that
/// their positions differ by the last coordinate only.
#[derive(Clone, Debug)]
pub struct Segment {
    /// The elements.
    range: Range<usize>,
    /// The row of all of them, where it matters.
    row: usize,
    /// The column of the first, where it matters; else its index.
    first: usize,
    space: SegmentSpace,
}

impl Segment {
    /// The segment that begins at `r.start` and ends with `r` or earlier. Loops go segment by segment,
    /// so that the inner one has nothing to divide and can be vectorised.
    #[inline(always)]
    #[must_use]
    pub fn new(r: &Range<usize>, by_rows: bool, space: SegmentSpace) -> Segment {
        let cols = space.shape.row_elems();
        let (mut row, mut first, mut end) = (0, r.start, r.end);
        if by_rows && cols > 0 {
            (row, first) = (r.start / cols, r.start % cols);
            end = r.end.min(r.start + (cols - first));
        }
        Segment {
            range: r.start..end,
            row,
            first,
            space,
        }
    }

    /// The segment behind this one, of those that are made row by row, which ends at `end` or earlier:
    /// as [`Segment::new`] makes it, without a division.
    #[inline(always)]
    #[must_use]
    pub fn next(&self, end: usize) -> Segment {
        let (start, cols) = (self.range.end, self.space.shape.row_elems());
        let (mut row, mut first) = (self.row, self.first + self.range.len());
        if first == cols {
            (row, first) = (row + 1, 0);
        }
        Segment {
            range: start..end.min(start + (cols - first)),
            row,
            first,
            space: self.space,
        }
    }

    /// The same segment, which ends at `end` or earlier.
    #[inline(always)]
    #[must_use]
    pub fn until(mut self, end: usize) -> Segment {
        self.range.end = self.range.end.min(end);
        self
    }

    /// The same segment without its first elements.
    #[inline(always)]
    #[must_use]
    pub fn after(mut self, elems: usize) -> Segment {
        self.range.start += elems;
        self.first += elems;
        self
    }

    /// The elements at the same columns, so many rows below. Only of segments that were made row by row.
    #[inline(always)]
    #[must_use]
    pub(crate) fn below(&self, rows: usize) -> Segment {
        let elems = rows * self.space.shape.row_elems();
        Segment {
            range: self.range.start + elems..self.range.end + elems,
            row: self.row + rows,
            ..*self
        }
    }

    /// All elements from the first of the segment to the last at its columns, `rows` rows in all: those of other columns
    /// as well. Only of segments that were made row by row.
    #[inline(always)]
    #[must_use]
    pub(crate) fn spanning(&self, rows: usize) -> Segment {
        let below = rows.saturating_sub(1) * self.space.shape.row_elems();
        Segment {
            range: self.range.start..self.range.end + below,
            ..*self
        }
    }

    /// Which of all rows the elements are of, and the column of the first. Only of segments that were
    /// made row by row.
    #[inline(always)]
    pub(crate) fn row_and_col(&self) -> (usize, usize) {
        (self.row, self.first)
    }

    /// How many elements each row has.
    #[inline(always)]
    pub(crate) fn row_elems(&self) -> usize {
        self.space.shape.row_elems()
    }

    /// The elements.
    #[inline(always)]
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// The row of a matrix argument that belongs to the first element, and how far the next element's
    /// is: on a vector call, row `i` belongs to element `i`.
    #[inline(always)]
    pub(crate) fn matrix_row(&self) -> (usize, usize) {
        match self.space.shape {
            Shape::D1(_) => (self.range.start, 1),
            Shape::D2(..) | Shape::D3(..) | Shape::D4(..) => (self.row, 0),
        }
    }

    /// Volume, plane and row of all elements, and the column of the first. Only of segments that were
    /// made row by row.
    #[inline(always)]
    #[must_use]
    pub fn place(&self) -> [usize; MAX_RANK] {
        let [_, planes, rows, _] = self.space.shape.extents();
        // Where an extent is 0 there is no element; so the loop has nothing that could fail.
        let (planes, rows) = (planes.max(1), rows.max(1));
        let plane = self.row / rows;
        [plane / planes, plane % planes, self.row % rows, self.first]
    }

    /// The column of a matrix argument that belongs to the first element; neighbours have neighbours.
    #[inline(always)]
    pub(crate) fn matrix_col(&self) -> usize {
        self.first
    }

    /// What the call says of all elements.
    #[inline(always)]
    #[must_use]
    pub fn space(&self) -> SegmentSpace {
        self.space
    }
}
