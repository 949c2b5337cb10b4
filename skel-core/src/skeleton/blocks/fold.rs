//! Folds of what is computed by blocks of lanes. The elements are grouped as in `super::super::fold`, so that the
//! bits of a total do not depend on which face computed them.

use super::{Block, usable};
use crate::{
    Element,
    caught::{Caught, catch, or_unwind},
    element::zero,
    frame::{Frame, Slot},
    isa,
    lanes::{self, Choice, Face},
    param::ParamList,
    plan::{Phases, Role},
    skeleton::fold::{LANES, Operator, TILE, chain, element, one_by_one, tree},
    space::Segment,
    user_function::UserFunction,
};
use std::marker::PhantomData;

/// Whether a function of these parameters changes none of them: so a segment may be computed twice.
pub(in crate::skeleton) const fn only_reads<P: ParamList>() -> bool {
    let mut k = 0;
    while k < P::ROLES.len() {
        if matches!(P::ROLES[k], Role::InOut) {
            return false;
        }
        k += 1;
    }
    true
}

/// The loop over one segment, which is not empty.
struct Loop<'a, 'm, F, R, P> {
    slots: &'a mut [Slot<'m>],
    segment: &'a Segment,
    _types: PhantomData<fn() -> (F, R, P)>,
}

impl<F, R, P> isa::LaneBody for Loop<'_, '_, F, R, P>
where
    P: ParamList,
    F: UserFunction<P, Output: Element>,
    R: Operator<F::Output>,
{
    type Output = F::Output;

    #[inline(always)]
    fn run<const N: usize>(self) -> F::Output {
        let mut access = P::open(self.slots, self.segment);
        total::<F, R, P, N>(self.segment, &mut access)
    }
}

/// The combination of the elements of a segment, if its turn is to be computed in lanes.
pub(in crate::skeleton) fn fold<Plan, F, R, P>(
    plan: &Plan,
    frame: &mut Frame<'_>,
    segment: &Segment,
) -> Option<F::Output>
where
    Plan: Phases + 'static,
    P: ParamList,
    F: UserFunction<P, Output: Element>,
    R: Operator<F::Output>,
{
    let elems = segment.range().len();
    if elems < LANES {
        return None;
    }
    let choice = Choice::of::<Plan>(|| plan.kernel().is_ok_and(|kernel| usable(&kernel)));
    let turn = choice.whole(frame.space.elems(), elems);
    if turn.face == Face::Scalar && !turn.is_measured() {
        return None;
    }
    if turn.face == Face::Scalar {
        let total = one_by_one::<F, R, P>(frame, segment.clone());
        turn.done(elems);
        return Some(total);
    }
    let slots = &mut frame.slots[..P::LEN];
    let total = catch(|| {
        isa::dispatch_lanes(Loop::<F, R, P> {
            slots,
            segment,
            _types: PhantomData,
        })
    });
    match total {
        Ok(total) => {
            turn.done(elems);
            total
        }
        Err(Caught::OutOfMemory(error)) => or_unwind(Err(error)),
        // Of which element, and whether of one at all, the user's own function will tell.
        Err(Caught::Panic(_)) => {
            choice.never_again();
            None
        }
    }
}

/// The values of `K` elements from `at` on.
#[inline(always)]
fn values<F, P, const N: usize, const K: usize>(
    segment: &Segment,
    access: &mut P::Access<'_>,
    at: usize,
) -> [F::Output; K]
where
    P: ParamList,
    F: UserFunction<P, Output: Element>,
{
    const { assert!(K.is_multiple_of(N), "whole blocks") };
    let mut values = [zero::<F::Output>(); K];
    for (k, values) in values.chunks_exact_mut(N).enumerate() {
        let mut block = Block::<F::At, P>::new::<N>(access, segment, at + k * N);
        let mut results = lanes::var::<F::Output, N>();
        F::lanes(&mut block, &mut results);
        for (l, value) in values.iter_mut().enumerate() {
            *value = lanes::get(&results, l);
        }
    }
    values
}

#[inline(always)]
fn total<F, R, P, const N: usize>(segment: &Segment, access: &mut P::Access<'_>) -> F::Output
where
    P: ParamList,
    F: UserFunction<P, Output: Element>,
    R: Operator<F::Output>,
{
    let n = segment.range().len();
    let (mut total, mut at) = (None, 0);
    if R::COMMUTATIVE && n >= 2 * LANES {
        let mut totals = values::<F, P, N, LANES>(segment, access, 0);
        at = LANES;
        while at + LANES <= n {
            let block = values::<F, P, N, LANES>(segment, access, at);
            for (total, value) in totals.iter_mut().zip(block) {
                *total = R::apply(*total, value);
            }
            at += LANES;
        }
        let mut total = chain::<F::Output, R>(&totals);
        each::<F, P, N>(segment, access, at, |value| total = R::apply(total, value));
        return total;
    }
    while at + TILE <= n {
        let block = values::<F, P, N, TILE>(segment, access, at);
        let mut buffer: [F::Output; TILE / 2] =
            std::array::from_fn(|i| R::apply(block[2 * i], block[2 * i + 1]));
        let tile = tree::<F::Output, R>(&mut buffer);
        total = Some(total.map_or(tile, |total| R::apply(total, tile)));
        at += TILE;
    }
    let mut tail: Option<F::Output> = None;
    each::<F, P, N>(segment, access, at, |value| {
        tail = Some(tail.map_or(value, |tail| R::apply(tail, value)));
    });
    match (total, tail) {
        (Some(total), Some(tail)) => R::apply(total, tail),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => unreachable!("a segment is not empty"),
    }
}

/// The values of the elements from `at` to the end, one after the other; those of whole blocks are computed at
/// once.
#[inline(always)]
fn each<F, P, const N: usize>(
    segment: &Segment,
    access: &mut P::Access<'_>,
    mut at: usize,
    mut take: impl FnMut(F::Output),
) where
    P: ParamList,
    F: UserFunction<P, Output: Element>,
{
    let n = segment.range().len();
    while at + N <= n {
        for value in values::<F, P, N, N>(segment, access, at) {
            take(value);
        }
        at += N;
    }
    for k in at..n {
        take(element::<F, P>(segment, access, k));
    }
}
