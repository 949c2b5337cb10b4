//! How a launch of a fold or scan keeps to the tiles of its call: what every driver's kernels go by.
//!
//! Kernels give a value of each *leaf*, an aligned group of tiles, and combine leaves to the nodes of the tree over
//! them, in a table. Leaf `i` of a launch lies at place `2 i`; of a node whose halves meet before leaf `m`, the value
//! lies at `2 m − 1`. So every complete node of the launch has a place of its own, and readers find it by number. Behind
//! the table lie what precedes all elements, the nodes that precede the launch, by level, and those that make it up, in
//! order.
#![cfg_attr(
    not(feature = "wgpu"),
    allow(dead_code, reason = "drivers have more to ask than a dialect")
)]

use crate::partials;
use skel_core::{
    Result,
    frame::{Partial, Spine},
    plan::{
        Grouping, Kernel, Pattern, Phases,
        grouping::{BLOCK, LANES, SHORT, nodes},
    },
    space::IndexSpace,
};
use std::ops::Range;

/// The tiles of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tiling {
    /// The tiles of the call that it is; none if it begins or ends within one. It has tiles of its own then, and gives
    /// one value.
    pub(crate) tiles: Option<(u64, u64)>,
    /// A leaf is 2^`level` tiles.
    pub(crate) level: u32,
    /// The number of the first leaf: leaves are aligned by number.
    pub(crate) first: u64,
    /// Behind the last leaf, where that is known not to be followed by another: the fewer nodes there are.
    pub(crate) open_end: bool,
    /// Whether all elements are one chain.
    pub(crate) is_chain: bool,
}

impl Tiling {
    /// Of elements `range`. Leaves have 2^`most_level` tiles, or fewer if the range is not aligned to so many.
    pub(crate) fn new(
        kernel: &Kernel,
        space: &IndexSpace,
        range: &Range<usize>,
        most_level: u32,
    ) -> Tiling {
        let elems = space.elems();
        let tiles = match kernel.is_exact {
            // Cut anywhere.
            true => None,
            false => kernel.grouping.tiles(range.start, range.end, elems),
        };
        let folds = kernel.pattern == Pattern::Fold;
        let ends = range.end == elems;
        let is_chain = folds && elems < SHORT && kernel.grouping != Grouping::Heavy;
        let Some((from, to)) = tiles else {
            return Tiling {
                is_chain,
                ..Tiling::own(most_level)
            };
        };
        let aligned = |tile: u64| if tile == 0 { 63 } else { tile.trailing_zeros() };
        let mut level = most_level.min(aligned(from));
        if !ends {
            level = level.min(aligned(to));
        }
        Tiling {
            tiles,
            level,
            first: from >> level,
            open_end: ends,
            is_chain,
        }
    }

    /// Tiles of the launch's own.
    pub(crate) fn own(level: u32) -> Tiling {
        Tiling {
            tiles: None,
            level,
            first: 0,
            open_end: true,
            is_chain: false,
        }
    }

    /// The same, with leaves of one tile.
    pub(crate) fn of_single_tiles(self) -> Tiling {
        Tiling {
            level: 0,
            first: self.first << self.level,
            ..self
        }
    }

    /// Elements of a leaf.
    pub(crate) fn leaf_elems(&self, grouping: Grouping) -> usize {
        grouping.tile_elems() << self.level
    }

    /// Behind the last leaf, as far as nodes are concerned: the end of as large a node as may stand there.
    pub(crate) fn end(&self, leaves: u64) -> u64 {
        let end = self.first + leaves;
        if !self.open_end {
            return end;
        }
        if self.first == 0 {
            return end.next_power_of_two();
        }
        let mut at = self.first;
        while at < end {
            at += 1 << at.trailing_zeros();
        }
        at
    }

    /// Places behind the table for what precedes: one for what precedes all elements, then one for each level.
    pub(crate) fn carry_places(&self) -> u64 {
        1 + u64::from(u64::BITS - self.first.leading_zeros())
    }

