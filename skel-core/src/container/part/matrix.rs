//! Parts in two dimensions.

use super::{VectorPart, place, within};
use crate::{
    Element, Result,
    call::{Cells, Layout, Operand, Source},
    container::{MAX_RANK, Matrix, Shape, Vector},
};
use std::{marker::PhantomData, ops::RangeBounds};

/// Some rows and columns of a matrix, perhaps transposed: what may be passed wherever a matrix is read
/// element by element. Nothing is copied, on the host or on devices.
///
/// ```
/// use skel::prelude::*;
///
/// let m = Matrix::from_fn(4, 6, |i, j| (10 * i + j) as i32);
/// let sum = map!(|a: i32, b: i32| a + b);
/// let block = sum.run((m.part(1..3, ..2), m.part(..2, 4..)))?;
/// assert_eq!(block.host()?[..], [14, 16, 34, 36]);
/// // A matrix and its mirror image about the diagonal.
/// let square = m.part(.., ..4);
/// let symmetric = sum.run((square, square.transposed()))?;
/// assert_eq!(symmetric.host()?.row(1), [11, 22, 33, 44]);
/// // A row and a column are vectors.
/// assert_eq!(sum.run((m.row(2).part(..4), m.col(5)))?.host()?[..], [25, 36, 47, 58]);
/// # skel::Result::Ok(())
/// ```
#[derive(Clone, Copy)]
pub struct MatrixPart<'a, T> {
    source: Source<'a>,
    offset: usize,
    rows: usize,
    cols: usize,
    strides: [isize; 2],
    _elements: PhantomData<&'a [T]>,
}

impl<'a, T: Element> MatrixPart<'a, T> {
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
        MatrixPart {
            offset: place(offset, cols.start, self.strides[1]),
            rows: rows.len(),
            cols: cols.len(),
            ..self
        }
    }

    /// Rows as columns, columns as rows.
    #[must_use]
    pub fn transposed(self) -> Self {
        MatrixPart {
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
    pub fn row(self, i: usize) -> VectorPart<'a, T> {
        assert!(i < self.rows, "row {i} of {}", self.rows);
        let offset = place(self.offset, i, self.strides[0]);
        VectorPart::new(self.source, offset, self.cols, self.strides[1])
    }

    /// Column `j`.
    ///
    /// # Panics
    /// If there is no such column.
    #[must_use]
    #[track_caller]
    pub fn col(self, j: usize) -> VectorPart<'a, T> {
        assert!(j < self.cols, "column {j} of {}", self.cols);
        let offset = place(self.offset, j, self.strides[1]);
        VectorPart::new(self.source, offset, self.rows, self.strides[0])
    }

    /// The elements in row and column 0, 1, 2, …
    #[must_use]
    pub fn diagonal(self) -> VectorPart<'a, T> {
        let [down, right] = self.strides;
        let len = self.rows.min(self.cols);
        VectorPart::new(self.source, self.offset, len, down + right)
    }

    /// A copy of the elements, row by row.
    ///
    /// # Errors
    /// Those of downloading what the host lacks.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        let (layout, shape) = (self.layout(), self.shape());
        let bounds = layout.bounds(&Cells::around(&(0..shape.len()), shape));
        let view = self.source.host_view(bounds.clone())?;
        let elements = view.slice::<T>(bounds.clone());
        let steps = layout.over(shape);
        Ok((0..shape.len())
            .map(|i| elements[steps.at(i) - bounds.start])
            .collect())
    }

    fn layout(&self) -> Layout {
        let mut strides = [0; MAX_RANK];
        strides[MAX_RANK - 2..].copy_from_slice(&self.strides);
        Layout {
            offset: self.offset,
            strides,
        }
    }

    pub(crate) fn operand_to_read(&self) -> Operand<'a> {
        Operand::Strided(self.source, self.layout())
    }
}

impl<T: Element> std::fmt::Debug for MatrixPart<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [down, right] = self.strides;
        write!(
            f,
            "MatrixPart<{}>{} from {} by {down}, {right}",
            T::ty(),
            self.shape(),
            self.offset
        )
    }
}

impl<'a, T: Element> From<&'a Matrix<T>> for MatrixPart<'a, T> {
    fn from(m: &'a Matrix<T>) -> Self {
        MatrixPart {
            source: Source::Container(m.buffer()),
            offset: 0,
            rows: m.rows(),
            cols: m.cols(),
            strides: [m.cols() as isize, 1],
            _elements: PhantomData,
        }
    }
}

impl<T: Element> Matrix<T> {
    /// Some of its rows and columns: see [`MatrixPart`].
    ///
    /// # Panics
    /// If the ranges are not within it.
    #[must_use]
    #[track_caller]
    pub fn part(
        &self,
        rows: impl RangeBounds<usize>,
        cols: impl RangeBounds<usize>,
    ) -> MatrixPart<'_, T> {
        MatrixPart::from(self).part(rows, cols)
    }

    /// Rows as columns, columns as rows: see [`MatrixPart`].
    #[must_use]
    pub fn transposed(&self) -> MatrixPart<'_, T> {
        MatrixPart::from(self).transposed()
    }

    /// Row `i`: see [`VectorPart`].
    ///
    /// # Panics
    /// If there is no such row.
    #[must_use]
    #[track_caller]
    pub fn row(&self, i: usize) -> VectorPart<'_, T> {
        MatrixPart::from(self).row(i)
    }

    /// Column `j`: see [`VectorPart`].
    ///
    /// # Panics
    /// If there is no such column.
    #[must_use]
    #[track_caller]
    pub fn col(&self, j: usize) -> VectorPart<'_, T> {
        MatrixPart::from(self).col(j)
    }

    /// The elements in row and column 0, 1, 2, …: see [`VectorPart`].
    #[must_use]
    pub fn diagonal(&self) -> VectorPart<'_, T> {
        MatrixPart::from(self).diagonal()
    }

    /// All elements, row by row, as a vector: see [`VectorPart`].
    #[must_use]
    pub fn elements(&self) -> VectorPart<'_, T> {
        VectorPart::new(Source::Container(self.buffer()), 0, self.len(), 1)
    }
}

impl<'a, T: Element> VectorPart<'a, T> {
    /// Its elements in rows, as a matrix.
    ///
    /// # Panics
    /// If there are not `rows * cols` elements.
    #[must_use]
    #[track_caller]
    pub fn in_rows(self, rows: usize, cols: usize) -> MatrixPart<'a, T> {
        let (source, offset, len, stride) = self.parts();
        assert!(
            rows.checked_mul(cols) == Some(len),
            "{len} elements in {rows} rows of {cols}"
        );
        MatrixPart {
            source,
            offset,
            rows,
            cols,
            strides: [stride.wrapping_mul(cols as isize), stride],
            _elements: PhantomData,
        }
    }
}

impl<T: Element> Vector<T> {
    /// Its elements in rows, as a matrix: see [`MatrixPart`].
    ///
    /// # Panics
    /// If there are not `rows * cols` elements.
    #[must_use]
    #[track_caller]
    pub fn in_rows(&self, rows: usize, cols: usize) -> MatrixPart<'_, T> {
        VectorPart::from(self).in_rows(rows, cols)
    }
}
