//! The folder of the cache: it is looked at through the handle by which its files are reached then, so that what was
//! looked at is what is used.
//!
//! On Unix the folder has to belong to the user that runs the program, and to be closed to other users (mode
//! 0700); links are followed nowhere. Elsewhere the folder is the user's by where it lies (`%LOCALAPPDATA%`),
//! and what is no folder or no file is refused.

#[cfg(not(unix))]
mod other;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub(super) use other::Folder;
#[cfg(unix)]
pub(super) use unix::Folder;

use skel_model::disk::CacheFolder;
use std::{ffi::OsString, io, path::PathBuf, time::SystemTime};

/// What becomes of a file that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rename {
    /// It stays, and this is an error.
    IfAbsent,
    /// It goes.
    Replace,
}

/// A file of the folder.
pub(super) struct Found {
    pub(super) name: String,
    pub(super) bytes: u64,
    pub(super) used: SystemTime,
}

/// The folder, by variables of the environment; none if it is switched off, or nothing says where.
pub(super) fn of_user(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    // In a folder of its own there, too: the one that is named may be open to others.
    Some(CacheFolder::of_user(variable)?.path().join("kernels"))
}

fn refused(why: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, why.into())
}

#[cfg(test)]
mod test {
    use super::*;
    use std::path::Path;

    fn with(variables: &[(&str, &str)]) -> Option<PathBuf> {
        of_user(|name| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| value.into())
        })
    }

    #[test]
    #[cfg(unix)]
    fn kernels_have_a_folder_of_their_own() {
        let caches = ("XDG_CACHE_HOME", "/caches");
        assert_eq!(with(&[caches]).unwrap(), Path::new("/caches/skel/kernels"));
        let own = ("SKEL_CACHE_DIR", "/own");
        assert_eq!(with(&[caches, own]).unwrap(), Path::new("/own/kernels"));
        assert_eq!(with(&[own, ("SKEL_CACHE", "off")]), None);
        // What is not understood is off, and not on.
        assert_eq!(with(&[own, ("SKEL_CACHE", "none")]), None);
    }
}
