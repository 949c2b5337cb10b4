//! Tiles of blocks, which keep the order of the elements.

use super::{Folding, array, element, join};
use crate::{
    Element,
    param::{ParamList, Position},
    plan::grouping::{BLOCK, CHUNK},
    skeleton::fold::Operator,
    space::Segment,
    user_function::UserFunction,
};
use arrayvec::ArrayVec;

/// An open tile: the elements of its open block, and the chains of what is closed.
pub(in crate::skeleton) struct Blocks<T> {
    pub(in crate::skeleton) block: ArrayVec<T, BLOCK>,
    /// The blocks of the open chunk.
    pub(in crate::skeleton) chunk: Option<T>,
    /// The chunks of the open tile.
    pub(in crate::skeleton) tile: Option<T>,
}

impl<T> Default for Blocks<T> {
    #[inline(always)]
    fn default() -> Self {
        Blocks {
            block: ArrayVec::new(),
            chunk: None,
            tile: None,
        }
    }
}

impl<T: Element> Blocks<T> {
    /// Closes the block, which is full.
    #[inline(always)]
    pub(in crate::skeleton) fn close_block<R: Operator<T>>(&mut self, total: T) {
        self.block.clear();
        self.chunk = join::<T, R>(self.chunk, Some(total));
    }

    /// Closes the chunk, whose last block is closed.
    #[inline(always)]
    pub(in crate::skeleton) fn close_chunk<R: Operator<T>>(&mut self) {
        let chunk = self.chunk.take();
        self.tile = join::<T, R>(self.tile, chunk);
    }

    /// Closes the tile, however short its last block is; its value, if it has elements.
    #[inline(always)]
    pub(in crate::skeleton) fn close<R: Operator<T>>(&mut self) -> Option<T> {
        if !self.block.is_empty() {
            let total = match self.block.as_slice().as_array::<BLOCK>() {
                Some(block) => tree_of_block::<T, R>(block),
                None => chain::<T, R>(&self.block),
            };
            self.close_block::<R>(total);
        }
        self.close_chunk::<R>();
        self.tile.take()
    }
}

impl<T: Element, const BY_LANES: bool> Folding<T, BY_LANES> {
    #[inline(always)]
    pub(super) fn add_to_blocks<F, R, P>(
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
        let (mut at, tile_elems) = (0, self.grouping.tile_elems());
        while at < n {
            let room = (n - at).min(tile_elems - self.count);
            // What goes by lanes comes here if it is heavy, with tiles of one block.
            let some = if !BY_LANES && self.count.is_multiple_of(CHUNK) && room >= CHUNK {
                let chunk = whole_chunk::<F, R, P>(segment, access, at);
                self.blocks.tile = join::<T, R>(self.blocks.tile, Some(chunk));
                CHUNK
            } else {
                let some = room.min(BLOCK - self.blocks.block.len());
                let mut access = P::sub(access, at..at + some);
                for k in 0..some {
                    let value = element!(segment, &mut access, at + k, k);
                    self.blocks.block.push(value);
                }
                if let Some(block) = self.blocks.block.as_slice().as_array::<BLOCK>() {
                    let total = tree_of_block::<T, R>(block);
                    self.blocks.close_block::<R>(total);
                    if (self.count + some).is_multiple_of(CHUNK) {
                        self.blocks.close_chunk::<R>();
                    }
                }
                some
            };
            at += some;
            self.count += some;
            if self.count == tile_elems || last && at == n {
                self.count = 0;
                if let Some(tile) = self.blocks.close::<R>() {
                    self.nodes.push::<R>(tile);
                }
            }
        }
    }
}

/// The chunk of the elements from `at`.
#[inline(always)]
fn whole_chunk<F, R, P>(segment: &Segment, access: &mut P::Access<'_>, at: usize) -> F::Output
where
    P: ParamList,
    F: UserFunction<P, Output: Element>,
    R: Operator<F::Output>,
{
    let mut chunk = P::sub(access, at..at + CHUNK);
    // The first level of the trees is done while reading.
    let mut pairs: [F::Output; CHUNK / 2] = array(|i| {
        let left = element!(segment, &mut chunk, at + 2 * i, 2 * i);
        let right = element!(segment, &mut chunk, at + 2 * i + 1, 2 * i + 1);
        R::apply(left, right)
    });
    chain::<F::Output, R>(&block_totals::<F::Output, R>(&mut pairs))
}

/// The totals of the blocks of a chunk, of whose elements neighbours have been combined.
#[inline(always)]
pub(in crate::skeleton) fn block_totals<T: Element, R: Operator<T>>(
    pairs: &mut [T; CHUNK / 2],
) -> [T; CHUNK / BLOCK] {
    let mut spare = *pairs;
    let mut len = CHUNK / 2;
    while len > CHUNK / BLOCK {
        // From one array to another: in place, LLVM would have to prove that nothing overlaps.
        for i in 0..len / 2 {
            spare[i] = R::apply(pairs[2 * i], pairs[2 * i + 1]);
        }
        len /= 2;
        pairs[..len].copy_from_slice(&spare[..len]);
    }
    array(|i| pairs[i])
}

/// A whole block: pairs, pairs of pairs, and so on.
#[inline(always)]
pub(in crate::skeleton) fn tree_of_block<T: Element, R: Operator<T>>(block: &[T; BLOCK]) -> T {
    let mut totals = *block;
    let mut len = BLOCK;
    while len > 1 {
        len /= 2;
        for i in 0..len {
            totals[i] = R::apply(totals[2 * i], totals[2 * i + 1]);
        }
    }
    totals[0]
}

#[inline(always)]
fn chain<T: Element, R: Operator<T>>(values: &[T]) -> T {
    let mut total = values[0];
    for value in &values[1..] {
        total = R::apply(total, *value);
    }
    total
}
