//! One compiled kernel as the bytes of a file, which only a process that has the user's secret can have
//! written.
//!
//! ```text
//! magic (8), code of authentication (32), image
//! ```
//!
//! Names and codes are BLAKE3 with keys that are derived from the secret. The code is that of the key's hash
//! and of the image; so nothing of a file is used before all of it has been authenticated, in memory. The
//! magic ends with the version of this format.

use super::KernelKey;
use blake3::{Hash, Hasher};

const MAGIC: [u8; 8] = *b"skelknl\x02";
const HEAD: usize = 40;
/// What files of ours end with.
pub(super) const EXTENSION: &str = "kernel";

/// What is drawn once for a user.
pub type Secret = [u8; 32];

/// Names entries and authenticates them, with a user's secret.
#[derive(Clone)]
pub struct Sealer {
    /// The key of names.
    names: [u8; 32],
    /// The key of codes.
    codes: [u8; 32],
}

impl Sealer {
    /// With keys of its own for names and for codes, so that neither says anything of the other.
    #[must_use]
    pub fn new(secret: &Secret) -> Sealer {
        let derived = |what| blake3::derive_key(what, secret);
        Sealer {
            names: derived("skel 2026-11 kernel cache: names of files"),
            codes: derived("skel 2026-11 kernel cache: codes of entries"),
        }
    }

    /// What the key's file is called. By content alone: what a kernel or compiler is called cannot name a
    /// place on disk.
    #[must_use]
    pub fn file_name(&self, key: &KernelKey<'_>) -> String {
        format!("{}.{EXTENSION}", self.name(key).to_hex())
    }

    /// The bytes of a file.
    #[must_use]
    pub fn seal(&self, key: &KernelKey<'_>, image: &[u8]) -> Vec<u8> {
        let code = self.code(key, image);
        [&MAGIC, code.as_bytes().as_slice(), image].concat()
    }

    /// The image, if the bytes are what [`Sealer::seal`] has made for this key.
    #[must_use]
    pub fn open(&self, key: &KernelKey<'_>, bytes: &[u8]) -> Option<Vec<u8>> {
        let (head, image) = bytes.split_first_chunk::<HEAD>()?;
        let code = head.strip_prefix(&MAGIC)?.first_chunk::<32>()?;
        // In constant time, as hashes are compared.
        (self.code(key, image) == Hash::from_bytes(*code)).then(|| image.to_vec())
    }

    /// Of every part with its length before it, so that no two keys have the same.
    fn name(&self, key: &KernelKey<'_>) -> Hash {
        let mut hasher = Hasher::new_keyed(&self.names);
        let options = key.options.iter().map(String::as_str);
        let parts = [key.compiler, key.driver, key.architecture, key.source];
        for part in parts.into_iter().chain(options) {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        hasher.finalize()
    }

    fn code(&self, key: &KernelKey<'_>, image: &[u8]) -> Hash {
        let mut hasher = Hasher::new_keyed(&self.codes);
        hasher.update(&MAGIC);
        hasher.update(self.name(key).as_bytes());
        hasher.update(image);
        hasher.finalize()
    }
}
