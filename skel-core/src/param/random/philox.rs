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

/// The four words of this counter under this key.
#[inline(always)]
pub(super) fn philox(mut counter: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    for _ in 0..ROUNDS {
        let (high0, low0) = wide_product(MULTIPLIERS[0], counter[0]);
        let (high1, low1) = wide_product(MULTIPLIERS[1], counter[2]);
        counter = [
            high1 ^ counter[1] ^ key[0],
            low1,
            high0 ^ counter[3] ^ key[1],
            low0,
        ];
        key = [
            key[0].wrapping_add(INCREMENTS[0]),
            key[1].wrapping_add(INCREMENTS[1]),
        ];
    }
    counter
}

/// The upper and the lower half of a product.
#[inline(always)]
fn wide_product(a: u32, b: u32) -> (u32, u32) {
    let product = u64::from(a) * u64::from(b);
    ((product >> 32) as u32, product as u32)
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
            assert_eq!(philox(counter, key), words);
        }
    }
}
