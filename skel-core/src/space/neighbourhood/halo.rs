//! Which elements of a container a piece of a call sees.

use crate::space::{EdgeKind, IntervalSet, MAX_RANK, Neighbourhood, Reach};
use std::ops::Range;

impl Neighbourhood {
    /// The elements of the container that elements `r` of the call see: those of the piece, and its
    /// halo. Where neighbourhoods leave gaps between each other, also what lies in the gaps.
    #[must_use]
    pub fn halo(&self, reach: &Reach, r: Range<usize>) -> IntervalSet {
        if r.is_empty() {
            return IntervalSet::new();
        }
        // All elements of a container, or of several that follow each other, see it as a whole.
        let [each, elements] = [self.positions, self.extents]
            .map(|places| places.iter().product::<usize>() * self.inner);
        if r.start.is_multiple_of(each) && r.end.is_multiple_of(each) {
            return IntervalSet::of(r.start / each * elements..r.end / each * elements);
        }
        self.below(reach, 0, r)
    }

    /// What positions `r` see, counted over dimensions `level` and inwards. Level 0 is all that lies
    /// outside of the window's dimensions, the last level what lies inside of them.
    fn below(&self, reach: &Reach, level: usize, r: Range<usize>) -> IntervalSet {
        if level > MAX_RANK {
            return IntervalSet::of(r);
        }
        let positions = self.positions[level..].iter().product::<usize>() * self.inner;
        let elements = self.extents[level..].iter().product::<usize>() * self.inner;
        let mut seen = IntervalSet::new();
        let mut add = |at: Range<usize>, within: Range<usize>| {
            let within = if within == (0..positions) {
                IntervalSet::of(0..elements)
            } else {
                self.below(reach, level + 1, within)
            };
            for places in self.places(reach, level, at).ranges() {
                if within.contains(&(0..elements)) {
                    seen.insert(places.start * elements..places.end * elements);
                    continue;
                }
                // The piece begins or ends within this place, so there are few of them.
                for place in places.clone() {
                    for part in within.ranges() {
                        seen.insert(place * elements + part.start..place * elements + part.end);
                    }
                }
            }
        };
        let (first, last) = (r.start / positions, r.end / positions);
        let (from, to) = (r.start % positions, r.end % positions);
        if first == last {
            add(first..first + 1, from..to);
            return seen;
        }
        let mut whole = first..last;
        if from > 0 {
            add(first..first + 1, from..positions);
            whole.start += 1;
        }
        if !whole.is_empty() {
            add(whole, 0..positions);
        }
        if to > 0 {
            add(last..last + 1, 0..to);
        }
        seen
    }

    /// The places along the dimension of a level that positions `at` see.
    fn places(&self, reach: &Reach, level: usize, at: Range<usize>) -> IntervalSet {
        let Some(d) = level.checked_sub(1) else {
            return IntervalSet::of(at);
        };
        let extent = self.extents[d];
        let first = (at.start * self.stride[d] + self.shift[d]) as isize - reach.before[d] as isize;
        let end = ((at.end - 1) * self.stride[d] + self.shift[d] + reach.after[d] + 1) as isize;
        let n = extent as isize;
        let mut places = IntervalSet::of(first.clamp(0, n) as usize..end.clamp(0, n) as usize);
        if !matches!(self.edge, EdgeKind::None | EdgeKind::Pad) {
            // Twice around, and all has been seen.
            let outside = (first.max(-2 * n)..0).chain(n..end.min(3 * n));
            for place in outside.filter_map(|place| self.edge.resolve(place, extent)) {
                places.insert(place..place + 1);
            }
        }
        places
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use proptest::prelude::*;

    /// All elements that are seen, one by one.
    fn brute_force(near: &Neighbourhood, reach: &Reach, r: Range<usize>) -> IntervalSet {
        let mut seen = IntervalSet::new();
        let count: usize = (0..MAX_RANK).map(|d| reach.span(d)).product();
        for at in r {
            for k in 0..count {
                let (mut offsets, mut rest) = ([0; MAX_RANK], k);
                for (d, offset) in offsets.iter_mut().enumerate() {
                    *offset = (rest % reach.span(d)) as isize - reach.before[d] as isize;
                    rest /= reach.span(d);
                }
                if let Some(element) = near.element(at, offsets) {
                    seen.insert(element..element + 1);
                }
            }
        }
        seen
    }

    fn last<T: Copy>(rank: usize, all: [T; MAX_RANK], other: T) -> [T; MAX_RANK] {
        let mut last = [other; MAX_RANK];
        last[MAX_RANK - rank..].copy_from_slice(&all[MAX_RANK - rank..]);
        last
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 8 } else { 1024 }))]

        #[test]
        fn the_halo_is_what_windows_see(
            rank in 1..=MAX_RANK,
            extents in prop::array::uniform4(1..5_usize),
            radius in prop::array::uniform4(0..4_usize),
            (outer, inner) in (1..4_usize, 1..4_usize),
            edge in prop::sample::select(&EdgeKind::ALL[..]),
            (a, b) in (0..1000_usize, 0..1000_usize),
        ) {
            let (extents, radius) = (last(rank, extents, 1), last(rank, radius, 0));
            let reach = Reach::window(rank, radius);
            let shrinks = edge == EdgeKind::None;
            let positions = std::array::from_fn(|d| match shrinks {
                true => usize::saturating_sub(extents[d], 2 * radius[d]),
                false => extents[d],
            });
            let near = Neighbourhood {
                rank, positions, extents, stride: [1; MAX_RANK],
                shift: if shrinks { radius } else { [0; MAX_RANK] },
                inner, edge,
            };
            let n = outer * positions.iter().product::<usize>() * inner;
            let (a, b) = (a % (n + 1), b % (n + 1));
            let r = a.min(b)..a.max(b);
            prop_assert_eq!(near.halo(&reach, r.clone()), brute_force(&near, &reach, r));
        }

        #[test]
        fn the_halo_of_pools_has_all_they_see_and_nothing_before_or_behind(
            rank in 1..=MAX_RANK,
            positions in prop::array::uniform4(1..4_usize),
            size in prop::array::uniform4(1..4_usize),
            stride in prop::array::uniform4(1..4_usize),
            left in prop::array::uniform4(0..2_usize),
            outer in 1..3_usize,
            (a, b) in (0..1000_usize, 0..1000_usize),
        ) {
            let (positions, size) = (last(rank, positions, 1), last(rank, size, 1));
            let extents = std::array::from_fn(|d| match d + rank >= MAX_RANK {
                true => (positions[d] - 1) * stride[d] + size[d] + left[d],
                false => 1,
            });
            let reach = Reach::pool(rank, size);
            let near = Neighbourhood {
                rank, positions, extents, stride, shift: [0; MAX_RANK],
                inner: 1, edge: EdgeKind::None,
            };
            let n = outer * positions.iter().product::<usize>();
            let (a, b) = (a % (n + 1), b % (n + 1));
            let r = a.min(b)..a.max(b);
            let (halo, seen) = (near.halo(&reach, r.clone()), brute_force(&near, &reach, r));
            for part in seen.ranges() {
                prop_assert!(halo.contains(part), "{:?} of {:?}", part, halo);
            }
            prop_assert!(halo.len() <= outer * extents.iter().product::<usize>());
        }
    }
}
