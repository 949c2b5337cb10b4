//! Tensors of three and four dimensions.

#![allow(unsafe_code, reason = "`host_mut` vouches for what it lends")]

use super::{
    Buffer, BufferMut, Container, HostMut, HostRef,
    common::container_methods,
    host::{countable, expect, made},
    sealed::Over,
};
use crate::{
    Element, Error, Result, host_memory,
    space::{MAX_RANK, Shape},
    unit::NodeId,
};
use std::{marker::PhantomData, ops::Range};

macro_rules! tensor {
    ($(#[$doc:meta])* $name:ident $shape:ident $rank:literal ($($dim:ident $what:literal $at:literal),*) $closure:ty) => {
        $(#[$doc])*
        pub struct $name<T> {
            buffer: Buffer,
            extents: [usize; MAX_RANK],
            _elements: PhantomData<T>,
        }

        container_methods!($name);

        impl<T: Element> $name<T> {
            /// Takes over the elements, in row-major order; nothing is copied.
            ///
            /// # Errors
            /// [`Error::ShapeMismatch`] unless there are as many elements as the extents say.
            pub fn from_vec($($dim: usize,)* elements: Vec<T>) -> Result<Self> {
                let shape = Shape::$shape($($dim),*);
                if shape.checked_len() != Some(elements.len()) {
                    return Err(Error::ShapeMismatch {
                        instance: concat!(stringify!($name), "::from_vec").into(),
                        argument: $rank + 1,
                        found: Box::new(Shape::D1(elements.len())),
                        expected: shape,
                        reference: "the extents say",
                    });
                }
                Ok(Self::of(shape, elements))
            }

            /// Every element is `value`.
            ///
            /// # Panics
            /// If the number of elements does not fit `usize`, or memory is short; see `try_filled`.
            #[must_use]
            #[track_caller]
            pub fn filled($($dim: usize,)* value: T) -> Self {
                expect(Self::try_filled($($dim,)* value))
            }

            /// Each element is `f` of its indices.
            ///
            /// # Panics
            /// If the number of elements does not fit `usize`, or memory is short; see `try_from_fn`.
            #[must_use]
            #[track_caller]
            pub fn from_fn($($dim: usize,)* f: $closure) -> Self {
                expect(Self::try_from_fn($($dim,)* f))
            }

            /// Every element is `value`, if there is room for them.
            ///
            /// # Errors
            /// [`Error::TooLarge`] if the number of elements does not fit `usize`; [`Error::OutOfMemory`].
            pub fn try_filled($($dim: usize,)* value: T) -> Result<Self> {
                let shape = Shape::$shape($($dim),*);
                let len = countable(shape, concat!(stringify!($name), "::try_filled"))?;
                let made = made(len, std::iter::repeat(value))?;
                Ok(Self::over(shape, Buffer::from_made(made)))
            }

            /// Each element is `f` of its indices, if there is room for them.
            ///
            /// # Errors
            /// As `try_filled`.
            pub fn try_from_fn($($dim: usize,)* mut f: $closure) -> Result<Self> {
                let shape = Shape::$shape($($dim),*);
                let len = countable(shape, concat!(stringify!($name), "::try_from_fn"))?;
                let extents = shape.extents();
                let elements = (0..len).map(|at| {
                    let mut rest = at;
                    let mut index = [0; MAX_RANK];
                    for d in (0..MAX_RANK).rev() {
                        index[d] = rest % extents[d];
                        rest /= extents[d];
                    }
                    f($(index[$at]),*)
                });
                let made = made(len, elements)?;
                Ok(Self::over(shape, Buffer::from_made(made)))
            }

            pub(crate) fn of(shape: Shape, elements: Vec<T>) -> Self {
                Self::over(shape, Buffer::from_vec(elements))
            }

            $(
                #[doc = concat!("The number of ", $what, ".")]
                #[must_use]
                pub fn $dim(&self) -> usize {
                    self.extents[$at]
                }
            )*

            /// The shape.
            #[must_use]
            pub fn shape(&self) -> Shape {
                Shape::of_rank($rank, self.extents)
            }
        }

        impl<T: Element> Over for $name<T> {
            fn over(shape: Shape, buffer: Buffer) -> Self {
                $name {
                    buffer,
                    extents: shape.extents(),
                    _elements: PhantomData,
                }
            }
        }

        impl<T: Element> Container<T> for $name<T> {
            fn target(&mut self) -> BufferMut<'_> {
                BufferMut::new(&mut self.buffer)
            }

            fn elements(&self) -> &Buffer {
                &self.buffer
            }

            fn shape(&self) -> Shape {
                $name::shape(self)
            }
        }
    };
}

tensor! {
    /// Elements in planes, rows and columns, in row-major order, on the host and on devices.
    ///
    /// ```
    /// use skel::prelude::*;
    ///
    /// let t = Tensor3::from_fn(2, 3, 4, |plane, row, col| (100 * plane + 10 * row + col) as u32);
    /// let next = map!(|x: u32| x + 1).run((&t,))?;
    /// assert_eq!(next.shape(), (2, 3, 4).into());
    /// assert_eq!(next.host()?.row(4), [111, 112, 113, 114]); // plane 1, row 1
    /// # skel::Result::Ok(())
    /// ```
    Tensor3 D3 3 (planes "planes" 1, rows "rows" 2, cols "columns" 3) impl FnMut(usize, usize, usize) -> T
}

tensor! {
    /// Elements in volumes, planes, rows and columns, in row-major order, on the host and on devices.
    ///
    /// ```
    /// use skel::prelude::*;
    ///
    /// let at = map!(|at: Index4| (at.volume + at.plane + at.row + at.col) as u32);
    /// let t: Tensor4<u32> = at.run_shaped((2, 2, 2, 2), ())?;
    /// assert_eq!(t.host()?[15], 4);
    /// # skel::Result::Ok(())
    /// ```
    Tensor4 D4 4 (volumes "volumes" 0, planes "planes" 1, rows "rows" 2, cols "columns" 3) impl FnMut(usize, usize, usize, usize) -> T
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn elements_are_in_row_major_order() {
        let t = Tensor3::from_fn(2, 3, 4, |k, i, j| (100 * k + 10 * i + j) as u32);
        assert_eq!((t.planes(), t.rows(), t.cols()), (2, 3, 4));
        let expected: Vec<u32> = (0..2)
            .flat_map(|k| (0..3).flat_map(move |i| (0..4).map(move |j| 100 * k + 10 * i + j)))
            .collect();
        assert_eq!(t.host().unwrap()[..], expected);
        assert_eq!(format!("{t:?}"), "Tensor3<u32>[2 × 3 × 4] on host");
    }

    #[test]
    fn the_number_of_elements_must_fit() {
        let error = Tensor4::from_vec(1, 2, 3, 4, vec![0_u32; 5]).unwrap_err();
        assert!(error.to_string().contains("[1 × 2 × 3 × 4]"), "{error}");
    }

    #[test]
    fn no_rows_means_no_elements() {
        assert!(Tensor3::from_fn(5, 0, 3, |_, _, _| 1_u32).is_empty());
    }
}
