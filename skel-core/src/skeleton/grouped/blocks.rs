//! Tiles of blocks, which keep the order of the elements.

use super::{Elements, Folding, Op, array, chain, join};
use crate::{
    Element,
    element::zero,
    plan::grouping::{BLOCK, CHUNK},
    skeleton::fold::Operator,
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
    pub(in crate::skeleton) fn close_block(&mut self, op: impl Op<T>, total: T) {
        self.block.clear();
        self.chunk = join(op, self.chunk, Some(total));
    }

    /// Closes the chunk, whose last block is closed.
    #[inline(always)]
    pub(in crate::skeleton) fn close_chunk(&mut self, op: impl Op<T>) {
        let chunk = self.chunk.take();
        self.tile = join(op, self.tile, chunk);
    }

    /// Closes the tile, however short its last block is; its value, if it has elements.
    #[inline(always)]
    pub(in crate::skeleton) fn close(&mut self, op: impl Op<T>) -> Option<T> {
        if !self.block.is_empty() {
            let total = match self.block.as_slice().as_array::<BLOCK>() {
                Some(block) => tree_of_block(op, block),
                None => chain(op, &self.block),
            };
            self.close_block(op, total);
        }
        self.close_chunk(op);
        self.tile.take()
    }
}

impl<T: Element, const BY_LANES: bool> Folding<T, BY_LANES> {
    #[inline(always)]
    pub(super) fn add_to_blocks(&mut self, elements: &mut impl Elements<T>, n: usize, last: bool) {
        let (op, tile_elems, mut at) = (elements.op(), self.grouping.tile_elems(), 0);
        while at < n {
            if tile_elems == BLOCK && self.count == 0 && n - at >= BLOCK {
                // Tiles of one block: several at once.
                let mut totals = [zero(); CHUNK / BLOCK];
                let most = ((n - at) / BLOCK).min(totals.len());
                let many = elements.blocks(at, most, &mut totals);
                for total in &totals[..many] {
                    self.nodes.push(op, *total);
                }
                at += many * BLOCK;
                continue;
            }
            let room = (n - at).min(tile_elems - self.count);
            let some = if !BY_LANES && self.count.is_multiple_of(CHUNK) && room >= CHUNK {
                let chunk = elements.chunk(at);
                self.blocks.tile = join(op, self.blocks.tile, Some(chunk));
                CHUNK
            } else {
                let begun = self.blocks.block.len();
                let some = if begun == 0 && room >= BLOCK {
                    let left = CHUNK - self.count % CHUNK;
                    let mut totals = [zero(); CHUNK / BLOCK];
                    let many = elements.blocks(at, room.min(left) / BLOCK, &mut totals);
                    for total in &totals[..many] {
                        self.blocks.close_block(op, *total);
                    }
                    many * BLOCK
                } else {
                    let some = room.min(BLOCK - begun);
                    let mut block = [zero(); BLOCK];
                    elements.copy(at, &mut block[..some]);
                    self.blocks.block.extend(block[..some].iter().copied());
                    if let Some(block) = self.blocks.block.as_slice().as_array::<BLOCK>() {
                        let total = tree_of_block(elements.pointers(), block);
                        self.blocks.close_block(op, total);
                    }
                    some
                };
                if (self.count + some).is_multiple_of(CHUNK) {
                    self.blocks.close_chunk(op);
                }
                some
            };
            at += some;
            self.count += some;
            if self.count == tile_elems || last && at == n {
                self.count = 0;
                if let Some(tile) = self.blocks.close(op) {
                    self.nodes.push(op, tile);
                }
            }
        }
    }
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
pub(in crate::skeleton) fn tree_of_block<T: Element>(op: impl Op<T>, block: &[T; BLOCK]) -> T {
    let mut totals = *block;
    let mut len = BLOCK;
    while len > 1 {
        len /= 2;
        for i in 0..len {
            totals[i] = op.apply(totals[2 * i], totals[2 * i + 1]);
        }
    }
    totals[0]
}
