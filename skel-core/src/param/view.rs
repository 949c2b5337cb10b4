//! Whole containers, as a user function sees them: read at random, copied freely, passed on.
//!
//! `&[T]` is Rust's own. The others index like it, and panic where it would.

use crate::Element;
use std::ops::Index;

/// A whole matrix, read at random: `m[(row, col)]`.
///
/// As a parameter of a user function it is passed a `&Matrix<T>` of any shape.
///
/// ```
/// use skel::prelude::*;
///
/// let transpose = map!(|at: Index2, m: MatrixView<f32>| m[(at.col, at.row)]);
/// let m = Matrix::from_fn(2, 3, |i, j| (10 * i + j) as f32);
/// let t = transpose.run_shaped((3, 2), (&m,))?;
/// assert_eq!(t.host()?.row(2), [2.0, 12.0]);
/// # skel::Result::Ok(())
/// ```
#[derive(Debug)]
pub struct MatrixView<'a, T> {
    /// `rows * cols` elements.
    elements: &'a [T],
    rows: usize,
    cols: usize,
}

/// The row of a matrix that belongs to the current element: `r[col]`.
///
/// As a parameter of a user function it is passed a `&Matrix<T>` with as many rows as the call has
/// (or, on a vector call, elements).
///
/// ```
/// use skel::prelude::*;
///
/// #[user_function]
/// fn dot(row: Row<f32>, x: &[f32]) -> f32 {
///     let mut sum = 0.0;
///     for j in 0..row.len() {
///         sum += row[j] * x[j];
///     }
///     sum
/// }
///
/// let m = Matrix::from_fn(2, 3, |i, j| (10 * i + j) as f32);
/// let product = map!(dot).run_shaped(m.rows(), (&m, &[1.0, 2.0, 3.0]))?;
/// assert_eq!(product.host()?[..], [8.0, 68.0]);
/// # skel::Result::Ok(())
/// ```
#[derive(Debug)]
pub struct Row<'a, T> {
    elements: &'a [T],
}

/// The column of a matrix that belongs to the current element: `c[row]`.
///
/// As a parameter of a user function it is passed a `&Matrix<T>` with as many columns as the call has
/// (or, on a vector call, elements).
///
/// ```
/// use skel::prelude::*;
///
/// #[user_function]
/// fn product(row: Row<i32>, col: Col<i32>) -> i32 {
///     let mut sum = 0;
///     for k in 0..row.len() {
///         sum += row[k] * col[k];
///     }
///     sum
/// }
///
/// let a = Matrix::from_vec(2, 2, vec![1, 2, 3, 4])?;
/// let b = Matrix::from_vec(2, 2, vec![0, 1, 1, 0])?;
/// let ab = map!(product).run_shaped((2, 2), (&a, &b))?;
/// assert_eq!(ab.host()?[..], [2, 1, 4, 3]);
/// # skel::Result::Ok(())
/// ```
#[derive(Debug)]
pub struct Col<'a, T> {
    /// All elements of the matrix.
    elements: &'a [T],
    rows: usize,
    cols: usize,
    col: usize,
}

macro_rules! copied {
    ($($name:ident)*) => { $(
        impl<T> Clone for $name<'_, T> {
            #[inline(always)]
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<T> Copy for $name<'_, T> {}
    )* };
}
copied!(MatrixView Row Col);

impl<'a, T: Element> MatrixView<'a, T> {
    /// A matrix of these elements, row by row.
    ///
    /// # Panics
    /// Unless there are `rows * cols` of them.
    #[inline(always)]
    #[must_use]
    pub fn new(elements: &'a [T], rows: usize, cols: usize) -> Self {
        assert!(
            rows.checked_mul(cols) == Some(elements.len()),
            "{} elements in {rows} rows of {cols}",
            elements.len()
        );
        MatrixView {
            elements,
            rows,
            cols,
        }
    }

    /// The number of rows.
    #[inline(always)]
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    #[inline(always)]
    #[must_use]
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// Row `row`; user functions have the parameter [`Row`] instead.
    #[inline(always)]
    pub(super) fn row(&self, row: usize) -> Row<'a, T> {
        assert!(row < self.rows, "row {row} of {}", self.rows);
        Row {
            elements: &self.elements[row * self.cols..][..self.cols],
        }
    }

    /// Column `col`; user functions have the parameter [`Col`] instead.
    #[inline(always)]
    pub(super) fn col(&self, col: usize) -> Col<'a, T> {
        assert!(col < self.cols, "column {col} of {}", self.cols);
        Col {
            elements: self.elements,
            rows: self.rows,
            cols: self.cols,
            col,
        }
    }
}

impl<T: Element> Index<(usize, usize)> for MatrixView<'_, T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, (row, col): (usize, usize)) -> &T {
        if row >= self.rows {
            out_of_range("row", row, self.rows);
        }
        // In a loop over columns, all of this but the last step is the same in every round.
        let row = &self.elements[row * self.cols..][..self.cols];
        &row[col]
    }
}

impl<T: Element> Row<'_, T> {
    /// The number of columns.
    #[inline(always)]
    #[must_use]
    #[expect(
        clippy::len_without_is_empty,
        reason = "user functions have no use for it"
    )]
    pub fn len(&self) -> usize {
        self.elements.len()
    }
}

impl<T: Element> Index<usize> for Row<'_, T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, col: usize) -> &T {
        &self.elements[col]
    }
}

impl<T: Element> Col<'_, T> {
    /// The number of rows.
    #[inline(always)]
    #[must_use]
    #[expect(
        clippy::len_without_is_empty,
        reason = "user functions have no use for it"
    )]
    pub fn len(&self) -> usize {
        self.rows
    }
}

impl<T: Element> Index<usize> for Col<'_, T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, row: usize) -> &T {
        if row >= self.rows {
            out_of_range("row", row, self.rows);
        }
        &self.elements[row * self.cols + self.col]
    }
}

#[cold]
#[inline(never)]
fn out_of_range(what: &str, index: usize, len: usize) -> ! {
    panic!("index out of bounds: the number of {what}s is {len} but the {what} is {index}")
}

#[cfg(test)]
mod test {
    use super::*;
    use std::panic::catch_unwind;

    #[test]
    fn elements_are_in_row_major_order() {
        let elements = [1, 2, 3, 4, 5, 6];
        let m = MatrixView::new(&elements, 2, 3);
        assert_eq!((m.rows(), m.cols(), m[(0, 2)], m[(1, 0)]), (2, 3, 3, 4));
        assert_eq!((m.row(1).len(), m.row(1)[2]), (3, 6));
        assert_eq!((m.col(1).len(), m.col(1)[0], m.col(1)[1]), (2, 2, 5));
    }

    #[test]
    fn each_index_has_its_own_bound() {
        let elements = [1, 2, 3, 4, 5, 6];
        let m = MatrixView::new(&elements, 2, 3);
        // `(0, 3)` would be element 3, and `usize::MAX / 3 + 2` times 3 wraps to 1.
        for (row, col) in [(0, 3), (2, 0), (usize::MAX / 3 + 2, 0), (0, usize::MAX)] {
            assert!(catch_unwind(|| m[(row, col)]).is_err(), "{row} {col}");
        }
        assert!(catch_unwind(|| m.row(0)[3]).is_err());
        assert!(catch_unwind(|| m.col(0)[2]).is_err());
    }
}
