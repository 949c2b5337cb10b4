//! Against published values and plain counting.

use crate::stats::*;
use proptest::prelude::*;

#[test]
fn the_interval_is_that_of_the_tables() {
    // Of the sign test's table for 95 %: which values from below and above, counted from 1.
    for (len, rank) in [
        (6, 1),
        (8, 1),
        (9, 2),
        (12, 3),
        (15, 4),
        (20, 6),
        (25, 8),
        (50, 18),
        (100, 40),
    ] {
        let values: Vec<f64> = (1..=len).map(f64::from).collect();
        let expected = (f64::from(rank), f64::from(len + 1 - rank));
        assert_eq!(median_interval(&values), Some(expected), "{len} values");
    }
}

#[test]
fn thousands_of_values_have_an_interval() {
    let values: Vec<f64> = (1..=10_000).map(f64::from).collect();
    let (low, high) = median_interval(&values).unwrap();
    // 5000 ± 1.96 · √10000 / 2
    assert!((4900.0..4905.0).contains(&low), "{low}");
    assert!((5097.0..=5101.0).contains(&high), "{high}");
}

#[test]
fn few_values_are_not_enough() {
    assert_eq!(median_interval(&[]), None);
    assert_eq!(median_interval(&[2.0]), Some((2.0, 2.0)));
    assert!(!settled(&[]));
    assert!(!settled(&[100.0; 4]));
    assert!(settled(&[100.0; 5]));
    assert!(!settled(&[100.0, 100.0, 100.0, 100.0, 105.0]));
    // An outlier among many does no harm.
    let mut many = vec![100.0; 20];
    many[7] = 900.0;
    assert!(settled(&many));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 8 } else { 256 }))]

    #[test]
    fn as_many_are_above_as_below(values in prop::collection::vec(0.0..1e6_f64, 1..40)) {
        let middle = median(&values).unwrap();
        let below = values.iter().filter(|v| **v < middle).count();
        let above = values.iter().filter(|v| **v > middle).count();
        prop_assert!(2 * below <= values.len() && 2 * above <= values.len());
        let (low, high) = median_interval(&values).unwrap();
        prop_assert!(low <= middle && middle <= high);
        let spread = mad(&values).unwrap();
        let near = values.iter().filter(|v| (**v - middle).abs() <= spread * (1.0 + 1e-12)).count();
        prop_assert!(2 * near >= values.len());
    }
}
