//! What the pieces of a call come to.

use skel_core::{Error, Result, frame::Partial};

/// What the pieces so far come to.
pub(super) struct Sum {
    pub(super) total: Partial,
    /// What the operator trapped with: the result, if no element does.
    pub(super) trapped: Option<Error>,
}

impl Default for Sum {
    fn default() -> Self {
        Sum {
            total: Partial::NONE,
            trapped: None,
        }
    }
}

impl Sum {
    /// The result, when all pieces are in it.
    pub(super) fn total(self) -> Result<Partial> {
        self.trapped.map_or(Ok(self.total), Err)
    }
}
