//! Random choices that a seed repeats.

/// SplitMix64: small, and the same everywhere.
#[derive(Clone, Debug)]
pub(super) struct Dice(u64);

impl Dice {
    /// Dice of their own for function `index` of a seed, so that a batch can be cut anywhere.
    pub(super) fn new(seed: u64, index: u64) -> Dice {
        let mut dice = Dice(seed ^ index.wrapping_mul(0xD134_2543_DE82_EF95));
        dice.next();
        dice
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// All bits random.
    pub(super) fn bits(&mut self) -> u64 {
        self.next()
    }

    /// Less than `n`.
    pub(super) fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    /// From `low` to `high`, both included.
    pub(super) fn range(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True in so many of a hundred cases.
    pub(super) fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    /// One of them.
    pub(super) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// One of them, each as often as its weight says.
    pub(super) fn weighted<T: Copy>(&mut self, from: &[(usize, T)]) -> T {
        let total = from.iter().map(|(weight, _)| weight).sum();
        let mut at = self.below(total);
        for (weight, what) in from {
            match at.checked_sub(*weight) {
                None => return *what,
                Some(rest) => at = rest,
            }
        }
        from[from.len() - 1].1
    }
}
