//! Elements whose results are streamed: [`crate::streaming`].

use super::elementwise::{by_rows, each};
use crate::{
    frame::{Fence, Frame, Slot},
    isa,
    param::{Outputs, ParamList, Position},
    space::Segment,
    streaming,
    user_function::UserFunction,
};
use std::marker::PhantomData;

/// Whether results of such functions can be streamed: each is one element, and they lie one after the other.
pub(super) const fn can_be<F, P>() -> bool
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
{
    F::Output::STREAMED > 0 && P::NEAR.is_none() && !F::HAS_LANES && !by_rows::<F, P>()
}

/// Whether those of this piece are.
pub(super) fn pays<F, P>(piece: &Frame<'_>) -> bool
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
{
    let bytes = piece.space.elems().saturating_mul(size_of::<F::Output>());
    streaming::pays(bytes) && matches!(piece.slots.last(), Some(Slot::Out(_)))
}

/// Computes the elements of a piece.
pub(super) fn run<F, P>(piece: &mut Frame<'_>)
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
{
    let (mut rest, opening) = (piece.range.clone(), piece.opening());
    while !rest.is_empty() {
        let segment = opening.segment(&rest, false);
        rest.start = segment.range().end;
        isa::dispatch(Streamed::<F, P> {
            frame: piece,
            segment,
            _types: PhantomData,
        });
    }
}

/// The loop over one segment.
struct Streamed<'a, 'm, F, P> {
    frame: &'a mut Frame<'m>,
    segment: Segment,
    _types: PhantomData<fn() -> (F, P)>,
}

impl<F, P> isa::Body for Streamed<'_, '_, F, P>
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
{
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let (range, block) = (self.segment.range(), F::Output::STREAMED);
        let (n, segment) = (range.len(), &self.segment);
        let (inputs, outputs) = self.frame.slots.split_at_mut(P::LEN);
        let mut inputs = P::open(inputs, segment);
        let mut outputs = <F::Output as Outputs>::open(outputs, &range);
        let first = <F::Output as Outputs>::before_streamed(&outputs);
        let last = first + (n - first) / block * block;
        let fence = Fence::new();
        for at in (first..last).step_by(block) {
            // Slices of exactly a block, so that no access in its loop is checked.
            let mut inputs = P::sub(&mut inputs, at..at + block);
            let value = |k| F::call(F::At::at(segment, at + k), P::get(&mut inputs, k));
            <F::Output as Outputs>::stream(&mut outputs, at, &fence, value);
        }
        for rest in [0..first, last..n] {
            let mut inputs = P::sub(&mut inputs, rest.clone());
            let mut outputs = <F::Output as Outputs>::sub(&mut outputs, rest.clone());
            each::<F, P>(segment, rest, &mut inputs, &mut outputs, false);
        }
    }
}
