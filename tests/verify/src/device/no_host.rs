//! A host face for launches that need none.

use skel_core::{
    Error,
    frame::{Before, Frame, Partial},
    plan::{Kernel, Pattern, Phases},
};
use std::sync::Arc;

/// Devices compute; the host face is not asked.
pub(super) struct NoHost;

// SAFETY: nothing ever returns from it.
#[expect(unsafe_code, reason = "the promise of `Phases`")]
unsafe impl Phases for NoHost {
    fn pattern(&self) -> Pattern {
        Pattern::Elementwise
    }

    fn local(&self, _: &mut Frame<'_>) -> Partial {
        unreachable!("devices do not call the host face")
    }

    fn kernel(&self) -> skel_core::Result<Arc<Kernel>> {
        unreachable!("devices do not call the host face")
    }

    fn find_trap(&self, _: Frame<'_>, _: &Before, _: Partial) -> Option<Error> {
        unreachable!("devices do not call the host face")
    }
}
