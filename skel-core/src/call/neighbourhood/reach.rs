//! How far neighbourhoods reach.

use super::Neighbourhood;
use crate::{
    container::{IntervalSet, MAX_RANK, Shape},
    frame::View,
};
use std::ops::Range;

/// The offsets of a neighbourhood along each of its dimensions; those that are not there have 0 alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// How many dimensions it has: the last ones of the arrays.
    pub rank: usize,
    /// How far it goes below 0.
    pub before: [usize; MAX_RANK],
    /// How far it goes above 0.
    pub after: [usize; MAX_RANK],
}

impl Reach {
    /// `radius` to both sides, along the last `rank` dimensions.
    #[must_use]
    pub const fn window(rank: usize, radius: [usize; MAX_RANK]) -> Reach {
        Reach {
            rank,
            before: radius,
            after: radius,
        }
    }

    /// From 0 on, `size` elements along each of the last `rank` dimensions.
    #[must_use]
    pub const fn pool(rank: usize, size: [usize; MAX_RANK]) -> Reach {
        let (mut after, mut d) = ([0; MAX_RANK], MAX_RANK - rank);
        while d < MAX_RANK {
            // A pool of no elements reads none, and so reaches as far as one of one element.
            after[d] = size[d].saturating_sub(1);
            d += 1;
        }
        Reach {
            rank,
            before: [0; MAX_RANK],
            after,
        }
    }

    /// As far as either of two of the same rank.
    #[must_use]
    pub const fn or(&self, other: &Reach) -> Reach {
        let (mut widest, mut d) = (*self, 0);
        while d < MAX_RANK {
            if other.before[d] > widest.before[d] {
                widest.before[d] = other.before[d];
            }
            if other.after[d] > widest.after[d] {
                widest.after[d] = other.after[d];
            }
            d += 1;
        }
        widest
    }

    /// How many elements it spans along a dimension.
    #[inline(always)]
    #[must_use]
    pub const fn span(&self, d: usize) -> usize {
        self.before[d] + 1 + self.after[d]
    }
}

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
