//! On Unix: all through the handle of a folder.

use super::{Found, Rename, refused};
use rustix::{
    fs::{
        AtFlags, Dir, FileType, Mode, OFlags, Timespec, Timestamps, UTIME_NOW, fstat, linkat, open,
        openat, renameat, statat, unlinkat, utimensat,
    },
    process::geteuid,
};
use std::{
    fs::File,
    io::{self, Read, Write},
    os::fd::OwnedFd,
    path::Path,
    time::{Duration, SystemTime},
};

/// A folder that belongs to the user, and that no other user can open.
pub(in super::super) struct Folder(OwnedFd);

/// What a folder or a file is, so far as it matters.
fn is_ours(about: &rustix::fs::Stat, kind: FileType) -> io::Result<()> {
    if FileType::from_raw_mode(about.st_mode) != kind {
        return Err(refused("it is something else"));
    }
    if about.st_uid != geteuid().as_raw() {
        return Err(refused("it belongs to another user"));
    }
    let mode = about.st_mode & 0o777;
    if mode & 0o077 != 0 {
        return Err(refused(format!(
            "others may use it (mode {mode:o}): it has to be the user's alone, as by `chmod go=`"
        )));
    }
    Ok(())
}

impl Folder {
    /// Opens it.
    pub(in super::super) fn open(path: &Path) -> io::Result<Folder> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let handle = open(path, flags, Mode::empty())?;
        is_ours(&fstat(&handle)?, FileType::Directory)?;
        Ok(Folder(handle))
    }

    /// A file that is one, is the user's, and is not larger than that.
    pub(in super::super) fn read(&self, name: &str, max_bytes: u64) -> io::Result<Vec<u8>> {
        // A pipe of that name is not waited for.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let handle = openat(&self.0, name, flags, Mode::empty())?;
        is_ours(&fstat(&handle)?, FileType::RegularFile)?;
        let mut bytes = Vec::new();
        // It may grow while it is read.
        File::from(handle)
            .take(max_bytes.saturating_add(1))
            .read_to_end(&mut bytes)?;
        if bytes.len() as u64 > max_bytes {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        Ok(bytes)
    }

    /// Makes a file that is not there yet.
    pub(in super::super) fn create(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let handle = openat(
            &self.0,
            name,
            flags | OFlags::NOFOLLOW,
            Mode::RUSR | Mode::WUSR,
        )?;
        File::from(handle).write_all(bytes)
    }

    /// Gives a file another name.
    pub(in super::super) fn rename(&self, from: &str, to: &str, how: Rename) -> io::Result<()> {
        match how {
            Rename::Replace => renameat(&self.0, from, &self.0, to)?,
            Rename::IfAbsent => {
                linkat(&self.0, from, &self.0, to, AtFlags::empty())?;
                self.remove(from);
            }
        }
        Ok(())
    }

    /// Removes a file, if it is there and can be removed.
    pub(in super::super) fn remove(&self, name: &str) {
        let _removed = unlinkat(&self.0, name, AtFlags::empty());
    }

    /// Notes that a file was used now. If that cannot be noted, it is evicted earlier: no harm.
    pub(in super::super) fn touch(&self, name: &str) {
        let now = Timespec {
            tv_sec: 0,
            tv_nsec: UTIME_NOW,
        };
        let times = Timestamps {
            last_access: now,
            last_modification: now,
        };
        let _noted = utimensat(&self.0, name, &times, AtFlags::SYMLINK_NOFOLLOW);
    }

    /// The files; links, folders and what else there may be are none of ours.
    pub(in super::super) fn files(&self) -> Vec<Found> {
        let Ok(entries) = Dir::read_from(&self.0) else {
            return Vec::new();
        };
        let found = |entry: rustix::fs::DirEntry| {
            let about = statat(&self.0, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW).ok()?;
            let is_file = FileType::from_raw_mode(about.st_mode) == FileType::RegularFile;
            let seconds = Duration::from_secs(u64::try_from(about.st_mtime).ok()?);
            #[allow(
                clippy::unnecessary_cast,
                reason = "an `i64` where the system is called through libc"
            )]
            let nanos = Duration::from_nanos(about.st_mtime_nsec as u64);
            is_file.then_some(Found {
                name: entry.file_name().to_str().ok()?.to_owned(),
                bytes: u64::try_from(about.st_size).ok()?,
                used: SystemTime::UNIX_EPOCH
                    .checked_add(seconds)?
                    .checked_add(nanos)?,
            })
        };
        entries.flatten().filter_map(found).collect()
    }
}
