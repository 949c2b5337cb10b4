//! Cuts of a row of items into neighbouring parts.

use std::ops::Range;

/// So many parts with equally many items; the first ones get what is left over.
pub(super) fn equal(items: Range<usize>, parts: usize) -> Vec<Range<usize>> {
    let (each, more) = (items.len() / parts.max(1), items.len() % parts.max(1));
    let mut first = items.start;
    let part = |k: usize| {
        let part = first..first + each + usize::from(k < more);
        first = part.end;
        part
    };
    (0..parts).map(part).collect()
}

/// One item for each of the first parts, where there are not more items than parts.
pub(super) fn single(items: &Range<usize>, parts: usize) -> Option<Vec<Range<usize>>> {
    (items.len() <= parts).then(|| equal(items.clone(), parts))
}

/// Parts of about equal weight: cut `i` lies where the sum of all before it is nearest to `total · (i + 1) / parts`,
/// at the first such place among equals. No part is heavier than `total / parts` plus the heaviest item.
pub(super) fn cumulative(items: Range<usize>, parts: usize, weights: &[f64]) -> Vec<Range<usize>> {
    if let Some(single) = single(&items, parts) {
        return single;
    }
    let total: f64 = weights[items.clone()].iter().sum();
    let (mut first, mut sum, mut at) = (items.start, 0.0_f64, items.start);
    let mut cuts = Vec::with_capacity(parts);
    for part in 0..parts {
        let wanted = total * (part + 1) as f64 / parts as f64;
        while at < items.end && (sum + weights[at] - wanted).abs() < (sum - wanted).abs() {
            sum += weights[at];
            at += 1;
        }
        if part + 1 == parts {
            at = items.end;
        }
        cuts.push(first..at);
        first = at;
    }
    cuts
}

#[cfg(test)]
mod test {
    use super::*;
    use proptest::prelude::*;

    fn lens(parts: &[Range<usize>]) -> Vec<usize> {
        parts.iter().map(Range::len).collect()
    }

    #[test]
    fn equal_parts_are_those_of_openmp() {
        assert_eq!(lens(&equal(0..10, 4)), [3, 3, 2, 2]);
        assert_eq!(lens(&equal(0..3, 5)), [1, 1, 1, 0, 0]);
        assert_eq!(equal(4..4, 2), [4..4, 4..4]);
        assert!(equal(0..3, 0).is_empty());
    }

    #[test]
    fn no_rounding_error_piles_up() {
        let cuts = cumulative(0..764, 63, &[1.0; 764]);
        assert_eq!(lens(&cuts).into_iter().max(), Some(13));
    }

    proptest! {
        #[test]
        fn no_part_is_much_heavier_than_the_mean(
            weights in proptest::collection::vec(0.01_f64..100.0, 1..80),
            parts in 1_usize..20,
        ) {
            let cuts = cumulative(0..weights.len(), parts, &weights);
            prop_assert_eq!(cuts.len(), parts);
            prop_assert_eq!((cuts[0].start, cuts[parts - 1].end), (0, weights.len()));
            prop_assert!(cuts.windows(2).all(|pair| pair[0].end == pair[1].start));
            let total: f64 = weights.iter().sum();
            let most = total / parts as f64 + weights.iter().copied().fold(0.0, f64::max);
            for cut in cuts {
                let weight: f64 = weights[cut].iter().sum();
                prop_assert!(weight <= most * (1.0 + 1e-9), "{} of at most {}", weight, most);
            }
        }
    }
}
