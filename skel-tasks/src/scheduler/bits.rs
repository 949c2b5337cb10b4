//! Sets of small numbers, in which the next one is found in few steps.

/// A set of numbers below a bound: a bit each, and a bit for each word that has any.
pub(super) struct Bits {
    words: Vec<u64>,
    summary: Vec<u64>,
}

impl Bits {
    pub(super) fn new(bound: usize) -> Bits {
        let words = bound.div_ceil(64);
        Bits {
            words: vec![0; words],
            summary: vec![0; words.div_ceil(64)],
        }
    }

    pub(super) fn set(&mut self, i: usize) {
        self.words[i / 64] |= 1 << (i % 64);
        self.summary[i / 4096] |= 1 << (i / 64 % 64);
    }

    pub(super) fn clear(&mut self, i: usize) {
        self.words[i / 64] &= !(1 << (i % 64));
        if self.words[i / 64] == 0 {
            self.summary[i / 4096] &= !(1 << (i / 64 % 64));
        }
    }

    /// The least number that is in the set, at least `from` and less than `to`, which is at most the bound.
    pub(super) fn first_in(&self, from: usize, to: usize) -> Option<usize> {
        if from >= to {
            return None;
        }
        let word = self.words[from / 64] & (u64::MAX << (from % 64));
        if word != 0 {
            let found = from / 64 * 64 + word.trailing_zeros() as usize;
            return (found < to).then_some(found);
        }
        let mut k = from / 64 + 1;
        while k * 64 < to {
            let word = self.summary[k / 64] & (u64::MAX << (k % 64));
            if word != 0 {
                let k = k / 64 * 64 + word.trailing_zeros() as usize;
                let found = k * 64 + self.words[k].trailing_zeros() as usize;
                return (found < to).then_some(found);
            }
            k = (k / 64 + 1) * 64;
        }
        None
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_first_is_the_one_that_a_plain_search_finds(
            set in proptest::collection::btree_set(0_usize..9_000, 0..20),
            from in 0_usize..9_000,
            to in 0_usize..=9_000,
        ) {
            let mut bits = Bits::new(9_000);
            set.iter().for_each(|i| { bits.set(*i); bits.set((*i + 1) % 9_000); });
            (0..9_000).filter(|i| !set.contains(i)).for_each(|i| bits.clear(i));
            let expected = set.iter().copied().find(|i| (from..to.max(from)).contains(i));
            prop_assert_eq!(bits.first_in(from, to), expected);
        }
    }
}
