//! What kernels do, with ranges of elements for values.

use super::*;
use proptest::prelude::*;
use std::ops::Range;

/// What precedes is on the left, and the tree of the grouping has the node.
fn joined(left: Range<usize>, right: Range<usize>) -> Range<usize> {
    assert_eq!(left.end, right.start);
    left.start..right.end
}

/// Whether the grouping has this node over leaves: a complete one, or one that ends with the last.
fn is_node(node: &Range<usize>, leaf: usize, depth: usize) -> bool {
    let (first, last) = (node.start / leaf, node.end.div_ceil(leaf));
    let complete = last - first;
    node.start.is_multiple_of(leaf)
        && (node.end == depth || (complete.is_power_of_two() && first.is_multiple_of(complete)))
}

/// What slot `slot` of a pass makes.
fn slot(
    pass: &Pass,
    values: usize,
    slot: usize,
    nodes: &mut [Range<usize>],
    check: impl Fn(&Range<usize>),
) -> Range<usize> {
    let (at, begin) = (slot % values, slot / values * pass.span);
    let (end, slots) = (pass.depth.min(begin + pass.span), values * pass.spans);
    let mut total = 0..0;
    for first in (begin..end).step_by(pass.leaf) {
        let last = end.min(first + pass.leaf);
        total = match pass.joining {
            true => nodes[pass.from + first * values + at].clone(),
            false => first..last,
        };
        let (number, mut level) = ((first - begin) / pass.leaf, 0);
        while number >> level > 0 && (last == end || number >> level & 1 == 1) {
            if number >> level & 1 == 1 {
                total = joined(nodes[pass.table + level * slots + slot].clone(), total);
                check(&total);
            }
            level += 1;
        }
        if last < end {
            nodes[pass.table + level * slots + slot] = total.clone();
        }
    }
    total
}

proptest! {
    #[test]
    fn nodes_find_their_places_and_meet_as_the_grouping_says(
        depth in 0_usize..20_000,
        log2 in 0_u32..8,
        values in 1_usize..5,
        slots in 1_usize..2000,
        least_log2 in 0_u32..=8,
        span_log2 in 8_u32..12,
    ) {
        let leaf = 1 << log2;
        let least_span = 1 << least_log2;
        let leaves = Leaves { depth, leaf, width: leaf, by_lanes: false, least_span };
        let most = Most { slots, span: 1 << span_log2 };
        let (passes, places) = leaves.passes(values, most);
        let mut nodes = vec![0..0; places];
        let last = passes.last().expect("there is one");
        for pass in &passes {
            let most_span = if pass.joining { JOINED } else { most.span };
            prop_assert!(pass.span <= most_span);
            prop_assert_eq!(pass.spans == 1, pass == last);
            let check = |node: &Range<usize>| assert!(is_node(node, leaf, depth), "{node:?}");
            for v in 0..values * pass.spans {
                let total = slot(pass, values, v, &mut nodes, check);
                match pass.spans {
                    1 => prop_assert_eq!(total, 0..depth),
                    _ => nodes[pass.to + v] = total,
                }
            }
        }
    }

    /// A few slots more than are wanted, or as many as the longest spans ask for.
    #[test]
    fn there_are_about_as_many_spans_as_are_wanted(depth in 1_usize..1 << 40, values in 1_usize..1 << 20) {
        let leaves = Leaves { depth, leaf: 32, width: 32, by_lanes: false, least_span: 256 };
        let most = Most { slots: 1 << 16, span: usize::MAX };
        let first = leaves.passes(values, most).0[0];
        prop_assert!(values * first.spans <= most.slots.max(values), "{first:?}");
        if first.span > 256 && first.spans > 1 {
            prop_assert!(values * first.spans * 2 + values > most.slots, "{first:?}");
        }
    }
}
