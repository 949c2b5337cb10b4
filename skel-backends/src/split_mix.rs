//! Numbers that look random and follow from a seed.

/// SplitMix64 (Steele, Lea and Flood 2014).
pub(crate) struct SplitMix64(u64);

impl SplitMix64 {
    pub(crate) fn new(seed: u64) -> Self {
        SplitMix64(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Every order is as likely as any other, but for what is left of 2⁶⁴.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for k in (1..items.len()).rev() {
            let other = self.next() % (k as u64 + 1);
            items.swap(k, other as usize);
        }
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn the_dice_are_the_published_ones() {
        // The first outputs for seed 1234567, as published with the generator's reference code.
        let mut dice = SplitMix64::new(1_234_567);
        let drawn: Vec<u64> = (0..3).map(|_| dice.next()).collect();
        assert_eq!(
            drawn,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
    }

    #[test]
    fn shuffling_loses_nothing() {
        let (mut items, mut dice) = ((0..100).collect::<Vec<_>>(), SplitMix64::new(5));
        dice.shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }
}
