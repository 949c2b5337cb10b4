//! How the command ends.

use std::{fmt, process::ExitCode};

/// Exit codes. 0, 4, 5, 100, 101, 102, 104 and 110 mean what they mean to other commands of cargo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done.
    Ok = 0,
    /// The command line cannot be understood.
    Usage = 2,
    /// The program made no call that can be tuned.
    NothingTunable = 4,
    /// Not all was measured; the same command goes on where this one ended.
    Incomplete = 5,
    /// A check failed, or what was tuned is stale.
    CheckFailed = 100,
    /// Cargo could not build.
    Build = 101,
    /// Cargo could not say what there is to build.
    Metadata = 102,
    /// A device that was asked for is not there.
    Device = 103,
    /// The program said nothing: it does not use skel, or never called it.
    Handshake = 104,
    /// A unit computes something else than the sequential program does.
    WrongResult = 105,
    /// A file could not be written.
    Write = 110,
    /// Ctrl-C, twice.
    Interrupted = 130,
}

impl Exit {
    /// The number that the shell sees.
    ///
    /// ```
    /// assert_eq!(tuner::Exit::Handshake.code(), 104);
    /// ```
    #[must_use]
    pub fn code(self) -> u8 {
        self as u8
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit.code())
    }
}

/// Why the command gives up: what happened, and what helps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The exit code.
    pub exit: Exit,
    /// What happened, in one sentence.
    pub what: String,
    /// What to do about it, where something can be done.
    pub fix: Option<String>,
}

impl Failure {
    /// A failure with nothing to say about what helps.
    #[must_use]
    pub fn new(exit: Exit, what: impl Into<String>) -> Self {
        Failure {
            exit,
            what: what.into(),
            fix: None,
        }
    }

    /// The same, with what helps.
    #[must_use]
    pub fn fix(mut self, fix: impl Into<String>) -> Self {
        self.fix = Some(fix.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        match &self.fix {
            Some(fix) => write!(f, "\n  {fix}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Failure {}

/// What a command returns.
pub type Result<T = Exit> = std::result::Result<T, Failure>;

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn what_helps_stands_below_what_happened() {
        let failure = Failure::new(Exit::Write, "no space").fix("free some");
        assert_eq!(failure.to_string(), "no space\n  free some");
    }
}
