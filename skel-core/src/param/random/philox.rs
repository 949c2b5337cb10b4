//! Philox 4×32-10: a counter and a key become four random words, by ten rounds.
//!
//! J. Salmon, M. Moraes, R. Dror, D. Shaw: *Parallel random numbers: as easy as 1, 2, 3* (2011). The
//! rounds are bijections, so different counters never give the same words under one key.

/// What the first and the third word of the counter are multiplied with.
pub(super) const MULTIPLIERS: [u32; 2] = [0xd251_1f53, 0xcd9e_8d57];
/// What the words of the key grow by from round to round: the golden ratio, and √3 − 1.
pub(super) const INCREMENTS: [u32; 2] = [0x9e37_79b9, 0xbb67_ae85];
/// How many rounds there are.
pub(super) const ROUNDS: usize = 10;

/// The words that the rounds mix in, of one key.
pub(super) type Keys = [[u32; 2]; ROUNDS];

/// Those of this key. They are apart from the rounds, since a call has one key for all of its elements.
#[inline(always)]
pub(super) fn keys(mut key: [u32; 2]) -> Keys {
    let mut keys = [key; ROUNDS];
    for round in &mut keys {
        *round = key;
        for k in 0..2 {
            key[k] = key[k].wrapping_add(INCREMENTS[k]);
        }
    }
    keys
}

/// The four words of this counter under these keys.
///
/// Words are the lower halves of 64 bits, the upper ones being anything: so vectors of them need not be taken apart for a
/// product, nor put together after it.
#[inline(always)]
pub(super) fn philox(counter: [u32; 4], keys: &Keys) -> [u32; 4] {
    let mut words = counter.map(u64::from);
    for [key0, key1] in keys.map(|key| key.map(u64::from)) {
        let [word0, word1, word2, word3] = words;
        let product0 = u64::from(word0 as u32) * u64::from(MULTIPLIERS[0]);
        let product1 = u64::from(word2 as u32) * u64::from(MULTIPLIERS[1]);
        words = [
            (product1 >> 32) ^ word1 ^ key0,
            product1,
            (product0 >> 32) ^ word3 ^ key1,
            product0,
        ];
    }
    words.map(|word| word as u32)
}

#[cfg(test)]
pub(super) const KNOWN_ANSWERS: [([u32; 4], [u32; 2], [u32; 4]); 3] = [
    // From Random123, `kat_vectors`.
    (
        [0; 4],
        [0; 2],
        [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8],
    ),
    (
        [u32::MAX; 4],
        [u32::MAX; 2],
        [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd],
    ),
    (
        [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
        [0xa409_3822, 0x299f_31d0],
        [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1],
    ),
];

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn known_answers() {
        for (counter, key, words) in KNOWN_ANSWERS {
            assert_eq!(philox(counter, &keys(key)), words);
        }
    }
}
