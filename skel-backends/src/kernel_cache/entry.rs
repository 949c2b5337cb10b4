//! One compiled kernel as the bytes of a file.
//!
//! ```text
//! magic (8), key length (8), image length (8), key, image, check sum of all before (16)
//! ```
//!
//! Numbers are little-endian. The key stands there whole and is compared, so two keys of one hash are
//! told apart. The magic ends with the version of this format.

use super::Key;
use skel_core::disk::Fnv;

const MAGIC: [u8; 8] = *b"skelknl\x01";
const HEAD: usize = 24;
const SUM: usize = 16;
/// What files of ours end with.
pub(super) const EXTENSION: &str = "kernel";

/// By content alone: what a kernel or compiler is called cannot name a place on disk.
pub(super) fn file_name(key: &Key<'_>) -> String {
    format!("{:032x}.{EXTENSION}", Fnv::of(&key_bytes(key)))
}

pub(super) fn encode(key: &Key<'_>, image: &[u8]) -> Vec<u8> {
    let key = key_bytes(key);
    let mut bytes = Vec::with_capacity(HEAD + key.len() + image.len() + SUM);
    bytes.extend(MAGIC);
    bytes.extend((key.len() as u64).to_le_bytes());
    bytes.extend((image.len() as u64).to_le_bytes());
    bytes.extend(&key);
    bytes.extend(image);
    bytes.extend(Fnv::of(&bytes).to_le_bytes());
    bytes
}

/// The image, if the bytes are whole and belong to the key.
pub(super) fn decode(key: &Key<'_>, bytes: &[u8]) -> Option<Vec<u8>> {
    let (all, sum) = bytes.split_last_chunk::<SUM>()?;
    if Fnv::of(all).to_le_bytes() != *sum {
        return None;
    }
    let rest = all.strip_prefix(&MAGIC)?;
    let (key_length, rest) = length(rest)?;
    let (image_length, rest) = length(rest)?;
    let (stored, image) = rest.split_at_checked(key_length)?;
    let same = stored == key_bytes(key) && image.len() == image_length;
    same.then(|| image.to_vec())
}

fn length(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    Some((usize::try_from(u64::from_le_bytes(*length)).ok()?, rest))
}

/// Every part with its length before it, so that no two keys have the same bytes.
fn key_bytes(key: &Key<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let options = key.options.iter().map(String::as_str);
    let parts = [key.compiler, key.architecture, key.source];
    for part in parts.into_iter().chain(options) {
        bytes.extend((part.len() as u64).to_le_bytes());
        bytes.extend(part.as_bytes());
    }
    bytes
}
