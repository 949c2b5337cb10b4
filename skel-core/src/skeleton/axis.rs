//! What the rows or columns of a matrix are to a skeleton, as types: a program that folds rows alone is not compiled for
//! columns.

use crate::space::Axis;

/// Keeps [`AlongAxis`] to this crate.
mod sealed {
    pub trait AlongAxis {}
    impl AlongAxis for super::Rows {}
    impl AlongAxis for super::Cols {}
}

/// Each row of a matrix is a sequence; in scans of a tensor, each line along its last dimension.
#[derive(Clone, Copy, Debug)]
pub struct Rows;

/// Each column of a matrix is a sequence.
#[derive(Clone, Copy, Debug)]
pub struct Cols;

/// [`Rows`] or [`Cols`].
pub trait AlongAxis: sealed::AlongAxis + 'static {
    /// Which of them.
    const AXIS: Axis;
}

impl AlongAxis for Rows {
    const AXIS: Axis = Axis::Rows;
}

impl AlongAxis for Cols {
    const AXIS: Axis = Axis::Cols;
}
