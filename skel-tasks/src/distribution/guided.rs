//! The sweep of the guided schemes: chunks of neighbours, whose ends move towards the same work for each unit.

use super::cut;
use std::ops::Range;

/// One sweep over chunks of neighbouring items (figure 7 of González and Morancho 2024; there it is an image, so
/// details are a reconstruction). With `t = Σw / P`, unit after unit: while the work of its chunk is below `t`, the
/// chunk grows at its end as long as that brings its work nearer to `t`; else it shrinks likewise. Nearer is strict, so
/// ties stay. What is left is the last unit's. Each unit keeps one item at least; where there are not more items than
/// units, the first units get one each.
///
/// What each unit is away from `t` adds up on the last one: 764 equal items over 63 units leave 20 for that, where 13
/// would do. [`cut::cumulative`] has no such fault.
pub(super) fn sweep(
    chunks: &[Range<usize>],
    items: &Range<usize>,
    weights: &[f64],
) -> Vec<Range<usize>> {
    let units = chunks.len();
    if let Some(single) = cut::single(items, units) {
        return single;
    }
    let target = weights[items.clone()].iter().sum::<f64>() / units as f64;
    let is_nearer = |to: f64, from: f64| (to - target).abs() < (from - target).abs();
    let mut first = items.start;
    let mut swept = Vec::with_capacity(units);
    for (k, chunk) in chunks.iter().enumerate() {
        let most = items.end - (units - k - 1);
        let mut last = chunk.end.clamp(first + 1, most);
        let mut work: f64 = weights[first..last].iter().sum();
        if work < target {
            while last < most && is_nearer(work + weights[last], work) {
                work += weights[last];
                last += 1;
            }
        } else {
            while last > first + 1 && is_nearer(work - weights[last - 1], work) {
                last -= 1;
                work -= weights[last];
            }
        }
        if k + 1 == units {
            last = items.end;
        }
        swept.push(first..last);
        first = last;
    }
    swept
}

#[cfg(test)]
mod test {
    use super::*;
    use proptest::prelude::*;

    /// Sweeps from equal parts until nothing moves; at most so many times.
    fn settled(units: usize, weights: &[f64], most: usize) -> (Vec<Range<usize>>, usize) {
        let items = 0..weights.len();
        let mut chunks = cut::equal(items.clone(), units);
        for sweeps in 0..most {
            let next = sweep(&chunks, &items, weights);
            if next == chunks {
                return (chunks, sweeps);
            }
            chunks = next;
        }
        panic!("{chunks:?} do not settle in {most} sweeps");
    }

    #[test]
    fn zones_of_bt_mz() {
        let (chunks, _) = settled(2, &[216.0, 648.0, 648.0, 1944.0], 5);
        assert_eq!(chunks, [0..3, 3..4]);

        let widths = [6.0, 11.0, 18.0, 29.0];
        let areas: Vec<f64> = widths.iter().flat_map(|y| widths.map(|x| x * y)).collect();
        let area = |chunk: &Range<usize>| areas[chunk.clone()].iter().sum::<f64>();
        let equal = cut::equal(0..16, 4);
        let before: Vec<f64> = equal.iter().map(area).collect();
        assert_eq!(before, [384.0, 704.0, 1152.0, 1856.0]);
        let (chunks, sweeps) = settled(4, &areas, 5);
        assert_eq!(
            (sweeps, &chunks[..]),
            (1, &[0..8, 8..12, 12..15, 15..16][..])
        );
        let after: Vec<f64> = chunks.iter().map(area).collect();
        assert_eq!(after, [1088.0, 1152.0, 1015.0, 841.0]);
    }

    #[test]
    fn what_is_left_piles_up_on_the_last_unit() {
        let chunks = sweep(&cut::equal(0..764, 63), &(0..764), &[1.0; 764]);
        assert_eq!(chunks.last().map(Range::len), Some(20));
    }

    #[test]
    fn not_more_items_than_units() {
        assert_eq!(
            sweep(&[0..0, 0..2, 2..2], &(0..2), &[5.0, 1.0]),
            [0..1, 1..2, 2..2]
        );
        assert_eq!(sweep(&[3..3, 3..3], &(3..3), &[1.0; 9]), [3..3, 3..3]);
        assert!(sweep(&[], &(0..0), &[]).is_empty());
    }

    proptest! {
        #[test]
        fn each_unit_has_neighbours_and_at_least_one(
            weights in proptest::collection::vec(0.01_f64..100.0, 1..60),
            units in 1_usize..12,
            from in 0_usize..5,
            sweeps in 1_usize..4,
        ) {
            let items = from.min(weights.len())..weights.len();
            let mut chunks = cut::equal(items.clone(), units);
            for _ in 0..sweeps {
                chunks = sweep(&chunks, &items, &weights);
                prop_assert_eq!(chunks.len(), units);
                prop_assert_eq!((chunks[0].start, chunks[units - 1].end), (items.start, items.end));
                prop_assert!(chunks.windows(2).all(|pair| pair[0].end == pair[1].start));
                if items.len() >= units {
                    prop_assert!(chunks.iter().all(|chunk| !chunk.is_empty()));
                }
            }
        }
    }
}
