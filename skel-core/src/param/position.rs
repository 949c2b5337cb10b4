//! What a function is given without being passed: where we are, and random numbers.

use super::{Random, Stream};
use crate::{
    container::{MAX_RANK, Shape},
    ir::{Ty, Value},
    plan::IndexKind,
};
use std::{ops::Range, sync::Arc};

/// The index of an element; on matrices in row-major order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Index1 {
    /// The index, from 0.
    pub i: usize,
}

/// Row and column of an element; a vector is one row, and a tensor all rows of its planes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Index2 {
    /// The row, from 0.
    pub row: usize,
    /// The column, from 0.
    pub col: usize,
}

/// Plane, row and column of an element; vectors and matrices are one plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Index3 {
    /// The plane, from 0; of a tensor of four dimensions, counted through all volumes.
    pub plane: usize,
    /// The row, from 0.
    pub row: usize,
    /// The column, from 0.
    pub col: usize,
}

/// Volume, plane, row and column of an element; what has fewer dimensions is one volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Index4 {
    /// The volume, from 0.
    pub volume: usize,
    /// The plane, from 0.
    pub plane: usize,
    /// The row, from 0.
    pub row: usize,
    /// The column, from 0.
    pub col: usize,
}

/// What a call says of all its elements, beside its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Space {
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
    space: Space,
}

impl Segment {
    /// The segment that begins at `r.start` and ends with `r` or earlier. Loops go segment by segment,
    /// so that the inner one has nothing to divide and can be vectorised.
    #[inline(always)]
    #[must_use]
    pub fn new(r: &Range<usize>, by_rows: bool, space: Space) -> Segment {
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

    /// Which of all rows the elements are of, and the column of the first. Only of segments that were
    /// made row by row.
    #[inline(always)]
    pub(super) fn row_and_col(&self) -> (usize, usize) {
        (self.row, self.first)
    }

    /// How many elements each row has.
    #[inline(always)]
    pub(super) fn row_elems(&self) -> usize {
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
    pub(super) fn matrix_row(&self) -> (usize, usize) {
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
    pub(super) fn matrix_col(&self) -> usize {
        self.first
    }
}

/// What a user function is given without being passed: `()` if nothing.
pub trait Position: super::sealed::Position + Sized + 'static {
    /// What devices need to know of the index.
    const KIND: Option<IndexKind>;

    /// Whether there is a [`Random`].
    const RANDOM: bool = false;

    /// Whether all elements of a segment must be of one row.
    const BY_ROWS: bool = false;

    /// What the `k`-th element of a segment is given.
    fn at(segment: &Segment, k: usize) -> Self;

    /// The index, for the interpreter.
    fn index(&self) -> Option<Value>;

    /// The generator, for the interpreter.
    fn random(&self) -> Option<Value> {
        None
    }
}

impl Position for () {
    const KIND: Option<IndexKind> = None;

    #[inline(always)]
    fn at(_: &Segment, _: usize) {}

    fn index(&self) -> Option<Value> {
        None
    }
}

/// An index, or `()`, and a generator of random numbers.
#[derive(Debug)]
pub struct WithRandom<P> {
    /// The index.
    pub at: P,
    /// The generator, at its first number.
    pub random: Random,
}

impl<P: Position> Position for WithRandom<P> {
    const KIND: Option<IndexKind> = P::KIND;
    const RANDOM: bool = true;
    const BY_ROWS: bool = P::BY_ROWS;

    #[inline(always)]
    fn at(segment: &Segment, k: usize) -> Self {
        WithRandom {
            at: P::at(segment, k),
            random: Random::new(segment.space.stream, segment.range.start + k),
        }
    }

    fn index(&self) -> Option<Value> {
        self.at.index()
    }

    fn random(&self) -> Option<Value> {
        Some(self.random.value())
    }
}

impl Index1 {
    /// Its type in the IR.
    #[must_use]
    pub fn ty() -> Ty {
        Ty::structure("Index1", &[("i", Ty::Usize)])
    }
}

impl Position for Index1 {
    const KIND: Option<IndexKind> = Some(IndexKind::Index1);

    #[inline(always)]
    fn at(segment: &Segment, k: usize) -> Self {
        Index1 {
            i: segment.range.start + k,
        }
    }

    fn index(&self) -> Option<Value> {
        Some(structure(&Self::ty(), &[self.i]))
    }
}

impl Index2 {
    /// Its type in the IR.
    #[must_use]
    pub fn ty() -> Ty {
        Ty::structure("Index2", &[("row", Ty::Usize), ("col", Ty::Usize)])
    }
}

impl Position for Index2 {
    const KIND: Option<IndexKind> = Some(IndexKind::Index2);
    const BY_ROWS: bool = true;

    #[inline(always)]
    fn at(segment: &Segment, k: usize) -> Self {
        Index2 {
            row: segment.row,
            col: segment.first + k,
        }
    }

    fn index(&self) -> Option<Value> {
        Some(structure(&Self::ty(), &[self.row, self.col]))
    }
}

impl Index3 {
    /// Its type in the IR.
    #[must_use]
    pub fn ty() -> Ty {
        let fields = [("plane", Ty::Usize), ("row", Ty::Usize), ("col", Ty::Usize)];
        Ty::structure("Index3", &fields)
    }
}

impl Position for Index3 {
    const KIND: Option<IndexKind> = Some(IndexKind::Index3);
    const BY_ROWS: bool = true;

    #[inline(always)]
    fn at(segment: &Segment, k: usize) -> Self {
        let [_, _, rows, _] = segment.space.shape.extents();
        let rows = rows.max(1);
        Index3 {
            plane: segment.row / rows,
            row: segment.row % rows,
            col: segment.first + k,
        }
    }

    fn index(&self) -> Option<Value> {
        Some(structure(&Self::ty(), &[self.plane, self.row, self.col]))
    }
}

impl Index4 {
    /// Its type in the IR.
    #[must_use]
    pub fn ty() -> Ty {
        let fields = [
            ("volume", Ty::Usize),
            ("plane", Ty::Usize),
            ("row", Ty::Usize),
            ("col", Ty::Usize),
        ];
        Ty::structure("Index4", &fields)
    }
}

impl Position for Index4 {
    const KIND: Option<IndexKind> = Some(IndexKind::Index4);
    const BY_ROWS: bool = true;

    #[inline(always)]
    fn at(segment: &Segment, k: usize) -> Self {
        let [volume, plane, row, col] = segment.place();
        Index4 {
            volume,
            plane,
            row,
            col: col + k,
        }
    }

    fn index(&self) -> Option<Value> {
        let fields = [self.volume, self.plane, self.row, self.col];
        Some(structure(&Self::ty(), &fields))
    }
}

fn structure(ty: &Ty, fields: &[usize]) -> Value {
    match ty {
        Ty::Struct(s) => Value::Struct(
            Arc::clone(s),
            fields.iter().map(|f| Value::Usize(*f)).collect(),
        ),
        _ => unreachable!("an index is a struct"),
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn rows_are_segments() {
        let space = Space {
            shape: Shape::D2(3, 4),
            stream: Stream::default(),
        };
        let (mut rest, mut seen) = (2..11, Vec::new());
        while !rest.is_empty() {
            let s = Segment::new(&rest, Index2::BY_ROWS, space);
            rest.start = s.range.end;
            seen.extend((0..s.range.len()).map(|k| Index2::at(&s, k)));
        }
        let expected: Vec<_> = (2..11)
            .map(|i| Index2 {
                row: i / 4,
                col: i % 4,
            })
            .collect();
        assert_eq!(seen, expected);
    }
}
