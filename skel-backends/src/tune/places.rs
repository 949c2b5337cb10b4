//! Places: the elements of a call that each unit is measured on.

use crate::positions::FIRST_DEVICE;
use std::ops::Range;

/// One thread is not worth measuring where the CPU takes longer than this for the whole call, in nanoseconds.
pub(super) const LONGEST_ALONE_NS: f64 = 500_000.0;

/// Geometric sizes up to all elements, the smallest first.
pub(super) fn sizes(elems: usize, points: usize) -> Vec<usize> {
    let smallest = (elems / 256).max(elems.min(64)).max(1);
    let steps = points.max(2) - 1;
    let ratio = elems as f64 / smallest as f64;
    let at = |k: usize| (smallest as f64 * ratio.powf(k as f64 / steps as f64)).round() as usize;
    let mut sizes: Vec<usize> = (0..=steps).map(at).map(|n| n.clamp(1, elems)).collect();
    sizes.dedup();
    if let Some(last) = sizes.last_mut() {
        *last = elems;
    }
    sizes
}

/// Where a unit works. Where others are behind a device, one element is left to them: it gives them a carry, which may
/// be more work than giving none.
pub(super) fn placed(index: usize, followed: bool, size: usize, elems: usize) -> Range<usize> {
    if index < FIRST_DEVICE {
        return 0..size;
    }
    let behind = usize::from(followed).min(elems - size);
    elems - size - behind..elems - behind
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn devices_that_others_follow_do_not_work_at_the_end() {
        assert_eq!(placed(0, true, 30, 100), 0..30);
        assert_eq!(placed(FIRST_DEVICE, true, 30, 100), 69..99);
        assert_eq!(placed(FIRST_DEVICE, false, 30, 100), 70..100);
        // Alone, it is followed by no other unit.
        assert_eq!(placed(FIRST_DEVICE, true, 100, 100), 0..100);
    }

    #[test]
    fn sizes_are_geometric_and_end_with_all() {
        assert_eq!(sizes(1, 8), [1]);
        assert_eq!(sizes(64, 8), [64]);
        let many = sizes(1 << 20, 9);
        assert_eq!(many, (12..=20).map(|k| 1 << k).collect::<Vec<usize>>());
        for elems in [2, 3, 65, 100, 1000, 12_345] {
            let sizes = sizes(elems, 8);
            assert!(
                sizes.is_sorted() && sizes.last() == Some(&elems),
                "{sizes:?}"
            );
            assert!(sizes.windows(2).all(|pair| pair[0] < pair[1]), "{sizes:?}");
        }
    }
}
