//! What is remembered of calls, and how much of it.
//!
//! Contexts learn by instance and size class: where a call was faster, which shares were right. Instances have
//! names, which programs make as they like (`.named(…)`), so what is learned has to have a bound.

use std::{borrow::Borrow, collections::HashMap, hash::Hash, mem};

/// Entries of each of the two generations: far more instances and size classes than programs have in use at a
/// time. An entry takes some 200 bytes.
pub(crate) const MOST_LEARNED: usize = 4096;

/// Instances that one run of the tuner takes note of, and classes that it measures, at most.
pub(crate) const MOST_TUNED: usize = 16_384;

/// A map that keeps what was used lately: at least the last `most` entries that were asked for, at most twice as
/// many. What is forgotten is learned again.
pub(crate) struct Recent<K, V> {
    young: HashMap<K, V>,
    /// What was not asked for since `young` was empty.
    old: HashMap<K, V>,
    most: usize,
}

impl<K: Eq + Hash, V> Recent<K, V> {
    /// One of two generations of so many entries.
    pub(crate) fn new(most: usize) -> Self {
        Recent {
            young: HashMap::new(),
            old: HashMap::new(),
            most,
        }
    }

    /// What is known under the key.
    pub(crate) fn get_mut<Q: Eq + Hash + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        if let Some((key, value)) = self.old.remove_entry(key) {
            self.insert(key, value);
        }
        self.young.get_mut(key)
    }

    /// From now on, this is known.
    pub(crate) fn insert(&mut self, key: K, value: V) {
        drop(self.exchange(key, value));
    }

    /// The same; what is forgotten for it, which may be the caller's to drop without a lock.
    pub(crate) fn exchange(&mut self, key: K, value: V) -> (Option<V>, HashMap<K, V>) {
        let mut forgotten = HashMap::new();
        if self.young.len() >= self.most && !self.young.contains_key(&key) {
            forgotten = mem::replace(&mut self.old, mem::take(&mut self.young));
        }
        (self.young.insert(key, value), forgotten)
    }

    /// What was known under the key, and is not from now on.
    pub(crate) fn take<Q: Eq + Hash + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.young.remove(key).or_else(|| self.old.remove(key))
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        self.young.len() + self.old.len()
    }
}

impl<K: Eq + Hash, V> Default for Recent<K, V> {
    fn default() -> Self {
        Recent::new(MOST_LEARNED)
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn the_last_entries_are_known_and_there_is_a_bound() {
        let mut recent = Recent::new(10);
        recent.insert(1000, 0);
        for k in 0..100_u32 {
            recent.insert(k, k);
            // What is asked for again and again stays.
            assert!(recent.get_mut(&1000).is_some());
            assert!(recent.len() <= 20, "{k}: {}", recent.len());
            for last in k.saturating_sub(8)..=k {
                assert_eq!(recent.get_mut(&last), Some(&mut { last }));
            }
        }
        assert_eq!(recent.get_mut(&0), None);
    }

    #[test]
    fn what_is_learned_again_is_one_entry() {
        let mut recent = Recent::new(10);
        for k in 0..100 {
            recent.insert(7, k);
        }
        assert_eq!((recent.len(), recent.get_mut(&7)), (1, Some(&mut 99)));
    }

    #[test]
    fn what_is_forgotten_or_replaced_is_given_back() {
        let mut recent = Recent::new(1);
        for k in 0..2_u32 {
            let (replaced, forgotten) = recent.exchange(k, 10 * k);
            assert!(replaced.is_none() && forgotten.is_empty());
        }
        assert_eq!(recent.exchange(1, 11).0, Some(10));
        assert_eq!(recent.exchange(2, 20).1.into_values().next(), Some(0));
        assert_eq!((recent.take(&1), recent.take(&1)), (Some(11), None));
        assert_eq!(recent.get_mut(&2), Some(&mut 20));
    }
}
