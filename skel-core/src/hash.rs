//! FNV-1a.

/// FNV-1a of 128 bits, piece by piece. It is the same in every build, and a change of one byte always changes
/// it. It guards against accidents, not against an attacker that may write to the user's own folder.
///
/// ```
/// use skel_core::hash::Fnv;
///
/// let mut hash = Fnv::new();
/// hash.bytes(b"foobar");
/// assert_eq!(hash.value(), 0x343e_1662_793c_64bf_6f0d_3597_ba44_6f18);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fnv(u128);

impl Fnv {
    /// Of nothing yet.
    #[must_use]
    pub const fn new() -> Fnv {
        Fnv(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    /// Adds bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
        for byte in bytes {
            self.0 = (self.0 ^ u128::from(*byte)).wrapping_mul(PRIME);
        }
    }

    /// Adds a text and its length, so that no two sequences of texts run together to the same bytes.
    pub fn text(&mut self, text: &str) {
        self.bytes(&(text.len() as u64).to_le_bytes());
        self.bytes(text.as_bytes());
    }

    /// What it is.
    #[must_use]
    pub const fn value(&self) -> u128 {
        self.0
    }

    /// Of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> u128 {
        let mut hash = Fnv::new();
        hash.bytes(bytes);
        hash.value()
    }
}

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv::new()
    }
}

/// FNV-1a of 64 bits, over words of any size: of bytes, it is the published one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fnv64(u64);

impl Fnv64 {
    /// Of nothing yet.
    pub const EMPTY: Fnv64 = Fnv64(0xcbf2_9ce4_8422_2325);

    /// With one more word.
    #[must_use]
    pub const fn with(self, word: u64) -> Fnv64 {
        Fnv64((self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3))
    }

    /// What it is.
    #[must_use]
    pub const fn value(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod test {
    use crate::hash::Fnv;

    #[test]
    fn the_hash_is_the_published_one() {
        // From the test vectors of the algorithm's authors.
        assert_eq!(Fnv::of(b""), 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
        assert_eq!(Fnv::of(b"a"), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
        assert_eq!(
            Fnv::of(b"foobar"),
            0x343e_1662_793c_64bf_6f0d_3597_ba44_6f18
        );
    }

    #[test]
    fn texts_do_not_run_together() {
        let of = |texts: [&str; 2]| {
            let mut hash = Fnv::new();
            texts.into_iter().for_each(|text| hash.text(text));
            hash.value()
        };
        assert_ne!(of(["ab", "c"]), of(["a", "bc"]));
    }
}
