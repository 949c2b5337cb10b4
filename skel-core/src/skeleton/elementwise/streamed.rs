//! Elements whose results are streamed: [`crate::streaming`].

use super::by_rows;
use crate::{
    frame::{Fence, Frame},
    isa,
    param::{Outputs, ParamList, Position},
    space::Segment,
    user_function::UserFunction,
};
use std::marker::PhantomData;

/// The loop of a function whose results can be streamed.
pub(super) struct StreamLoop {
    /// Elements of a block.
    pub(super) block: usize,
    /// Computes the elements of a segment, which are whole blocks and begin a cache line. Gives `false` where the machine's
    /// instruction set has no such loop.
    pub(super) run: fn(&mut Frame<'_>, &Segment) -> bool,
}

/// That of `F`, if its results can be: each is one element, and they lie one after the other.
pub(super) const fn stream_loop<F, P>() -> Option<StreamLoop>
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
{
    let block = F::Output::STREAMED;
    if block == 0 || P::NEAR.is_some() || F::HAS_LANES || by_rows::<F, P>() {
        return None;
    }
    Some(StreamLoop {
        block,
        run: run::<F, P>,
    })
}

fn run<F, P>(frame: &mut Frame<'_>, segment: &Segment) -> bool
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
{
    let streamed = isa::dispatch_vectors(Streamed::<F, P> {
        frame,
        segment,
        _types: PhantomData,
    });
    streamed.is_some()
}

/// The loop over one segment.
struct Streamed<'a, 'm, F, P> {
    frame: &'a mut Frame<'m>,
    segment: &'a Segment,
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
        let (n, segment) = (range.len(), self.segment);
        assert!(n.is_multiple_of(block), "whole blocks");
        let (inputs, outputs) = self.frame.slots.split_at_mut(P::LEN);
        let mut inputs = P::open(inputs, segment);
        let mut outputs = <F::Output as Outputs>::open(outputs, &range);
        let fence = Fence::new();
        for at in (0..n).step_by(block) {
            // Slices of exactly a block, so that no access in its loop is checked.
            let mut inputs = P::sub(&mut inputs, at..at + block);
            let value = |k| F::call(F::At::at(segment, at + k), P::get(&mut inputs, k));
            <F::Output as Outputs>::stream(&mut outputs, at, &fence, value);
        }
    }
}
