//! What the pieces of a call come to.

use skel_core::{Error, Result, frame::Spine};

/// What the pieces so far come to.
pub(super) struct RunningPartial {
    pub(super) total: Spine,
    /// What the operator trapped with: the result, if no element does.
    pub(super) trapped: Option<Error>,
}

impl Default for RunningPartial {
    fn default() -> Self {
        RunningPartial {
            total: Spine::EMPTY,
            trapped: None,
        }
    }
}

impl RunningPartial {
    /// The result, when all pieces are in it.
    pub(super) fn total(self) -> Result<Spine> {
        self.trapped.map_or(Ok(self.total), Err)
    }
}
