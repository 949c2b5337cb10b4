//! The user's cache folder.

use crate::disk::file;
use skel_core::setting::{CACHE, CACHE_DIR, warn};
use std::{
    env,
    ffi::OsString,
    fs::DirBuilder,
    io::{self, Read},
    path::{Path, PathBuf},
};

/// The user's cache folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CacheFolder {
    /// A folder that `SKEL_CACHE_DIR` names, for us alone.
    Named(PathBuf),
    /// `skel` in the folder where the user's programs keep such things.
    OfUser(PathBuf),
}

impl CacheFolder {
    /// The folder, by variables of the environment; none if `SKEL_CACHE` is off or nonsense, or
    /// nothing says where.
    ///
    /// ```
    /// use skel_model::disk::CacheFolder;
    ///
    /// let named = CacheFolder::of_user(|name| (name == "SKEL_CACHE_DIR").then(|| "/own".into()));
    /// assert_eq!(named, Some(CacheFolder::Named("/own".into())));
    /// ```
    pub fn of_user(variable: impl Fn(&str) -> Option<OsString>) -> Option<CacheFolder> {
        let is_on = CACHE.read(&variable).unwrap_or_else(|error| {
            warn(CACHE.info.name, &error.to_string());
            Some(false)
        });
        if is_on == Some(false) {
            return None;
        }
        if let Ok(Some(named)) = CACHE_DIR.read(&variable) {
            return Some(CacheFolder::Named(named));
        }
        let set = |name| variable(name).filter(|value| !value.is_empty());
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
        Some(CacheFolder::OfUser(caches.join("skel")))
    }

    /// The folder itself.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            CacheFolder::Named(path) | CacheFolder::OfUser(path) => path,
        }
    }
}

/// Makes a folder and those it lies in. Only the user may look into what is made.
///
/// # Errors
/// What the system says.
pub fn make(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// A file that is one, and not larger than any that we write.
///
/// # Errors
/// What the system says, [`io::ErrorKind::FileTooLarge`], or [`io::ErrorKind::InvalidInput`] for what is no
/// file.
pub fn read(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    let file = file::open(path)?;
    let too_large = || {
        let message = format!("more than {max_bytes} bytes");
        io::Error::new(io::ErrorKind::FileTooLarge, message)
    };
    if file.metadata()?.len() > max_bytes {
        return Err(too_large());
    }
    // It may grow in the meantime.
    let mut bytes = Vec::new();
    file.take(max_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        return Err(too_large());
    }
    Ok(bytes)
}

#[cfg(test)]
mod test {
    use super::*;
    use std::fs;

    fn with(variables: &[(&str, &str)]) -> Option<CacheFolder> {
        CacheFolder::of_user(|name| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| value.into())
        })
    }

    fn of_user(path: &str) -> Option<CacheFolder> {
        Some(CacheFolder::OfUser(path.into()))
    }

    #[test]
    #[cfg(all(unix, not(target_os = "macos")))]
    fn the_environment_says_where() {
        let home = ("HOME", "/home/me");
        assert_eq!(with(&[home]), of_user("/home/me/.cache/skel"));
        let xdg = ("XDG_CACHE_HOME", "/caches");
        assert_eq!(with(&[home, xdg]), of_user("/caches/skel"));
        let relative = ("XDG_CACHE_HOME", "caches");
        assert_eq!(with(&[home, relative]), with(&[home]));
        let own = ("SKEL_CACHE_DIR", "/own");
        let named = Some(CacheFolder::Named("/own".into()));
        assert_eq!(with(&[home, xdg, own]), named);
        assert_eq!(with(&[home, ("SKEL_CACHE_DIR", "")]), with(&[home]));
    }

    #[test]
    fn it_can_be_switched_off() {
        let own = ("SKEL_CACHE_DIR", "/own");
        assert_eq!(with(&[own, ("SKEL_CACHE", "off")]), None);
        assert!(with(&[own, ("SKEL_CACHE", "on")]).is_some());
    }

    #[test]
    fn what_is_no_file_or_too_large_is_not_read() {
        let folder = env::temp_dir();
        let kind = |path: &Path, max| read(path, max).map_err(|e| e.kind());
        assert_eq!(kind(&folder, 1), Err(io::ErrorKind::InvalidInput));
        let file = folder.join(format!("skel-read-{}", std::process::id()));
        fs::write(&file, b"12345").unwrap();
        let read = [kind(&file, 5), kind(&file, 4)];
        fs::remove_file(&file).unwrap();
        assert_eq!(
            read,
            [Ok(b"12345".into()), Err(io::ErrorKind::FileTooLarge)]
        );
        assert_eq!(kind(&file, 5), Err(io::ErrorKind::NotFound));
        #[cfg(target_os = "linux")]
        assert_eq!(
            kind(Path::new("/dev/zero"), 5),
            Err(io::ErrorKind::InvalidInput)
        );
        // A file of no length that has contents, as the kernel's are.
        #[cfg(target_os = "linux")]
        assert_eq!(
            kind(Path::new("/proc/meminfo"), 5),
            Err(io::ErrorKind::FileTooLarge)
        );
    }
}
