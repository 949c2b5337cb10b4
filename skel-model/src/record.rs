//! Calls that a program made, with their data flow.

use std::{fmt, str::FromStr};

/// What a call does with an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordedRole {
    /// Each element of the call reads its own.
    Read,
    /// Each element of the call writes its own.
    Write,
    /// Each element of the call changes its own.
    Update,
    /// Each element of the call may read all of it.
    Whole,
    /// Each element of the call reads its own and some around it.
    Window,
}

impl RecordedRole {
    const ALL: [(RecordedRole, &'static str); 5] = [
        (RecordedRole::Read, "read"),
        (RecordedRole::Write, "write"),
        (RecordedRole::Update, "update"),
        (RecordedRole::Whole, "whole"),
        (RecordedRole::Window, "window"),
    ];

    /// Whether what was there before is needed.
    #[must_use]
    pub fn reads(self) -> bool {
        self != RecordedRole::Write
    }

    /// Whether it is not there any more afterwards.
    #[must_use]
    pub fn writes(self) -> bool {
        matches!(self, RecordedRole::Write | RecordedRole::Update)
    }
}

impl fmt::Display for RecordedRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = RecordedRole::ALL.iter().find(|(role, _)| role == self);
        f.write_str(name.map_or("", |(_, name)| name))
    }
}

/// A text that names no role.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` names no role: expected `read`, `write`, `update`, `whole` or `window`")]
pub struct BadRole {
    /// The text.
    pub found: String,
}

impl FromStr for RecordedRole {
    type Err = BadRole;

    fn from_str(text: &str) -> Result<RecordedRole, BadRole> {
        let role = RecordedRole::ALL.iter().find(|(_, name)| *name == text);
        role.map(|(role, _)| *role)
            .ok_or_else(|| BadRole { found: text.into() })
    }
}

/// A container that a call was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedOperand {
    /// Which one, by a number that no other has had.
    pub buffer: u64,
    /// What is done with it.
    pub role: RecordedRole,
    /// Its elements. If the call has another number, they are divided as those of the call.
    pub elems: usize,
    /// Bytes of one element.
    pub bytes_per_elem: usize,
}

/// A call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedCall {
    /// Whose: [`InstanceKey::id`](super::InstanceKey::id).
    pub id: String,
    /// Its elements.
    pub elems: usize,
    /// As [`ClassModel::beside_elems`](super::ClassModel::beside_elems).
    pub beside_elems: usize,
    /// What it was given. A call that writes nothing has a value, for which the host waits.
    pub operands: Vec<RecordedOperand>,
}

/// What a program did, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// It called an instance.
    Call(RecordedCall),
    /// The host read elements of a container.
    Read {
        /// Which container.
        buffer: u64,
        /// The first element.
        from: usize,
        /// The first one that was not read any more.
        to: usize,
    },
}
