//! The files in the user's cache folder.
//!
//! ```text
//! tune/v1/<hash of processor and threads>/<hash of the instance>.json
//! ```
//!
//! Each is a tuning file of one machine and one instance. Names are hashes, so that what a user calls an
//! instance names no place on disk.

use crate::{
    Fingerprint, InstanceKey, MachineModels, TuningFile,
    disk::{CacheFolder, folder},
    json,
    store::{
        Existing, Saved, StoreError,
        merge::{self, Prefer},
        save,
    },
};
use skel_core::hash::Fnv;
use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};

/// The folder of models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    root: PathBuf,
}

impl Folder {
    /// The user's, by variables of the environment.
    ///
    /// # Errors
    /// [`StoreError::NoFolder`] if it is switched off, or its place is unknown.
    pub fn of_user(variable: impl Fn(&str) -> Option<OsString>) -> Result<Folder, StoreError> {
        let folder = CacheFolder::of_user(variable).ok_or(StoreError::NoFolder)?;
        Ok(Folder::at(folder.path()))
    }

    /// The one in this cache folder.
    #[must_use]
    pub fn at(cache: &Path) -> Folder {
        Folder {
            root: cache.join("tune").join("v1"),
        }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.root
    }

    /// The file of an instance.
    #[must_use]
    pub fn file(&self, key: &InstanceKey, cpu: &str, threads: usize) -> PathBuf {
        let machine = self.root.join(machine_hash(cpu, threads));
        machine.join(format!("{}.json", key.id()))
    }

    /// All files, with what is in them, in the order of their names. A folder that is not there has none.
    ///
    /// # Errors
    /// [`StoreError::Io`] if a folder cannot be read. What is wrong with a single file stands in its
    /// place.
    pub fn files(&self) -> Result<Vec<Entry>, StoreError> {
        let mut entries = Vec::new();
        for machine in list(&self.root, is_hash)? {
            for path in list(&machine, |name| {
                name.strip_suffix(".json").is_some_and(is_hash)
            })? {
                let file = read(&path);
                entries.push(Entry { path, file });
            }
        }
        Ok(entries)
    }

    /// Writes the models of a machine, each instance to its file, beside what is known there already.
    /// The files that were written. `waits` is called with a file for which others are waited for.
    ///
    /// # Errors
    /// [`StoreError`], for the first that cannot be written. All others are.
    pub fn save(
        &self,
        tool: &str,
        machine: &MachineModels,
        prefer: Prefer,
        mut waits: impl FnMut(&Path),
    ) -> Result<Vec<PathBuf>, StoreError> {
        let Fingerprint { cpu, threads, .. } = &machine.fingerprint;
        let mut written = Ok(Vec::new());
        for instance in &machine.instances {
            let path = self.file(&instance.key, cpu, *threads);
            let new = TuningFile {
                tool: tool.into(),
                machines: vec![MachineModels {
                    instances: vec![instance.clone()],
                    ..machine.clone()
                }],
            };
            let change = |old: Option<TuningFile>| match old {
                Some(old) => merge::files(old, new, prefer),
                None => new,
            };
            let saved = self
                .refuse_links(&path)
                .and_then(|()| save::update(&path, Existing::Replace, change, || waits(&path)));
            match (saved, &mut written) {
                (Ok(Saved::Written), Ok(files)) => files.push(path),
                (Err(error), Ok(_)) => written = Err(error),
                (Ok(_), _) | (Err(_), Err(_)) => {}
            }
        }
        written
    }

    /// The folders that only we make must be folders: what is a link there leads somewhere else.
    fn refuse_links(&self, path: &Path) -> Result<(), StoreError> {
        let ours = [Some(self.root.as_path()), self.root.parent(), path.parent()];
        for folder in ours.into_iter().flatten() {
            if fs::symlink_metadata(folder).is_ok_and(|about| about.is_symlink()) {
                return Err(StoreError::Refused {
                    path: folder.into(),
                    reason: "it is a symbolic link",
                });
            }
        }
        Ok(())
    }

    /// Removes a file of ours, and the folder of its machine if that is empty then.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be removed, or does not lie here.
    pub fn remove(&self, path: &Path) -> Result<(), StoreError> {
        let ours = path.starts_with(&self.root);
        let machine = path.parent().filter(|_| ours);
        let refused = || StoreError::Refused {
            path: path.into(),
            reason: "it does not lie in the folder of models",
        };
        self.refuse_links(path)?;
        save::remove(path, machine.ok_or_else(refused)?)
    }
}

/// A file of the folder.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Where it is.
    pub path: PathBuf,
    /// What is in it, or why that cannot be said.
    pub file: Result<TuningFile, StoreError>,
}

/// 32 hexadecimal digits for a processor and its threads: devices may come and go.
#[must_use]
pub fn machine_hash(cpu: &str, threads: usize) -> String {
    let mut hash = Fnv::new();
    hash.text(cpu);
    hash.bytes(&(threads as u64).to_le_bytes());
    format!("{:032x}", hash.value())
}

/// A tuning file.
///
/// # Errors
/// [`StoreError`], with the place in the file.
pub fn read(path: &Path) -> Result<TuningFile, StoreError> {
    let text = folder::read(path, json::MAX_BYTES as u64);
    let text = text.map_err(|e| StoreError::io(path, "read", &e))?;
    let file = TuningFile::from_text(&text);
    file.map_err(|problem| StoreError::Malformed {
        file: path.display().to_string(),
        problem,
    })
}

fn is_hash(name: &str) -> bool {
    name.len() == 32 && name.bytes().all(|b| b.is_ascii_hexdigit())
}

/// The paths in a folder whose names are wanted, sorted.
fn list(folder: &Path, wanted: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>, StoreError> {
    let error = |e: &io::Error| StoreError::io(folder, "list", e);
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(error(&e)),
    };
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry.map_err(|e| error(&e))?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        if name.is_some_and(&wanted) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}
