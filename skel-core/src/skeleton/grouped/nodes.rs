//! The nodes of a range of tiles, while it grows.

use super::{Op, by, join};
use crate::{
    Element,
    frame::{Partial, Spine, is_right_half},
    skeleton::fold::Operator,
};
use arrayvec::ArrayVec;

/// Nodes of 2⁴⁷ tiles, wherever they begin.
const MOST: usize = 96;

/// The nodes of tiles `from..to`.
pub(in crate::skeleton) struct Nodes<T> {
    from: u64,
    to: u64,
    values: ArrayVec<T, MOST>,
}

impl<T: Element> Nodes<T> {
    /// Those of no tiles, before tile `from`.
    #[inline(always)]
    pub(in crate::skeleton) fn new(from: u64) -> Self {
        Nodes {
            from,
            to: from,
            values: ArrayVec::new(),
        }
    }

    /// Those of a spine, instead of none.
    #[inline(always)]
    pub(in crate::skeleton) fn begin(&mut self, (from, to): (u64, u64), nodes: &[T]) {
        (self.from, self.to) = (from, to);
        self.values.extend(nodes.iter().copied());
    }

    /// Appends the next tile.
    #[inline(always)]
    pub(in crate::skeleton) fn push(&mut self, op: impl Op<T>, tile: T) {
        let (mut value, mut level, mut number) = (tile, 0, self.to);
        while is_right_half(self.from, level, number)
            && let Some(left) = self.values.pop()
        {
            value = op.apply(left, value);
            (level, number) = (level + 1, number / 2);
        }
        self.values.push(value);
        self.to += 1;
    }

    /// All tiles combined: the tree, from the right.
    #[inline(always)]
    pub(in crate::skeleton) fn value(&self, op: impl Op<T>) -> Option<T> {
        let from_right = self.values.iter().rev().copied();
        from_right.reduce(|right, left| op.apply(left, right))
    }

    /// The same for others: as one value, unless the tiles are those of the call.
    pub(in crate::skeleton) fn spine<R: Operator<T>>(
        &self,
        initial: Option<T>,
        keeps_tiles: bool,
    ) -> Spine {
        if keeps_tiles {
            return Spine::of_nodes((self.from, self.to), initial, &self.values);
        }
        let all = join(by::<R>(), initial, self.value(by::<R>()));
        Spine::lump(all.map_or(Partial::NONE, Partial::of))
    }
}
