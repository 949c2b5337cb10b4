//! What the entries of a user are authenticated with: 32 bytes of the system's randomness, in a file that only the
//! user can read.

use super::{
    entry::Secret,
    folder::{Folder, Rename},
};
use skel_model::disk::file;
use std::io;

/// Its file.
pub(super) const NAME: &str = "secret";

/// The secret of the folder, if there is one that can be one.
pub(super) fn known(folder: &Folder) -> Option<Secret> {
    let bytes = folder.read(NAME, size_of::<Secret>() as u64).ok()?;
    bytes.try_into().ok()
}

/// The secret of the folder. One that is none (cut off, a link, open to others) is replaced: what was written with it
/// is compiled again.
pub(super) fn known_or_made(folder: &Folder) -> io::Result<Secret> {
    if let Some(secret) = known(folder) {
        return Ok(secret);
    }
    for rename in [Rename::IfAbsent, Rename::Replace] {
        let mut secret = Secret::default();
        getrandom::fill(&mut secret).map_err(io::Error::other)?;
        let unfinished = file::unfinished();
        let made = folder
            .create(&unfinished, &secret)
            .and_then(|()| folder.rename(&unfinished, NAME, rename));
        if made.is_err() {
            folder.remove(&unfinished);
        }
        match (rename, made) {
            (Rename::IfAbsent, Err(_)) => {}
            (_, made) => made?,
        }
        // That of another process, if it was first.
        if let Some(secret) = known(folder) {
            return Ok(secret);
        }
    }
    Err(io::Error::other("its secret cannot be read again"))
}
