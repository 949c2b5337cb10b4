//! Compiled kernels on disk, so that a program compiles each only once on a machine.
//!
//! | module | what it does |
//! |---|---|
//! | `entry` | a kernel as the bytes of a file: versioned, with its whole key and a check sum |
//! | `evict` | removes what was not used for longest |
//! | `folder` | where it is, and reading and writing there |
//!
//! Nothing that happens on disk is an error for the caller. What cannot be read, is damaged, or
//! belongs to something else counts as absent: it is compiled again, and replaced. What cannot be
//! written is not kept.
//!
//! Any number of threads and processes may use one folder. An entry appears whole, by renaming a
//! finished file. Two that compile the same kernel at once write the same entry twice.
//!
//! # Environment
//!
//! | variable | means |
//! |---|---|
//! | `SKEL_CACHE=off` | nothing is read or written |
//! | `SKEL_CACHE_DIR` | the folder, instead of `skel/kernels` in the user's cache folder |

mod entry;
mod evict;
mod folder;
#[cfg(test)]
mod test;

use std::path::{Path, PathBuf};

/// How large the user's cache may grow.
const MAX_BYTES: u64 = 256 << 20;

/// Everything that decides what a source is compiled to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key<'a> {
    /// The compiler, with its version.
    pub compiler: &'a str,
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
            folder: folder::of_user(|name| std::env::var_os(name)),
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
    pub fn get_or_compile<E>(
        &self,
        key: &Key<'_>,
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
    pub fn get(&self, key: &Key<'_>) -> Option<Vec<u8>> {
        let folder = self.folder.as_deref()?;
        let path = folder.join(entry::file_name(key));
        let bytes = folder::read(&path, self.max_bytes)?;
        let image = entry::decode(key, &bytes)?;
        folder::touch(&path);
        Some(image)
    }

    /// Keeps a compiled kernel, and makes room for it. Whether it is there afterwards only [`get`]
    /// tells.
    ///
    /// [`get`]: KernelCache::get
    pub fn put(&self, key: &Key<'_>, image: &[u8]) {
        let Some(folder) = self.folder.as_deref() else {
            return;
        };
        let bytes = entry::encode(key, image);
        let size = bytes.len() as u64;
        if size > self.max_bytes {
            return;
        }
        if folder::write(folder, &entry::file_name(key), &bytes) {
            evict::down_to(folder, self.max_bytes);
        }
    }
}
