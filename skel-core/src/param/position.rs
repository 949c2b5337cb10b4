//! What a function is given without being passed: where we are, and random numbers.

use super::Random;
use crate::{
    ir::{Ty, Value},
    lanes::Lane,
    plan::IndexKind,
    space::Segment,
};
use std::sync::Arc;

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
            random: Random::new(segment.space().stream, segment.range().start + k),
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
            i: segment.range().start + k,
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
            row: segment.row_and_col().0,
            col: segment.row_and_col().1 + k,
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
        let [_, _, rows, _] = segment.space().shape.extents();
        let rows = rows.max(1);
        Index3 {
            plane: segment.row_and_col().0 / rows,
            row: segment.row_and_col().0 % rows,
            col: segment.row_and_col().1 + k,
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

macro_rules! lanes {
    ($($index:ident { $($field:ident)* })*) => { $(
        impl Lane for $index {
            #[inline(always)]
            fn idle() -> Self {
                $index { $($field: 0),* }
            }
        }
    )* };
}
lanes! {
    Index1 { i }
    Index2 { row col }
    Index3 { plane row col }
    Index4 { volume plane row col }
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
    use crate::space::{SegmentSpace, Shape, Stream};

    #[test]
    fn rows_are_segments() {
        let space = SegmentSpace {
            shape: Shape::D2(3, 4),
            stream: Stream::default(),
        };
        let (mut rest, mut seen) = (2..11, Vec::new());
        while !rest.is_empty() {
            let s = Segment::new(&rest, Index2::BY_ROWS, space);
            rest.start = s.range().end;
            seen.extend((0..s.range().len()).map(|k| Index2::at(&s, k)));
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
