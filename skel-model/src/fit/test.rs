//! Against closed forms, brute force, and the partitions that the fits lead to.

use crate::fit::*;
use proptest::prelude::*;

mod synthetic;

fn samples(points: &[(usize, f64)]) -> Vec<Sample> {
    points
        .iter()
        .filter_map(|(n, t)| Sample::of(*n, &[*t; 5]))
        .collect()
}

/// The sum of squared relative errors of a line.
fn loss(samples: &[Sample], slope: f64, latency: f64) -> f64 {
    let error =
        |s: &Sample| ((slope * s.elems as f64 + latency) / s.median_ns.max(1.0) - 1.0).powi(2);
    samples.iter().map(error).sum()
}

#[test]
fn one_or_two_sizes_are_weak() {
    let one = fit(&samples(&[(1000, 500.0)])).unwrap();
    assert_eq!((one.slope_ns, one.latency_ns), (0.5, 0.0));
    assert_eq!(one.slope_ci, (0.0, 0.5));
    assert_eq!(one.quality, Quality::Weak(Reason::FewSamples));
    let two = fit(&samples(&[(1000, 1500.0), (2000, 2500.0)])).unwrap();
    assert!((two.slope_ns - 1.0).abs() < 1e-9 && (two.latency_ns - 500.0).abs() < 1e-6);
    assert_eq!(two.quality, Quality::Weak(Reason::FewSamples));
    let same = fit(&samples(&[(1000, 400.0), (1000, 400.0), (1000, 400.0)])).unwrap();
    assert_eq!(same.quality, Quality::Weak(Reason::FewSamples));
    let empty = fit(&samples(&[(0, 70.0)])).unwrap();
    assert_eq!((empty.slope_ns, empty.latency_ns), (0.0, 70.0));
}

#[test]
fn equal_times_are_weak() {
    let level = fit(&samples(&[
        (10, 900.0),
        (100, 900.0),
        (1000, 900.0),
        (10_000, 900.0),
    ]))
    .unwrap();
    assert_eq!((level.slope_ns, level.latency_ns), (0.0, 900.0));
    assert_eq!(level.quality, Quality::Weak(Reason::Slope));
    let zero = fit(&samples(&[(1, 0.0), (10, 0.0), (100, 0.0)])).unwrap();
    assert_eq!(zero.quality, Quality::Weak(Reason::Slope));
    assert!(zero.curve.at(50.0) <= 1.0);
}

#[test]
fn falling_times_give_no_negative_slope() {
    let falling = fit(&samples(&[
        (10, 1000.0),
        (100, 990.0),
        (1000, 980.0),
        (10_000, 985.0),
    ]))
    .unwrap();
    assert_eq!(falling.slope_ns, 0.0);
    assert_eq!(falling.quality, Quality::Weak(Reason::Slope));
}

#[test]
fn an_empty_call_does_not_count_beside_others() {
    let others = [(100, 1100.0), (1000, 2000.0), (10_000, 11_000.0)];
    let with_empty: Vec<_> = [(0, 3.0)].into_iter().chain(others).collect();
    assert_eq!(fit(&samples(&with_empty)), fit(&samples(&others)));
}

#[test]
fn what_is_no_time_does_not_count() {
    let bad = |ns: f64| Sample {
        elems: 10,
        median_ns: ns,
        mad_ns: 0.0,
        runs: 1,
    };
    assert_eq!(fit(&[bad(f64::NAN), bad(-1.0), bad(f64::INFINITY)]), None);
    let mut with_bad = samples(&[(100, 1100.0), (1000, 2000.0), (10_000, 11_000.0)]);
    let good = fit(&with_bad);
    with_bad.push(bad(f64::NAN));
    assert_eq!(fit(&with_bad), good);
}

#[test]
fn a_cache_knee_is_no_line_and_good() {
    // One nanosecond per element up to 64 Ki, five beyond.
    let law = |n: usize| 500.0 + n as f64 + 4.0 * n.saturating_sub(65_536) as f64;
    let points: Vec<(usize, f64)> = (10..=20).map(|k| (1 << k, law(1 << k))).collect();
    let knee = fit(&samples(&points)).unwrap();
    assert_eq!(knee.quality, Quality::Good);
    assert!(knee.relative_rms < 1e-9);
    assert!(
        (knee.latency_ns - 500.0).abs() > 1.0,
        "one line misses it: {}",
        knee.latency_ns
    );
    for n in [1000, 50_000, 65_536, 1 << 18, 3 << 20] {
        let (found, expected) = (knee.curve.at(n as f64), law(n));
        assert!(
            (found / expected - 1.0).abs() < 1e-6,
            "{n}: {found}, not {expected}"
        );
    }
}

