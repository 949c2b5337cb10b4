//! The loops of a scan on the host.

use super::{Form, held::Held, scanning::Scanning};
use crate::{
    Element,
    element::zero,
    frame::{Fence, Frame, OutSlice},
    isa,
    param::{Outputs, ParamList, Position},
    plan::grouping::{BLOCK, CHUNK},
    skeleton::{
        elementwise::by_rows,
        fold::Operator,
        grouped::{self, block_totals, by, tree_of_block},
    },
    space::Segment,
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

type Access<'a, S> = <<S as Form>::Params as ParamList>::Access<'a>;
type Written<'a, S> = <<S as Form>::Output as Outputs>::Access<'a>;

/// Walks over the segments of these elements of a piece, from what precedes it in all; `WRITES` says whether to write
/// prefixes, or to combine the elements alone.
///
/// Not inlined: it is called from several places, and is compiled once for all of them.
#[inline(never)]
pub(super) fn walk<S: Form, const WRITES: bool>(
    frame: &mut Frame<'_>,
    range: Range<usize>,
    scanning: &mut Scanning<S>,
) {
    isa::dispatch(Walk::<S, WRITES, false> {
        frame,
        range,
        scanning,
    });
}

/// The same, which writes prefixes, and streams them. Gives `false` where the machine's instruction set has no such loop.
pub(super) fn walk_streaming<S: Form>(
    frame: &mut Frame<'_>,
    range: Range<usize>,
    scanning: &mut Scanning<S>,
) -> bool {
    let walked = isa::dispatch_vectors(Walk::<S, true, true> {
        frame,
        range,
        scanning,
    });
    walked.is_some()
}

struct Walk<'a, 'm, S: Form, const WRITES: bool, const STREAMS: bool> {
    frame: &'a mut Frame<'m>,
    range: Range<usize>,
    scanning: &'a mut Scanning<S>,
}

impl<S: Form, const WRITES: bool, const STREAMS: bool> isa::Body
    for Walk<'_, '_, S, WRITES, STREAMS>
{
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.walk::<false>();
    }

    #[inline(always)]
    fn run_baseline(self) {
        self.walk::<true>();
    }
}

impl<S: Form, const WRITES: bool, const STREAMS: bool> Walk<'_, '_, S, WRITES, STREAMS> {
    /// With `BY_PARTS`, all blocks are combined as those are of which only some elements are there: little is compiled then.
    #[inline(always)]
    fn walk<const BY_PARTS: bool>(self) {
        let (mut rest, opening) = (self.range, self.frame.opening());
        let scanning = self.scanning;
        let fence = const { STREAMS }.then(Fence::new);
        while !rest.is_empty() {
            let segment = opening.segment(&rest, by_rows::<S::Map, S::Params>());
            let r = segment.range();
            let n = r.len();
            rest.start = r.end;
            let (inputs, outputs) = self.frame.slots.split_at_mut(S::Params::LEN);
            let mut inputs = S::Params::open(inputs, &segment);
            let mut outputs = WRITES.then(|| <S::Output as Outputs>::open(outputs, &r));
            let mut pass = Pass::<'_, '_, S, WRITES> {
                segment: &segment,
                first: 0,
                fence: fence.as_ref(),
                // Slices of exactly `n` elements, so that no access in the loop is checked.
                inputs: S::Params::sub(&mut inputs, 0..n),
                outputs: outputs
                    .as_mut()
                    .map(|all| <S::Output as Outputs>::sub(all, 0..n)),
            };
            // What is known of the type is not compiled otherwise. Elements that are combined alone go by tiles in any case.
            let is_chain = const { WRITES && !matches!(exact::<S>(), Some(false)) }
                && (const { matches!(exact::<S>(), Some(true)) } || scanning.exact);
            if is_chain {
                scanning.within = Some(pass.chain(0, n, scanning.within));
            } else if const { !WRITES || !matches!(exact::<S>(), Some(true)) } {
                pass.tiles::<BY_PARTS>(n, scanning);
            }
        }
    }
}

/// A walk over some elements of a segment, which are counted from the `first` of them.
struct Pass<'s, 'a, S: Form, const WRITES: bool> {
    segment: &'s Segment,
    first: usize,
    /// There is one if prefixes are streamed.
    fence: Option<&'s Fence>,
    inputs: Access<'a, S>,
    /// Where prefixes are written, if they are.
    outputs: Option<Written<'a, S>>,
}

impl<'s, S: Form, const WRITES: bool> Pass<'s, '_, S, WRITES> {
    /// A walk over `some` elements from `at`: one bounds check for all of them.
    #[inline(always)]
    fn over(&mut self, at: usize, some: usize) -> Pass<'s, '_, S, WRITES> {
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
    fn write(&mut self, k: usize, prefix: S::State, own: S::State) {
        if let Some(outputs) = &mut self.outputs {
            let value = S::emit(prefix, own, S::Params::get(&mut self.inputs, k));
            <S::Output as Outputs>::put(outputs, k, value);
        }
    }

    /// Writes elements `at..end`, one after the other; gives the last prefix.
    #[inline(always)]
    fn chain(&mut self, mut at: usize, end: usize, before: Option<S::State>) -> S::State {
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
    fn tiles<const BY_PARTS: bool>(&mut self, n: usize, scanning: &mut Scanning<S>) {
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

    /// Combines a chunk of values that go by doubling reaches, and writes it, which `before` precedes.
    #[inline(always)]
    fn wide_chunk(&mut self, before: S::State) -> S::State {
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

    /// Combines a block, and writes it, which `carry` precedes.
    #[inline(always)]
    fn block(&mut self, carry: Option<S::State>) -> S::State {
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

    /// Writes the elements, which are those in `some` of a block with these prefixes.
    #[inline(always)]
    fn write_block(
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

/// The prefixes of the first few elements of a block, by doubling reaches.
#[inline(always)]
fn doubled<S: Form>(block: &[S::State; BLOCK], some: usize) -> [S::State; BLOCK] {
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

/// Combines what there is.
#[inline(always)]
fn join<S: Form>(left: Option<S::State>, right: Option<S::State>) -> Option<S::State> {
    grouped::join(by::<S::Operator>(), left, right)
}

/// Whether the operator takes one instruction that also exists for many values at once, and takes
/// longer than that, so that doing more of them in all pays: a float's `+`, `*`, `min`, `max`.
pub(super) const fn is_wide<S: Form>() -> bool {
    S::State::IS_FLOAT && <S::Operator as UserFunction<_>>::COMMUTATIVE
}

/// Whether all groupings have the same bits, as where no float is involved; `None` if the type does not say it at compile
/// time.
const fn exact<S: Form>() -> Option<bool> {
    if S::Inner::IS_FLOAT {
        Some(false)
    } else if S::Inner::IS_INTEGER {
        Some(true)
    } else {
        None
    }
}

/// The same, for all types.
pub(super) fn is_exact<S: Form>() -> bool {
    exact::<S>().unwrap_or_else(|| !S::State::ty().has_floats())
}
