//! Which elements of the arguments an element of the call needs.

use crate::space::{MAX_RANK, Shape};
use std::ops::Range;

/// The dimension that a fold along rows or columns goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// Along each row: one value per row.
    Rows,
    /// Down each column: one value per column.
    Cols,
}

/// A call whose elements each fold a row or column of what the arguments are: its own shape has one
/// element per row (or column), its arguments have `rows × cols`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Along {
    /// Rows of the arguments.
    pub rows: usize,
    /// Columns of the arguments.
    pub cols: usize,
    /// What is folded.
    pub axis: Axis,
}

impl Along {
    /// The shape of the arguments.
    #[must_use]
    pub fn space(self) -> Shape {
        Shape::D2(self.rows, self.cols)
    }

    /// How many elements are folded to one.
    #[must_use]
    pub fn depth(self) -> usize {
        match self.axis {
            Axis::Rows => self.cols,
            Axis::Cols => self.rows,
        }
    }

    /// How many values there are.
    #[must_use]
    pub fn values(self) -> usize {
        match self.axis {
            Axis::Rows => self.rows,
            Axis::Cols => self.cols,
        }
    }

    /// The element that comes `step`th in the fold that gives value `value`, counted in row-major order.
    #[must_use]
    pub fn element(self, value: usize, step: usize) -> usize {
        match self.axis {
            Axis::Rows => value * self.cols + step,
            Axis::Cols => step * self.cols + value,
        }
    }
}

/// A box in an index space: a range of indices along each dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexBox(pub [Range<usize>; MAX_RANK]);

impl IndexBox {
    /// The smallest box around the elements `r` of `shape`, counted in row-major order.
    #[must_use]
    pub fn around(r: &Range<usize>, shape: Shape) -> IndexBox {
        let extents = shape.extents();
        let mut cells = extents.map(|extent| 0..extent);
        if r.is_empty() {
            return IndexBox(extents.map(|_| 0..0));
        }
        let (mut first, mut last) = (r.start, r.end - 1);
        let mut ends = [(0, 0); MAX_RANK];
        for d in (0..MAX_RANK).rev() {
            ends[d] = (first % extents[d], last % extents[d]);
            (first, last) = (first / extents[d], last / extents[d]);
        }
        for (cell, (first, last)) in cells.iter_mut().zip(ends) {
            *cell = first..last + 1;
            // Behind the first dimension in which they differ, everything is between them.
            if first != last {
                break;
            }
        }
        IndexBox(cells)
    }

    /// The arguments' elements that the elements `r` of a call of this shape need.
    #[must_use]
    pub fn of(r: &Range<usize>, shape: Shape, along: Option<Along>) -> IndexBox {
        match along {
            None => Self::around(r, shape),
            Some(along) => {
                let [rows, cols] = match along.axis {
                    Axis::Rows => [r.clone(), 0..along.cols],
                    Axis::Cols => [0..along.rows, r.clone()],
                };
                IndexBox([0..1, 0..1, rows, cols])
            }
        }
    }

    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().any(|r| r.is_empty())
    }
}
