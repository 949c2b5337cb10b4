//! The versions of NVRTC that tests compile with.

use skel_backends::cuda::nvrtc::Nvrtc;
use std::{
    env, fs,
    path::{Path, PathBuf},
    sync::OnceLock,
};

/// All that are to be tested: those that `SKEL_TEST_NVRTC` lists (as PATH lists folders), or those in
/// the folder `nvrtc` of the target folder, or what is installed.
pub fn all() -> &'static [Nvrtc] {
    static ALL: OnceLock<Vec<Nvrtc>> = OnceLock::new();
    ALL.get_or_init(|| {
        let paths = match env::var_os("SKEL_TEST_NVRTC") {
            Some(list) => env::split_paths(&list).collect(),
            None => fetched(),
        };
        let open = |path: &PathBuf| Nvrtc::open(path).expect("it was listed, so it can be opened");
        let mut all: Vec<Nvrtc> = paths.iter().map(open).collect();
        if all.is_empty() {
            all.extend(Nvrtc::find());
        }
        all
    })
}

/// Why there is nothing to test, if so.
pub fn missing() -> Option<&'static str> {
    all().is_empty().then_some(
        "no NVRTC (libnvrtc): `cargo xtask test` fetches it, or install the Python package nvidia-cuda-nvrtc",
    )
}

/// What `cargo xtask test` has put into the target folder.
fn fetched() -> Vec<PathBuf> {
    let folder = crate::temporary().with_file_name("nvrtc");
    let mut found = Vec::new();
    libraries(&folder, 5, &mut found);
    found.sort();
    found
}

fn libraries(folder: &Path, depth: u32, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with("libnvrtc.so.") {
            found.push(path);
        } else if depth > 0 && path.is_dir() {
            libraries(&path, depth - 1, found);
        }
    }
}
