//! Where NVRTC may be.

use super::{Nvrtc, NvrtcError};
use crate::setting::NVRTC;
use skel_core::setting::environment;
use std::path::{Path, PathBuf};

/// File names, the newest first. NVIDIA's own links without a number are in development packages only.
#[cfg(windows)]
const NAMES: [&str; 2] = ["nvrtc64_130_0.dll", "nvrtc64_120_0.dll"];
#[cfg(not(windows))]
const NAMES: [&str; 3] = ["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"];

pub(super) fn find() -> Result<Nvrtc, NvrtcError> {
    // Also what the default context refuses: it cannot be opened, and the error says so.
    if let Some(named) = environment(NVRTC.info.name).filter(|named| !named.is_empty()) {
        return Nvrtc::open(Path::new(&named));
    }
    let toolkits = ["CUDA_PATH", "CUDA_HOME"]
        .into_iter()
        .filter_map(environment)
        .map(PathBuf::from);
    first_of(&candidates(toolkits.chain(["/usr/local/cuda".into()])))
}

/// What the system finds by itself, then what lies in the toolkits.
fn candidates(toolkits: impl Iterator<Item = PathBuf>) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = NAMES.iter().map(PathBuf::from).collect();
    for toolkit in toolkits {
        for folder in ["lib64", "lib", "bin"] {
            let paths = NAMES.map(|name| toolkit.join(folder).join(name));
            all.extend(paths.into_iter().filter(|path| path.is_file()));
        }
    }
    all
}

fn first_of(candidates: &[PathBuf]) -> Result<Nvrtc, NvrtcError> {
    let opened = candidates.iter().find_map(|path| Nvrtc::open(path).ok());
    opened.ok_or_else(|| {
        let tried: Vec<String> = candidates
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        NvrtcError::NotFound {
            tried: tried.join(", "),
        }
    })
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn what_is_not_there_is_an_error_that_lists_where_it_was_looked_for() {
        let error = first_of(&["/no/such/libnvrtc.so.13".into(), "libno-such.so".into()]);
        let error = error.unwrap_err();
        assert!(matches!(error, NvrtcError::NotFound { .. }), "{error}");
        let text = error.to_string();
        assert!(
            text.contains("/no/such/libnvrtc.so.13, libno-such.so"),
            "{text}"
        );
        assert!(text.contains("SKEL_NVRTC"), "{text}");
    }

    #[test]
    fn names_come_before_toolkits_and_files_must_exist() {
        let all = candidates([PathBuf::from("/no/such/toolkit")].into_iter());
        assert_eq!(all, NAMES.map(PathBuf::from));
    }
}
