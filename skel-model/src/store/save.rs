//! Writing, so that a file is always the old one or the new one, whatever happens.
//!
//! A writer holds a lock on a file beside it, writes all of the new one under another name, waits until it is
//! on the disk, and renames it. A killed writer leaves the old file, and perhaps two others, which the next
//! writer removes.

use crate::{
    TuningFile,
    disk::folder,
    store::{StoreError, layout, lock::Lock},
};
use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

/// What happens to a file that is there and is no tuning file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// It stays: a user named it, and may have meant another.
    Keep,
    /// It is replaced: no other program writes there.
    Replace,
}

/// What became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saved {
    /// It is written.
    Written,
    /// It says already what it should.
    Unchanged,
}

/// Writes to `path` what `change` makes of the file that is there, if there is one. Concurrent writers wait
/// for each other; `waits` is called when that takes a while. Folders that are missing are made.
///
/// # Errors
/// [`StoreError`] if the place cannot be written, or is not ours to write: the file is what it was then.
pub fn update(
    path: &Path,
    existing: Existing,
    change: impl FnOnce(Option<TuningFile>) -> TuningFile,
    waits: impl FnOnce(),
) -> Result<Saved, StoreError> {
    update_on(&RealDisk, path, existing, change, waits)
}

/// What of a file system is used; others fail on purpose.
pub(super) trait Disk {
    /// Makes a file that is not there yet, and waits until it is on the disk.
    fn write_new(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;
    /// Replaces `to`.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Waits until names are on the disk.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;
}

pub(super) struct RealDisk;

impl Disk for RealDisk {
    fn write_new(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = File::create_new(path)?;
        file.write_all(bytes)?;
        file.sync_all()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        // Elsewhere folders cannot be opened.
        if cfg!(unix) {
            File::open(folder)?.sync_all()?;
        }
        Ok(())
    }
}

pub(super) fn update_on(
    disk: &impl Disk,
    path: &Path,
    existing: Existing,
    change: impl FnOnce(Option<TuningFile>) -> TuningFile,
    waits: impl FnOnce(),
) -> Result<Saved, StoreError> {
    let folder = folder_of(path)?;
    let _lock = lock_in(folder, beside(path, "lock")?, waits)?;
    refuse_links(path)?;
    let unfinished = beside(path, "unfinished")?;
    // Left by a killed writer: there is one owner of the lock.
    remove_if_there(&unfinished)?;
    let old = match layout::read(path) {
        Ok(old) => Some(old),
        Err(error) if error.is_missing() => None,
        Err(StoreError::Malformed { .. }) if existing == Existing::Replace => None,
        Err(error) => return Err(error),
    };
    let new = change(old.clone());
    if old.as_ref() == Some(&new) {
        return Ok(Saved::Unchanged);
    }
    let text = new.to_text();
    // A file that is not read is worse than none: it would replace one that is.
    let read = TuningFile::from_text(text.as_bytes());
    read.map_err(|problem| StoreError::Unreadable {
        path: path.into(),
        problem,
    })?;
    let written = disk
        .write_new(&unfinished, text.as_bytes())
        .map_err(|e| StoreError::io(path, "write", &e))
        .and_then(|()| {
            let renamed = disk.rename(&unfinished, path);
            renamed.map_err(|e| StoreError::io(path, "replace", &e))
        });
    if let Err(error) = written {
        // What is left is removed by the next one, if it cannot be removed now.
        drop(fs::remove_file(&unfinished));
        return Err(error);
    }
    // From here on it is the new one. That its name outlives a power failure, some systems cannot promise.
    drop(disk.sync_folder(folder));
    Ok(Saved::Written)
}

/// Removes a file of a folder of ours, and that folder if it is empty then.
pub(super) fn remove(path: &Path, folder: &Path) -> Result<(), StoreError> {
    ours(folder)?;
    let lock = Lock::take(beside(path, "lock")?, || {})?;
    remove_if_there(&beside(path, "unfinished")?)?;
    remove_if_there(path)?;
    drop(lock);
    // If there is nothing else in it; others may have written there in the meantime.
    drop(fs::remove_dir(folder));
    Ok(())
}

/// Makes the folder and takes the lock in it.
fn lock_in(folder: &Path, lock: PathBuf, waits: impl FnOnce()) -> Result<Lock, StoreError> {
    let mut waits = Some(waits);
    let mut attempts = 0;
    loop {
        let made = folder::make(folder).map_err(|e| StoreError::io(folder, "make", &e));
        let taken = made.and_then(|()| ours(folder)).and_then(|()| {
            Lock::take(lock.clone(), || {
                if let Some(waits) = waits.take() {
                    waits();
                }
            })
        });
        attempts += 1;
        match taken {
            // Another process removed the folder, since nothing was in it; also right after it was found to be there.
            Err(StoreError::Io {
                kind: io::ErrorKind::NotFound | io::ErrorKind::AlreadyExists,
                ..
            }) if attempts < MAX_ATTEMPTS => {}
            taken => return taken,
        }
    }
}

/// How often a folder may vanish.
const MAX_ATTEMPTS: usize = 100;

fn remove_if_there(path: &Path) -> Result<(), StoreError> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(StoreError::io(path, "remove", &e)),
        _ => Ok(()),
    }
}

fn folder_of(path: &Path) -> Result<&Path, StoreError> {
    match path.parent() {
        Some(folder) if folder.as_os_str().is_empty() => Ok(Path::new(".")),
        Some(folder) => Ok(folder),
        None => Err(StoreError::Refused {
            path: path.into(),
            reason: "it names no file",
        }),
    }
}

/// A hidden file with a name made of this one's.
fn beside(path: &Path, what: &str) -> Result<PathBuf, StoreError> {
    let name = path.file_name().ok_or_else(|| StoreError::Refused {
        path: path.into(),
        reason: "it names no file",
    })?;
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(name);
    hidden.push(".");
    hidden.push(what);
    Ok(path.with_file_name(hidden))
}

/// A user that may write to the folder may make our files links to others, or replace them.
fn ours(folder: &Path) -> Result<(), StoreError> {
    let about = fs::metadata(folder).map_err(|e| StoreError::io(folder, "look at", &e))?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = about.permissions().mode();
        // Where the sticky bit is set, as in /tmp, only the owner of a file can replace it.
        if mode & 0o1002 == 0o0002 {
            return Err(StoreError::Refused {
                path: folder.into(),
                reason: "every user may write to this folder",
            });
        }
    }
    if !about.is_dir() {
        return Err(StoreError::Refused {
            path: folder.into(),
            reason: "it is no folder",
        });
    }
    Ok(())
}

/// What is there must be a file of its own.
pub(super) fn refuse_links(path: &Path) -> Result<(), StoreError> {
    let reason = match fs::symlink_metadata(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(e) => return Err(StoreError::io(path, "look at", &e)),
        Ok(about) if about.is_file() => return Ok(()),
        Ok(about) if about.is_symlink() => "it is a symbolic link",
        Ok(_) => "it is there, and no file",
    };
    Err(StoreError::Refused {
        path: path.into(),
        reason,
    })
}
