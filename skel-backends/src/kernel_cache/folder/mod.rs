//! Where the cache is, and reading and writing there.

use skel_core::disk::{CacheFolder, folder};
use std::{
    ffi::OsString,
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU64, Ordering},
    time::SystemTime,
};

/// What files begin with that are not finished.
pub(super) const UNFINISHED: &str = "unfinished-";

/// The folder, by variables of the environment; none if it is switched off, or nobody says where.
pub(super) fn of_user(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    Some(match CacheFolder::of_user(variable)? {
        CacheFolder::Named(folder) => folder,
        CacheFolder::OfUser(folder) => folder.join("kernels"),
    })
}

/// A file that is one, and not larger than any entry can be.
pub(super) fn read(path: &Path, max_bytes: u64) -> Option<Vec<u8>> {
    // Before it is opened: a pipe of that name would keep us waiting.
    let found = fs::symlink_metadata(path).ok()?;
    if !found.is_file() || found.len() > max_bytes {
        return None;
    }
    fs::read(path).ok()
}

/// Notes that it was used now. If it cannot be noted, it is evicted earlier: no harm.
pub(super) fn touch(path: &Path) {
    if let Ok(file) = File::options().append(true).open(path) {
        drop(file.set_modified(SystemTime::now()));
    }
}

/// Whether the file is there now, whole.
pub(super) fn write(at: &Path, name: &str, bytes: &[u8]) -> bool {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    if folder::make(at).is_err() {
        return false;
    }
    // No other thread, process, or machine on a shared home takes the same name for long.
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let nanos = now.map_or(0, |since| since.as_nanos());
    let unfinished = at.join(format!("{UNFINISHED}{}-{count}-{nanos}", process::id()));
    let written = File::create_new(&unfinished).and_then(|mut file| file.write_all(bytes));
    let done = written.and_then(|()| fs::rename(&unfinished, at.join(name)));
    if done.is_err() {
        // What is left of it is evicted later, if it cannot be removed now.
        drop(fs::remove_file(&unfinished));
    }
    done.is_ok()
}

#[cfg(test)]
mod test {
    use super::*;

    fn with(variables: &[(&str, &str)]) -> Option<PathBuf> {
        of_user(|name| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| value.into())
        })
    }

    #[test]
    #[cfg(unix)]
    fn a_folder_that_is_named_holds_nothing_else() {
        let caches = ("XDG_CACHE_HOME", "/caches");
        assert_eq!(with(&[caches]).unwrap(), Path::new("/caches/skel/kernels"));
        let own = ("SKEL_CACHE_DIR", "/own");
        assert_eq!(with(&[caches, own]).unwrap(), Path::new("/own"));
        assert_eq!(with(&[own, ("SKEL_CACHE", "off")]), None);
    }
}
