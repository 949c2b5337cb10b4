//! The index space of a call.

use crate::space::{Along, Axis, Shape, Stream};

/// What a call says of all its elements, the same for every piece of it: the shape that counts them, the row
/// or column that each folds, and the stream of their random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexSpace {
    arguments: Shape,
    axis: Option<Axis>,
    stream: Stream,
}

impl IndexSpace {
    /// Elements of this shape, each of which reads its own of the arguments.
    #[inline]
    #[must_use]
    pub fn new(shape: Shape, stream: Stream) -> Self {
        IndexSpace {
            arguments: shape,
            axis: None,
            stream,
        }
    }

    /// An element for each value that folds of rows or columns give.
    #[inline]
    #[must_use]
    pub fn folding(along: Along, stream: Stream) -> Self {
        IndexSpace {
            arguments: along.space(),
            axis: Some(along.axis),
            stream,
        }
    }

    /// The shape of the call and its outputs.
    #[inline]
    #[must_use]
    pub fn shape(&self) -> Shape {
        match self.along() {
            Some(along) => Shape::D1(along.values()),
            None => self.arguments,
        }
    }

    /// The number of elements of the call.
    #[inline]
    #[must_use]
    pub fn elems(&self) -> usize {
        self.shape().len()
    }

    /// The shape of arguments that are read element by element.
    #[inline]
    #[must_use]
    pub fn arguments(&self) -> Shape {
        self.arguments
    }

    /// What each element folds, if it folds a row or column.
    #[inline]
    #[must_use]
    pub fn along(&self) -> Option<Along> {
        let [_, _, rows, cols] = self.arguments.extents();
        self.axis.map(|axis| Along { rows, cols, axis })
    }

    /// Which random numbers the elements get.
    #[inline]
    #[must_use]
    pub fn stream(&self) -> Stream {
        self.stream
    }
}
