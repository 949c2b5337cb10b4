//! The parts that containers give.

use super::{
    MatrixPart, MatrixPartMut, Tensor3Part, Tensor3PartMut, Tensor4Part, Tensor4PartMut,
    VectorPart, VectorPartMut,
};
use crate::{
    Element,
    container::{Matrix, Tensor3, Tensor4, Vector},
};
use std::ops::RangeBounds;

/// Methods of a container that are methods of the part that is all of it.
macro_rules! parts {
    ($container:ident $all:ident $all_mut:ident;
     $($(#[$panics:meta])* $doc:literal $name:ident $name_mut:ident = $method:ident
       ($($arg:ident: $ty:ty),*) -> $part:ident $part_mut:ident;)*) => {
        impl<T: Element> $container<T> { $(
            #[doc = concat!($doc, ": see [`", stringify!($part), "`].")]
            $(#[$panics])*
            #[must_use]
            #[track_caller]
            pub fn $name(&self, $($arg: $ty),*) -> $part<'_, T> {
                $all::from(self).$method($($arg),*)
            }

            #[doc = concat!($doc, ", to write: see [`", stringify!($part_mut), "`].")]
            $(#[$panics])*
            #[must_use]
            #[track_caller]
            pub fn $name_mut(&mut self, $($arg: $ty),*) -> $part_mut<'_, T> {
                self.all_mut().$method($($arg),*)
            }
        )* }
    };
}

parts! {
    Vector VectorPart VectorPartMut;
    /// # Panics
    /// If the range is not within it.
    "Some of its elements, without gaps" part part_mut = part
        (range: impl RangeBounds<usize>) -> VectorPart VectorPartMut;
    /// # Panics
    /// If `step` is 0.
    "Its first element, and every `step`th from there" step_by step_by_mut = step_by
        (step: usize) -> VectorPart VectorPartMut;
    "From its last element to its first" reversed reversed_mut = reversed
        () -> VectorPart VectorPartMut;
    /// # Panics
    /// If there are not `rows * cols` elements.
    "Its elements in rows, as a matrix" in_rows in_rows_mut = in_rows
        (rows: usize, cols: usize) -> MatrixPart MatrixPartMut;
}

parts! {
    Matrix MatrixPart MatrixPartMut;
    /// # Panics
    /// If the ranges are not within it.
    "Some of its rows and columns" part part_mut = part
        (rows: impl RangeBounds<usize>, cols: impl RangeBounds<usize>) -> MatrixPart MatrixPartMut;
    "Rows as columns, columns as rows" transposed transposed_mut = transposed
        () -> MatrixPart MatrixPartMut;
    /// # Panics
    /// If there is no such row.
    "Row `i`" row row_mut = row (i: usize) -> VectorPart VectorPartMut;
    /// # Panics
    /// If there is no such column.
    "Column `j`" col col_mut = col (j: usize) -> VectorPart VectorPartMut;
    "The elements in row and column 0, 1, 2, …" diagonal diagonal_mut = diagonal
        () -> VectorPart VectorPartMut;
}

parts! {
    Tensor3 Tensor3Part Tensor3PartMut;
    /// # Panics
    /// If the ranges are not within it.
    "Some of its planes, rows and columns" part part_mut = part
        (planes: impl RangeBounds<usize>, rows: impl RangeBounds<usize>, cols: impl RangeBounds<usize>)
        -> Tensor3Part Tensor3PartMut;
    /// # Panics
    /// If there is no such plane.
    "Plane `k`, a matrix" plane plane_mut = plane (k: usize) -> MatrixPart MatrixPartMut;
}

parts! {
    Tensor4 Tensor4Part Tensor4PartMut;
    /// # Panics
    /// If the ranges are not within it.
    "Some of its volumes, planes, rows and columns" part part_mut = part
        (volumes: impl RangeBounds<usize>, planes: impl RangeBounds<usize>,
         rows: impl RangeBounds<usize>, cols: impl RangeBounds<usize>)
        -> Tensor4Part Tensor4PartMut;
    /// # Panics
    /// If there is no such volume.
    "Volume `l`, a tensor of three dimensions" volume volume_mut = volume
        (l: usize) -> Tensor3Part Tensor3PartMut;
}

/// All elements in row-major order, as a vector.
macro_rules! elements {
    ($($container:ident)*) => { $(
        impl<T: Element> $container<T> {
            /// All elements, in row-major order, as a vector: see [`VectorPart`].
            #[must_use]
            pub fn elements(&self) -> VectorPart<'_, T> {
                VectorPart::of_all(self.buffer())
            }

            /// All elements, in row-major order, as a vector to write: see [`VectorPartMut`].
            #[must_use]
            pub fn elements_mut(&mut self) -> VectorPartMut<'_, T> {
                VectorPartMut::of_all(self.buffer_mut())
            }
        }
    )* };
}
elements!(Matrix Tensor3 Tensor4);
