//! Opening files that others name, without waiting for what is no file.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::Path,
    process,
    sync::atomic::{AtomicU64, Ordering},
    time::SystemTime,
};

/// What files begin with that are not finished.
pub const UNFINISHED: &str = "unfinished-";

/// Opens a file for reading.
///
/// # Errors
/// What the system says, or [`io::ErrorKind::InvalidInput`] for what is no file. Pipes and devices are not
/// waited for.
pub fn open(path: &Path) -> io::Result<File> {
    regular(without_waiting(false).read(true).open(path)?)
}

/// Makes a file, or empties the one that is there.
///
/// # Errors
/// As [`open`]; symbolic links are not followed.
pub fn create(path: &Path) -> io::Result<File> {
    let file = without_waiting(true).write(true).create(true).open(path);
    let file = regular(file.map_err(|error| of_link(path, error))?)?;
    // Not when it is opened: what is no file would be asked to.
    file.set_len(0)?;
    Ok(file)
}

/// Opens a file to read, and to write at its end, and makes it if it is not there.
///
/// # Errors
/// As [`create`].
pub fn append(path: &Path) -> io::Result<File> {
    let file = without_waiting(true)
        .read(true)
        .append(true)
        .create(true)
        .open(path);
    regular(file.map_err(|error| of_link(path, error))?)
}

/// Writes a file of this name in a folder, whole or not at all. What is there is replaced; a link is replaced, and
/// not followed.
///
/// # Errors
/// What the system says.
pub fn replace(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let unfinished = folder.join(unfinished());
    // It is new: no link is followed.
    let written = File::create_new(&unfinished).and_then(|mut file| file.write_all(bytes));
    let done = written.and_then(|()| fs::rename(&unfinished, folder.join(name)));
    if done.is_err() {
        drop(fs::remove_file(&unfinished));
    }
    done
}

/// A name that no other thread, process, or machine on a shared home takes for long.
#[must_use]
pub fn unfinished() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let nanos = now.map_or(0, |since| since.as_nanos());
    format!("{UNFINISHED}{}-{count}-{nanos}", process::id())
}

fn without_waiting(new: bool) -> OpenOptions {
    #[cfg_attr(any(not(unix), miri), allow(unused_mut, reason = "no flags there"))]
    let mut options = OpenOptions::new();
    #[cfg(all(unix, not(miri)))]
    {
        let links = if new { libc::O_NOFOLLOW } else { 0 };
        let flags = libc::O_NONBLOCK | libc::O_NOCTTY | links;
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags);
    }
    #[cfg(not(all(unix, not(miri))))]
    let _ = new;
    options
}

/// What was opened, and not what was there before or after.
fn regular(file: File) -> io::Result<File> {
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is no regular file",
        ))
    }
}

/// What systems say of links that are not followed, no reader understands.
fn of_link(path: &Path, error: io::Error) -> io::Error {
    match fs::symlink_metadata(path) {
        Ok(about) if about.is_symlink() => {
            io::Error::new(io::ErrorKind::InvalidInput, "it is a symbolic link")
        }
        _ => error,
    }
}
