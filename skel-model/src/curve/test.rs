//! Against straight interpolation, and what curves promise whatever they are made of.

use crate::curve::*;
use proptest::prelude::*;

fn points() -> impl Strategy<Value = Vec<(f64, f64)>> {
    prop::collection::vec((0..1_000_000_u32, 0.0..1e9_f64), 0..12).prop_map(|points| {
        let points = points.into_iter();
        points.map(|(n, t)| (f64::from(n), t)).collect()
    })
}

#[test]
fn a_line_is_a_line() {
    let line = Curve::line(2.5, 100.0);
    assert_eq!(
        (line.at(0.0), line.at(10.0), line.latency_ns()),
        (100.0, 125.0, 100.0)
    );
    assert_eq!(line.inverse(99.0), 0.0);
    assert_eq!(line.inverse(100.0), 0.0);
    assert_eq!(line.inverse(125.0), 10.0);
    let level = Curve::line(0.0, 100.0);
    assert_eq!(
        (level.inverse(99.9), level.inverse(100.0)),
        (0.0, f64::INFINITY)
    );
}

#[test]
fn what_is_no_number_is_tamed() {
    let bad = [f64::NAN, -1.0, f64::NEG_INFINITY];
    for x in bad {
        assert_eq!(Curve::line(x, x), Curve::line(0.0, 0.0));
        assert_eq!(Curve::through(&[(x, x)]), Curve::line(0.0, 0.0));
        assert_eq!(Curve::from_parts(vec![(0.0, x)], 1.0), None);
        assert_eq!(Curve::from_parts(vec![(0.0, 1.0)], x), None);
    }
    for x in [f64::INFINITY, f64::MAX] {
        assert!(Curve::line(x, x).at(1e30).is_finite());
        assert_eq!(Curve::from_parts(vec![(0.0, 1.0), (1.0, x)], 1.0), None);
    }
    assert_eq!(Curve::from_parts(vec![], 1.0), None);
    assert_eq!(
        Curve::from_parts(vec![(1.0, 1.0)], 1.0),
        None,
        "begins late"
    );
    assert_eq!(
        Curve::from_parts(vec![(0.0, 1.0), (0.0, 2.0)], 1.0),
        None,
        "stands"
    );
    assert_eq!(
        Curve::from_parts(vec![(0.0, 2.0), (1.0, 1.0)], 1.0),
        None,
        "falls"
    );
}

#[test]
fn falling_points_are_level() {
    let curve = Curve::through(&[(30.0, 60.0), (10.0, 50.0), (20.0, 40.0)]);
    assert_eq!(
        (curve.at(15.0), curve.at(25.0), curve.at(40.0)),
        (50.0, 55.0, 70.0)
    );
    assert_eq!(curve.inverse(50.0), 20.0);
    assert_eq!(curve.latency_ns(), 50.0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 8 } else { 512 }))]

    #[test]
    fn never_falls_and_goes_through_its_points(points in points(), a in 0.0..2e6_f64, b in 0.0..2e6_f64) {
        let curve = Curve::through(&points);
        prop_assert!(curve.at(a.min(b)) <= curve.at(a.max(b)));
        prop_assert!(curve.latency_ns() <= curve.at(a) && curve.at(a).is_finite());
        for (elems, _) in &points {
            // The longest time of this many or fewer.
            let upto = points.iter().filter(|p| p.0 <= *elems).map(|p| p.1).fold(0.0, f64::max);
            prop_assert!((curve.at(*elems) - upto).abs() <= 1e-9 * upto);
        }
    }

    #[test]
    fn the_inverse_is_the_largest_that_fits(points in points(), ns in 0.0..2e9_f64) {
        let curve = Curve::through(&points);
        let elems = curve.inverse(ns);
        prop_assert!(elems >= 0.0);
        if elems.is_finite() {
            prop_assert!(elems == 0.0 || curve.at(elems * (1.0 - 1e-9)) <= ns);
            prop_assert!(curve.at(elems * (1.0 + 1e-9) + 1e-6) >= ns);
        } else {
            prop_assert!(curve.at(1e30) <= ns);
        }
    }

    #[test]
    fn parts_make_it_again(points in points()) {
        let curve = Curve::through(&points);
        let again = Curve::from_parts(curve.points().collect(), curve.last_slope_ns());
        prop_assert_eq!(again, Some(curve));
    }
}
