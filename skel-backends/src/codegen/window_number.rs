//! The numbers that kernels get of a neighbourhood.

use skel_core::space::{Neighbourhood, WindowSpecialisation};

/// One number of a [`Neighbourhood`]. Dimensions are those of its arrays, 0 to 3; only
/// the last `rank` are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowNumber {
    /// Positions of the call along a dimension.
    Positions(usize),
    /// Places of the container along a dimension.
    Extent(usize),
    /// How many places neighbouring positions are apart.
    Stride(usize),
    /// The place of position 0.
    Shift(usize),
    /// Elements inside of the innermost dimension.
    Inner,
    /// The number of its [`skel_core::space::EdgeKind`].
    Edge,
}

impl WindowNumber {
    /// Its value, of this neighbourhood.
    #[must_use]
    pub fn of(self, near: &Neighbourhood) -> usize {
        match self {
            WindowNumber::Positions(d) => near.positions[d],
            WindowNumber::Extent(d) => near.extents[d],
            WindowNumber::Stride(d) => near.stride[d],
            WindowNumber::Shift(d) => near.shift[d],
            WindowNumber::Inner => near.inner,
            WindowNumber::Edge => near.edge as usize,
        }
    }

    /// Its value, where the kernel knows it beforehand.
    pub(super) fn known(self, specialisation: Option<WindowSpecialisation>) -> Option<usize> {
        let specialisation = specialisation?;
        match self {
            WindowNumber::Stride(_) | WindowNumber::Inner if specialisation.plain => Some(1),
            WindowNumber::Edge => Some(specialisation.edge as usize),
            _ => None,
        }
    }

    /// Its name, as far as it is the same for all arguments.
    pub(super) fn name(self) -> String {
        match self {
            WindowNumber::Positions(d) => format!("positions_{d}"),
            WindowNumber::Extent(d) => format!("extent_{d}"),
            WindowNumber::Stride(d) => format!("stride_{d}"),
            WindowNumber::Shift(d) => format!("shift_{d}"),
            WindowNumber::Inner => "inner".into(),
            WindowNumber::Edge => "edge".into(),
        }
    }
}
