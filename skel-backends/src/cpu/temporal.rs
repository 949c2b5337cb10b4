//! Several steps of a stencil together: see [`TemporalBlocks`].

use super::{
    in_order::{self, AfterFailure},
    pieces,
};
use skel_core::{
    Result,
    call::{Call, Output},
    caught::{Caught, catch},
    frame::Frame,
    plan::{self, Phases, StepCalls, StepMemory, StepWay, TemporalBlocks},
};
use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

/// Smaller containers are in the second caches of a few threads from step to step.
const LEAST_BYTES: usize = 4 << 20;

/// How some steps of a call are taken, which is measured.
pub(crate) struct Steps {
    way: StepWay,
    blocks: TemporalBlocks,
    calls: StepCalls,
}

impl Steps {
    pub(super) fn way(&self) -> StepWay {
        self.way
    }

    pub(super) fn blocks(&self) -> &TemporalBlocks {
        &self.blocks
    }

    /// A step took so long.
    pub(super) fn took(&self, call: &Call<'_>, step: Duration) {
        if let Ok(kernel) = call.phases.kernel() {
            kernel.step_trial.took(self.calls, self.way, step);
        }
    }
}

/// Whether the containers of a call are so large that its steps may be taken together. Asked first, before every step.
pub(crate) fn may_pay(call: &mut Call<'_>) -> bool {
    let elems = call.space.elems();
    let written_bytes =
        |output: &mut Output<'_>| elems.saturating_mul(output.target.element_layout().size_bytes());
    let bytes = call.outputs().map(written_bytes);
    bytes.fold(0, usize::saturating_add) >= LEAST_BYTES / 2
}

/// How at most `most_steps` steps are taken; nothing if one by one, without being measured.
pub(super) fn choose(call: &Call<'_>, most_steps: usize, threads: usize) -> Option<Steps> {
    let blocks = call.temporal_blocks(most_steps)?;
    let trial = &call.phases.kernel().ok()?.step_trial;
    let calls = StepCalls {
        shape: call.space.shape(),
        threads,
        steps: blocks.steps(),
    };
    match trial.next(calls) {
        (StepWay::Single, false) => None,
        (way, _) => Some(Steps { way, blocks, calls }),
    }
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
    let seam = blocks.seam_elems();
    let (start, end) = (frame.range.start + seam, frame.range.end - seam);
    let first = frame.take_front(start);
    let mut rest = frame.take_front(end);
    // Both ends, which see each other, are one part.
    let mut ends = (seam > 0).then(|| (first, Some(frame.take())));
    let most = pieces::count(&rest.range, elems) + 1;
    let next = || match ends.take() {
        Some(ends) => Some(ends),
        None => (!rest.range.is_empty()).then(|| {
            let mid = rest.range.end.min(rest.range.start + elems);
            (rest.take_front(mid), None)
        }),
    };
    let compute = |(mut piece, last): (Frame<'_>, Option<Frame<'_>>)| {
        let mut memory = idle().pop().unwrap_or_default();
        let done: std::result::Result<(), Caught> = catch(|| match last {
            None => blocks.run(phases, &mut piece, &mut memory),
            Some(mut last) => blocks.run_seam(phases, (&mut piece, &mut last)),
        });
        idle().push(memory);
        done
    };
    let done = in_order::compute(most, threads, AfterFailure::Stop, next, compute)?;
    for part in done {
        part.map_err(|caught| plan::unplaced_trap(phases, instance, caught))?;
    }
    Ok(())
}
