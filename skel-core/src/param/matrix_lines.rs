//! Kinds of parameters that are rows or columns of a matrix, read at random.

use super::{
    Col, Kind, MatrixView, Param, Row,
    access::opened_as_one,
    whole::{Strided, elements_of, value},
};
use crate::{
    Element,
    frame::Slot,
    ir::{Ty, Value, ViewKind, eval},
    plan::Role,
    space::Segment,
};
use std::{marker::PhantomData, ops::Range};

/// The row of a matrix that belongs to the element: `r: Row<T>`.
pub struct EachRow<T>(PhantomData<fn() -> T>);
/// The column of a matrix that belongs to the element: `c: Col<T>`.
pub struct EachCol<T>(PhantomData<fn() -> T>);

impl<T: 'static> Kind for EachRow<T> {
    type Arg<'a> = Row<'a, T>;
}
impl<T: 'static> Kind for EachCol<T> {
    type Arg<'a> = Col<'a, T>;
}

#[inline(always)]
fn matrix<'a, T: Element>(slot: &Slot<'a>) -> MatrixView<'a, T> {
    let (elements, shape) = elements_of(slot);
    MatrixView::new(elements, shape.rows(), shape.row_elems())
}

/// A matrix, and which of its rows belong to some elements: the first one's, and how far the next
/// one's is.
pub struct Rows<'a, T> {
    matrix: MatrixView<'a, T>,
    first: usize,
    step: usize,
}

impl<T: Element> Param for EachRow<T> {
    const ROLE: Role = Role::View;
    const BY_ROWS: bool = true;
    type Access<'a> = Rows<'a, T>;

    opened_as_one!();

    fn ty() -> Ty {
        Ty::view(T::ty(), ViewKind::Row)
    }

    #[inline(always)]
    fn open<'a>(slot: &'a mut Slot<'_>, segment: &Segment) -> Rows<'a, T> {
        let (first, step) = segment.matrix_row();
        Rows {
            matrix: matrix(slot),
            first,
            step,
        }
    }

    #[inline(always)]
    fn sub<'b, 'a: 'b>(access: &'b mut Rows<'a, T>, r: Range<usize>) -> Rows<'b, T> {
        Rows {
            first: access.first + r.start * access.step,
            ..*access
        }
    }

    #[inline(always)]
    fn get<'b, 'a: 'b>(access: &'b mut Rows<'a, T>, i: usize) -> Row<'b, T> {
        access.matrix.row(access.first + i * access.step)
    }

    fn value(_: &Slot<'_>, _: usize, number: usize) -> Value {
        value(<Self as Param>::ty(), number)
    }

    fn view<'s>(slot: &'s Slot<'_>, segment: &Segment) -> Option<Box<dyn eval::View + 's>> {
        let (elements, shape) = elements_of::<T>(slot);
        let cols = shape.row_elems();
        Some(Box::new(Strided {
            elements,
            first: segment.matrix_row().0 * cols,
            dimensions: [(cols, 1)],
        }))
    }
}

/// A matrix, and which of its columns belong to some elements.
pub struct Cols<'a, T> {
    matrix: MatrixView<'a, T>,
    first: usize,
}

impl<T: Element> Param for EachCol<T> {
    const ROLE: Role = Role::View;
    const BY_ROWS: bool = true;
    type Access<'a> = Cols<'a, T>;

    opened_as_one!();

    fn ty() -> Ty {
        Ty::view(T::ty(), ViewKind::Col)
    }

    #[inline(always)]
    fn open<'a>(slot: &'a mut Slot<'_>, segment: &Segment) -> Cols<'a, T> {
        Cols {
            matrix: matrix(slot),
            first: segment.matrix_col(),
        }
    }

    #[inline(always)]
    fn sub<'b, 'a: 'b>(access: &'b mut Cols<'a, T>, r: Range<usize>) -> Cols<'b, T> {
        Cols {
            first: access.first + r.start,
            ..*access
        }
    }

    #[inline(always)]
    fn get<'b, 'a: 'b>(access: &'b mut Cols<'a, T>, i: usize) -> Col<'b, T> {
        access.matrix.col(access.first + i)
    }

    fn value(_: &Slot<'_>, _: usize, number: usize) -> Value {
        value(<Self as Param>::ty(), number)
    }

    fn view<'s>(slot: &'s Slot<'_>, segment: &Segment) -> Option<Box<dyn eval::View + 's>> {
        let (elements, shape) = elements_of::<T>(slot);
        Some(Box::new(Strided {
            elements,
            first: segment.matrix_col(),
            dimensions: [(shape.rows(), shape.row_elems())],
        }))
    }
}
