//! Against all splits, and against equation 4 of the paper on hybrid skeletons.

use crate::{Curve, policy::water_fill::*};
use proptest::prelude::*;
use skel_core::space::IntervalSet;

/// What a unit is made of.
#[derive(Clone, Debug)]
struct Made {
    curve: Curve,
    factor: f64,
    fixed_ns: f64,
    moved: Vec<(IntervalSet, f64, f64)>,
}

fn curve() -> impl Strategy<Value = Curve> {
    let line = (0..9_u8, 0..60_u8).prop_map(|(a, b)| Curve::line(f64::from(a), f64::from(b)));
    let points = prop::collection::vec((0..30_u8, 0..200_u8), 1..5);
    let through = points.prop_map(|points| {
        let points = points.into_iter();
        let points: Vec<_> = points.map(|(n, t)| (f64::from(n), f64::from(t))).collect();
        Curve::through(&points)
    });
    prop_oneof![line, through]
}

fn made() -> impl Strategy<Value = Made> {
    let missing = prop::collection::vec((0..24_usize, 0..12_usize), 0..4).prop_map(|ranges| {
        let mut set = IntervalSet::new();
        ranges
            .into_iter()
            .for_each(|(at, len)| set.insert(at..at + len));
        set
    });
    let moved = prop::collection::vec((missing, 0.0..8.0_f64, 0.0..20.0_f64), 0..3);
    let factor = prop_oneof![Just(1.0), 0.3..3.0_f64];
    let fixed = prop_oneof![Just(0.0), 0.0..40.0_f64];
    (curve(), factor, fixed, moved).prop_map(|(curve, factor, fixed_ns, moved)| Made {
        curve,
        factor,
        fixed_ns,
        moved,
    })
}

/// Calls `then` with what the units cost.
fn with<T>(made: &[Made], then: impl FnOnce(&[UnitCost<'_>]) -> T) -> T {
    let moved: Vec<Vec<Moved<'_>>> = made
        .iter()
        .map(|unit| {
            unit.moved
                .iter()
                .map(|(set, rate, latency)| Moved::new(set, 1.0, *rate, *latency))
                .collect()
        })
        .collect();
    let units: Vec<UnitCost<'_>> = made
        .iter()
        .zip(&moved)
        .map(|(m, moved)| {
            UnitCost::new(&m.curve, m.factor)
                .fixed(m.fixed_ns)
                .moving(moved)
        })
        .collect();
    then(&units)
}

/// The time of a range, element by element.
fn plainly(made: &Made, range: std::ops::Range<usize>) -> f64 {
    if range.is_empty() {
        return 0.0;
    }
    let latency = made.curve.latency_ns();
    let mut ns =
        latency + made.factor * (made.curve.at(range.len() as f64 / made.factor) - latency);
    for (set, rate, latency) in &made.moved {
        let missing = range
            .clone()
            .filter(|k| set.ranges().iter().any(|r| r.contains(k)))
            .count();
        ns += *rate * missing as f64 + if missing > 0 { *latency } else { 0.0 };
    }
    ns + made.fixed_ns
}

/// All ways to divide `elems` among `units` units.
fn all_splits(elems: usize, units: usize) -> Vec<Vec<usize>> {
    if units == 1 {
        return vec![vec![elems]];
    }
    let begin = |first: usize| {
        all_splits(elems - first, units - 1)
            .into_iter()
            .map(move |mut rest| {
                rest.insert(0, first);
                rest
            })
    };
    (0..=elems).flat_map(begin).collect()
}

/// The end of the last unit.
fn makespan(made: &[Made], sizes: &[usize]) -> f64 {
    let mut start = 0;
    let mut ns = 0.0_f64;
    for (unit, size) in made.iter().zip(sizes) {
        ns = ns.max(plainly(unit, start..start + size));
        start += size;
    }
    ns
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1e-3)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 4 } else { 1000 }))]

    #[test]
    fn no_split_is_better(
        elems in 0..20_usize,
        made in prop::collection::vec(made(), 1..5),
        alone in prop::collection::vec(made(), 0..2),
        overhead in prop_oneof![Just(0.0), 0.0..10.0_f64],
    ) {
        let found = with(&made, |units| with(&alone, |alone| predict(elems, units, overhead, alone)));
        let found = found.unwrap();
        prop_assert_eq!(found.sizes.len(), made.len() + alone.len());
        prop_assert_eq!(found.sizes.iter().sum::<usize>(), elems);

        let singles = made.iter().chain(&alone).map(|unit| plainly(unit, 0..elems));
        let single = singles.fold(f64::INFINITY, f64::min);
        let shared = all_splits(elems, made.len()).into_iter();
        let shared = shared.filter(|sizes| sizes.iter().filter(|size| **size > 0).count() > 1);
        let split = shared.map(|sizes| makespan(&made, &sizes)).fold(f64::INFINITY, f64::min) + overhead;
        let expected = if split <= LEAST_GAIN * single { split } else { single };
        // At the border between the two, either will do.
        let border = close(split, LEAST_GAIN * single);
        prop_assert!(
            close(found.ns, expected) || border && (close(found.ns, split) || close(found.ns, single)),
            "{:?}, but {} split and {} alone", found, split, single
        );
        prop_assert!(close(found.best_single_ns, single));

        let parts = found.sizes.iter().filter(|size| **size > 0).count();
        if parts > 1 {
            prop_assert!(close(found.ns, makespan(&made, &found.sizes[..made.len()]) + overhead));
        } else if elems > 0 {
            prop_assert_eq!(found.sizes[found.best_single], elems);
        }
    }

    #[test]
    fn two_lines_are_equation_four(
        (cpu, device) in ((0.01..10.0_f64, 0.0..1e6_f64), (0.01..10.0_f64, 0.0..1e6_f64)),
        elems in 2..10_000_000_usize,
    ) {
        let n = elems as f64;
        let ratio = (device.0 * n + device.1 - cpu.1) / (n * (cpu.0 + device.0));
        let curves = [Curve::line(cpu.0, cpu.1), Curve::line(device.0, device.1)];
        let units = [UnitCost::new(&curves[0], 1.0), UnitCost::new(&curves[1], 1.0)];
        let found = predict(elems, &units, 0.0, &[]).unwrap();
        if ratio <= 0.0 || ratio >= 1.0 {
            prop_assert_eq!(found.sizes[usize::from(ratio <= 0.0)], elems);
            return Ok(());
        }
        let ns = (cpu.0 * device.0 * n + cpu.0 * device.1 + device.0 * cpu.1) / (cpu.0 + device.0);
        let Some(split_ns) = found.split_ns else {
            // So little for one of them that it is less than an element.
            prop_assert!((ratio * n).min(n - ratio * n) < 1.0);
            return Ok(());
        };
        // An element does not divide.
        prop_assert!(ns <= split_ns * (1.0 + 1e-9) && split_ns <= ns + cpu.0 + device.0);
        if found.sizes[found.best_single] < elems {
            prop_assert!((found.sizes[0] as f64 - ratio * n).abs() <= 1.0 + 1e-9 * n);
        }
    }

    #[test]
    fn any_number_of_elements_is_divided(
        elems: usize,
        made in prop::collection::vec(made(), 1..5),
        slopes in prop::collection::vec(prop_oneof![Just(0.0), 1e-12..1e3_f64, Just(1e60)], 4),
    ) {
        // Slopes so different that rounding shows.
        let mut made = made;
        for (unit, slope) in made.iter_mut().zip(slopes) {
            unit.curve = Curve::line(slope, unit.curve.latency_ns());
        }
        let found = with(&made, |units| predict(elems, units, 0.0, &[])).unwrap();
        prop_assert_eq!(found.sizes.iter().map(|size| *size as u128).sum::<u128>(), elems as u128);
        prop_assert!(found.ns <= found.best_single_ns && !found.ns.is_nan());
    }

    #[test]
    fn a_range_costs_at_least_what_is_in_it(made in made(), ends in prop::array::uniform4(0..40_usize)) {
        let mut ends = ends;
        ends.sort_unstable();
        with(&[made], |units| {
            prop_assert!(units[0].ns(ends[1]..ends[2]) <= units[0].ns(ends[0]..ends[3]));
            Ok(())
        })?;
    }
}

