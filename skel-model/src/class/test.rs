//! Keys, size classes, and the names of units.

use crate::{RecordedRole, class::*};
use proptest::prelude::*;

fn class(elems: usize, beside_elems: usize) -> ClassModel {
    ClassModel {
        elems,
        beside_elems,
        units: Vec::new(),
        split_overhead_ns: 0.0,
        measured: Vec::new(),
        best: None,
        quality: Quality::Good,
    }
}

fn instance(classes: Vec<ClassModel>) -> InstanceModel {
    let choice = |(elems, beside_elems): (usize, usize)| ChainChoice {
        elems,
        beside_elems,
        shares: vec![(UnitId::Cpu, 1.0)],
    };
    InstanceModel {
        key: InstanceKey {
            name: "a".into(),
            pattern: "Map".into(),
            elements: "f32".into(),
            hash: 1,
        },
        chain: classes
            .iter()
            .map(|c| choice((c.elems, c.beside_elems)))
            .collect(),
        classes,
        read_back: 0.0,
        seed: 0,
        when_unix_s: 0,
        drift: 0.0,
    }
}

#[test]
fn keys_that_differ_have_other_ids() {
    let key = |name: &str, pattern: &str, elements: &str, hash| InstanceKey {
        name: name.into(),
        pattern: pattern.into(),
        elements: elements.into(),
        hash,
    };
    let keys = [
        key("ab", "c", "d", 1),
        key("a", "bc", "d", 1),
        key("ab", "", "cd", 1),
        key("ab", "c", "d", 2),
        key("", "", "", 0),
    ];
    let mut ids: Vec<String> = keys.iter().map(InstanceKey::id).collect();
    assert!(ids.iter().all(|id| id.len() == 32));
    assert_eq!(ids[0], keys[0].clone().id());
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), keys.len());
}

#[test]
fn the_nearest_class_by_ratio() {
    let model = instance(vec![class(1000, 0), class(10_000, 0), class(10_000, 500)]);
    let found = |elems, beside| {
        model
            .class(elems, beside)
            .map(|(c, f)| (c.elems, c.beside_elems, f))
    };
    assert_eq!(found(2000, 0), Some((1000, 0, 2.0)));
    assert_eq!(found(4000, 0), Some((10_000, 0, 0.4)));
    assert_eq!(found(10_000, 400), Some((10_000, 500, 1.0)));
    assert_eq!(found(0, 0), Some((1000, 0, 0.001)));
    assert!(found(usize::MAX, usize::MAX).is_some());
    assert_eq!(instance(vec![]).class(5, 5), None);
    assert_eq!(model.chain_choice(1100, 0).map(|c| c.elems), Some(1000));
    assert_eq!(model.chain_choice(3000, 0), None);
    assert_eq!(
        model.chain_choice(10_000, 510).map(|c| c.beside_elems),
        Some(500)
    );
}

proptest! {
    #[test]
    fn a_size_class_is_the_nearest_power(elems in 1..usize::MAX) {
        let log = (elems as f64).log2();
        let found = f64::from(size_class(elems));
        prop_assert!((found - log).abs() <= 0.5 + 1e-9);
    }

    #[test]
    fn units_are_read_as_they_are_shown(api in "[^:]{1,8}", name in ".{0,12}", k: usize) {
        let unit = UnitId::device(&api, &name, k);
        prop_assert_eq!(unit.to_string().parse(), Ok(unit));
    }

    #[test]
    fn other_texts_are_no_units(text in ".{0,12}") {
        if let Ok(unit) = text.parse::<UnitId>() {
            prop_assert_eq!(unit.to_string(), text);
        }
    }
}

#[test]
fn nonsense_is_no_unit() {
    for text in [
        "",
        "gpu",
        "cuda:",
        "cuda:a",
        ":a#0",
        "cuda:a#",
        "cuda:a#-1",
        "cuda:a#+1",
        "cuda:a#01",
        "Cpu",
    ] {
        let error = text.parse::<UnitId>().unwrap_err();
        assert!(error.to_string().contains(&format!("`{text}`")), "{error}");
    }
    assert_eq!(UnitId::device("a:b", "c", 1), UnitId::device("a b", "c", 1));
}

#[test]
fn roles_are_read_as_they_are_shown() {
    for text in ["read", "write", "update", "whole", "window"] {
        assert_eq!(text.parse::<RecordedRole>().unwrap().to_string(), text);
    }
    assert!("writes".parse::<RecordedRole>().is_err());
}

#[test]
fn the_first_weakness_counts() {
    let weak = Quality::Weak(crate::Reason::Busy);
    assert_eq!(Quality::Good.and(weak), weak);
    assert_eq!(weak.and(Quality::Good), weak);
}
