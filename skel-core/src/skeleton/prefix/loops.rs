//! The loops of a scan on the host.

use super::Form;
use crate::{
    Element,
    frame::Frame,
    isa,
    param::{Outputs, ParamList, Position},
    skeleton::fold::{Operator, TILE, tiles, tree},
    space::Segment,
    user_function::UserFunction,
};
use std::{any::TypeId, marker::PhantomData};

/// Elements that are scanned together, by doubling reaches; a power of two that a tile is a multiple
/// of.
const BLOCK: usize = 16;

type Access<'a, S> = <<S as Form>::Params as ParamList>::Access<'a>;
type Written<'a, S> = <<S as Form>::Output as Outputs>::Access<'a>;

/// The combination of one segment, which is not empty.
pub(super) struct Total<'a, 'm, S> {
    frame: &'a mut Frame<'m>,
    segment: Segment,
    _form: PhantomData<fn() -> S>,
}

impl<'a, 'm, S> Total<'a, 'm, S> {
    pub(super) fn new(frame: &'a mut Frame<'m>, segment: Segment) -> Self {
        Total {
            frame,
            segment,
            _form: PhantomData,
        }
    }
}

impl<S: Form> isa::Body for Total<'_, '_, S> {
    type Output = S::State;

    #[inline(always)]
    fn run(self) -> S::State {
        let n = self.segment.range().len();
        let slots = &mut self.frame.slots[..S::Params::LEN];
        let mut access = S::Params::open(slots, &self.segment);
        tiles::<S::Map, S::Operator, S::Params>(&self.segment, &mut access, n)
    }
}

/// Writes one segment, which is not empty, from what precedes it in all. Gives the prefix up to its end
/// if `exact`, else the segment's own combination, with the bits of [`Total`].
pub(super) struct Write<'a, 'm, S: Form> {
    frame: &'a mut Frame<'m>,
    segment: Segment,
    before: Option<S::State>,
    exact: bool,
}

impl<'a, 'm, S: Form> Write<'a, 'm, S> {
    pub(super) fn new(
        frame: &'a mut Frame<'m>,
        segment: Segment,
        before: Option<S::State>,
        exact: bool,
    ) -> Self {
        Write {
            frame,
            segment,
            before,
            exact,
        }
    }
}

impl<S: Form> isa::Body for Write<'_, '_, S> {
    type Output = S::State;

    #[inline(always)]
    fn run(self) -> S::State {
        let r = self.segment.range();
        let n = r.len();
        let (inputs, outputs) = self.frame.slots.split_at_mut(S::Params::LEN);
        let mut inputs = S::Params::open(inputs, &self.segment);
        // Slices of exactly `n` elements, so that no access in the loop is checked.
        let mut inputs = S::Params::sub(&mut inputs, 0..n);
        let outputs = <S::Output as Outputs>::open(outputs, &r);
        let mut pass = Pass::<'_, '_, S> {
            segment: &self.segment,
            inputs: &mut inputs,
            outputs,
        };
        if self.exact {
            pass.chain(0, n, self.before)
        } else {
            pass.tiled(n, self.before)
        }
    }
}

/// A walk over the elements of a segment.
struct Pass<'p, 'a, S: Form> {
    segment: &'p Segment,
    inputs: &'p mut Access<'a, S>,
    outputs: Written<'a, S>,
}

impl<S: Form> Pass<'_, '_, S> {
    /// What is combined of the `k`-th element.
    #[inline(always)]
    fn own(&mut self, k: usize) -> S::State {
        let at = <S::Map as UserFunction<S::Params>>::At::at(self.segment, k);
        S::Map::call(at, S::Params::get(self.inputs, k))
    }

    #[inline(always)]
    fn write(&mut self, k: usize, prefix: S::State, own: S::State) {
        let value = S::emit(prefix, own, S::Params::get(self.inputs, k));
        <S::Output as Outputs>::put(&mut self.outputs, k, value);
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

    /// Writes all elements; gives their own combination, grouped as [`tiles`] does it.
    #[inline(always)]
    fn tiled(&mut self, n: usize, carry: Option<S::State>) -> S::State {
        let (mut total, mut before, mut at) = (None, carry, 0);
        while at + TILE <= n {
            let own: [S::State; TILE] = std::array::from_fn(|i| self.own(at + i));
            let tile = if is_wide::<S>() {
                self.blocks(at, &own, before)
            } else {
                self.tile(at, &own, before)
            };
            total = super::join::<S>(total, Some(tile));
            before = super::join::<S>(carry, total);
            at += TILE;
        }
        if at < n {
            let mut tail = self.own(at);
            for k in at + 1..n {
                tail = S::Operator::apply(tail, self.own(k));
            }
            self.chain(at, n, before);
            total = super::join::<S>(total, Some(tail));
        }
        total.unwrap_or_else(|| unreachable!("a segment is not empty"))
    }

    /// Writes the tile at `at`, element by element; gives its combination.
    #[inline(always)]
    fn tile(&mut self, at: usize, own: &[S::State; TILE], before: Option<S::State>) -> S::State {
        self.chain(at, at + TILE, before);
        let mut pairs: [S::State; TILE / 2] =
            std::array::from_fn(|i| S::Operator::apply(own[2 * i], own[2 * i + 1]));
        tree::<S::State, S::Operator>(&mut pairs)
    }

    /// The same in blocks, whose prefixes vectorise. Their totals are those of the tree.
    #[inline(always)]
    fn blocks(&mut self, at: usize, own: &[S::State; TILE], before: Option<S::State>) -> S::State {
        let mut total: Option<S::State> = None;
        for (number, block) in own.as_chunks::<BLOCK>().0.iter().enumerate() {
            let mut prefixes = *block;
            let mut reach = 1;
            while reach < BLOCK {
                let last = prefixes;
                for i in reach..BLOCK {
                    prefixes[i] = S::Operator::apply(last[i - reach], last[i]);
                }
                reach *= 2;
            }
            let first = at + number * BLOCK;
            match super::join::<S>(before, total) {
                Some(before) if S::EXCLUSIVE => {
                    self.write(first, before, block[0]);
                    for i in 1..BLOCK {
                        let prefix = S::Operator::apply(before, prefixes[i - 1]);
                        self.write(first + i, prefix, block[i]);
                    }
                }
                Some(before) => {
                    for i in 0..BLOCK {
                        let prefix = S::Operator::apply(before, prefixes[i]);
                        self.write(first + i, prefix, block[i]);
                    }
                }
                None => {
                    assert!(!S::EXCLUSIVE, "something precedes an exclusive scan");
                    for i in 0..BLOCK {
                        self.write(first + i, prefixes[i], block[i]);
                    }
                }
            }
            total = super::join::<S>(total, Some(prefixes[BLOCK - 1]));
        }
        total.unwrap_or_else(|| unreachable!("a tile has blocks"))
    }
}

/// Whether the operator takes one instruction that also exists for many values at once, and takes
/// longer than that, so that doing more of them in all pays: a float's `+`, `*`, `min`, `max`.
#[inline(always)]
fn is_wide<S: Form>() -> bool {
    let state = TypeId::of::<S::State>();
    let float = state == TypeId::of::<f32>() || state == TypeId::of::<f64>();
    float && <S::Operator as UserFunction<_>>::COMMUTATIVE && <S::State as Element>::IS_SCALAR
}
