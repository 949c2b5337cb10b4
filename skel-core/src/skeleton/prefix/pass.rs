//! A walk over elements of a segment, which combines them, and writes what precedes each.

use super::{
    Form,
    held::Held,
    scanning::Scanning,
    wide::{doubled, is_wide},
};
use crate::{
    element::zero,
    frame::Fence,
    param::{Outputs, ParamList, Position},
    plan::grouping::{BLOCK, CHUNK},
    skeleton::{
        fold::Operator,
        grouped::{self, block_totals, by, tree_of_block},
    },
    space::Segment,
    user_function::UserFunction,
};

type Access<'a, S> = <<S as Form>::Params as ParamList>::Access<'a>;
type Written<'a, S> = <<S as Form>::Output as Outputs>::Access<'a>;

/// A walk over some elements of a segment, which are counted from the `first` of them.
pub(super) struct Pass<'s, 'a, S: Form, const WRITES: bool> {
    pub(super) segment: &'s Segment,
    pub(super) first: usize,
    /// There is one if prefixes are streamed.
    pub(super) fence: Option<&'s Fence>,
    pub(super) inputs: Access<'a, S>,
    /// Where prefixes are written, if they are.
    pub(super) outputs: Option<Written<'a, S>>,
}

impl<'s, S: Form, const WRITES: bool> Pass<'s, '_, S, WRITES> {
    /// A walk over `some` elements from `at`: one bounds check for all of them.
    #[inline(always)]
    pub(super) fn over(&mut self, at: usize, some: usize) -> Pass<'s, '_, S, WRITES> {
        Pass {
            segment: self.segment,
            first: self.first + at,
            fence: self.fence,
            inputs: S::Params::sub(&mut self.inputs, at..at + some),
            outputs: self
                .outputs
                .as_mut()
                .map(|all| <S::Output as Outputs>::sub(all, at..at + some)),
        }
    }

    /// What is combined of the `k`-th element.
    #[inline(always)]
    fn own(&mut self, k: usize) -> S::State {
        let at = <S::Map as UserFunction<S::Params>>::At::at(self.segment, self.first + k);
        S::Map::call(at, S::Params::get(&mut self.inputs, k))
    }

    #[inline(always)]
    pub(super) fn write(&mut self, k: usize, prefix: S::State, own: S::State) {
        if let Some(outputs) = &mut self.outputs {
            let value = S::emit(prefix, own, S::Params::get(&mut self.inputs, k));
            <S::Output as Outputs>::put(outputs, k, value);
        }
    }

    /// Writes elements `at..end`, one after the other; gives the last prefix.
    #[inline(always)]
    pub(super) fn chain(
        &mut self,
        mut at: usize,
        end: usize,
        before: Option<S::State>,
    ) -> S::State {
        let mut prefix = match before {
            Some(before) => before,
            None => {
                assert!(!S::EXCLUSIVE, "something precedes an exclusive scan");
                let own = self.own(at);
                self.write(at, own, own);
                at += 1;
                own
            }
        };
        for k in at..end {
            let own = self.own(k);
            let next = S::Operator::apply(prefix, own);
            self.write(k, if S::EXCLUSIVE { prefix } else { next }, own);
            prefix = next;
        }
        prefix
    }

    /// What precedes elements that are written. Where they are combined alone, no operator is called for it: it could
    /// trap.
    #[inline(always)]
    fn carried(left: Option<S::State>, right: Option<S::State>) -> Option<S::State> {
        match WRITES {
            true => join::<S>(left, right),
            false => None,
        }
    }

    /// Combines all elements, and writes them.
    #[inline(always)]
    pub(super) fn tiles<const BY_PARTS: bool>(&mut self, n: usize, scanning: &mut Scanning<S>) {
        let mut at = 0;
        while at < n {
            if WRITES && scanning.count == 0 {
                scanning.before = scanning.carry();
            }
            let room = (n - at).min(scanning.tile_elems - scanning.count);
            let before = Self::carried(scanning.before, scanning.open.tile);
            // What nothing precedes goes block by block where chunks are wide.
            let is_chunk = !BY_PARTS
                && scanning.count.is_multiple_of(CHUNK)
                && room >= CHUNK
                && (const { !WRITES || !is_wide::<S>() } || before.is_some());
            let some = if is_chunk {
                let chunk = self.over(at, CHUNK).chunk(before);
                scanning.open.tile = join::<S>(scanning.open.tile, Some(chunk));
                CHUNK
            } else {
                let carry = Self::carried(before, scanning.open.chunk);
                let some = if !BY_PARTS && scanning.open.block.is_empty() && room >= BLOCK {
                    let total = self.over(at, BLOCK).block(carry);
                    scanning.open.close_block(by::<S::Operator>(), total);
                    BLOCK
                } else {
                    let some = room.min(BLOCK - scanning.open.block.len());
                    self.over(at, some).part_of_block(some, carry, scanning);
                    some
                };
                if (scanning.count + some).is_multiple_of(CHUNK) {
                    scanning.open.close_chunk(by::<S::Operator>());
                }
                some
            };
            at += some;
            scanning.passed(some);
        }
    }

    /// Combines a chunk, and writes it.
    #[inline(always)]
    fn chunk(&mut self, before: Option<S::State>) -> S::State {
        if const { WRITES && is_wide::<S>() } {
            let before = before.unwrap_or_else(|| unreachable!("something precedes a wide chunk"));
            return self.wide_chunk(before);
        }
        let mut total: Option<S::State> = None;
        if let Held { own, any, .. } = self.held::<CHUNK>()
            && (const { !S::FLAGS } || !any)
        {
            // The totals first: then the blocks do not wait for each other.
            let mut pairs: [S::Inner; CHUNK / 2] =
                grouped::array(|i| S::InnerOperator::apply(own[2 * i], own[2 * i + 1]));
            let totals = block_totals::<S::Inner, S::InnerOperator>(&mut pairs);
            for (number, block) in own.as_chunks::<BLOCK>().0.iter().enumerate() {
                if WRITES {
                    let carry = join::<S>(before, total);
                    self.over(number * BLOCK, BLOCK).chain_inner(block, carry);
                }
                total = join::<S>(total, Some(S::outer(totals[number], false)));
            }
        } else if const { S::FLAGS } {
            for number in 0..CHUNK / BLOCK {
                let carry = Self::carried(before, total);
                let block = self.over(number * BLOCK, BLOCK).block(carry);
                total = join::<S>(total, Some(block));
            }
        }
        total.unwrap_or_else(|| unreachable!("a chunk has blocks"))
    }

    /// Combines a block, and writes it, which `carry` precedes.
    #[inline(always)]
    pub(super) fn block(&mut self, carry: Option<S::State>) -> S::State {
        if const { WRITES && is_wide::<S>() } {
            let own: [S::State; BLOCK] = grouped::array(|i| self.own(i));
            let prefixes = doubled::<S>(&own, BLOCK);
            self.write_block(&own, &prefixes, 0..BLOCK, carry);
            return prefixes[BLOCK - 1];
        }
        let held = self.held::<BLOCK>();
        if const { !S::FLAGS } || !held.any {
            if WRITES {
                self.chain_inner(&held.own, carry);
            }
            return S::outer(tree_of_block(by::<S::InnerOperator>(), &held.own), false);
        }
        if WRITES {
            self.chain_held(&held, carry);
        }
        held.tree()
    }

    /// Adds the next few elements of the open block, and writes them, which `carry` precedes.
    #[inline(always)]
    fn part_of_block(&mut self, some: usize, carry: Option<S::State>, scanning: &mut Scanning<S>) {
        let begun = scanning.open.block.len();
        for k in 0..some {
            let own = self.own(k);
            scanning.open.block.push(own);
        }
        if !WRITES {
            // Elements of the open block are all that is wanted.
        } else if is_wide::<S>() {
            let mut block = [zero(); BLOCK];
            block[..begun + some].copy_from_slice(&scanning.open.block);
            // A prefix depends on nothing behind it.
            let prefixes = doubled::<S>(&block, begun + some);
            self.write_block(&block, &prefixes, begun..begun + some, carry);
        } else {
            let before = if begun == 0 { carry } else { scanning.within };
            let block = &scanning.open.block[begun..];
            scanning.within = Some(self.chain_block(block, before));
        }
        if let Some(block) = scanning.open.block.as_slice().as_array::<BLOCK>() {
            let total = tree_of_block(by::<S::Operator>(), block);
            scanning.open.close_block(by::<S::Operator>(), total);
        }
    }

    /// The first elements.
    #[inline(always)]
    fn held<const N: usize>(&mut self) -> Held<S, N> {
        let (mut begins, mut any) = ([false; N], false);
        let own = grouped::array(|k| {
            let (inner, is_first) = S::inner(self.own(k));
            begins[k] = is_first;
            any |= is_first;
            inner
        });
        Held { own, begins, any }
    }

    /// Writes elements some of which begin segments, one after the other.
    #[inline(always)]
    fn chain_held(&mut self, held: &Held<S, BLOCK>, before: Option<S::State>) {
        let mut prefix = before.map(|state| S::inner(state).0);
        for (k, (own, is_first)) in held.own.iter().zip(held.begins).enumerate() {
            let next = match prefix {
                Some(prefix) if !is_first => S::InnerOperator::apply(prefix, *own),
                _ => *own,
            };
            let written = match prefix {
                Some(prefix) if S::EXCLUSIVE => prefix,
                None if S::EXCLUSIVE => unreachable!("something precedes an exclusive scan"),
                _ => next,
            };
            self.write(k, S::outer(written, false), S::outer(*own, is_first));
            prefix = Some(next);
        }
    }

    /// Writes elements none of which begins a segment, one after the other.
    #[inline(always)]
    fn chain_inner(&mut self, block: &[S::Inner], before: Option<S::State>) {
        let mut prefix = before.map(|state| S::inner(state).0);
        for (k, own) in block.iter().enumerate() {
            let next = match prefix {
                Some(prefix) => S::InnerOperator::apply(prefix, *own),
                None => *own,
            };
            let written = match prefix {
                Some(prefix) if S::EXCLUSIVE => prefix,
                None if S::EXCLUSIVE => unreachable!("something precedes an exclusive scan"),
                _ => next,
            };
            self.write(k, S::outer(written, false), S::outer(*own, false));
            prefix = Some(next);
        }
    }

    /// Writes elements of a block, one after the other; gives the last prefix.
    #[inline(always)]
    fn chain_block(&mut self, block: &[S::State], before: Option<S::State>) -> S::State {
        let mut prefix = before;
        for (k, own) in block.iter().enumerate() {
            let next = match prefix {
                Some(prefix) => S::Operator::apply(prefix, *own),
                None => *own,
            };
            let written = match prefix {
                Some(prefix) if S::EXCLUSIVE => prefix,
                None if S::EXCLUSIVE => unreachable!("something precedes an exclusive scan"),
                _ => next,
            };
            self.write(k, written, *own);
            prefix = Some(next);
        }
        prefix.unwrap_or_else(|| unreachable!("a block has elements"))
    }
}

/// Combines what there is.
#[inline(always)]
pub(super) fn join<S: Form>(left: Option<S::State>, right: Option<S::State>) -> Option<S::State> {
    grouped::join(by::<S::Operator>(), left, right)
}
