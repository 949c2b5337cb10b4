//! Numbers that look random and follow from a seed.

/// SplitMix64 (Steele, Lea, Flood 2014).
#[derive(Clone, Copy, Debug)]
pub struct SplitMix(u64);

impl SplitMix {
    /// The sequence of this seed.
    #[must_use]
    pub fn new(seed: u64) -> SplitMix {
        SplitMix(seed)
    }

    /// An independent sequence for each of many things.
    #[must_use]
    pub fn of(seed: u64, thing: u64) -> SplitMix {
        let mut mixed = SplitMix(seed);
        let start = mixed.draw() ^ thing.wrapping_mul(0xD134_2543_DE82_EF95);
        SplitMix(SplitMix(start).draw())
    }

    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Below `end`, which is not 0.
    pub fn below(&mut self, end: u64) -> u64 {
        // The high half of a product is uniform but for end / 2⁶⁴.
        ((u128::from(self.draw()) * u128::from(end)) >> 64) as u64
    }

    /// From 0 to 1, without 1.
    pub fn unit(&mut self) -> f64 {
        (self.draw() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Every order is as likely as any other, but for what is left of 2⁶⁴.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for k in (1..items.len()).rev() {
            let other = self.draw() % (k as u64 + 1);
            items.swap(k, other as usize);
        }
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn it_is_the_published_sequence() {
        let mut numbers = SplitMix::new(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| numbers.draw()).collect();
        assert_eq!(
            first,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
    }

    #[test]
    fn shuffling_loses_nothing() {
        let (mut items, mut numbers) = ((0..100).collect::<Vec<_>>(), SplitMix::new(5));
        numbers.shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }
}
