//! Journals, as files that can be removed.

use crate::{
    command::environment::shown,
    exit::{Exit, Failure, Result},
};
use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
};

/// What the commands that run programs leave behind: of a run, of the oracle, of a list, to the end or not.
const ENDINGS: [&str; 6] = [
    ".journal.jsonl",
    ".oracle.jsonl",
    ".list.jsonl",
    ".journal.unfinished",
    ".oracle.unfinished",
    ".list.unfinished",
];

/// The journals there, in the order of their names. A folder that is not there has none.
pub(super) fn in_folder(folder: &Path) -> Result<Vec<PathBuf>> {
    let unreadable = |e: io::Error| {
        let what = format!("cannot read {}: {e}", shown(folder));
        Failure::new(Exit::Incomplete, what)
    };
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(unreadable(e)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.map_err(unreadable)?;
        let path = entry.path();
        // A folder of such a name is no journal.
        if entry.file_type().map_err(unreadable)?.is_dir() {
            continue;
        }
        let name = path.to_string_lossy();
        if ENDINGS.iter().any(|ending| name.ends_with(ending)) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Removes one that no process writes. The file that is locked stays: others may be waiting for it.
pub(super) fn remove(path: &Path) -> Result<()> {
    let failed = |e: io::Error| {
        let what = format!("cannot remove {}: {e}", shown(path));
        Failure::new(Exit::Write, what)
    };
    // What is there is not emptied: it may be a link to something else.
    let lock = File::options()
        .write(true)
        .create(true)
        .truncate(false)
        .open(path.with_extension("lock"))
        .map_err(failed)?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let what = format!("another `cargo tune` is writing {}", shown(path));
            return Err(Failure::new(Exit::Write, what).fix("stop it, or wait until it has ended"));
        }
        Err(TryLockError::Error(e)) => return Err(failed(e)),
    }
    match fs::remove_file(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(failed(e)),
        _ => Ok(()),
    }
}
