//! Containers of which several calls have a range each, at the same time.

use super::{Buffer, Matrix, Tensor3, Tensor4, Vector, sealed::Over};
use crate::{Element, space::IntervalSet};

mod sealed {
    pub trait Sealed {}
}

/// Containers of which tasks of a graph can have a range each: vectors, matrices, tensors. Sealed.
pub trait Ranges: sealed::Sealed + Send + Sync + Sized + 'static {
    /// A container of this shape, of which no element can be reached: for binding a call to see what it needs.
    #[doc(hidden)]
    fn outline(&self) -> Self;

    /// A container of this shape that has the elements of this one, where this one has them: it reads those of `reads`,
    /// reads and writes those of `writes`, and reaches no other.
    ///
    /// # Safety
    /// Until it is dropped, this container stays where it is, and nothing has `&mut` to it; nothing else writes what it
    /// may read, and nothing else reads or writes what it may write.
    #[doc(hidden)]
    #[expect(unsafe_code, reason = "elements are written by way of `&self`")]
    unsafe fn granted(&self, reads: IntervalSet, writes: IntervalSet) -> Self;

    /// Its elements.
    #[doc(hidden)]
    fn elements(&self) -> &Buffer;

    /// Whether both have one shape.
    #[doc(hidden)]
    fn is_alike(&self, other: &Self) -> bool;
}

macro_rules! ranges {
    ($($container:ident)*) => { $(
        impl<T: Element> sealed::Sealed for $container<T> {}
        impl<T: Element> Ranges for $container<T> {
            fn outline(&self) -> Self {
                Over::over(self.shape(), self.buffer().outline())
            }

            #[expect(unsafe_code, reason = "elements are written by way of `&self`")]
            unsafe fn granted(&self, reads: IntervalSet, writes: IntervalSet) -> Self {
                // SAFETY: the buffer is part of the container, of which the caller says what has to be so.
                Over::over(self.shape(), unsafe { self.buffer().granted(reads, writes) })
            }

            fn elements(&self) -> &Buffer {
                self.buffer()
            }

            fn is_alike(&self, other: &Self) -> bool {
                self.shape() == other.shape()
            }
        }
    )* };
}
ranges!(Vector Matrix Tensor3 Tensor4);

/// The elements of a container that a chunk of a call writes, or changes in place: an output or argument of the call, as
/// `&mut Matrix<T>` would be, and nothing else. What [`TaskGraph::call`] gives for a handle that is written.
///
/// [`TaskGraph::call`]: https://docs.rs/skel-hybrid/latest/skel/tasks/struct.TaskGraph.html#method.call
pub struct RangeMut<'t, C>(pub(crate) &'t mut C);

impl<'t, C> RangeMut<'t, C> {
    /// For what a call writes. The container is reached by calls alone from here on.
    #[doc(hidden)]
    #[must_use]
    pub fn new(container: &'t mut C) -> Self {
        RangeMut(container)
    }
}

impl<C> std::fmt::Debug for RangeMut<'_, C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RangeMut")
    }
}
