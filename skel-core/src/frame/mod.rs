//! The type-erased argument pack of a host function: one piece of the index space, with the memory
//! of one node.
//!
//! A [`Frame`] holds a [`Slot`] per argument and output. It can be split: inputs are shared, outputs
//! divided. Typed access checks the element type and the bounds, so that everything outside this
//! module is safe code.

mod array;
mod layout;
mod partial;
mod view;

pub use array::ErasedArray;
pub use layout::ElementLayout;
pub use partial::{MAX_PARTIAL_BYTES, Partial};
pub use view::{InvalidBytes, OutSlice, View, ViewMut, ViewOut};

use crate::{
    container::Shape,
    param::{Space, Stream},
};
use arrayvec::ArrayVec;
use std::ops::Range;

/// Arguments and outputs of a call, at most.
pub const MAX_SLOTS: usize = 16;

/// The memory of one argument or output.
#[derive(Debug)]
pub enum Slot<'m> {
    /// Elements to read.
    In(View<'m>),
    /// Elements to read and write: `&mut T`.
    InOut(ViewMut<'m>),
    /// Elements to write, not initialised before.
    Out(ViewOut<'m>),
    /// A whole container, whatever the piece is, and its shape.
    Whole(View<'m>, Shape),
}

/// One piece of a call's index space, with the memory it needs.
#[derive(Debug)]
pub struct Frame<'m> {
    /// Arguments in order, then outputs.
    pub slots: ArrayVec<Slot<'m>, MAX_SLOTS>,
    /// The elements of the piece.
    pub range: Range<usize>,
    /// The whole index space, of which `range` counts elements in row-major order.
    pub shape: Shape,
    /// Which random numbers the elements get.
    pub stream: Stream,
}

impl<'m> Frame<'m> {
    /// What the call says of all its elements.
    #[must_use]
    pub fn space(&self) -> Space {
        Space {
            shape: self.shape,
            stream: self.stream,
        }
    }

    /// Splits the piece in two, at element `mid`.
    ///
    /// # Panics
    /// If `mid` is not within the piece.
    #[must_use]
    pub fn split_at(self, mid: usize) -> (Frame<'m>, Frame<'m>) {
        assert!(
            self.range.start <= mid && mid <= self.range.end,
            "split outside of the piece"
        );
        let (mut left, mut right) = (ArrayVec::new(), ArrayVec::new());
        for slot in self.slots {
            let (a, b) = match slot {
                Slot::In(v) => (Slot::In(v), Slot::In(v)),
                Slot::Whole(v, shape) => (Slot::Whole(v, shape), Slot::Whole(v, shape)),
                Slot::InOut(v) => {
                    let (a, b) = v.split_at(mid);
                    (Slot::InOut(a), Slot::InOut(b))
                }
                Slot::Out(v) => {
                    let (a, b) = v.split_at(mid);
                    (Slot::Out(a), Slot::Out(b))
                }
            };
            left.push(a);
            right.push(b);
        }
        let (start, end) = (self.range.start, self.range.end);
        let (shape, stream) = (self.shape, self.stream);
        (
            Frame {
                slots: left,
                range: start..mid,
                shape,
                stream,
            },
            Frame {
                slots: right,
                range: mid..end,
                shape,
                stream,
            },
        )
    }
}
