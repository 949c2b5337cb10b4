//! Parts in two dimensions, to write.

use super::{VectorPartMut, place, vector_mut::operand, within};
use crate::{
    Element,
    call::{Layout, Operand},
    container::{Buffer, MAX_RANK, Matrix, Shape},
};
use std::{marker::PhantomData, ops::RangeBounds};

/// Some rows and columns of a matrix, perhaps transposed, to be written: what may be passed for `&mut T`
/// parameters, and to `run_into`. The other elements stay as they are.
///
/// Whole rows are written on every unit, all else by the CPU: see [`VectorPartMut`].
///
/// ```
/// use skel::prelude::*;
///
/// let mut m = Matrix::filled(3, 4, 0);
/// let count = map!(|at: Index2| (10 * at.row + at.col) as i32 + 1);
/// count.run_into((), m.part_mut(1.., 2..))?;
/// assert_eq!(m.host()?[..], [0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 11, 12]);
/// map!(|x: &mut i32| *x -= 1).run((m.col_mut(0),))?;
/// assert_eq!(m.col(0).to_vec()?, [-1, -1, -1]);
/// # skel::Result::Ok(())
/// ```
pub struct MatrixPartMut<'a, T> {
    buffer: &'a mut Buffer,
    offset: usize,
    rows: usize,
    cols: usize,
    strides: [isize; 2],
    _elements: PhantomData<T>,
}

impl<'a, T: Element> MatrixPartMut<'a, T> {
    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    #[must_use]
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// The shape.
    #[must_use]
    pub fn shape(&self) -> Shape {
        Shape::D2(self.rows, self.cols)
    }

    /// Fewer rows and columns.
    ///
    /// # Panics
    /// If the ranges are not within it.
    #[must_use]
    #[track_caller]
    pub fn part(self, rows: impl RangeBounds<usize>, cols: impl RangeBounds<usize>) -> Self {
        let (rows, cols) = (within(&rows, self.rows), within(&cols, self.cols));
        let offset = place(self.offset, rows.start, self.strides[0]);
        MatrixPartMut {
            offset: place(offset, cols.start, self.strides[1]),
            rows: rows.len(),
            cols: cols.len(),
            ..self
        }
    }

    /// Rows as columns, columns as rows.
    #[must_use]
    pub fn transposed(self) -> Self {
        MatrixPartMut {
            rows: self.cols,
            cols: self.rows,
            strides: [self.strides[1], self.strides[0]],
            ..self
        }
    }

    /// Row `i`.
    ///
    /// # Panics
    /// If there is no such row.
    #[must_use]
    #[track_caller]
    pub fn row(self, i: usize) -> VectorPartMut<'a, T> {
        assert!(i < self.rows, "row {i} of {}", self.rows);
        let offset = place(self.offset, i, self.strides[0]);
        VectorPartMut::new(self.buffer, offset, self.cols, self.strides[1])
    }

    /// Column `j`.
    ///
    /// # Panics
    /// If there is no such column.
    #[must_use]
    #[track_caller]
    pub fn col(self, j: usize) -> VectorPartMut<'a, T> {
        assert!(j < self.cols, "column {j} of {}", self.cols);
        let offset = place(self.offset, j, self.strides[1]);
        VectorPartMut::new(self.buffer, offset, self.rows, self.strides[0])
    }

    /// The elements in row and column 0, 1, 2, …
    #[must_use]
    pub fn diagonal(self) -> VectorPartMut<'a, T> {
        let [down, right] = self.strides;
        let len = self.rows.min(self.cols);
        VectorPartMut::new(self.buffer, self.offset, len, down + right)
    }

    pub(crate) fn operand_to_write(&mut self, reads: bool) -> Operand<'_> {
        let mut strides = [0; MAX_RANK];
        strides[MAX_RANK - 2..].copy_from_slice(&self.strides);
        let (offset, shape) = (self.offset, self.shape());
        operand(self.buffer, Layout { offset, strides }, shape, reads)
    }
}

impl<T: Element> std::fmt::Debug for MatrixPartMut<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ([down, right], shape) = (self.strides, self.shape());
        let (ty, offset) = (T::ty(), self.offset);
        write!(
            f,
            "MatrixPartMut<{ty}>{shape} from {offset} by {down}, {right}"
        )
    }
}

impl<T: Element> Matrix<T> {
    fn all_mut(&mut self) -> MatrixPartMut<'_, T> {
        let (rows, cols) = (self.rows(), self.cols());
        MatrixPartMut {
            buffer: self.buffer_mut(),
            offset: 0,
            rows,
            cols,
            strides: [cols as isize, 1],
            _elements: PhantomData,
        }
    }

    /// Some of its rows and columns, to write: see [`MatrixPartMut`].
    ///
    /// # Panics
    /// If the ranges are not within it.
    #[must_use]
    #[track_caller]
    pub fn part_mut(
        &mut self,
        rows: impl RangeBounds<usize>,
        cols: impl RangeBounds<usize>,
    ) -> MatrixPartMut<'_, T> {
        self.all_mut().part(rows, cols)
    }

    /// Rows as columns, columns as rows, to write: see [`MatrixPartMut`].
    #[must_use]
    pub fn transposed_mut(&mut self) -> MatrixPartMut<'_, T> {
        self.all_mut().transposed()
    }

    /// Row `i`, to write: see [`VectorPartMut`].
    ///
    /// # Panics
    /// If there is no such row.
    #[must_use]
    #[track_caller]
    pub fn row_mut(&mut self, i: usize) -> VectorPartMut<'_, T> {
        self.all_mut().row(i)
    }

    /// Column `j`, to write: see [`VectorPartMut`].
    ///
    /// # Panics
    /// If there is no such column.
    #[must_use]
    #[track_caller]
    pub fn col_mut(&mut self, j: usize) -> VectorPartMut<'_, T> {
        self.all_mut().col(j)
    }
}
