//! Parts to read.

use super::methods::{along_dimensions, matrix_part, tensor3_part, tensor4_part, vector_part};
use crate::{
    Element, Result,
    container::{Buffer, HostRef, Matrix, Source, Tensor3, Tensor4, Vector},
    frame::View,
    host_memory,
    space::{Grid, Shape},
};
use std::{fmt, marker::PhantomData, ops::RangeBounds};

macro_rules! part {
    ($(#[$doc:meta])* $name:ident $n:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name<'a, T> {
            of: Source<'a>,
            grid: Grid<$n>,
            _elements: PhantomData<&'a [T]>,
        }

        impl<'a, T: Element> $name<'a, T> {
            pub(super) fn new(of: Source<'a>, grid: Grid<$n>) -> Self {
                $name {
                    of,
                    grid,
                    _elements: PhantomData,
                }
            }

            /// The shape.
            #[must_use]
            pub fn shape(&self) -> Shape {
                self.grid.shape()
            }

            /// A copy of the elements, in row-major order.
            ///
            /// # Errors
            /// Those of downloading what the host lacks; [`OutOfMemory`](crate::Error::OutOfMemory).
            pub fn to_vec(&self) -> Result<Vec<T>> {
                copy(self.of, &self.grid)
            }

            /// Where the elements are.
            pub(crate) fn source(&self) -> Source<'a> {
                self.of
            }

            /// Which of them it has.
            pub(crate) fn grid(&self) -> &Grid<$n> {
                &self.grid
            }
        }

        impl<T: Element> fmt::Debug for $name<'_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "<{}>{}"), T::ty(), self.grid)
            }
        }
    };
}

/// The elements in row-major order.
fn copy<T: Element, const N: usize>(of: Source<'_>, grid: &Grid<N>) -> Result<Vec<T>> {
    let (bounds, shape) = (grid.bounds(), grid.shape());
    if let Some(buffer) = of.buffer() {
        buffer.note_read(bounds.clone());
    }
    let elements = of.host_view(bounds.clone())?.slice::<T>(bounds.clone());
    let coalesced = grid.layout().over(shape);
    let places = (0..shape.len()).map(|i| coalesced.at(i) - bounds.start);
    host_memory::collect(places.map(|place| elements[place]))
}

part! {
    /// Some elements of a container, at equal distances, in either direction: what may be passed wherever a
    /// vector is read element by element. Nothing is copied, on the host or on devices; a device is sent what
    /// lies between the first and the last, as far as it lacks it.
    ///
    /// ```
    /// use skel::prelude::*;
    ///
    /// let v = Vector::from_fn(10, |i| i as i32);
    /// let double = map!(|x: i32| 2 * x);
    /// assert_eq!(double.run((v.part(2..5),))?.host()?[..], [4, 6, 8]);
    /// assert_eq!(double.run((v.step_by(4),))?.host()?[..], [0, 8, 16]);
    /// assert_eq!(double.run((v.part(..3).reversed(),))?.host()?[..], [4, 2, 0]);
    /// // Neighbours, without a copy of either.
    /// let differences = map!(|left: i32, right: i32| right - left);
    /// assert_eq!(differences.run((v.part(..9), v.part(1..)))?.host()?[..], [1; 9]);
    /// # skel::Result::Ok(())
    /// ```
    VectorPart 1
}
vector_part!(VectorPart MatrixPart);

part! {
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
    MatrixPart 2
}
matrix_part!(MatrixPart VectorPart);

part! {
    /// Some planes, rows and columns of a tensor, forwards or backwards along each dimension, perhaps in
    /// another order of the dimensions: what may be passed wherever a tensor of three dimensions is read
    /// element by element. Nothing is copied, on the host or on devices.
    ///
    /// ```
    /// use skel::prelude::*;
    ///
    /// let t = Tensor3::from_fn(2, 3, 4, |k, i, j| (100 * k + 10 * i + j) as i32);
    /// let same = map!(|x: i32| x);
    /// let block = same.run((t.part(.., 1..3, ..2),))?;
    /// assert_eq!(block.host()?[..], [10, 11, 20, 21, 110, 111, 120, 121]);
    /// let backwards = same.run((t.part(.., ..1, ..2).reversed_along(0),))?;
    /// assert_eq!(backwards.host()?[..], [100, 101, 0, 1]);
    /// // A plane is a matrix.
    /// assert_eq!(same.run((t.plane(1).col(3),))?.host()?[..], [103, 113, 123]);
    /// # skel::Result::Ok(())
    /// ```
    Tensor3Part 3
}
tensor3_part!(Tensor3Part MatrixPart);

part! {
    /// Some volumes, planes, rows and columns of a tensor, as [`Tensor3Part`].
    ///
    /// ```
    /// use skel::prelude::*;
    ///
    /// let t = Tensor4::from_fn(2, 2, 2, 2, |l, k, i, j| (1000 * l + 100 * k + 10 * i + j) as i32);
    /// let same = map!(|x: i32| x);
    /// let corners = same.run((t.part(.., .., ..1, 1..).swapped(0, 1),))?;
    /// assert_eq!(corners.host()?[..], [1, 1001, 101, 1101]);
    /// assert_eq!(same.run((t.volume(1).plane(0),))?.host()?[..], [1000, 1001, 1010, 1011]);
    /// # skel::Result::Ok(())
    /// ```
    Tensor4Part 4
}
tensor4_part!(Tensor4Part Tensor3Part);

impl<'a, T: Element> VectorPart<'a, T> {
    pub(super) fn of_all(buffer: &'a Buffer) -> Self {
        VectorPart::new(buffer.into(), Grid::row_major([buffer.len()]))
    }
}

macro_rules! from_containers {
    ($($part:ident $container:ident |$c:ident| $extents:expr;)*) => { $(
        impl<'a, T: Element> From<&'a $container<T>> for $part<'a, T> {
            fn from($c: &'a $container<T>) -> Self {
                $part::new($c.buffer().into(), Grid::row_major($extents))
            }
        }
    )* };
}
from_containers! {
    VectorPart Vector |v| [v.len()];
    MatrixPart Matrix |m| [m.rows(), m.cols()];
    Tensor3Part Tensor3 |t| [t.planes(), t.rows(), t.cols()];
    Tensor4Part Tensor4 |t| [t.volumes(), t.planes(), t.rows(), t.cols()];
}

impl<'a, T: Element> From<&'a [T]> for VectorPart<'a, T> {
    fn from(elements: &'a [T]) -> Self {
        let grid = Grid::row_major([elements.len()]);
        VectorPart::new(Source::Slice(View::of(elements)), grid)
    }
}

impl<'a, T: Element> From<&'a Vec<T>> for VectorPart<'a, T> {
    fn from(elements: &'a Vec<T>) -> Self {
        elements.as_slice().into()
    }
}

impl<'a, T: Element> From<&'a HostRef<'_, T>> for VectorPart<'a, T> {
    fn from(elements: &'a HostRef<'_, T>) -> Self {
        elements.as_slice().into()
    }
}

impl<'a, T: Element, const N: usize> From<&'a [T; N]> for VectorPart<'a, T> {
    fn from(elements: &'a [T; N]) -> Self {
        elements.as_slice().into()
    }
}
