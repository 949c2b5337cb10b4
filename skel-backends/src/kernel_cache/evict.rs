//! Removes what was not used for longest.

use super::{
    entry::EXTENSION,
    folder::{Folder, Found},
};
use skel_model::disk::file::UNFINISHED;
use std::time::{Duration, SystemTime};

/// A file that is unfinished for so long never will be: its writer is dead.
const ABANDONED: Duration = Duration::from_secs(3600);

/// Leaves files of ours with at most so many bytes, and what is not ours alone. Others may write and
/// remove at the same time, so what cannot be removed was removed, or is found the next time.
pub(super) fn down_to(folder: &Folder, max_bytes: u64) {
    let now = SystemTime::now();
    let mut found: Vec<Found> = folder.files();
    found.retain(|file| {
        let abandoned = || {
            now.duration_since(file.used)
                .is_ok_and(|age| age > ABANDONED)
        };
        if is_unfinished(&file.name) && abandoned() {
            folder.remove(&file.name);
        }
        is_entry(&file.name)
    });
    let mut total: u64 = found.iter().map(|f| f.bytes).sum();
    if total <= max_bytes {
        return;
    }
    // Somewhat more than needed, so that not every new entry has to make room.
    let enough = max_bytes / 8 * 7;
    found.sort_by(|a, b| (a.used, &a.name).cmp(&(b.used, &b.name)));
    // The newest stays: it was written just now.
    found.pop();
    for file in found {
        if total <= enough {
            break;
        }
        folder.remove(&file.name);
        total -= file.bytes;
    }
}

/// An entry of this version, or of the first one, whose names were shorter: it is never read, but goes.
fn is_entry(name: &str) -> bool {
    let digits = name
        .strip_suffix(EXTENSION)
        .and_then(|n| n.strip_suffix('.'));
    digits.is_some_and(|d| matches!(d.len(), 32 | 64) && d.bytes().all(|b| b.is_ascii_hexdigit()))
}

fn is_unfinished(name: &str) -> bool {
    let rest = name.strip_prefix(UNFINISHED);
    rest.is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit() || b == b'-'))
}
