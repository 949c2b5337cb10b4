//! How the shapes of arguments fit that of a call.

use crate::{
    short::ShortVec,
    space::{MAX_RANK, Shape},
};

/// The shapes of a call's arguments, as far as they matter, with their positions from 1.
pub type ArgumentShapes = ShortVec<(usize, Shape, Fit), 4>;

/// What an argument's shape has to do with that of the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// It is the same.
    Same,
    /// A matrix with a row for each row of the call (in all planes), or, on a vector call, for each
    /// element.
    Rows,
    /// It sees neighbourhoods: the skeleton says what its shape has to do with the call's.
    Neighbourhood,
    /// A matrix with a column for each column of the call, or, on a vector call, for each element.
    Cols,
    /// It is seen line by line: the skeleton says what its shape has to do with the call's.
    Lines,
    /// It cannot take part: its elements do not lie in row-major order.
    Scattered,
    /// A vector with an element for each row of the call, which serves all of the row.
    Down,
    /// A vector with an element for each column of the call, which serves all of the column.
    Across,
}

impl Fit {
    /// The shape that an argument needs in a call of shape `call`; where more than one will do, the
    /// one nearest to what it has.
    #[inline]
    #[must_use]
    pub fn expected(self, found: Shape, call: Shape) -> Shape {
        let [_, _, rows, cols] = found.extents();
        match self {
            Fit::Same => call,
            Fit::Neighbourhood | Fit::Lines | Fit::Scattered => found,
            Fit::Rows => match call {
                Shape::D1(n) => Shape::D2(n, cols),
                Shape::D2(..) | Shape::D3(..) | Shape::D4(..) => Shape::D2(call.rows(), cols),
            },
            Fit::Cols => Shape::D2(rows, call.row_elems()),
            Fit::Down => Shape::D1(call.extents()[MAX_RANK - 2]),
            Fit::Across => Shape::D1(call.row_elems()),
        }
    }
}
