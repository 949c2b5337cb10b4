//! Containers: data that several memory nodes hold parts of.
//!
//! The design is described in the README.md of this folder.
//!
//! A [`Vector`], [`Matrix`], [`Tensor3`] or [`Tensor4`] is a host array, any number of device copies, and the
//! ranges that are valid on each (`coherence`). Calls move what is missing and nothing else; results stay
//! where they were computed until they are read.

mod borrow;
mod buffer;
mod coherence;
mod common;
pub(crate) mod host;
mod matrix;
mod part;
mod ranges;
mod reads;
mod scalar;
mod slice_mut;
mod source;
mod tensor;
mod vector;

pub use borrow::with_slice;
pub use buffer::{Buffer, BufferMut, Remains, Remote};
use coherence::Coherence;
pub use host::{HostMut, HostRef};
pub use matrix::Matrix;
pub use part::{
    Across, Down, MatrixPart, MatrixPartMut, Tensor3Part, Tensor3PartMut, Tensor4Part,
    Tensor4PartMut, VectorPart, VectorPartMut, across, down,
};
pub use ranges::{RangeMut, Ranges};
pub use reads::{ReadWatcher, watch_reads};
pub use scalar::Scalar;
pub use slice_mut::SliceMut;
pub use source::Source;
pub use tensor::{Tensor3, Tensor4};
pub use vector::Vector;

use crate::{Element, Result, space::Shape};

mod sealed {
    use super::Buffer;
    use crate::space::Shape;

    /// Not to be called from elsewhere: nothing is checked.
    pub trait Over: Sized {
        /// A container of these elements, which are of its type and as many as `shape` says. What has more dimensions
        /// than the container is all rows of it, or all elements; of what has fewer, there is one of each other.
        fn over(shape: Shape, elements: Buffer) -> Self;
    }
}

/// What `run` can make for an output: a container of a given shape, whose elements are written by
/// the call.
pub trait Container<T: Element>: sealed::Over {
    /// One with room for `shape`, no element of which is valid.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`](crate::Error::OutOfMemory).
    fn unwritten(shape: Shape) -> Result<Self> {
        Ok(Self::over(shape, Buffer::unwritten::<T>(shape.len())?))
    }

    /// Its elements, to be written by a call.
    fn target(&mut self) -> BufferMut<'_>;

    /// Its elements, to be read.
    fn elements(&self) -> &Buffer;

    /// Its shape.
    fn shape(&self) -> Shape;
}
