//! Several steps of a stencil together: see [`TemporalBlocks`].

use super::{
    in_order::{self, AfterFailure},
    pieces,
};
use skel_core::{
    Result,
    call::Call,
    caught::{Caught, catch},
    frame::Frame,
    plan::{Phases, StepMemory, TemporalBlocks},
};
use std::sync::{Mutex, PoisonError};

/// Smaller containers are in the second caches of a few threads from step to step.
const LEAST_BYTES: usize = 4 << 20;

/// Whether the containers of a call are so large that it may pay to take several steps of it together.
pub(super) fn may_pay(call: &mut Call<'_>) -> bool {
    let elems = call.space.elems();
    let bytes = call
        .outputs()
        .map(|output| elems * output.target.element_layout().size_bytes());
    2 * bytes.sum::<usize>() >= LEAST_BYTES
}

/// Computes all elements of a frame, pieces of which threads take one after the other.
///
/// # Errors
/// That memory was short, or what the first piece panicked with that did.
pub(super) fn run(
    blocks: &TemporalBlocks,
    (phases, instance): (&'static dyn Phases, &str),
    frame: &mut Frame<'_>,
    threads: usize,
) -> Result<()> {
    let elems = blocks.piece_elems(threads);
    // What one piece has used serves the next one of the same thread, or of another.
    let memory: Mutex<Vec<StepMemory>> = Mutex::default();
    let idle = || memory.lock().unwrap_or_else(PoisonError::into_inner);
    let most = pieces::count(&frame.range, elems);
    let next = || {
        let mid = frame.range.end.min(frame.range.start + elems);
        (!frame.range.is_empty()).then(|| frame.take_front(mid))
    };
    let compute = |mut piece: Frame<'_>| -> std::result::Result<(), Caught> {
        let mut memory = idle().pop().unwrap_or_default();
        let done = catch(|| blocks.run(phases, &mut piece, &mut memory));
        idle().push(memory);
        done
    };
    let done = in_order::compute(most, threads, AfterFailure::Stop, next, compute)?;
    for piece in done {
        piece.map_err(|caught| phases.unplaced_trap(instance, caught))?;
    }
    Ok(())
}
