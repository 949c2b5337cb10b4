//! Matrices.

#![allow(unsafe_code, reason = "`host_mut` vouches for what it lends")]

use super::{
    Buffer, BufferMut, Container, HostMut, HostRef,
    common::container_methods,
    host::{countable, expect, made},
    sealed::Over,
};
use crate::{Element, Error, Result, host_memory, space::Shape, unit::NodeId};
use std::{marker::PhantomData, ops::Range};

/// Elements in rows and columns, in row-major order, on the host and on devices.
///
/// ```
/// use skel::prelude::*;
///
/// let table = map!(|at: Index2| (at.row * at.col) as u32);
/// let m = table.run_shaped((3, 4), ())?;
/// assert_eq!(m.host()?.row(2), [0, 2, 4, 6]);
/// # skel::Result::Ok(())
/// ```
pub struct Matrix<T> {
    buffer: Buffer,
    rows: usize,
    cols: usize,
    _elements: PhantomData<T>,
}

container_methods!(Matrix);

impl<T: Element> Matrix<T> {
    /// Takes over the elements of `rows` rows, in order; nothing is copied.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`] unless there are `rows * cols` elements.
    pub fn from_vec(rows: usize, cols: usize, elements: Vec<T>) -> Result<Self> {
        if rows.checked_mul(cols) != Some(elements.len()) {
            return Err(Error::ShapeMismatch {
                instance: "Matrix::from_vec".into(),
                argument: 3,
                found: Box::new(Shape::D1(elements.len())),
                expected: Shape::D2(rows, cols),
                reference: "`rows` and `cols` say",
            });
        }
        Ok(Self::of(rows, cols, elements))
    }

    /// Every element is `value`.
    ///
    /// # Panics
    /// If `rows * cols` does not fit `usize`, or memory is short; see [`Matrix::try_filled`].
    #[must_use]
    #[track_caller]
    pub fn filled(rows: usize, cols: usize, value: T) -> Self {
        expect(Self::try_filled(rows, cols, value))
    }

    /// The element in row `i` and column `j` is `f(i, j)`.
    ///
    /// # Panics
    /// If `rows * cols` does not fit `usize`, or memory is short; see [`Matrix::try_from_fn`].
    #[must_use]
    #[track_caller]
    pub fn from_fn(rows: usize, cols: usize, f: impl FnMut(usize, usize) -> T) -> Self {
        expect(Self::try_from_fn(rows, cols, f))
    }

    /// Every element is `value`, if there is room for them.
    ///
    /// ```
    /// use skel::{Error, prelude::*};
    ///
    /// let rows: usize = 1 << 60; // whatever a user asks for
    /// assert!(matches!(Matrix::try_filled(rows, 3, 0_u8), Err(Error::OutOfMemory { .. })));
    /// assert!(matches!(Matrix::try_filled(rows, 64, 0_u8), Err(Error::TooLarge { .. })));
    /// # skel::Result::Ok(())
    /// ```
    ///
    /// # Errors
    /// [`Error::TooLarge`] if `rows * cols` does not fit `usize`; [`Error::OutOfMemory`].
    pub fn try_filled(rows: usize, cols: usize, value: T) -> Result<Self> {
        let len = countable(Shape::D2(rows, cols), "Matrix::try_filled")?;
        let made = made(len, std::iter::repeat(value))?;
        Ok(Self::over(Shape::D2(rows, cols), Buffer::from_made(made)))
    }

    /// The element in row `i` and column `j` is `f(i, j)`, if there is room for them.
    ///
    /// ```
    /// use skel::prelude::*;
    ///
    /// let table = Matrix::try_from_fn(2, 3, |i, j| (10 * i + j) as u32)?;
    /// assert_eq!(table.host()?.row(1), [10, 11, 12]);
    /// # skel::Result::Ok(())
    /// ```
    ///
    /// # Errors
    /// As [`Matrix::try_filled`].
    pub fn try_from_fn(
        rows: usize,
        cols: usize,
        mut f: impl FnMut(usize, usize) -> T,
    ) -> Result<Self> {
        let len = countable(Shape::D2(rows, cols), "Matrix::try_from_fn")?;
        let elements = (0..len).map(|k| f(k / cols, k % cols));
        let made = made(len, elements)?;
        Ok(Self::over(Shape::D2(rows, cols), Buffer::from_made(made)))
    }

    pub(crate) fn of(rows: usize, cols: usize, elements: Vec<T>) -> Self {
        Self::over(Shape::D2(rows, cols), Buffer::from_vec(elements))
    }

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
}

impl<T: Element> Over for Matrix<T> {
    fn over(shape: Shape, buffer: Buffer) -> Self {
        let [volumes, planes, rows, cols] = shape.extents();
        Matrix {
            buffer,
            // Of no elements, extents may be anything.
            rows: volumes.saturating_mul(planes).saturating_mul(rows),
            cols,
            _elements: PhantomData,
        }
    }
}

impl<T: Element> Container<T> for Matrix<T> {
    fn target(&mut self) -> BufferMut<'_> {
        BufferMut::new(&mut self.buffer)
    }

    fn elements(&self) -> &Buffer {
        &self.buffer
    }

    fn shape(&self) -> Shape {
        Matrix::shape(self)
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn rows_are_contiguous() {
        let m = Matrix::from_fn(2, 3, |i, j| 10 * i as u32 + j as u32);
        assert_eq!(m.host().unwrap()[..], [0, 1, 2, 10, 11, 12]);
        assert_eq!(
            m.host().unwrap().rows().map(|r| r[2]).collect::<Vec<_>>(),
            [2, 12]
        );
        assert_eq!(format!("{m:?}"), "Matrix<u32>[2 × 3] on host");
    }

    #[test]
    fn the_number_of_elements_must_fit() {
        let error = Matrix::from_vec(2, 3, vec![0_u32; 5]).unwrap_err();
        assert!(error.to_string().contains("[2 × 3]"), "{error}");
        assert!(Matrix::from_vec(usize::MAX, 2, vec![0_u32; 5]).is_err());
    }

    #[test]
    #[should_panic(expected = "row 1152921504606846976 of a matrix of 4 rows")]
    fn a_row_that_is_not_there_is_refused() {
        let _ = Matrix::filled(4, 16, 1_u32).host().unwrap().row(1 << 60);
    }

    #[test]
    fn no_columns_means_no_elements() {
        assert_eq!(
            Matrix::from_fn(5, 0, |_, _| 1_u32)
                .host()
                .unwrap()
                .rows()
                .len(),
            0
        );
    }
}
