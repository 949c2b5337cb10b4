//! Removes what was not used for longest.

use super::{entry::EXTENSION, folder::UNFINISHED};
use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

/// A file that is unfinished for so long never will be: its writer is dead.
const ABANDONED: Duration = Duration::from_secs(3600);

/// A file of ours.
struct Found {
    used: SystemTime,
    bytes: u64,
    path: PathBuf,
}

/// Leaves files of ours with at most so many bytes, and what is not ours alone. Others may write and
/// remove at the same time, so what cannot be removed was removed, or is found the next time.
pub(super) fn down_to(folder: &Path, max_bytes: u64) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let now = SystemTime::now();
    let mut found = Vec::new();
    for entry in entries.flatten() {
        let name = entry.file_name();
        // Of links it is the link that is described, which is not ours.
        let Ok(about) = entry.metadata() else {
            continue;
        };
        let Ok(used) = about.modified() else {
            continue;
        };
        if !about.is_file() {
            continue;
        }
        let path = entry.path();
        if is_unfinished(&name.to_string_lossy()) {
            if now.duration_since(used).is_ok_and(|age| age > ABANDONED) {
                drop(fs::remove_file(path));
            }
        } else if is_entry(&name.to_string_lossy()) {
            let bytes = about.len();
            found.push(Found { used, bytes, path });
        }
    }
    let mut total: u64 = found.iter().map(|f| f.bytes).sum();
    if total <= max_bytes {
        return;
    }
    // Somewhat more than needed, so that not every new entry has to make room.
    let enough = max_bytes / 8 * 7;
    found.sort_by(|a, b| (a.used, &a.path).cmp(&(b.used, &b.path)));
    // The newest stays: it was written just now.
    found.pop();
    for file in found {
        if total <= enough {
            break;
        }
        drop(fs::remove_file(file.path));
        total -= file.bytes;
    }
}

fn is_entry(name: &str) -> bool {
    let digits = name
        .strip_suffix(EXTENSION)
        .and_then(|n| n.strip_suffix('.'));
    digits.is_some_and(|d| d.len() == 32 && d.bytes().all(|b| b.is_ascii_hexdigit()))
}

fn is_unfinished(name: &str) -> bool {
    let rest = name.strip_prefix(UNFINISHED);
    rest.is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit() || b == b'-'))
}
