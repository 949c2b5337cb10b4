//! Files of models, found and written, on disks that fail.

mod faults;
mod killed;
mod look;
mod merged;
mod saved;

use crate::{json::test::sample_file, store::*, *};
use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicUsize, Ordering},
};

/// A folder that goes with the test.
struct Temporary(PathBuf);

impl Temporary {
    fn new() -> Temporary {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("skel-store-{}-{count}", process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Temporary(path)
    }

    fn join(&self, path: &str) -> PathBuf {
        self.0.join(path)
    }

    /// The names in it, sorted, hidden ones included.
    fn names(&self) -> Vec<String> {
        names(&self.0)
    }

    /// A store that has its folder here, and nothing else.
    fn store(&self) -> Store {
        Store::new(only("SKEL_CACHE_DIR", &self.0), None)
    }

    fn folder(&self) -> Folder {
        Folder::at(&self.0)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let removed = fs::remove_dir_all(&self.0);
        // A second panic would hide the first.
        assert!(removed.is_ok() || std::thread::panicking(), "{removed:?}");
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let name = |e: io::Result<fs::DirEntry>| e.unwrap().file_name().into_string().unwrap();
    let mut names: Vec<String> = entries.map(name).collect();
    names.sort();
    names
}

/// An environment of one variable.
fn only(name: &'static str, value: &Path) -> impl Fn(&str) -> Option<OsString> {
    let value = value.to_owned();
    move |asked| (asked == name).then(|| value.clone().into())
}

fn key() -> InstanceKey {
    sample_file().machines[0].instances[0].key.clone()
}

/// The machine of the sample file, with the devices not looked for.
fn machine() -> Machine<'static> {
    Machine {
        cpu: "AMD EPYC 9554",
        threads: 16,
        devices: None,
    }
}

/// The sample file, told apart by its seed.
fn numbered(seed: u64) -> TuningFile {
    let mut file = sample_file();
    file.machines[0].instances[0].seed = seed;
    file
}

fn save(folder: &Folder, file: &TuningFile) -> Result<Vec<PathBuf>, StoreError> {
    folder.save(&file.tool, &file.machines[0], merge::Prefer::New, |_| {})
}
