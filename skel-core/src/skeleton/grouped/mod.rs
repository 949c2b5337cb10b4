//! Folds in the grouping of [`crate::plan::grouping`], whatever segments the elements come in.

mod blocks;
mod columns;
mod lanes;
mod nodes;

pub(super) use blocks::{Blocks, block_totals, tree_of_block};
pub(super) use columns::Columns;
pub(super) use lanes::less_than_lanes;
pub(super) use nodes::Nodes;

use super::fold::Operator;
use crate::{
    Element,
    element::zero,
    frame::{Slot, Spine},
    param::{ParamList, Position},
    plan::{
        Grouping,
        grouping::{LANES, SHORT},
    },
    space::Segment,
    user_function::UserFunction,
};
use std::ops::Range;

/// The value of the `k`-th element of the segment.
macro_rules! element {
    ($segment:expr, $access:expr, $k:expr, $i:expr) => {
        F::call(F::At::at($segment, $k), P::get($access, $i))
    };
}
pub(super) use element;

/// An array of what `element` gives for each place. `std::array::from_fn` is inlined where LLVM likes, and compiled for the
/// baseline where it does not.
#[inline(always)]
pub(super) fn array<T: Element, const N: usize>(mut element: impl FnMut(usize) -> T) -> [T; N] {
    let mut array = [zero(); N];
    for (place, value) in array.iter_mut().enumerate() {
        *value = element(place);
    }
    array
}

/// Combines what there is.
#[inline(always)]
pub(super) fn join<T: Element, R: Operator<T>>(left: Option<T>, right: Option<T>) -> Option<T> {
    match (left, right) {
        (Some(left), Some(right)) => Some(R::apply(left, right)),
        (left, None) => left,
        (None, right) => right,
    }
}

/// A fold between two segments of its elements. With `BY_LANES`, it is a fold whose operator commutes.
pub(super) struct Folding<T: Element, const BY_LANES: bool> {
    grouping: Grouping,
    /// Whether the tiles are those of the call.
    keeps_tiles: bool,
    /// Whether all elements are one chain.
    is_chain: bool,
    nodes: Nodes<T>,
    /// Elements of the open tile so far.
    count: usize,
    lanes: Option<[T; LANES]>,
    blocks: Blocks<T>,
}

impl<T: Element, const BY_LANES: bool> Folding<T, BY_LANES> {
    /// A fold of elements `range`, of `elems` in all.
    #[inline(always)]
    pub(super) fn new(grouping: Grouping, range: &Range<usize>, elems: usize) -> Self {
        let tiles = grouping.tiles(range.start, range.end, elems);
        Folding {
            grouping,
            keeps_tiles: tiles.is_some(),
            is_chain: elems < SHORT && grouping != Grouping::Heavy,
            nodes: Nodes::new(tiles.map_or(0, |(from, _)| from)),
            count: 0,
            lanes: None,
            blocks: Blocks::default(),
        }
    }

    /// Adds the elements of the next segment, which are not none; after the `last` one, the tile is closed.
    #[inline(always)]
    pub(super) fn add<F, R, P>(&mut self, slots: &mut [Slot<'_>], segment: &Segment, last: bool)
    where
        P: ParamList,
        F: UserFunction<P, Output = T>,
        R: Operator<T>,
    {
        let n = segment.range().len();
        let mut access = P::open(slots, segment);
        if self.is_chain {
            self.add_to_chain::<F, R, P>(segment, &mut access, n, last);
        } else if BY_LANES && self.grouping == Grouping::Lanes {
            self.add_to_lanes::<F, R, P>(segment, &mut access, n, last);
        } else {
            self.add_to_blocks::<F, R, P>(segment, &mut access, n, last);
        }
    }

    #[inline(always)]
    fn add_to_chain<F, R, P>(
        &mut self,
        segment: &Segment,
        access: &mut P::Access<'_>,
        n: usize,
        last: bool,
    ) where
        P: ParamList,
        F: UserFunction<P, Output = T>,
        R: Operator<T>,
    {
        let mut access = P::sub(access, 0..n);
        let mut total = self.blocks.tile;
        for k in 0..n {
            total = join::<T, R>(total, Some(element!(segment, &mut access, k, k)));
        }
        match total.filter(|_| last) {
            Some(total) => self.nodes.push::<R>(total),
            None => self.blocks.tile = total,
        }
    }

    /// All elements combined.
    #[inline(always)]
    pub(super) fn value<R: Operator<T>>(&self) -> Option<T> {
        self.nodes.value::<R>()
    }

    /// What the piece gives.
    pub(super) fn spine<R: Operator<T>>(&self) -> Spine {
        self.nodes.spine::<R>(None, self.keeps_tiles)
    }
}
