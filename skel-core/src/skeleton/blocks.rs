//! Elements by blocks of lanes, where that is faster: the loops of functions that have such a face.

use super::elementwise::by_rows;
use crate::{
    caught::{Caught, catch, or_unwind},
    frame::{Frame, Opening},
    ir::{FnId, Weight, functions_that_trap, weights},
    isa,
    lanes::{self, Choice, Face, Source},
    param::{Outputs, ParamList, Position},
    plan::Kernel,
    space::Segment,
    user_function::UserFunction,
};
use std::{cell::Cell, marker::PhantomData, ops::Range};

/// The arguments of a block.
struct Block<'b, At, P: ParamList> {
    access: P::Access<'b>,
    segment: &'b Segment,
    first: usize,
    _at: PhantomData<fn() -> At>,
}

impl<At: Position, P: ParamList> Source<P> for Block<'_, At, P> {
    type At = At;

    #[inline(always)]
    fn at(&self, l: usize) -> At {
        At::at(self.segment, self.first + l)
    }

    #[inline(always)]
    fn args(&mut self, l: usize) -> P::Args<'_> {
        P::get(&mut self.access, l)
    }
}

/// The loop over the whole blocks of a segment. Its progress is known if it panics.
struct Loop<'a, 'm, F, P> {
    frame: &'a mut Frame<'m>,
    segment: &'a Segment,
    done: &'a Cell<usize>,
    _types: PhantomData<fn() -> (F, P)>,
}

impl<F, P> isa::LaneBody for Loop<'_, '_, F, P>
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
{
    type Output = ();

    #[inline(always)]
    fn run<const N: usize>(self) {
        let range = self.segment.range();
        let (inputs, outputs) = self.frame.slots.split_at_mut(P::LEN);
        let mut inputs = P::open(inputs, self.segment);
        let mut outputs = <F::Output as Outputs>::open(outputs, &range);
        let mut at = 0;
        while range.len() - at >= N {
            let mut block = Block::<F::At, P> {
                access: P::sub(&mut inputs, at..at + N),
                segment: self.segment,
                first: at,
                _at: PhantomData,
            };
            let mut results = lanes::var::<F::Output, N>();
            F::lanes(&mut block, &mut results);
            for l in 0..N {
                <F::Output as Outputs>::put(&mut outputs, at + l, lanes::get(&results, l));
            }
            at += N;
            self.done.set(at);
        }
    }
}

/// Computes the elements `range` of the frame, each by the face whose turn it is. `scalar` computes those of a
/// segment from the given one on.
pub(super) fn run<F, P>(
    frame: &mut Frame<'_>,
    range: Range<usize>,
    opening: Opening,
    choice: &Choice,
    mut scalar: impl FnMut(&mut Frame<'_>, Segment, usize),
) where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
{
    let mut rest = range;
    let mut turns = choice.turns(frame.space.elems());
    while !rest.is_empty() {
        let turn = turns.next(rest.len());
        let most = rest.start..rest.start + turn.elems;
        let segment = opening.segment(&most, by_rows::<F, P>());
        let elems = segment.range().len();
        rest.start += elems;
        let done = Cell::new(0);
        if turn.face == Face::Lanes {
            let ran = catch(|| {
                isa::dispatch_lanes(Loop::<F, P> {
                    frame: &mut *frame,
                    segment: &segment,
                    done: &done,
                    _types: PhantomData,
                });
            });
            match ran {
                Ok(()) => {}
                Err(Caught::OutOfMemory(error)) => or_unwind(Err(error)),
                // Of which element, and whether of one at all, the user's own function will tell.
                Err(Caught::Panic(_)) => {
                    choice.never_again();
                    turns = choice.turns(0);
                }
            }
        }
        if done.get() < elems {
            scalar(frame, segment, done.get());
        }
        turns.done(&turn, elems);
    }
}

/// Whether lanes that take no part may run what the function calls without asking, as `a + b` of a type of the
/// user's: it neither panics nor loops.
pub(super) fn usable(kernel: &Kernel) -> bool {
    let (weights, trapping) = (
        weights(&kernel.program),
        functions_that_trap(&kernel.program),
    );
    let others = (0..kernel.program.functions.len())
        .filter(|f| FnId(*f) != kernel.map && Some(FnId(*f)) != kernel.operator);
    others
        .into_iter()
        .all(|f| !trapping[f] && weights[f] != Weight::Unknown)
}
