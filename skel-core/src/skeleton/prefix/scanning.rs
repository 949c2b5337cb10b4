//! A scan between two segments of its elements.

use super::Form;
use crate::{
    frame::{Partial, Spine},
    plan::{
        Grouping,
        grouping::{BLOCK, CHUNK},
    },
    skeleton::grouped::{Blocks, Nodes, by, join},
};
use std::ops::Range;

/// What precedes the next element, as far as the grouping needs it.
pub(super) struct Scanning<S: Form> {
    pub(super) tile_elems: usize,
    /// Whether all groupings have the same bits, so that `within` is all that counts.
    pub(super) exact: bool,
    keeps_tiles: bool,
    /// What precedes all elements, and the tiles before the open one.
    initial: Option<S::State>,
    pub(super) nodes: Nodes<S::State>,
    /// What precedes the open tile.
    pub(super) before: Option<S::State>,
    /// The open tile, and its number of elements so far.
    pub(super) open: Blocks<S::State>,
    pub(super) count: usize,
    /// The prefix up to here, of scans that go element by element.
    pub(super) within: Option<S::State>,
}

impl<S: Form> Scanning<S> {
    /// A scan of no elements, which is large, and so told where it lies what it is of: [`Scanning::begin`].
    #[inline(always)]
    pub(super) fn new(grouping: Grouping, exact: bool) -> Self {
        Scanning {
            tile_elems: grouping.tile_elems(),
            exact,
            keeps_tiles: false,
            initial: None,
            nodes: Nodes::new(0),
            before: None,
            open: Blocks::default(),
            count: 0,
            within: None,
        }
    }

    /// It is of elements `range`, of `elems` in all, which `carry` precedes.
    #[inline(always)]
    pub(super) fn begin(
        &mut self,
        range: &Range<usize>,
        elems: usize,
        carry: &Spine,
        grouping: Grouping,
    ) {
        let (initial, before) = carry.split::<S::State>();
        let (mut from, mut to) = carry.tiles().unwrap_or_default();
        let tiles = grouping.tiles(range.start, range.end, elems);
        let first = tiles.map_or(0, |(first, _)| first);
        if before.is_empty() {
            (from, to) = (first, first);
        }
        self.keeps_tiles = carry.tiles().is_some() && tiles.is_some() && to == first && !self.exact;
        self.initial = initial;
        self.nodes.begin((from, to), before);
        self.within = self.carry();
    }

    /// All that precedes the open tile.
    #[inline(always)]
    pub(super) fn carry(&self) -> Option<S::State> {
        let op = by::<S::Operator>();
        join(op, self.initial, self.nodes.value(op))
    }

    /// So many more elements are done, behind which a segment begins: so no value of theirs is asked for any more. What
    /// stands for them begins segments itself, so that no operator is called for it either.
    pub(super) fn skip(&mut self, some: usize) {
        let mark = S::outer(crate::element::zero(), true);
        self.count += some;
        while self.count >= self.tile_elems {
            let behind = self.count - self.tile_elems;
            self.open = Blocks::default();
            self.open.tile = Some(mark);
            self.close();
            self.count = behind;
        }
        let count = self.count;
        self.open = Blocks::default();
        self.open.tile = (count >= CHUNK).then_some(mark);
        self.open.chunk = (count % CHUNK >= BLOCK).then_some(mark);
        for _ in 0..count % BLOCK {
            self.open.block.push(mark);
        }
        self.before = Some(mark);
        self.within = Some(mark);
    }

    /// So many more elements are done; where the tile ends, it is closed.
    #[inline(always)]
    pub(super) fn passed(&mut self, some: usize) {
        self.count += some;
        if self.count == self.tile_elems {
            self.close();
        }
    }

    #[inline(always)]
    fn close(&mut self) {
        self.count = 0;
        if let Some(tile) = self.open.close(by::<S::Operator>()) {
            self.nodes.push(by::<S::Operator>(), tile);
        }
    }

    /// What precedes the elements that follow.
    pub(super) fn spine(&mut self) -> Spine {
        if self.exact {
            return Spine::lump(self.within.map_or(Partial::NONE, Partial::of));
        }
        self.close();
        self.nodes
            .spine::<S::Operator>(self.initial, self.keeps_tiles)
    }
}
