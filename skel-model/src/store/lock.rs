//! The lock of a tuning file: one writer at a time.

use crate::store::{StoreError, save::refuse_links};
use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
};

/// A locked file. It is removed with the lock. A process that finds it gone, or replaced by another, begins
/// again.
pub(super) struct Lock {
    _file: File,
    path: PathBuf,
}

impl Lock {
    /// Waits until no other process has it; `waits` is called if that takes a while.
    pub(super) fn take(path: PathBuf, waits: impl FnOnce()) -> Result<Lock, StoreError> {
        let error = |e: &io::Error| StoreError::io(&path, "lock", e);
        let mut waits = Some(waits);
        loop {
            let file = open_lock(&path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    if let Some(waits) = waits.take() {
                        waits();
                    }
                    file.lock().map_err(|e| error(&e))?;
                }
                Err(TryLockError::Error(e)) => return Err(error(&e)),
            }
            if is_still_there(&file, &path) {
                return Ok(Lock { _file: file, path });
            }
        }
    }
}

impl Drop for Lock {
    /// Removes it while it is still locked; that it is closed then unlocks it.
    fn drop(&mut self) {
        if cfg!(unix) {
            drop(fs::remove_file(&self.path));
        }
    }
}

fn open_lock(path: &Path) -> Result<File, StoreError> {
    match File::create_new(path) {
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
        made => return made.map_err(|e| StoreError::io(path, "lock", &e)),
    }
    refuse_links(path)?;
    match File::options().write(true).open(path) {
        // Another process has just released it.
        Err(e) if e.kind() == io::ErrorKind::NotFound => open_lock(path),
        opened => opened.map_err(|e| StoreError::io(path, "lock", &e)),
    }
}

#[cfg(unix)]
fn is_still_there(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (Ok(locked), Ok(there)) = (file.metadata(), fs::symlink_metadata(path)) else {
        return false;
    };
    (locked.dev(), locked.ino()) == (there.dev(), there.ino())
}

/// It is never removed here.
#[cfg(not(unix))]
fn is_still_there(_: &File, _: &Path) -> bool {
    true
}
