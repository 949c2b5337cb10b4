//! Folds of what is computed by blocks of lanes. The values are grouped like any others, so the bits of a total do not
//! depend on which face computed them.

use super::{Block, overlaps, usable};
use crate::{
    Element,
    caught::{Caught, catch, or_unwind},
    element::zero,
    frame::{Frame, Slot, Spine},
    isa,
    lanes::{self, Choice, Face},
    param::ParamList,
    plan::{Phases, Role},
    skeleton::{
        elementwise::by_rows,
        fold::Operator,
        grouped::{Folding, Opened, Pointers, Values},
    },
    space::Segment,
    user_function::UserFunction,
};
use std::marker::PhantomData;

/// Values that are computed before they are combined: a panic among them has combined nothing.
const CHECKED_VALUES: usize = 128;

/// Whether a function of these parameters changes none of them: so elements may be computed twice.
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

/// The combination of all elements of a piece, each computed by the face whose turn it is.
pub(in crate::skeleton) fn fold<F, R, P, const BY_LANES: bool>(
    plan: &(dyn Phases + 'static),
    frame: &mut Frame<'_>,
) -> Spine
where
    P: ParamList,
    F: UserFunction<P, Output: Element>,
    R: Operator<F::Output>,
{
    let elems = frame.space.shape().len();
    let mut folding = Folding::<F::Output, BY_LANES>::new(frame.grouping, &frame.range, elems);
    let choice = Choice::of(plan.id(), &|| {
        plan.kernel()
            .is_ok_and(|kernel| usable(kernel, F::LANES_MAY_GUESS))
    });
    let mut turns = choice.turns(elems, frame.range.len());
    let (mut rest, opening) = (frame.range.clone(), frame.opening());
    while !rest.is_empty() {
        let turn = turns.next(rest.len());
        let most = rest.start..rest.start + turn.elems;
        let segment = opening.segment(&most, by_rows::<F, P>());
        let range = segment.range();
        rest.start = range.end;
        let (slots, last) = (&mut frame.slots[..P::LEN], rest.is_empty());
        let (mut left, mut panicked) = (range.clone(), false);
        if turn.face == Face::Lanes {
            let done;
            (done, panicked) = in_lanes::<F, R, P, BY_LANES>(slots, &segment, &mut folding, last);
            left.start += done;
        }
        // If it panicked, of which element, and whether of one at all, the user's own function will tell.
        while !left.is_empty() {
            let segment = opening.segment(&left, by_rows::<F, P>());
            left.start = segment.range().end;
            isa::dispatch(OneByOne::<F, R, P, BY_LANES> {
                folding: &mut folding,
                slots,
                segment: &segment,
                last: last && left.is_empty(),
                _types: PhantomData,
            });
        }
        match panicked {
            false => turns.done(&turn, range.len()),
            // Of none: it was for lanes that take no part.
            true => {
                choice.never_again();
                turns = choice.turns(elems, rest.len());
            }
        }
    }
    folding.spine::<R>()
}

/// How many of `left` values are held next: the last ones are not fewer than a block, where that is possible.
fn held(left: usize) -> usize {
    match left {
        ..=CHECKED_VALUES => left,
        left if left < CHECKED_VALUES + CHECKED_VALUES / 4 => CHECKED_VALUES / 2,
        _ => CHECKED_VALUES,
    }
}

/// Combines the blocks of a segment; how many elements that were, and whether one of them, or the lanes beside
/// them, panicked.
fn in_lanes<F, R, P, const BY_LANES: bool>(
    slots: &mut [Slot<'_>],
    segment: &Segment,
    folding: &mut Folding<F::Output, BY_LANES>,
    last: bool,
) -> (usize, bool)
where
    P: ParamList,
    F: UserFunction<P, Output: Element>,
    R: Operator<F::Output>,
{
    let (n, mut at) = (segment.range().len(), 0);
    let mut values = [zero::<F::Output>(); CHECKED_VALUES];
    loop {
        let some = held(n - at);
        let computed = catch(|| {
            isa::dispatch_lanes(InLanes::<F, P> {
                slots,
                segment,
                at,
                values: &mut values[..some],
                _types: PhantomData,
            })
        });
        let computed = match computed {
            Ok(computed) => computed.unwrap_or(0),
            Err(Caught::OutOfMemory(error)) => or_unwind(Err(error)),
            Err(Caught::Panic(_)) => return (at, true),
        };
        if computed == 0 {
            return (at, false);
        }
        at += computed;
        let values = Values::new(&values[..computed], Pointers::of::<R>());
        folding.add_values(values, last && at == n);
    }
}

/// Elements of one segment, by the user's own function.
struct OneByOne<'a, 'm, F, R, P, const BY_LANES: bool>
where
    P: ParamList,
    F: UserFunction<P, Output: Element>,
{
    folding: &'a mut Folding<F::Output, BY_LANES>,
    slots: &'a mut [Slot<'m>],
    segment: &'a Segment,
    last: bool,
    _types: PhantomData<fn() -> (R, P)>,
}

impl<F, R, P, const BY_LANES: bool> isa::Body for OneByOne<'_, '_, F, R, P, BY_LANES>
where
    P: ParamList,
    F: UserFunction<P, Output: Element>,
    R: Operator<F::Output>,
{
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let mut access = P::open(self.slots, self.segment);
        let mut elements = Opened::<F, R, P>::new(self.segment, &mut access);
        let n = self.segment.range().len();
        self.folding.add::<true>(&mut elements, n, self.last);
    }
}

/// The values of blocks from element `at` of a segment on; gives how many they are.
struct InLanes<'a, 'm, F, P>
where
    P: ParamList,
    F: UserFunction<P, Output: Element>,
{
    slots: &'a mut [Slot<'m>],
    segment: &'a Segment,
    at: usize,
    values: &'a mut [F::Output],
    _types: PhantomData<fn() -> P>,
}

impl<F, P> isa::LaneBody for InLanes<'_, '_, F, P>
where
    P: ParamList,
    F: UserFunction<P, Output: Element>,
{
    type Output = usize;

    #[inline(always)]
    fn run<const N: usize>(self) -> usize {
        let mut access = P::open(self.slots, self.segment);
        let (n, mut done) = (self.values.len(), 0);
        loop {
            if n - done < N {
                if done == n || !overlaps::<P, N>(n) {
                    break;
                }
                done = n - N;
            }
            let values = &mut self.values[done..done + N];
            let mut block = Block::<F::At, P>::new::<N>(&mut access, self.segment, self.at + done);
            let mut results = lanes::var::<F::Output, N>();
            F::lanes(&mut block, &mut results);
            for (l, value) in values.iter_mut().enumerate() {
                *value = lanes::get(&results, l);
            }
            done += N;
        }
        done
    }
}
