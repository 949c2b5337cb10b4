//! Where there are no handles of folders: by paths.

use super::{Found, Rename, refused};
use skel_model::disk::{file, folder};
use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
    time::SystemTime,
};

/// A folder that is one.
pub(in super::super) struct Folder(PathBuf);

impl Folder {
    /// Looks whether it is one.
    pub(in super::super) fn open(path: &Path) -> io::Result<Folder> {
        if !fs::symlink_metadata(path)?.is_dir() {
            return Err(refused("it is something else"));
        }
        Ok(Folder(path.into()))
    }

    /// A file that is one, and not larger than that.
    pub(in super::super) fn read(&self, name: &str, max_bytes: u64) -> io::Result<Vec<u8>> {
        let path = self.0.join(name);
        if !fs::symlink_metadata(&path)?.is_file() {
            return Err(refused("it is something else"));
        }
        folder::read(&path, max_bytes)
    }

    /// Makes a file that is not there yet.
    pub(in super::super) fn create(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        File::create_new(self.0.join(name))?.write_all(bytes)
    }

    /// Gives a file another name.
    pub(in super::super) fn rename(&self, from: &str, to: &str, how: Rename) -> io::Result<()> {
        let (from, to) = (self.0.join(from), self.0.join(to));
        match how {
            Rename::Replace => fs::rename(from, to),
            Rename::IfAbsent => {
                fs::hard_link(&from, to)?;
                drop(fs::remove_file(from));
                Ok(())
            }
        }
    }

    /// Removes a file, if it is there and can be removed.
    pub(in super::super) fn remove(&self, name: &str) {
        drop(fs::remove_file(self.0.join(name)));
    }

    /// Notes that a file was used now. If that cannot be noted, it is evicted earlier: no harm.
    pub(in super::super) fn touch(&self, name: &str) {
        if let Ok(file) = file::append(&self.0.join(name)) {
            drop(file.set_modified(SystemTime::now()));
        }
    }

    /// The files; links, folders and what else there may be are none of ours.
    pub(in super::super) fn files(&self) -> Vec<Found> {
        let Ok(entries) = fs::read_dir(&self.0) else {
            return Vec::new();
        };
        let found = |entry: fs::DirEntry| {
            // Of links it is the link that is described.
            let about = entry.metadata().ok()?;
            about.is_file().then_some(Found {
                name: entry.file_name().into_string().ok()?,
                bytes: about.len(),
                used: about.modified().ok()?,
            })
        };
        entries.flatten().filter_map(found).collect()
    }
}
