//! Where we are: index parameters.

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

/// Elements in a row, whose positions differ by their last coordinate only.
#[derive(Clone, Debug)]
pub struct Segment {
    /// The elements.
    range: Range<usize>,
    /// The row of all of them.
    row: usize,
    /// The column (or index) of the first.
    first: usize,
}

impl Segment {
    /// The elements.
    #[inline(always)]
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }
}

/// The type of a user function's index parameter; `()` if it has none.
pub trait Position: super::sealed::Position + Sized + 'static {
    /// What devices need to know of it.
    const KIND: Option<IndexKind>;

    /// The segment that begins at `r.start` and ends with `r` or earlier. Loops go segment by
    /// segment, so that the inner one has nothing to divide and can be vectorised.
    fn segment(r: &Range<usize>, shape: Shape) -> Segment;

    /// The position of the `k`-th element of a segment.
    fn at(segment: &Segment, k: usize) -> Self;

    /// For the interpreter.
    fn value(self) -> Option<Value>;
}

fn whole(r: &Range<usize>) -> Segment {
    Segment {
        range: r.clone(),
        row: 0,
        first: r.start,
    }
}

impl Position for () {
    const KIND: Option<IndexKind> = None;

    #[inline(always)]
    fn segment(r: &Range<usize>, _: Shape) -> Segment {
        whole(r)
    }

    #[inline(always)]
    fn at(_: &Segment, _: usize) {}

    fn value(self) -> Option<Value> {
        None
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
    fn segment(r: &Range<usize>, _: Shape) -> Segment {
        whole(r)
    }

    #[inline(always)]
    fn at(segment: &Segment, k: usize) -> Self {
        Index1 {
            i: segment.first + k,
        }
    }

    fn value(self) -> Option<Value> {
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

    #[inline(always)]
    fn segment(r: &Range<usize>, shape: Shape) -> Segment {
        let cols = shape.row_elems();
        if r.is_empty() || cols == 0 {
            return whole(r);
        }
        let (row, first) = (r.start / cols, r.start % cols);
        let end = r.end.min(r.start + (cols - first));
        Segment {
            range: r.start..end,
            row,
            first,
        }
    }

    #[inline(always)]
    fn at(segment: &Segment, k: usize) -> Self {
        Index2 {
            row: segment.row,
            col: segment.first + k,
        }
    }

    fn value(self) -> Option<Value> {
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
        let shape = Shape::D2(3, 4);
        let (mut rest, mut seen) = (2..11, Vec::new());
        while !rest.is_empty() {
            let s = Index2::segment(&rest, shape);
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
