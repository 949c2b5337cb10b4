//! What a function is given without being passed: where we are, and random numbers.

use super::{Random, Stream};
use crate::{
    container::Shape,
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

/// Row and column of an element; a vector is one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Index2 {
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
            Shape::D2(..) => (self.row, 0),
        }
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
