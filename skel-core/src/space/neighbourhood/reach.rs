//! How far neighbourhoods reach.

use crate::space::MAX_RANK;

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