#[test]
fn a_noisy_end_does_not_make_large_calls_free() {
    let points = [
        (1000, 10_000.0),
        (2000, 30_000.0),
        (4000, 90_000.0),
        (8000, 80_000.0),
    ];
    let noisy = fit(&samples(&points)).unwrap();
    assert!(noisy.curve.at(80_000.0) > 500_000.0, "{:?}", noisy.curve);
}

#[test]
fn runs_that_differ_are_weak() {
    let runs = [50.0, 100.0, 150.0, 60.0, 145.0];
    let noisy = |n: usize| Sample::of(n, &runs.map(|r| r * n as f64)).unwrap();
    let found = fit(&[noisy(100), noisy(1000), noisy(10_000)]).unwrap();
    assert_eq!(found.quality, Quality::Weak(Reason::Residuals));
}

#[test]
fn scattered_points_are_weak() {
    let points = [
        (1000, 900.0),
        (2000, 4000.0),
        (4000, 1500.0),
        (8000, 12_000.0),
        (16_000, 5000.0),
    ];
    let found = fit(&samples(&points)).unwrap();
    assert_eq!(found.quality, Quality::Weak(Reason::Residuals));
}

#[test]
fn the_interval_of_the_slope_is_students() {
    // Of equal weights, by hand: sizes 1, 2, 3; the slope 10, the errors 1, −2, 1 of about 10⁶; with one
    // degree of freedom √6 / √2 · 12.706.
    let base = 1e6;
    let points = [(1, base + 11.0), (2, base + 18.0), (3, base + 31.0)];
    let found = fit(&samples(&points)).unwrap();
    assert!((found.slope_ns - 10.0).abs() < 1e-3, "{}", found.slope_ns);
    let reach = found.slope_ci.1 - found.slope_ns;
    assert!((reach - 12.706 * 3.0_f64.sqrt()).abs() < 1e-2, "{reach}");
    assert_eq!(found.slope_ci.0, 0.0);
    assert_eq!(found.quality, Quality::Weak(Reason::Slope));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 4 } else { 256 }))]

    #[test]
    fn the_line_is_the_best_of_all(
        points in prop::collection::vec((1..2000_usize, 10.0..1e5_f64), 2..8),
        slope in 0.0..200.0_f64,
        latency in 0.0..1e5_f64,
    ) {
        let samples = samples(&points);
        let found = fit(&samples).unwrap();
        let least = loss(&samples, found.slope_ns, found.latency_ns);
        prop_assert!(found.slope_ns >= 0.0 && found.latency_ns >= 0.0);
        let one_size = points.iter().all(|p| p.0 == points[0].0);
        if !one_size {
            prop_assert!(least <= loss(&samples, slope, latency) + 1e-9);
            for (da, db) in [(1.001, 1.0), (0.999, 1.0), (1.0, 1.001), (1.0, 0.999)] {
                let near = loss(&samples, found.slope_ns * da, found.latency_ns * db);
                prop_assert!(least <= near + 1e-9);
            }
        }
    }

    #[test]
    fn never_nan_never_falling(
        points in prop::collection::vec((any::<usize>(), prop_oneof![0.0..1e6_f64, any::<f64>()]), 0..9),
        a in 0.0..1e20_f64,
        b in 0.0..1e20_f64,
    ) {
        let Some(found) = fit(&samples(&points)) else {
            return Ok(());
        };
        let (low, high) = (found.curve.at(a.min(b)), found.curve.at(a.max(b)));
        prop_assert!(low <= high && high.is_finite());
        for x in [
            found.slope_ns, found.latency_ns, found.slope_ci.0, found.slope_ci.1, found.relative_rms, found.r2,
        ] {
            prop_assert!(x.is_finite() && x >= 0.0, "{:?}", found);
        }
        prop_assert!(found.slope_ci.0 <= found.slope_ns && found.slope_ns <= found.slope_ci.1);
    }
}
