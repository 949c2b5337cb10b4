//! Compiled kernels on disk, so that a program compiles each only once on a machine; and beside them what was found out
//! about devices' arithmetic.
//!
//! | module | what it does |
//! |---|---|
//! | [`entry`] | a kernel as the bytes of a file: versioned, and authenticated with the user's secret |
//! | `evict` | removes what was not used for longest |
//! | `folder` | where it is, whose it is, and reading and writing there |
//! | `secret` | what entries are authenticated with |
//!
//! # What is believed
//!
//! An entry is code that is executed: a CUDA kernel, or what a driver of Vulkan has made of one. So the
//! folder belongs to the user and is closed to others (which is looked at through the handle by which files
//! are reached), an entry is named by a keyed hash of everything that decides what it is, and it is read
//! once, authenticated in memory, and used from there. Without the user's own secret an entry cannot be
//! forged, and no two keys share one.
//!
//! Nothing that happens on disk is an error for the caller. What cannot be read, is damaged, or
//! belongs to something else counts as absent: it is compiled again, and replaced. A folder that is not the
//! user's alone, or that cannot be written, is not used; that is said once on standard error.
//!
//! Any number of threads and processes may use one folder. An entry appears whole, by renaming a
//! finished file. Two that compile the same kernel at once write the same entry twice.
//!
//! # Environment
//!
//! `SKEL_CACHE` and `SKEL_CACHE_DIR`: see [`crate::setting`].

pub mod entry;
mod evict;
mod folder;
mod secret;
#[cfg(test)]
mod test;

use entry::Sealer;
use folder::{Folder, Rename};
use skel_core::setting::{CACHE_DIR, environment, shown, warn};
use skel_model::disk::{self, file};
use std::{
    io,
    path::{Path, PathBuf},
};

/// How large the user's cache may grow.
const MAX_BYTES: u64 = 256 << 20;

/// How large an entry may be.
const MAX_ENTRY_BYTES: u64 = 64 << 20;

/// Everything that decides what a source is compiled to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelKey<'a> {
    /// The compiler, with its version.
    pub compiler: &'a str,
    /// The driver of the device, with its version.
    pub driver: &'a str,
    /// For which device.
    pub architecture: &'a str,
    /// The compiler's options, in order.
    pub options: &'a [String],
    /// The source.
    pub source: &'a str,
}

/// A folder of compiled kernels, or none.
#[derive(Clone, Debug)]
pub struct KernelCache {
    folder: Option<PathBuf>,
    max_bytes: u64,
}

impl KernelCache {
    /// The user's, as the environment says.
    pub fn of_user() -> KernelCache {
        KernelCache {
            folder: folder::of_user(environment),
            max_bytes: MAX_BYTES,
        }
    }

    /// One in this folder, which is made when it is needed.
    pub fn at(folder: impl Into<PathBuf>, max_bytes: u64) -> KernelCache {
        KernelCache {
            folder: Some(folder.into()),
            max_bytes,
        }
    }

    /// One that keeps nothing.
    pub fn off() -> KernelCache {
        KernelCache {
            folder: None,
            max_bytes: 0,
        }
    }

    /// Where it is.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The compiled kernel; `compile` is called if it is not there. The error is that of `compile`.
    pub(crate) fn get_or_compile<E>(
        &self,
        key: &KernelKey<'_>,
        compile: impl FnOnce() -> Result<Vec<u8>, E>,
    ) -> Result<Vec<u8>, E> {
        if let Some(known) = self.get(key) {
            return Ok(known);
        }
        let compiled = compile()?;
        self.put(key, &compiled);
        Ok(compiled)
    }

    /// The compiled kernel, if it is there.
    pub fn get(&self, key: &KernelKey<'_>) -> Option<Vec<u8>> {
        let path = self.folder.as_deref()?;
        let folder = match Folder::open(path) {
            Ok(folder) => folder,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            Err(error) => return do_without(path, &error),
        };
        let sealer = Sealer::new(&secret::known(&folder)?);
        let name = sealer.file_name(key);
        let bytes = folder.read(&name, self.max_entry_bytes()).ok()?;
        let image = sealer.open(key, &bytes)?;
        folder.touch(&name);
        Some(image)
    }

    /// Keeps a compiled kernel, and makes room for it. Whether it is there afterwards only [`get`]
    /// tells.
    ///
    /// [`get`]: KernelCache::get
    pub(crate) fn put(&self, key: &KernelKey<'_>, image: &[u8]) {
        if let Some(path) = self.folder.as_deref()
            && let Err(error) = self.try_put(path, key, image)
        {
            do_without(path, &error)
        }
    }

    /// The same, for code of others.
    ///
    /// # Safety
    /// `image` is what the compiler that `key` names has made of what it names: what lies in the cache is given to
    /// drivers, which run it.
    #[allow(
        unsafe_code,
        reason = "only a claim: it is not checked what the bytes do"
    )]
    pub unsafe fn put_of_others(&self, key: &KernelKey<'_>, image: &[u8]) {
        self.put(key, image);
    }

    fn try_put(&self, path: &Path, key: &KernelKey<'_>, image: &[u8]) -> io::Result<()> {
        disk::folder::make(path)?;
        let folder = Folder::open(path)?;
        let sealer = Sealer::new(&secret::known_or_made(&folder)?);
        let bytes = sealer.seal(key, image);
        if bytes.len() as u64 > self.max_entry_bytes() {
            return Ok(());
        }
        let unfinished = file::unfinished();
        let done = folder
            .create(&unfinished, &bytes)
            .and_then(|()| folder.rename(&unfinished, &sealer.file_name(key), Rename::Replace));
        if done.is_err() {
            // What is left of it is evicted later, if it cannot be removed now.
            folder.remove(&unfinished);
        }
        evict::down_to(&folder, self.max_bytes);
        done
    }

    fn max_entry_bytes(&self) -> u64 {
        self.max_bytes.min(MAX_ENTRY_BYTES)
    }
}

/// Says once that kernels are not kept.
fn do_without<T: Default>(folder: &Path, error: &io::Error) -> T {
    let folder = shown(folder.as_os_str());
    let what = format!("compiled kernels are not kept: {folder}: {error}");
    warn(CACHE_DIR.info.name, &what);
    T::default()
}
