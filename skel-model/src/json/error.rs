//! Why a text is not what it should be.

use crate::json::{MAX_BYTES, MAX_DEPTH, MAX_TEXT_BYTES, MAX_VALUES};

/// Why a text is not the JSON that was expected, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Malformed {
    /// More text than is read.
    #[error("{bytes} bytes, and at most {MAX_BYTES} are read")]
    TooLarge {
        /// How much it is.
        bytes: u64,
    },
    /// Not JSON.
    #[error("line {line}, column {column}: {problem}")]
    Syntax {
        /// Counted from 1.
        line: usize,
        /// Counted from 1, in bytes.
        column: usize,
        /// What is wrong.
        problem: SyntaxProblem,
    },
    /// Not what should stand there.
    #[error("{}: expected {expected}, found {found}", place(.at))]
    Misfit {
        /// Where, as `machines[0].instances[2].key`; empty for the whole text.
        at: String,
        /// What should stand there.
        expected: String,
        /// What does.
        found: String,
    },
    /// Of a version that this library does not know.
    #[error("schema `{found}`, and this version of skel reads `{expected}`")]
    Schema {
        /// What the text says it is.
        found: String,
        /// What is read.
        expected: &'static str,
    },
}

/// What is wrong with a text that is not JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SyntaxProblem {
    /// A character that cannot stand there.
    #[error("expected {0}")]
    Expected(&'static str),
    /// All is right so far, but this is the end, and something is missing: the text was cut off.
    #[error("it ends here, too early: expected {0}")]
    Ends(&'static str),
    /// Bytes that are no text.
    #[error("not UTF-8")]
    NotUtf8,
    /// A name that an object has already.
    #[error("this name stands twice in one object")]
    DuplicateName,
    /// A number that no `f64` holds.
    #[error("this number is too large")]
    Infinite,
    /// Lists in lists in lists.
    #[error("more than {MAX_DEPTH} lists and objects in each other")]
    TooDeep,
    /// Too many values.
    #[error("more than {MAX_VALUES} values")]
    TooMany,
    /// Too long a string.
    #[error("a string of more than {MAX_TEXT_BYTES} bytes")]
    LongText,
}

impl Malformed {
    /// Whether nothing is wrong but that the end is missing: as when a copy was stopped, or a disk was full.
    ///
    /// ```
    /// use skel_model::TuningFile;
    ///
    /// let cut = TuningFile::from_text(b"{\"schema\": \"skel.tu").unwrap_err();
    /// assert!(cut.is_cut_off());
    /// assert!(cut.to_string().starts_with("line 1, column 20: it ends here, too early"));
    /// ```
    #[must_use]
    pub fn is_cut_off(&self) -> bool {
        let Malformed::Syntax { problem, .. } = self else {
            return false;
        };
        matches!(problem, SyntaxProblem::Ends(_))
    }

    /// A value that does not fit, not yet placed.
    pub(super) fn misfit(expected: impl Into<String>, found: impl Into<String>) -> Self {
        Malformed::Misfit {
            at: String::new(),
            expected: expected.into(),
            found: found.into(),
        }
    }

    /// The same, found in the field or entry `step` of what is read.
    pub(crate) fn inside(mut self, step: &str) -> Self {
        if let Malformed::Misfit { at, .. } = &mut self {
            let joined = match at.as_str() {
                "" => step.into(),
                rest if rest.starts_with('[') => format!("{step}{rest}"),
                rest => format!("{step}.{rest}"),
            };
            *at = joined;
        }
        self
    }
}

fn place(at: &str) -> &str {
    if at.is_empty() { "the whole text" } else { at }
}
