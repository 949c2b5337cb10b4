//! Why a call gives nothing.

use crate::{Error, ir::TrapKind};

/// Why and where a call failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trap {
    /// Why.
    pub kind: TrapKind,
    /// The line, in `file`.
    pub line: u32,
    /// The user function: perhaps one that the called one calls.
    pub function: &'static str,
    /// Its source file.
    pub file: &'static str,
}

/// Why a call gave nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It trapped.
    Trap(Trap),
    /// It called a function whose text is for devices alone.
    Foreign {
        /// The function.
        function: &'static str,
        /// Its source file.
        file: &'static str,
        /// The line in it.
        line: u32,
    },
    /// It took more steps than it was given, and was here.
    StepLimit {
        /// The user function.
        function: &'static str,
        /// Its source file.
        file: &'static str,
        /// The line in it.
        line: u32,
    },
}

impl Stop {
    /// The error of a call that stopped so, at this element.
    #[must_use]
    pub fn into_error(self, index: Option<usize>) -> Error {
        let (function, file, line, message) = match self {
            Stop::Trap(Trap {
                kind,
                line,
                function,
                file,
            }) => (function, file, line, kind.message()),
            Stop::Foreign {
                function,
                file,
                line,
            } => (
                function,
                file,
                line,
                "not understood: its text is for devices",
            ),
            Stop::StepLimit {
                function,
                file,
                line,
            } => (
                function,
                file,
                line,
                "not understood: the search for the cause took too many steps",
            ),
        };
        let (function, file, message) = (function.into(), file.into(), message.into());
        Error::Trap {
            function,
            file,
            line,
            index,
            message,
        }
    }
}