    /// What precedes the launch, as kernels get it.
    pub(crate) fn carried(&self, phases: &dyn Phases, carry: &Spine) -> Result<Carried> {
        let end = self.first << self.level;
        let (initial, before) = match carry.tiles() {
            Some((0, to)) if to == end && self.tiles.is_some() => carry.partials(),
            _ => (partials::value(phases, carry.clone())?, Vec::new()),
        };
        let flags = usize::from(!initial.is_none()) + 2 * usize::from(!before.is_empty());
        let levels = nodes(0, self.first).map(|(level, _)| 1 + u64::from(level));
        let first = (!initial.is_none()).then_some((0, initial));
        let values = first.into_iter().chain(levels.zip(before)).collect();
        Ok(Carried { values, flags })
    }

    /// Places of the table, and behind it.
    pub(crate) fn places(&self, leaves: u64) -> u64 {
        2 * leaves + self.carry_places() + self.count(leaves) as u64
    }

    /// How many nodes the launch consists of.
    pub(crate) fn count(&self, leaves: u64) -> usize {
        nodes(self.first, self.end(leaves)).count()
    }

    /// How far the elements of a lane are apart, or how many a block has; if all is one chain, that says so.
    pub(crate) fn width(&self, grouping: Grouping) -> usize {
        match (self.is_chain, grouping) {
            (true, Grouping::Lanes) => 1,
            (true, _) => SHORT,
            (false, Grouping::Lanes) => LANES,
            (false, _) => BLOCK,
        }
    }

    /// The launches that combine so many leaves, of which each group reaches 2^`reach` nodes.
    pub(crate) fn passes(&self, leaves: u64, reach: u32) -> impl Iterator<Item = Pass> {
        let (first, last, to) = (self.first, self.first + leaves - 1, self.end(leaves));
        let groups = move |level: u32| (last >> (level + reach)) - (first >> (level + reach)) + 1;
        let levels = std::iter::successors(Some(0), move |level| {
            (groups(*level) > 1).then_some(level + reach)
        });
        levels.map(move |level| Pass {
            level,
            groups: groups(level),
            to_leaf: if groups(level) == 1 { to } else { 0 },
        })
    }

    /// What the values of the launch's nodes are.
    pub(crate) fn spine(&self, leaves: u64, values: &[Partial]) -> Spine {
        match self.tiles {
            Some((from, _)) => Spine::of_partials((from, self.end(leaves) << self.level), values),
            None => Spine::lump(values.first().cloned().unwrap_or(Partial::NONE)),
        }
    }
}

/// What precedes a launch.
pub(crate) struct Carried {
    /// Its values, each with its place behind the table.
    pub(crate) values: Vec<(u64, Partial)>,
    /// 1 if something precedes all elements; and 2 if there are nodes.
    pub(crate) flags: usize,
}

/// A launch that combines nodes.
pub(crate) struct Pass {
    /// Their level, counted from leaves.
    pub(crate) level: u32,
    pub(crate) groups: u64,
    /// Of the last one, up to which leaf the nodes are listed; else 0.
    pub(crate) to_leaf: u64,
}

#[cfg(test)]
mod test {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_last_of_all_passes_has_one_group_and_lists_few_nodes(
            first in 0_u64..1 << 20, leaves in 1_u64..1 << 20, reach in 1_u32..9, open_end: bool,
        ) {
            let tiling = Tiling { first, open_end, ..Tiling::own(0) };
            let passes: Vec<Pass> = tiling.passes(leaves, reach).collect();
            let (last, others) = passes.split_last().unwrap();
            prop_assert_eq!((last.groups, last.to_leaf), (1, tiling.end(leaves)));
            prop_assert!(others.iter().all(|pass| pass.groups > 1 && pass.to_leaf == 0));
            prop_assert!(tiling.count(leaves) <= 64);
            prop_assert!(tiling.end(leaves) >= first + leaves);
            prop_assert!(first > 0 || !open_end || tiling.count(leaves) == 1);
        }
    }
}
