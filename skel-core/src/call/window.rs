//! A neighbourhood of each element, as an operand.

use crate::{
    frame::View,
    space::{IntervalSet, Neighbourhood, Reach, Shape},
};
use std::ops::Range;

/// A container of which each element of a call sees a neighbourhood, as an operand.
#[derive(Clone, Copy, Debug)]
pub struct Window<'e> {
    /// Where the neighbourhoods lie.
    pub near: Neighbourhood,
    /// How far they reach.
    pub reach: Reach,
    /// The one value beyond edges that are padded.
    pub pad: Option<View<'e>>,
}

impl Window<'_> {
    /// Around each element of a container of this shape, whose edges are repeated.
    #[must_use]
    pub fn of(shape: Shape, reach: Reach) -> Self {
        Window {
            near: Neighbourhood::around(shape, reach.rank),
            reach,
            pad: None,
        }
    }

    /// What elements `r` of the call see of the container.
    #[must_use]
    pub fn halo(&self, r: Range<usize>) -> IntervalSet {
        self.near.halo(&self.reach, r)
    }
}
