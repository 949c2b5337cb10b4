//! Parts to write.

use super::methods::{along_dimensions, matrix_part, tensor3_part, tensor4_part, vector_part};
use crate::{
    Element,
    container::{Buffer, BufferMut, Matrix, Tensor3, Tensor4, Vector},
    space::{Grid, Shape},
};
use std::{fmt, marker::PhantomData, ops::RangeBounds};

macro_rules! part {
    ($(#[$doc:meta])* $name:ident $n:literal) => {
        $(#[$doc])*
        pub struct $name<'a, T> {
            of: &'a mut Buffer,
            grid: Grid<$n>,
            _elements: PhantomData<T>,
        }

        impl<'a, T: Element> $name<'a, T> {
            pub(super) fn new(of: &'a mut Buffer, grid: Grid<$n>) -> Self {
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

            /// The elements from the first to the last of it, to be written.
            pub(crate) fn target(&mut self) -> BufferMut<'_> {
                let window = self.grid.contiguous().unwrap_or_else(|| self.grid.bounds());
                BufferMut::part(self.of, window)
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

part! {
    /// Some elements of a container, at equal distances, in either direction, to be written: what may be passed
    /// for `&mut T` parameters, and to `run_into`. The other elements stay as they are.
    ///
    /// A range without gaps stays where it was computed. Elements with gaps between them, or backwards, are
    /// brought to their places on the host, whichever unit computes them: there they are valid after the call,
    /// with whatever lies between. But where one device takes the whole call, and has all from the first to the last of
    /// them, it stores them there, and the call may return before that is done. If a call fails, everything from the
    /// first to the last of them is lost.
    ///
    /// ```
    /// use skel::prelude::*;
    ///
    /// let mut v = Vector::from([0, 1, 2, 3, 4, 5]);
    /// map!(|x: &mut i32| *x *= 10).run((v.part_mut(1..3),))?;
    /// assert_eq!(v.host()?[..], [0, 10, 20, 3, 4, 5]);
    /// map!(|x: i32| x + 1).run_into((&[6, 7, 8],), v.part_mut(..).step_by(2))?;
    /// assert_eq!(v.host()?[..], [7, 10, 8, 3, 9, 5]);
    /// # skel::Result::Ok(())
    /// ```
    VectorPartMut 1
}
vector_part!(VectorPartMut MatrixPartMut);

part! {
    /// Some rows and columns of a matrix, perhaps transposed, to be written: what may be passed for `&mut T`
    /// parameters, and to `run_into`. The other elements stay as they are.
    ///
    /// Whole rows stay where they were computed, all else comes to the host, or stays on a device that has it all: see
    /// [`VectorPartMut`].
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
    MatrixPartMut 2
}
matrix_part!(MatrixPartMut VectorPartMut);

part! {
    /// Some planes, rows and columns of a tensor to be written: what may be passed for `&mut T` parameters, and
    /// to `run_into`. The other elements stay as they are.
    ///
    /// Whole planes stay where they were computed, all else comes to the host, or stays on a device that has it all: see
    /// [`VectorPartMut`].
    ///
    /// ```
    /// use skel::prelude::*;
    ///
    /// let mut t = Tensor3::filled(2, 2, 3, 0);
    /// map!(|at: Index2| at.col as i32 + 1).run_into((), t.plane_mut(1))?;
    /// map!(|x: &mut i32| *x -= 1).run((t.part_mut(.., 1.., ..2),))?;
    /// assert_eq!(t.host()?[..], [0, 0, 0, -1, -1, 0, 1, 2, 3, 0, 1, 3]);
    /// # skel::Result::Ok(())
    /// ```
    Tensor3PartMut 3
}
tensor3_part!(Tensor3PartMut MatrixPartMut);

part! {
    /// Some volumes, planes, rows and columns of a tensor to be written, as [`Tensor3PartMut`].
    ///
    /// ```
    /// use skel::prelude::*;
    ///
    /// let mut t = Tensor4::filled(2, 2, 1, 2, 7);
    /// map!(|x: &mut i32| *x += 1).run((t.part_mut(1.., .., .., 1..),))?;
    /// assert_eq!(t.host()?[..], [7, 7, 7, 7, 7, 8, 7, 8]);
    /// # skel::Result::Ok(())
    /// ```
    Tensor4PartMut 4
}
tensor4_part!(Tensor4PartMut Tensor3PartMut);

impl<'a, T: Element> VectorPartMut<'a, T> {
    pub(super) fn of_all(buffer: &'a mut Buffer) -> Self {
        let grid = Grid::row_major([buffer.len()]);
        VectorPartMut::new(buffer, grid)
    }
}

macro_rules! of_containers {
    ($($part:ident $container:ident |$c:ident| $extents:expr;)*) => { $(
        impl<T: Element> $container<T> {
            /// All of it.
            pub(super) fn all_mut(&mut self) -> $part<'_, T> {
                let $c = &*self;
                let grid = Grid::row_major($extents);
                $part::new(self.buffer_mut(), grid)
            }
        }
    )* };
}
of_containers! {
    VectorPartMut Vector |v| [v.len()];
    MatrixPartMut Matrix |m| [m.rows(), m.cols()];
    Tensor3PartMut Tensor3 |t| [t.planes(), t.rows(), t.cols()];
    Tensor4PartMut Tensor4 |t| [t.volumes(), t.planes(), t.rows(), t.cols()];
}
