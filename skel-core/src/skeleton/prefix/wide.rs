//! Chunks and blocks whose prefixes come by doubling reaches: sums and products of floats, which would wait for each addition.

use super::{
    Form,
    pass::{Pass, join},
};
use crate::{
    Element,
    element::zero,
    frame::{Fence, OutSlice},
    param::{Outputs, ParamList},
    plan::grouping::{BLOCK, CHUNK},
    skeleton::fold::Operator,
    streaming,
    user_function::UserFunction,
};
use std::{hint::black_box, ops::Range};

/// The most elements that are streamed at once: those of an `f32`, two blocks.
const MOST_STREAMED: usize = 32;

/// Whether prefixes of so many elements are streamed, if they come by blocks: one or several of these are what is streamed
/// at once.
pub(super) fn streams<S: Form>(elems: usize) -> bool {
    let streamed = <S::Output as Outputs>::STREAMED;
    let fits = (BLOCK..=MOST_STREAMED).contains(&streamed) && streamed.is_multiple_of(BLOCK);
    fits && streaming::pays(elems.saturating_mul(size_of::<S::Output>()))
}

impl<S: Form, const WRITES: bool> Pass<'_, '_, S, WRITES> {
    /// Combines a chunk of values that go by doubling reaches, and writes it, which `before` precedes.
    #[inline(always)]
    pub(super) fn wide_chunk(&mut self, before: S::State) -> S::State {
        if let (Some(fence), Some(outputs)) = (self.fence, &self.outputs)
            && <S::Output as Outputs>::can_stream(outputs, 0)
        {
            return self.streamed_chunk(before, fence);
        }
        let mut total: Option<S::State> = None;
        for at in (0..CHUNK).step_by(BLOCK) {
            let carry = total.map_or(before, |total| S::Operator::apply(before, total));
            let block = self.over(at, BLOCK).block(Some(carry));
            total = join::<S>(total, Some(block));
        }
        total.unwrap_or(before)
    }

    /// The same, past the caches.
    #[inline(always)]
    fn streamed_chunk(&mut self, before: S::State, fence: &Fence) -> S::State {
        let mut total: Option<S::State> = None;
        let streamed = <S::Output as Outputs>::STREAMED;
        for first in (0..CHUNK).step_by(streamed) {
            let mut ready = [zero(); MOST_STREAMED];
            for at in (0..streamed).step_by(BLOCK) {
                let carry = total.map_or(before, |total| S::Operator::apply(before, total));
                let block = Pass::<'_, '_, S, WRITES> {
                    segment: self.segment,
                    first: self.first + first + at,
                    fence: None,
                    inputs: S::Params::sub(&mut self.inputs, first + at..first + at + BLOCK),
                    outputs: Some(OutSlice::of(&mut ready[at..at + BLOCK])),
                }
                .block(Some(carry));
                total = join::<S>(total, Some(block));
            }
            // Through memory: if LLVM knew what becomes of them, it would compute the blocks as scalars.
            let ready = black_box(&ready);
            if let Some(outputs) = &mut self.outputs {
                <S::Output as Outputs>::stream(outputs, first, fence, |k| ready[k]);
            }
        }
        total.unwrap_or(before)
    }

    /// Writes the elements, which are those in `some` of a block with these prefixes.
    #[inline(always)]
    pub(super) fn write_block(
        &mut self,
        block: &[S::State; BLOCK],
        prefixes: &[S::State; BLOCK],
        some: Range<usize>,
        carry: Option<S::State>,
    ) {
        let begin = some.start;
        match carry {
            Some(carry) if S::EXCLUSIVE => {
                for i in some {
                    let prefix = match i.checked_sub(1) {
                        None => carry,
                        Some(last) => S::Operator::apply(carry, prefixes[last]),
                    };
                    self.write(i - begin, prefix, block[i]);
                }
            }
            Some(carry) => {
                for i in some {
                    let prefix = S::Operator::apply(carry, prefixes[i]);
                    self.write(i - begin, prefix, block[i]);
                }
            }
            None => {
                assert!(!S::EXCLUSIVE, "something precedes an exclusive scan");
                for i in some {
                    self.write(i - begin, prefixes[i], block[i]);
                }
            }
        }
    }
}

/// The prefixes of the first few elements of a block, by doubling reaches.
#[inline(always)]
pub(super) fn doubled<S: Form>(block: &[S::State; BLOCK], some: usize) -> [S::State; BLOCK] {
    let mut prefixes = *block;
    let mut reach = 1;
    while reach < BLOCK {
        let last = prefixes;
        for i in reach..some {
            prefixes[i] = S::Operator::apply(last[i - reach], last[i]);
        }
        reach *= 2;
    }
    prefixes
}

/// Whether the operator takes one instruction that also exists for many values at once, and takes
/// longer than that, so that doing more of them in all pays: a float's `+`, `*`, `min`, `max`.
pub(super) const fn is_wide<S: Form>() -> bool {
    S::State::IS_FLOAT && <S::Operator as UserFunction<_>>::COMMUTATIVE
}
