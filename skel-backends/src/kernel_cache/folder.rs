//! Where the cache is, and reading and writing there.

use std::{
    env,
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
    let set = |name| variable(name).filter(|value| !value.is_empty());
    if set("SKEL_CACHE").is_some_and(|value| value == "off") {
        return None;
    }
    if let Some(named) = set("SKEL_CACHE_DIR") {
        return Some(named.into());
    }
    // A path that depends on where the program was started would be another cache each time.
    let folder = |name| set(name).map(PathBuf::from).filter(|p| p.is_absolute());
    let caches = folder("XDG_CACHE_HOME")
        .or_else(|| folder("LOCALAPPDATA").filter(|_| cfg!(windows)))
        .or_else(|| {
            let home = folder("HOME").or_else(env::home_dir)?;
            Some(home.join(if cfg!(target_os = "macos") {
                "Library/Caches"
            } else {
                ".cache"
            }))
        })?;
    Some(caches.join("skel").join("kernels"))
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
pub(super) fn write(folder: &Path, name: &str, bytes: &[u8]) -> bool {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    if make(folder).is_err() {
        return false;
    }
    // No other thread, process, or machine on a shared home takes the same name for long.
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let nanos = now.map_or(0, |since| since.as_nanos());
    let unfinished = folder.join(format!("{UNFINISHED}{}-{count}-{nanos}", process::id()));
    let written = File::create_new(&unfinished).and_then(|mut file| file.write_all(bytes));
    let done = written.and_then(|()| fs::rename(&unfinished, folder.join(name)));
    if done.is_err() {
        // What is left of it is evicted later, if it cannot be removed now.
        drop(fs::remove_file(&unfinished));
    }
    done.is_ok()
}

/// Only the user may look into a folder that we make.
fn make(folder: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
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
    #[cfg(all(unix, not(target_os = "macos")))]
    fn the_environment_says_where() {
        let home = ("HOME", "/home/me");
        assert_eq!(
            with(&[home]).unwrap(),
            Path::new("/home/me/.cache/skel/kernels")
        );
        let xdg = ("XDG_CACHE_HOME", "/caches");
        assert_eq!(
            with(&[home, xdg]).unwrap(),
            Path::new("/caches/skel/kernels")
        );
        let relative = ("XDG_CACHE_HOME", "caches");
        assert_eq!(with(&[home, relative]), with(&[home]));
        let own = ("SKEL_CACHE_DIR", "/own");
        assert_eq!(with(&[home, xdg, own]).unwrap(), Path::new("/own"));
        assert_eq!(with(&[home, ("SKEL_CACHE_DIR", "")]), with(&[home]));
    }

    #[test]
    fn it_can_be_switched_off() {
        let own = ("SKEL_CACHE_DIR", "/own");
        assert_eq!(with(&[own, ("SKEL_CACHE", "off")]), None);
        assert!(with(&[own, ("SKEL_CACHE", "on")]).is_some());
    }
}
