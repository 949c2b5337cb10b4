//! Elements whose results are streamed: [`crate::streaming`].

use super::by_rows;
use crate::{
    frame::{Fence, Frame},
    isa,
    param::{Outputs, ParamList, Position},
    space::Segment,
    user_function::UserFunction,
};

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
    if !isa::has_vectors() {
        return false;
    }
    let (inputs, outputs) = opened::<P, F::Output>(frame, segment);
    let streamed = isa::dispatch_vectors(Streamed::<F, P> {
        inputs,
        outputs,
        segment,
    });
    streamed.is_some()
}

/// The opened slots. Not inlined: it is compiled once for all functions of the same types.
#[inline(never)]
fn opened<'a, P, O>(frame: &'a mut Frame<'_>, segment: &Segment) -> (P::Access<'a>, O::Access<'a>)
where
    P: ParamList,
    O: Outputs,
{
    let (inputs, outputs) = frame.slots.split_at_mut(P::LEN);
    let inputs = P::open(inputs, segment);
    (inputs, O::open(outputs, &segment.range()))
}

/// The loop over one segment.
struct Streamed<'a, F, P>
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
{
    inputs: P::Access<'a>,
    outputs: <F::Output as Outputs>::Access<'a>,
    segment: &'a Segment,
}

impl<F, P> isa::Body for Streamed<'_, F, P>
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
{
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let (n, block) = (self.segment.range().len(), F::Output::STREAMED);
        assert!(n.is_multiple_of(block), "whole blocks");
        let fence = Fence::new();
        for at in (0..n).step_by(block) {
            // Slices of exactly a block, so that no access in its loop is checked.
            let mut inputs = P::sub(&mut self.inputs, at..at + block);
            let value = |k| F::call(F::At::at(self.segment, at + k), P::get(&mut inputs, k));
            <F::Output as Outputs>::stream(&mut self.outputs, at, &fence, value);
        }
    }
}
