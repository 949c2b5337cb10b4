//! The range of a container that an array has memory for.
//!
//! A unit takes a range of a call, and nearly the same range in the next one. So an array has memory for what
//! is needed of its container, rounded up to eighths of it: a share that changes a little finds its elements
//! there, and one that keeps growing has them moved seven times at most.

use skel_core::space::IntervalSet;
use std::ops::Range;

/// The steps in which an array grows.
const PARTS: usize = 8;

/// Arrays begin at multiples of so many elements, so that ranges that are aligned in a container are so in its
/// array.
const ALIGNED: usize = 64;

/// The elements to have memory for, where those `needed` are a part of `extent`.
pub(super) fn around(extent: &Range<usize>, needed: Range<usize>) -> Range<usize> {
    let step = extent
        .len()
        .div_ceil(PARTS)
        .max(1)
        .next_multiple_of(ALIGNED);
    let down = |place: usize| place.saturating_sub(extent.start) / step * step;
    let up = |place: usize| {
        place
            .saturating_sub(extent.start)
            .div_ceil(step)
            .saturating_mul(step)
    };
    let start = extent.start + down(needed.start);
    let end = extent.start.saturating_add(up(needed.end)).min(extent.end);
    start..end
}

/// Whether `all` has what is `needed`; nothing is had anywhere.
pub(super) fn contains(all: &Range<usize>, needed: &Range<usize>) -> bool {
    needed.is_empty() || (all.start <= needed.start && needed.end <= all.end)
}

/// The least range that has both.
pub(super) fn both(a: Range<usize>, b: Range<usize>) -> Range<usize> {
    match (a.is_empty(), b.is_empty()) {
        (true, _) => b,
        (_, true) => a,
        _ => a.start.min(b.start)..a.end.max(b.end),
    }
}

/// From the first to the last.
pub(super) fn hull(set: &IntervalSet) -> Range<usize> {
    match set.ranges() {
        [] => 0..0,
        [first, .., last] => first.start..last.end,
        [only] => only.clone(),
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn a_share_is_rounded_to_eighths() {
        let all = 0..1 << 20;
        let eighth = 1 << 17;
        assert_eq!(around(&all, 0..1), 0..eighth);
        assert_eq!(around(&all, eighth - 1..eighth + 1), 0..2 * eighth);
        assert_eq!(around(&all, 7 * eighth..1 << 20), 7 * eighth..1 << 20);
        assert_eq!(around(&(0..100), 40..50), 0..64);
        assert_eq!(around(&(0..0), 0..0), 0..0);
        assert_eq!(around(&(0..9000), 8999..9000), 8064..9000);
    }

    #[test]
    fn what_is_needed_is_covered_and_nothing_beyond_the_container() {
        for len in [1, 63, 64, 65, 100_000, usize::MAX] {
            for (start, end) in [(0, 1), (len / 3, len / 2 + 1), (len - 1, len), (0, len)] {
                let window = around(&(0..len), start..end);
                assert!(
                    contains(&window, &(start..end)) && window.end <= len,
                    "{len}: {window:?}"
                );
            }
        }
    }
}
