//! Broadcasting: vectors that serve all columns, or all rows, of a matrix call.

use super::VectorPart;
use crate::{
    Element,
    space::{MAX_RANK, Shape},
};

macro_rules! spread {
    ($(#[$doc:meta])* $name:ident $(#[$constructor:meta])* $function:ident $dimension:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name<'a, T: Element>(VectorPart<'a, T>);

        $(#[$constructor])*
        #[must_use]
        pub fn $function<'a, T: Element>(v: impl Into<VectorPart<'a, T>>) -> $name<'a, T> {
            $name(v.into())
        }

        impl<'a, T: Element> $name<'a, T> {
            /// The shape of the vector.
            #[must_use]
            pub fn shape(&self) -> Shape {
                self.0.shape()
            }

            /// The elements.
            pub(crate) fn part(&self) -> &VectorPart<'a, T> {
                &self.0
            }

            /// The dimension of the call that counts them; the others do not.
            pub(crate) const DIMENSION: usize = $dimension;
        }
    };
}

spread! {
    /// A column vector: an element per row of the call, the same for all of the row. See [`down`].
    Down
    /// A vector that lies down the rows of a matrix call: all elements of row `i` are passed `v[i]`.
    ///
    /// ```
    /// use skel::prelude::*;
    ///
    /// let m = Matrix::from_fn(2, 3, |i, j| (10 * i + j) as i32);
    /// let offsets = Vector::from([100, 200]);
    /// let shifted = map!(|x: i32, offset: i32| x + offset).run((&m, down(&offsets)))?;
    /// assert_eq!(shifted.host()?[..], [100, 101, 102, 210, 211, 212]);
    /// # skel::Result::Ok(())
    /// ```
    down MAX_RANK - 2
}

spread! {
    /// A row vector: an element per column of the call, the same for all of the column. See [`across`].
    Across
    /// A vector that lies across the columns of a matrix call: all elements of column `j` are passed
    /// `h[j]`.
    ///
    /// ```
    /// use skel::prelude::*;
    ///
    /// let m = Matrix::from_fn(2, 3, |i, j| (10 * i + j) as i32);
    /// let scaled = map!(|x: i32, k: i32| x * k).run((&m, across(&[1, 0, -1])))?;
    /// assert_eq!(scaled.host()?[..], [0, 0, -2, 10, 0, -12]);
    /// # skel::Result::Ok(())
    /// ```
    across MAX_RANK - 1
}
