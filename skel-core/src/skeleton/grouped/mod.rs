//! Folds in the grouping of [`crate::plan::grouping`], whatever segments the elements come in.

mod blocks;
mod columns;
mod elements;
mod lanes;
mod nodes;
mod op;

pub(super) use blocks::{Blocks, block_totals, tree_of_block};
pub(super) use columns::Columns;
pub(super) use elements::{Elements, Opened, Values, compute};
pub(super) use lanes::less_than_lanes;
pub(super) use nodes::Nodes;
pub(super) use op::{Op, Pointers, by};

use super::fold::Operator;
use crate::{
    Element,
    element::zero,
    frame::Spine,
    plan::{
        Grouping,
        grouping::{LANES, SHORT},
    },
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
pub(super) fn join<T: Element>(op: impl Op<T>, left: Option<T>, right: Option<T>) -> Option<T> {
    match (left, right) {
        (Some(left), Some(right)) => Some(op.apply(left, right)),
        (left, None) => left,
        (None, right) => right,
    }
}

/// Combines values, which are not none, one after the other.
#[inline(always)]
fn chain<T: Element>(op: impl Op<T>, values: &[T]) -> T {
    let mut total = values[0];
    for value in &values[1..] {
        total = op.apply(total, *value);
    }
    total
}

/// Values that are computed at once before they are combined.
pub(super) const BLOCK_VALUES: usize = 256;

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

    /// Adds the next `n` elements, which are not none; after the `last` ones, the tile is closed. If they are to be
    /// `COMPUTED`, they are before they are combined: little is compiled for the functions then.
    #[inline(always)]
    pub(super) fn add<const COMPUTED: bool>(
        &mut self,
        elements: &mut impl Elements<T>,
        n: usize,
        last: bool,
    ) {
        // Nothing is compiled for operators that commute but go by blocks: where functions have loops, or no kernel.
        if COMPUTED || BY_LANES && self.grouping != Grouping::Lanes {
            self.add_computed(elements, n, last);
        } else if self.is_chain {
            self.add_to_chain(elements, n, last);
        } else if BY_LANES {
            self.add_to_lanes(elements, n, last);
        } else {
            self.add_to_blocks(elements, n, last);
        }
    }

    #[inline(always)]
    fn add_computed(&mut self, elements: &mut impl Elements<T>, n: usize, last: bool) {
        let mut values = [zero(); BLOCK_VALUES];
        for at in (0..n).step_by(BLOCK_VALUES) {
            let values = &mut values[..(n - at).min(BLOCK_VALUES)];
            elements.copy(at, values);
            let values = Values::new(values, elements.pointers());
            self.add_values(values, last && n - at <= BLOCK_VALUES);
        }
    }

    /// Adds values that are there.
    ///
    /// Not inlined: it is compiled once for all operators.
    #[inline(never)]
    pub(super) fn add_values(&mut self, mut values: Values<'_, T>, last: bool) {
        let n = values.len();
        if self.is_chain {
            self.add_to_chain(&mut values, n, last);
        } else if BY_LANES && self.grouping == Grouping::Lanes {
            self.add_to_lanes(&mut values, n, last);
        } else {
            self.add_to_blocks(&mut values, n, last);
        }
    }

    #[inline(always)]
    fn add_to_chain(&mut self, elements: &mut impl Elements<T>, n: usize, last: bool) {
        let total = elements.chain(0..n, self.blocks.tile);
        match total.filter(|_| last) {
            Some(total) => self.nodes.push(elements.op(), total),
            None => self.blocks.tile = total,
        }
    }

    /// All elements combined.
    #[inline(always)]
    pub(super) fn value<R: Operator<T>>(&self) -> Option<T> {
        self.nodes.value(by::<R>())
    }

    /// What the piece gives.
    pub(super) fn spine<R: Operator<T>>(&self) -> Spine {
        self.nodes.spine::<R>(None, self.keeps_tiles)
    }
}
