//! Interval sets: sets of indices, as sorted disjoint ranges.

use smallvec::SmallVec;
use std::ops::Range;

/// A set of indices. Neighbouring ranges are merged, so equal sets are equal values. Sets of one range, the
/// most frequent ones, allocate nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IntervalSet {
    ranges: SmallVec<[Range<usize>; 1]>,
}

impl IntervalSet {
    /// The empty set.
    #[must_use]
    pub const fn new() -> Self {
        IntervalSet {
            ranges: SmallVec::new_const(),
        }
    }

    /// The set of all indices in `r`.
    #[must_use]
    pub fn of(r: Range<usize>) -> Self {
        if r.is_empty() {
            return Self::new();
        }
        IntervalSet {
            ranges: SmallVec::from_buf([r]),
        }
    }

    /// The ranges, in order.
    #[must_use]
    pub fn ranges(&self) -> &[Range<usize>] {
        &self.ranges
    }

    /// Whether there is no index in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// The number of indices.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ranges.iter().map(ExactSizeIterator::len).sum()
    }

    /// Adds all indices in `r`.
    #[inline]
    pub fn insert(&mut self, r: Range<usize>) {
        match self.ranges[..] {
            _ if r.is_empty() => {}
            [] => self.ranges.push(r),
            _ => self.join(r),
        }
    }

    fn join(&mut self, r: Range<usize>) {
        // All ranges that overlap or touch `r` become one.
        let first = self.ranges.partition_point(|x| x.end < r.start);
        let last = self.ranges.partition_point(|x| x.start <= r.end);
        match self.ranges[first..last] {
            [] => self.ranges.insert(first, r),
            [ref a, ..] => {
                self.ranges[first] = r.start.min(a.start)..r.end.max(self.ranges[last - 1].end);
                self.ranges.drain(first + 1..last);
            }
        }
    }

    /// Takes all indices in `r` away.
    #[inline]
    pub fn remove(&mut self, r: Range<usize>) {
        match &self.ranges[..] {
            [] => {}
            [only] if r.start <= only.start && only.end <= r.end => self.ranges.clear(),
            _ => self.cut_out(r),
        }
    }

    fn cut_out(&mut self, r: Range<usize>) {
        let first = self.ranges.partition_point(|x| x.end <= r.start);
        let last = self.ranges.partition_point(|x| x.start < r.end);
        if r.is_empty() || first >= last {
            return;
        }
        let left = self.ranges[first].start..r.start;
        let right = r.end..self.ranges[last - 1].end;
        self.ranges.drain(first..last);
        for rest in [right, left] {
            if !rest.is_empty() {
                self.ranges.insert(first, rest);
            }
        }
    }

    /// Whether all indices in `r` are in the set.
    #[must_use]
    pub fn contains(&self, r: &Range<usize>) -> bool {
        let k = self.ranges.partition_point(|x| x.end < r.end);
        r.is_empty()
            || self
                .ranges
                .get(k)
                .is_some_and(|x| x.start <= r.start && r.end <= x.end)
    }

    /// Whether no index in `r` is in the set.
    #[must_use]
    pub fn is_disjoint(&self, r: &Range<usize>) -> bool {
        r.is_empty() || self.overlapping(r).next().is_none()
    }

    /// The parts of `r` that are not in the set.
    #[must_use]
    pub fn missing(&self, r: Range<usize>) -> Vec<Range<usize>> {
        let (mut missing, mut from) = (Vec::new(), r.start);
        for x in self.overlapping(&r) {
            if from < x.start {
                missing.push(from..x.start);
            }
            from = x.end;
        }
        if from < r.end {
            missing.push(from..r.end);
        }
        missing
    }

    /// The parts of `r` that are in the set.
    #[must_use]
    pub fn present(&self, r: Range<usize>) -> Vec<Range<usize>> {
        let clip = |x: &Range<usize>| x.start.max(r.start)..x.end.min(r.end);
        self.overlapping(&r).map(clip).collect()
    }

    /// What is in both sets.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        let mut both = Self::new();
        for r in &self.ranges {
            other
                .present(r.clone())
                .into_iter()
                .for_each(|r| both.insert(r));
        }
        both
    }

    fn overlapping(&self, r: &Range<usize>) -> impl Iterator<Item = &Range<usize>> {
        let (start, end) = (r.start, r.end.max(r.start));
        let first = self.ranges.partition_point(|x| x.end <= start);
        self.ranges[first..]
            .iter()
            .take_while(move |x| x.start < end)
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use proptest::prelude::*;

    const N: usize = 24;

    fn range() -> impl Strategy<Value = Range<usize>> {
        (0..=N, 0..=N).prop_map(|(a, b)| a.min(b)..a.max(b))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 8 } else { 512 }))]

        #[test]
        fn agrees_with_a_bitmap(steps in prop::collection::vec((any::<bool>(), range(), range()), 1..40)) {
            let (mut set, mut bits) = (IntervalSet::new(), [false; N]);
            for (insert, r, asked) in steps {
                if insert { set.insert(r.clone()) } else { set.remove(r.clone()) }
                bits[r].fill(insert);
                prop_assert_eq!(set.contains(&asked), bits[asked.clone()].iter().all(|b| *b));
                prop_assert_eq!(set.is_disjoint(&asked), !bits[asked.clone()].iter().any(|b| *b));
                let missing: Vec<_> = set.missing(asked.clone()).into_iter().flatten().collect();
                let present: Vec<_> = set.present(asked.clone()).into_iter().flatten().collect();
                let (yes, no): (Vec<_>, Vec<_>) = asked.clone().partition(|i| bits[*i]);
                prop_assert_eq!((present, missing), (yes, no));
                let of_asked = set.present(asked.clone()).into_iter().fold(IntervalSet::new(), |mut all, r| {
                    all.insert(r);
                    all
                });
                prop_assert_eq!(set.intersection(&IntervalSet::of(asked.clone())), of_asked.clone());
                prop_assert_eq!(of_asked.intersection(&set), of_asked);
                prop_assert_eq!(set.len(), bits.iter().filter(|b| **b).count());
                prop_assert!(set.ranges().windows(2).all(|w| w[0].end < w[1].start));
            }
        }
    }
}
