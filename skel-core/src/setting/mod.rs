//! Variables of the environment: what each may say, and what becomes of anything else.
//!
//! A [`Variable`] is a row of one table and the parser of its values, so no variable is read that the table
//! does not describe. [`environment`] is the only place where a program's environment is read.
//!
//! # Nonsense
//!
//! A value that its variable does not take is never ignored. What follows is one of two ([`OnInvalid`]):
//!
//! - A variable that says where or how calls run *refuses*: every call of the default context is an error that
//!   names the variable, what was expected, and what came.
//! - A variable of caches, models and diagnostics *warns*: one line on standard error; what it is about is off,
//!   and calls run.
//!
//! An empty value counts as none.

mod parse;
mod warn;

pub use parse::{flag, name, number, path, word};
pub use warn::{shown, warn};

use crate::{Error, Result};
use std::{
    ffi::{OsStr, OsString},
    path::PathBuf,
};

/// The value of a variable of the environment.
#[must_use]
pub fn environment(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

/// What follows from a value that its variable does not take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnInvalid {
    /// Every call of the default context is an error.
    Refuse,
    /// One line on standard error, and what the variable is about is off.
    Warn,
}

/// A row of the table: all that is said of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VariableInfo {
    /// The variable.
    pub name: &'static str,
    /// What values it takes, as the rest of a sentence: "… is `x`, which is not …".
    pub expected: &'static str,
    /// What holds where it is not set.
    pub default: &'static str,
    /// What follows from any other value.
    pub on_invalid: OnInvalid,
    /// What it decides.
    pub effect: &'static str,
}

impl VariableInfo {
    /// The error for a value that the variable does not take.
    #[must_use]
    pub fn bad(&self, value: &OsStr) -> Error {
        Error::BadSetting {
            name: self.name,
            found: shown(value),
            expected: self.expected,
        }
    }
}

/// A variable of the environment with values of type `T`.
#[derive(Debug)]
pub struct Variable<T: 'static> {
    /// Its row.
    pub info: VariableInfo,
    /// What a value means.
    pub parse: fn(&VariableInfo, &OsStr) -> Result<T>,
}

impl<T> Variable<T> {
    /// What the environment says; nothing where the variable is empty or not set.
    ///
    /// # Errors
    /// [`Error::BadSetting`] for a value that it does not take.
    pub fn get(&self) -> Result<Option<T>> {
        self.read(&environment)
    }

    /// As [`Variable::get`], in any environment.
    ///
    /// ```
    /// use skel_core::setting::CACHE;
    ///
    /// assert_eq!(CACHE.read(&|_| Some("off".into()))?, Some(false));
    /// let error = CACHE.read(&|_| Some("offf".into())).unwrap_err();
    /// assert_eq!(error.to_string(), "SKEL_CACHE is `offf`, which is not `on`, `off`, `1` or `0`");
    /// # skel_core::Result::Ok(())
    /// ```
    ///
    /// # Errors
    /// As [`Variable::get`].
    pub fn read(&self, variable: &dyn Fn(&str) -> Option<OsString>) -> Result<Option<T>> {
        let value = variable(self.info.name).filter(|value| !value.is_empty());
        let parsed = value.map(|value| (self.parse)(&self.info, &value));
        parsed.transpose()
    }
}

/// A variable, whatever its values are.
pub trait Row: Sync {
    /// What is said of it.
    fn info(&self) -> &VariableInfo;
    /// What is wrong with what an environment says.
    ///
    /// # Errors
    /// [`Error::BadSetting`], or what else its parser says.
    fn check(&self, variable: &dyn Fn(&str) -> Option<OsString>) -> Result<()>;
}

impl<T> Row for Variable<T> {
    fn info(&self) -> &VariableInfo {
        &self.info
    }

    fn check(&self, variable: &dyn Fn(&str) -> Option<OsString>) -> Result<()> {
        self.read(variable).map(drop)
    }
}

/// Whether anything is kept on disk.
pub static CACHE: Variable<bool> = Variable {
    info: VariableInfo {
        name: "SKEL_CACHE",
        expected: parse::FLAG,
        default: "on",
        on_invalid: OnInvalid::Warn,
        effect: "whether compiled kernels and models are kept on disk",
    },
    parse: flag,
};

/// Where it is kept.
pub static CACHE_DIR: Variable<PathBuf> = Variable {
    info: VariableInfo {
        name: "SKEL_CACHE_DIR",
        expected: "a folder of the user's",
        default: "`skel` in the user's cache folder",
        on_invalid: OnInvalid::Warn,
        effect: "where they are kept: in `kernels` and `tune` there. `kernels` has to be a folder that no other user can open",
    },
    parse: path,
};

/// Where models are looked for first.
pub static TUNE_FILE: Variable<PathBuf> = Variable {
    info: VariableInfo {
        name: "SKEL_TUNE_FILE",
        expected: "a tuning file",
        default: "models of the program and of the user's cache folder",
        on_invalid: OnInvalid::Warn,
        effect: "a file in which models are looked for first: see [Tuning](tuning.md)",
    },
    parse: path,
};

#[cfg(test)]
mod test;
