//! What a task does with its data.

use crate::HandleId;

/// How a task accesses a handle. The order of tasks follows from it: as if they ran in the order of their
/// submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Reads; together with other readers.
    Read,
    /// Writes all of it, and reads nothing of what was there.
    Write,
    /// Reads and writes.
    Update,
    /// Reads and writes, in any order with its neighbours that do so as well, one at a time.
    Commute,
    /// Contributes to a result; together with neighbours that do so as well.
    Reduce,
}

impl Mode {
    /// Whether it needs what is there.
    #[must_use]
    pub fn reads(self) -> bool {
        matches!(self, Mode::Read | Mode::Update | Mode::Commute)
    }

    /// Whether it changes what is there.
    #[must_use]
    pub fn writes(self) -> bool {
        self != Mode::Read
    }

    /// Whether tasks that do so with one handle need no order among each other.
    pub(crate) fn joins(self, other: Mode) -> bool {
        self == other && matches!(self, Mode::Read | Mode::Commute | Mode::Reduce)
    }
}

/// An access of a task to a handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// To what.
    pub handle: HandleId,
    /// How.
    pub mode: Mode,
}
