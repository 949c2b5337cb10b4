//! How the elements of folds and scans are grouped, wherever they are computed.
//!
//! Elements belong to *tiles* by their index in the call. A tile is combined in one fixed order that suits
//! vector registers and warps ([`Grouping`]). Above the tiles there is one binary tree over their numbers: the node of
//! level `h` and number `k` combines tiles `k·2^h … (k+1)·2^h − 1`. Its value depends on its elements alone, so
//! whichever unit computes it, gets the same bits. What a unit gives for its range of tiles is the list of
//! [`nodes`] that the range consists of ([`crate::frame::Spine`]).
//!
//! | part | is combined as |
//! |---|---|
//! | block, [`BLOCK`] elements | `((01)(23))((45)(67))…`; a last, shorter one as a chain |
//! | chunk, [`CHUNK`] elements | the chain of its blocks |
//! | tile of [`Grouping::Heavy`] | a block |
//! | tile of [`Grouping::Ordered`] | the chain of its chunks |
//! | tile of [`Grouping::Lanes`] | [`LANES`] strided chains, then halved: `lane l ⊕ lane l + w` for w = 64, 32, … 1 |
//! | fold of fewer than [`SHORT`] elements, unless `Heavy` | a chain |
//! | all else | the tree of its tiles: the largest power of two of them that leaves some, and the rest |

use super::Phases;
use crate::ir::Weight;

/// Elements that are combined as pairs, pairs of pairs, and so on.
pub const BLOCK: usize = 16;

/// Elements whose blocks are combined one after the other.
pub const CHUNK: usize = 256;

/// Strided chains of a tile of a fold whose operator commutes.
pub const LANES: usize = 128;

/// Elements of each of these chains.
pub const ROWS: usize = 8;

/// Folds of fewer elements are chains.
pub const SHORT: usize = 64;

/// Rows that a fold of columns combines one after the other, before the tree.
pub const COLUMN: usize = 32;

/// How the elements of a tile are combined: a property of the kernel, so the same on all units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Grouping {
    /// The functions have loops, or there is no kernel: tiles are short, so that few elements can be shared.
    Heavy,
    /// Folds whose operator commutes.
    Lanes,
    /// Everything else.
    Ordered {
        /// Chunks of a tile, a power of two.
        chunks: u32,
    },
}

impl Grouping {
    /// The grouping of a kernel of this weight, which combines values of so many bytes; `commutes` only if it is a
    /// fold.
    #[must_use]
    pub fn new(weight: Weight, commutes: bool, value_bytes: usize) -> Grouping {
        match (weight, commutes) {
            (Weight::Unknown, _) => Grouping::Heavy,
            (Weight::Operations(_), true) => Grouping::Lanes,
            (Weight::Operations(_), false) => {
                let most = (128 / value_bytes.max(1)).clamp(1, 16);
                Grouping::Ordered {
                    chunks: 1 << most.ilog2(),
                }
            }
        }
    }

    /// The grouping of a plan. One without a kernel runs on hosts alone.
    #[must_use]
    pub fn of(phases: &dyn Phases) -> Grouping {
        phases
            .kernel()
            .map_or(Grouping::Heavy, |kernel| kernel.grouping)
    }

    /// The elements of a tile: a power of two.
    #[must_use]
    pub fn tile_elems(self) -> usize {
        1 << self.tile_log2()
    }

    fn tile_log2(self) -> u32 {
        match self {
            Grouping::Heavy => BLOCK.ilog2(),
            Grouping::Lanes => (LANES * ROWS).ilog2(),
            Grouping::Ordered { chunks } => CHUNK.ilog2() + chunks.ilog2(),
        }
    }

    /// What boundaries within a call of `elems` elements are multiples of: one tile, or, if there are many,
    /// several, such that devices take whole groups of them.
    #[must_use]
    pub fn grain(self, elems: usize) -> usize {
        let tiles = (elems >> self.tile_log2()).max(1);
        self.tile_elems() << tiles.ilog2().saturating_sub(6).min(5)
    }

    /// The tiles that elements `start..end` of a call of `elems` elements are; none unless they begin and end with
    /// a tile.
    #[must_use]
    pub fn tiles(self, start: usize, end: usize, elems: usize) -> Option<(u64, u64)> {
        // Shifts and masks: every piece asks, and divisions are slow.
        let (log2, within) = (self.tile_log2(), self.tile_elems() - 1);
        let whole = start & within == 0 && (end & within == 0 || end == elems);
        let short = u64::from(end & within != 0);
        whole.then_some(((start >> log2) as u64, (end >> log2) as u64 + short))
    }
}

/// The complete nodes, as level and number, that tiles `from..to` consist of, in order.
pub fn nodes(from: u64, to: u64) -> impl Iterator<Item = (u32, u64)> {
    let mut at = from;
    std::iter::from_fn(move || {
        let left = to.checked_sub(at)?.checked_ilog2()?;
        // Of tile 0, all nodes are complete.
        let level = at.trailing_zeros().min(left);
        let node = (level, at >> level);
        at += 1 << level;
        Some(node)
    })
}

/// Makes boundaries multiples of `grain`: the nearest ones. The last one, `elems`, stays.
#[must_use]
pub fn rounded(boundary: usize, grain: usize, elems: usize) -> usize {
    if boundary >= elems {
        return elems;
    }
    let up = boundary.saturating_add(grain / 2);
    (up - up % grain).min(elems)
}

#[cfg(test)]
mod test {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn tiles_are_as_large_as_their_values_allow() {
        let light = Weight::Operations(3);
        let elems = |commutes, bytes| Grouping::new(light, commutes, bytes).tile_elems();
        assert_eq!(elems(true, 4), 1024);
        assert_eq!(
            [4, 8, 16, 24, 128].map(|b| elems(false, b)),
            [4096, 4096, 2048, 1024, 256]
        );
        assert_eq!(Grouping::new(Weight::Unknown, true, 4).tile_elems(), 16);
    }

    #[test]
    fn grains_are_a_small_part_of_a_call() {
        for grouping in [
            Grouping::Heavy,
            Grouping::Lanes,
            Grouping::Ordered { chunks: 16 },
        ] {
            let tile = grouping.tile_elems();
            for tiles in [0, 1, 2, 63, 64, 65, 127, 128, 1000, 4096, 1 << 20] {
                let grain = grouping.grain(tiles * tile + 1);
                assert!(grain.is_multiple_of(tile) && grain <= 32 * tile);
                assert!(
                    tiles < 64 || grain * 64 <= tiles * tile,
                    "{grouping:?} {tiles}"
                );
            }
            assert_eq!(grouping.grain(4096 * tile), 32 * tile);
        }
    }

    #[test]
    fn boundaries_go_to_the_nearest_multiple() {
        assert_eq!(
            [0, 7, 8, 23, 24, 90, 99, 100].map(|b| rounded(b, 16, 100)),
            [0, 0, 16, 16, 32, 96, 96, 100]
        );
        assert_eq!(rounded(3, 4, 3), 3);
    }

    proptest! {
        #[test]
        fn nodes_cover_their_tiles_and_none_could_be_larger(from in 0_u64..5000, tiles in 0_u64..5000) {
            let to = from + tiles;
            let mut at = from;
            let mut last: Option<(u32, u64)> = None;
            for (level, number) in nodes(from, to) {
                prop_assert_eq!(number << level, at);
                // Two halves of a node would have been that node.
                prop_assert!(last.is_none_or(|(h, k)| h != level || k % 2 == 1));
                last = Some((level, number));
                at += 1 << level;
            }
            prop_assert_eq!(at, to);
        }
    }
}