#[test]
fn the_largest_number_is_divided() {
    let curve = Curve::line(1.0, 0.0);
    let units = [UnitCost::new(&curve, 1.0); 3];
    let found = predict(usize::MAX, &units, 0.0, &[]).unwrap();
    assert_eq!(
        found.sizes.iter().map(|s| *s as u128).sum::<u128>(),
        usize::MAX as u128
    );
    for size in found.sizes {
        assert!((size as f64 / usize::MAX as f64 - 1.0 / 3.0).abs() < 1e-9);
    }
}

#[test]
fn no_elements_and_no_units() {
    let curve = Curve::line(1.0, 5.0);
    let unit = UnitCost::new(&curve, 1.0);
    assert_eq!(predict(5, &[], 0.0, &[]), None);
    assert_eq!(predict(0, &[unit, unit], 0.0, &[]).unwrap().sizes, [0, 0]);
    assert_eq!(predict(1, &[unit, unit], 0.0, &[]).unwrap().sizes, [1, 0]);
    let alone = predict(7, &[], 0.0, &[unit]).unwrap();
    assert_eq!((alone.sizes, alone.ns), (vec![7], 12.0));
}

#[test]
fn numbers_that_are_none_do_no_harm() {
    let curve = Curve::line(1.0, 5.0);
    let all = IntervalSet::of(0..100);
    for bad in [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        -1.0,
        0.0,
        f64::MAX,
    ] {
        let moved = [Moved::new(&all, bad, bad, bad)];
        let units = [
            UnitCost::new(&curve, bad).fixed(bad).moving(&moved),
            UnitCost::new(&curve, 1.0),
        ];
        let found = predict(100, &units, bad, &[]).unwrap();
        assert_eq!(found.sizes.iter().sum::<usize>(), 100, "{bad}");
        assert!(found.ns.is_finite(), "{bad}: {found:?}");
    }
}

#[test]
fn what_lies_there_is_left_there() {
    // As fast as each other, but the one lacks the second half, the other the first.
    let curve = Curve::line(1.0, 0.0);
    let (first, second) = (IntervalSet::of(0..400), IntervalSet::of(400..1000));
    let (of_cpu, of_device) = (
        Moved::new(&second, 4.0, 5.0, 0.0),
        Moved::new(&first, 4.0, 5.0, 0.0),
    );
    let (of_cpu, of_device) = ([of_cpu], [of_device]);
    let units = [
        UnitCost::new(&curve, 1.0).moving(&of_cpu),
        UnitCost::new(&curve, 1.0).moving(&of_device),
    ];
    let found = predict(1000, &units, 0.0, &[]).unwrap();
    // From 400 on each further element of the CPU costs it 21: 400 + 21 x = 600 − x.
    assert_eq!(found.sizes, [409, 591]);
}
