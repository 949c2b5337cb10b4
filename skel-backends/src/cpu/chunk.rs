//! A chunk of a scan on one core, in two steps: its total, which is only read, and its elements, once it is known
//! what precedes them.

use super::guard;
use skel_core::{
    Result,
    call::Call,
    frame::{Frame, Spine},
    plan::{Grouping, Phases},
};
use std::ops::Range;

/// Elements of a scan that a worker has in hand.
pub(crate) struct ScanChunk<'e> {
    phases: &'static dyn Phases,
    instance: &'e str,
    frame: Frame<'e>,
    keep: bool,
}

impl<'e> ScanChunk<'e> {
    /// Takes the elements `range` of a call; downloads what the host lacks.
    ///
    /// # Errors
    /// Those of downloading.
    pub(crate) fn take(call: &mut Call<'e>, range: Range<usize>) -> Result<ScanChunk<'e>> {
        let kernel = call.phases.kernel();
        let (grouping, can_trap) = kernel.map_or((Grouping::Heavy, true), |kernel| {
            (kernel.grouping, kernel.can_trap)
        });
        let frame = call.host_frame(range, grouping)?;
        let keep = (can_trap || cfg!(debug_assertions)) && frame.changes_arguments();
        Ok(ScanChunk {
            phases: call.phases,
            instance: call.instance,
            frame,
            keep,
        })
    }

    /// All elements combined.
    ///
    /// # Errors
    /// [`skel_core::Error::Trap`].
    pub(crate) fn total(&mut self) -> Result<Spine> {
        guard::total(self.phases, &mut self.frame)
            .map_err(|failure| failure.explain(self.phases, self.instance))
    }

    /// Writes the outputs of all elements, which `carry` precedes; what precedes those behind them.
    ///
    /// # Errors
    /// [`skel_core::Error::Trap`].
    pub(crate) fn finish(mut self, carry: Spine) -> Result<Spine> {
        guard::finish(self.phases, &mut self.frame, carry, self.keep)
            .map_err(|failure| failure.explain(self.phases, self.instance))
    }
}
