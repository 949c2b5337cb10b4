//! The numbers that kernels get of a neighbourhood.

use skel_core::space::{Neighbourhood, WindowSpecialisation};

/// One number of a [`Neighbourhood`]. Dimensions are those of its arrays, 0 to 3; only
/// the last `rank` are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowMember {
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

impl WindowMember {
    /// Its value, of this neighbourhood.
    #[must_use]
    pub fn of(self, near: &Neighbourhood) -> usize {
        match self {
            WindowMember::Positions(d) => near.positions[d],
            WindowMember::Extent(d) => near.extents[d],
            WindowMember::Stride(d) => near.stride[d],
            WindowMember::Shift(d) => near.shift[d],
            WindowMember::Inner => near.inner,
            WindowMember::Edge => near.edge as usize,
        }
    }

    /// Its value, where the kernel knows it beforehand.
    pub(super) fn known(self, specialisation: Option<WindowSpecialisation>) -> Option<usize> {
        let specialisation = specialisation?;
        match self {
            WindowMember::Stride(_) | WindowMember::Inner if specialisation.plain => Some(1),
            WindowMember::Edge => Some(specialisation.edge as usize),
            _ => None,
        }
    }

    /// Its name, as far as it is the same for all arguments.
    pub(super) fn name(self) -> String {
        match self {
            WindowMember::Positions(d) => format!("positions_{d}"),
            WindowMember::Extent(d) => format!("extent_{d}"),
            WindowMember::Stride(d) => format!("stride_{d}"),
            WindowMember::Shift(d) => format!("shift_{d}"),
            WindowMember::Inner => "inner".into(),
            WindowMember::Edge => "edge".into(),
        }
    }
}
