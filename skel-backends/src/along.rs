//! How launches of folds of rows and columns keep to the grouping: what every driver's kernels go by.
//!
//! A *leaf* is what stands below the tree: a tile of a row, [`COLUMN`] rows of a column, or all of a short row. One
//! thread, or one group of them, takes the leaves of a value in order, and keeps the complete nodes to the left of the
//! current leaf in a table, one place for each level: the bits of the leaf's number say which of them are there.
#![cfg_attr(
    not(feature = "wgpu"),
    allow(dead_code, reason = "drivers have more to ask than a dialect")
)]

use skel_core::{
    plan::{
        Grouping, Kernel,
        grouping::{BLOCK, COLUMN, SHORT},
    },
    space::{Along, Axis},
};

/// Groups below which each takes one row.
const LEAST_GROUPS: usize = 1024;

/// How each value of a launch is combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Leaves {
    /// Elements that are folded to one.
    pub(crate) depth: usize,
    /// Elements of a leaf: a power of two.
    pub(crate) leaf: usize,
    /// Elements of a block; all that a leaf has, if that is a chain.
    pub(crate) width: usize,
    /// Whether leaves are tiles of lanes, which a group takes together, of one row or several.
    pub(crate) by_lanes: bool,
}

impl Leaves {
    pub(crate) fn new(kernel: &Kernel, along: Along) -> Leaves {
        let (grouping, depth) = (kernel.grouping, along.depth());
        let short = depth < SHORT && grouping != Grouping::Heavy;
        let (leaf, width) = match along.axis {
            Axis::Cols => (COLUMN, COLUMN),
            Axis::Rows if short => (SHORT, SHORT),
            Axis::Rows => (grouping.tile_elems(), BLOCK),
        };
        Leaves {
            depth,
            leaf,
            width,
            by_lanes: along.axis == Axis::Rows && !short && grouping == Grouping::Lanes,
        }
    }

    /// How many rows, as a power of two, a group takes that can take `most`: so many as make a tile, but not where there
    /// are few.
    pub(crate) fn rows_log2(&self, most: u32, values: usize) -> u32 {
        let of_tile = self.leaf / self.depth.next_power_of_two();
        let wanted = of_tile.min(values / LEAST_GROUPS).clamp(1, most as usize);
        wanted.ilog2()
    }

    /// Levels of the table of nodes: of those that are complete before the last leaf.
    pub(crate) fn levels(&self) -> u32 {
        let before_last = self.depth.div_ceil(self.leaf).saturating_sub(1);
        before_last.checked_ilog2().map_or(0, |level| level + 1)
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// What kernels do, with the range of elements for a value.
        #[test]
        fn nodes_find_their_places_and_meet_in_order(depth in 1_usize..5000, log2 in 0_u32..8) {
            let leaf = 1 << log2;
            let leaves = Leaves { depth, leaf, width: leaf, by_lanes: false };
            let mut table = vec![0..0; leaves.levels() as usize];
            let mut total = 0..0;
            for first in (0..depth).step_by(leaf) {
                let last = depth.min(first + leaf);
                let (number, mut level) = (first / leaf, 0);
                total = first..last;
                while number >> level > 0 && (last == depth || number >> level & 1 == 1) {
                    if number >> level & 1 == 1 {
                        prop_assert_eq!(table[level].end, total.start);
                        total = table[level].start..total.end;
                    }
                    level += 1;
                }
                if last < depth {
                    prop_assert_eq!(total.len(), leaf << level);
                    table[level] = total.clone();
                }
            }
            prop_assert_eq!(total, 0..depth);
        }
    }
}
