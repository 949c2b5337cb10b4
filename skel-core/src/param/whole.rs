//! Kinds of parameters that are whole containers.

use super::{Col, Kind, MatrixView, Param, Row, access::opened_as_one};
use crate::{
    Element,
    frame::Slot,
    ir::{Ty, Value, ViewKind, eval},
    plan::Role,
    space::Segment,
};
use std::{marker::PhantomData, ops::Range};

/// A whole vector, read at random: `xs: &[T]`.
pub struct Whole<T>(PhantomData<fn() -> T>);
/// A whole matrix, read at random: `m: MatrixView<T>`.
pub struct WholeMatrix<T>(PhantomData<fn() -> T>);
/// The row of a matrix that belongs to the element: `r: Row<T>`.
pub struct EachRow<T>(PhantomData<fn() -> T>);
/// The column of a matrix that belongs to the element: `c: Col<T>`.
pub struct EachCol<T>(PhantomData<fn() -> T>);

impl<T: 'static> Kind for Whole<T> {
    type Arg<'a> = &'a [T];
}
impl<T: 'static> Kind for WholeMatrix<T> {
    type Arg<'a> = MatrixView<'a, T>;
}
impl<T: 'static> Kind for EachRow<T> {
    type Arg<'a> = Row<'a, T>;
}
impl<T: 'static> Kind for EachCol<T> {
    type Arg<'a> = Col<'a, T>;
}

/// Elements of the slot and its rows and columns; a vector is one row.
#[inline(always)]
fn whole<'a, T: Element>(slot: &Slot<'a>) -> MatrixView<'a, T> {
    match slot {
        Slot::Whole(view, shape) => {
            MatrixView::new(view.slice(view.window()), shape.rows(), shape.row_elems())
        }
        _ => {
            unreachable!("whole containers have slots of their own")
        }
    }
}

/// What the interpreter reads of a view: a matrix, of which it sees all, a row, or a column.
struct EvalMatrix<'a, T> {
    kind: ViewKind,
    matrix: MatrixView<'a, T>,
    /// The row or column.
    at: usize,
}

impl<T: Element> eval::View for EvalMatrix<'_, T> {
    fn extent(&self, dimension: usize) -> usize {
        let (rows, cols) = (self.matrix.rows(), self.matrix.cols());
        match (self.kind, dimension) {
            (ViewKind::Matrix, 0) | (ViewKind::Col, _) => rows,
            (ViewKind::Matrix | ViewKind::Slice | ViewKind::Row, _) => cols,
            (kind, _) => unreachable!("{kind:?} is no matrix, nor a line of one"),
        }
    }

    fn get(&self, indices: &[isize]) -> Value {
        let index = |at: &isize| at.cast_unsigned();
        let at = match (self.kind, indices) {
            (ViewKind::Slice, [i]) => (0, index(i)),
            (ViewKind::Matrix, [row, col]) => (index(row), index(col)),
            (ViewKind::Row, [col]) => (self.at, index(col)),
            (ViewKind::Col, [row]) => (index(row), self.at),
            (kind, indices) => unreachable!("{} indices of a {kind:?}", indices.len()),
        };
        self.matrix[at].to_value()
    }
}

fn eval_view<'s, T: Element>(
    slot: &'s Slot<'_>,
    kind: ViewKind,
    at: usize,
) -> Option<Box<dyn eval::View + 's>> {
    let matrix = whole::<T>(slot);
    Some(Box::new(EvalMatrix { kind, matrix, at }))
}

fn value<T: Element>(kind: ViewKind, number: usize) -> Value {
    match Ty::view(T::ty(), kind) {
        Ty::View(ty) => Value::View(ty, number),
        _ => unreachable!("a view has the type of one"),
    }
}

impl<T: Element> Param for Whole<T> {
    const ROLE: Role = Role::View;
    type Access<'a> = &'a [T];

    opened_as_one!();

    fn ty() -> Ty {
        Ty::view(T::ty(), ViewKind::Slice)
    }

    #[inline(always)]
    fn open<'a>(slot: &'a mut Slot<'_>, _: &Segment) -> &'a [T] {
        match slot {
            Slot::Whole(view, _) => view.slice(view.window()),
            _ => {
                unreachable!("whole containers have slots of their own")
            }
        }
    }

    #[inline(always)]
    fn sub<'b, 'a: 'b>(access: &'b mut &'a [T], _: Range<usize>) -> &'b [T] {
        access
    }

    #[inline(always)]
    fn get<'b, 'a: 'b>(access: &'b mut &'a [T], _: usize) -> &'b [T] {
        access
    }

    fn value(_: &Slot<'_>, _: usize, number: usize) -> Value {
        value::<T>(ViewKind::Slice, number)
    }

    fn view<'s>(slot: &'s Slot<'_>, _: &Segment) -> Option<Box<dyn eval::View + 's>> {
        eval_view::<T>(slot, ViewKind::Slice, 0)
    }
}

impl<T: Element> Param for WholeMatrix<T> {
    const ROLE: Role = Role::View;
    type Access<'a> = MatrixView<'a, T>;

    opened_as_one!();

    fn ty() -> Ty {
        Ty::view(T::ty(), ViewKind::Matrix)
    }

    #[inline(always)]
    fn open<'a>(slot: &'a mut Slot<'_>, _: &Segment) -> MatrixView<'a, T> {
        whole(slot)
    }

    #[inline(always)]
    fn sub<'b, 'a: 'b>(access: &'b mut MatrixView<'a, T>, _: Range<usize>) -> MatrixView<'b, T> {
        *access
    }

    #[inline(always)]
    fn get<'b, 'a: 'b>(access: &'b mut MatrixView<'a, T>, _: usize) -> MatrixView<'b, T> {
        *access
    }

    fn value(_: &Slot<'_>, _: usize, number: usize) -> Value {
        value::<T>(ViewKind::Matrix, number)
    }

    fn view<'s>(slot: &'s Slot<'_>, _: &Segment) -> Option<Box<dyn eval::View + 's>> {
        eval_view::<T>(slot, ViewKind::Matrix, 0)
    }
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
            matrix: whole(slot),
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
        value::<T>(ViewKind::Row, number)
    }

    fn view<'s>(slot: &'s Slot<'_>, segment: &Segment) -> Option<Box<dyn eval::View + 's>> {
        eval_view::<T>(slot, ViewKind::Row, segment.matrix_row().0)
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
            matrix: whole(slot),
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
        value::<T>(ViewKind::Col, number)
    }

    fn view<'s>(slot: &'s Slot<'_>, segment: &Segment) -> Option<Box<dyn eval::View + 's>> {
        eval_view::<T>(slot, ViewKind::Col, segment.matrix_col())
    }
}
