//! What can go wrong with files of models.

use crate::json::Malformed;
use std::{
    io,
    path::{Path, PathBuf},
};

/// What went wrong, and with which file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The system refused.
    #[error("cannot {operation} {}: {message}", .path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What was tried.
        operation: &'static str,
        /// What kind of reason it was.
        kind: io::ErrorKind,
        /// What the system said.
        message: String,
    },
    /// It is not a tuning file that this version reads.
    #[error("{} is no tuning file: {problem}", .file)]
    Malformed {
        /// The file, or where else the text is.
        file: String,
        /// What is wrong, and where.
        problem: Malformed,
    },
    /// It would be, but is not ours to write.
    #[error("{} is not written: {reason}", .path.display())]
    Refused {
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        reason: &'static str,
    },
    /// There is no folder for models.
    #[error(
        "there is no folder for models: SKEL_CACHE is `off` or no switch, or none of SKEL_CACHE_DIR, XDG_CACHE_HOME and HOME says where"
    )]
    NoFolder,
    /// What should be written would not be read again.
    #[error("these models are not written to {}, since they would not be read again: {problem}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What would be wrong.
        problem: Malformed,
    },
}

impl StoreError {
    pub(super) fn io(path: &Path, operation: &'static str, error: &io::Error) -> StoreError {
        StoreError::Io {
            path: path.into(),
            operation,
            kind: error.kind(),
            message: error.to_string(),
        }
    }

    /// Whether there simply is no such file.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        let kinds = [io::ErrorKind::NotFound, io::ErrorKind::NotADirectory];
        matches!(self, StoreError::Io { kind, operation: "read", .. } if kinds.contains(kind))
    }
}
