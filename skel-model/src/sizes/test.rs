//! Against laws: of sizes, of places, and of nothing at all.

use crate::{Fit, InstanceKey, Reason, fit, sizes::*};
use proptest::prelude::*;

/// What the first so many elements of a call of so many take.
type Law<'a> = &'a dyn Fn(f64, f64) -> f64;

fn sample(elems: usize, median_ns: f64) -> Sample {
    Sample {
        elems,
        median_ns,
        mad_ns: 0.01 * median_ns,
        runs: 5,
    }
}

/// A class of what the laws say, at the sizes that are measured.
fn class(elems: usize, laws: &[(UnitId, Law<'_>)]) -> ClassModel {
    let at = |k: i32| (elems as f64 / 256_f64.powf(1.0 - f64::from(k) / 7.0)).round() as usize;
    let unit = |(unit, law): &(UnitId, Law<'_>)| {
        let samples: Vec<Sample> = (0..8)
            .map(at)
            .map(|k| sample(k, law(k as f64, elems as f64)))
            .collect();
        UnitModel {
            unit: unit.clone(),
            fit: fit(&samples).expect("samples"),
            samples,
            block: None,
        }
    };
    ClassModel {
        elems,
        beside_elems: 0,
        units: laws.iter().map(unit).collect(),
        split_overhead_ns: 0.0,
        measured: Vec::new(),
        best: None,
        quality: Quality::Good,
    }
}

fn instance(classes: Vec<ClassModel>) -> InstanceModel {
    InstanceModel {
        key: InstanceKey {
            name: "a".into(),
            pattern: "Map".into(),
            elements: "f32".into(),
            hash: 1,
        },
        classes,
        chain: Vec::new(),
        read_back: 0.0,
        seed: 0,
        when_unix_s: 0,
        drift: 0.0,
    }
}

/// What a unit is predicted to take, by its position, for part of a call.
fn predicted_ns(model: &InstanceModel, sizes: &Sizes, unit: usize, k: f64, elems: usize) -> f64 {
    let (class, _) = model.class(elems, 0).expect("a class");
    sizes.curve(class, &class.units[unit], elems).ns(k)
}

/// From so many elements on each takes more, or less.
fn knee(at: f64, then_ns: f64) -> impl Fn(f64, f64) -> f64 {
    move |k, _| 1_000.0 + k.min(at) + then_ns * (k - at).max(0.0)
}

/// The last elements take more than the first ones.
fn dense(power: f64) -> impl Fn(f64, f64) -> f64 {
    move |k, n| 1_000.0 + n * (k / n).powf(power)
}

const BASE: usize = 50_000;

proptest! {
    /// Wherever a cache ends, all that was measured is known for calls of any size.
    #[test]
    fn where_sizes_decide_all_samples_count(
        at in 5_000.0..800_000.0_f64,
        then_ns in prop_oneof![0.3..0.7_f64, 1.5..3.0_f64],
        elems in BASE / 4..40 * BASE,
        count in 2..6_usize,
    ) {
        let law = knee(at, then_ns);
        let classes = (0..count).map(|k| class(BASE << k, &[(UnitId::Cpu, &law)]));
        let model = instance(classes.collect());
        let sizes = Sizes::of(&model);
        let own = model.classes.iter().any(|class| class.elems == elems);
        for class in model.classes.iter().filter(|_| !own) {
            for sample in &class.units[0].samples {
                let ns = predicted_ns(&model, &sizes, 0, sample.elems as f64, elems);
                let off = ns / sample.median_ns - 1.0;
                prop_assert!(off.abs() < 0.04, "{} elements: {off}", sample.elems);
            }
        }
    }

    /// Where each row of a picture takes its own time, a larger picture is a picture that is larger.
    #[test]
    fn where_places_decide_curves_are_stretched(
        power in 1.5..4.0_f64,
        elems in BASE / 4..40 * BASE,
        count in 1..6_usize,
    ) {
        let law = dense(power);
        let classes = (0..count).map(|k| class(BASE << k, &[(UnitId::Cpu, &law)]));
        let model = instance(classes.collect());
        let sizes = Sizes::of(&model);
        let (class, factor) = model.class(elems, 0).expect("a class");
        prop_assert_eq!(sizes.curve(class, &class.units[0], elems).factor, factor);
        for sample in class.units[0].samples.iter().filter(|s| 20 * s.elems > class.elems) {
            let k = sample.elems as f64 * factor;
            let off = predicted_ns(&model, &sizes, 0, k, elems) / law(k, elems as f64) - 1.0;
            prop_assert!(off.abs() < 0.05, "{} elements: {off}", sample.elems);
        }
    }

    /// A line is a line by either rule, also one that is blurred by noise.
    #[test]
    fn lines_stay_lines(
        latency_ns in 0.0..1e5_f64,
        noise in prop::collection::vec(-0.015..0.015_f64, 40),
        elems in BASE..16 * BASE,
        part in 0.1..1.0_f64,
    ) {
        let exact = |k: f64| latency_ns + 2.0 * k;
        let noisy = |k: f64, n: f64| exact(k) * (1.0 + noise[(k + n) as usize % noise.len()]);
        let model = instance((0..5).map(|k| class(BASE << k, &[(UnitId::Cpu, &noisy)])).collect());
        let sizes = Sizes::of(&model);
        let k = part * elems as f64;
        let off = predicted_ns(&model, &sizes, 0, k, elems) / exact(k) - 1.0;
        prop_assert!(off.abs() < 0.03, "{off}");
    }

    /// Whatever a file says, times are numbers, and more elements take no less.
    #[test]
    fn of_nonsense_times_are_numbers(
        classes in prop::collection::vec((size(), size(), prop::collection::vec((size(), time()), 0..5)), 0..5),
        asked in prop::collection::vec(size(), 1..4),
        parts in prop::collection::vec(0.0..1.0_f64, 2..6),
    ) {
        let of = |(elems, beside_elems, points): &(usize, usize, Vec<(usize, f64)>)| {
            let samples: Vec<Sample> = points.iter().map(|(n, t)| sample(*n, *t)).collect();
            let mut class = class(1, &[(UnitId::Cpu, &|_, _| 1.0)]);
            (class.elems, class.beside_elems) = (*elems, *beside_elems);
            class.units[0].fit.quality = Quality::Good;
            if let Some(fit) = fit(&samples) {
                class.units[0].fit = Fit { quality: Quality::Good, ..fit };
            }
            class.units[0].samples = samples;
            class
        };
        let model = instance(classes.iter().map(of).collect());
        let sizes = Sizes::of(&model);
        let mut parts = parts;
        parts.sort_by(f64::total_cmp);
        for elems in asked {
            let Some((class, _)) = model.class(elems, 0) else {
                continue;
            };
            let sized = sizes.curve(class, &class.units[0], elems);
            prop_assert!(sized.factor > 0.0 && sized.factor.is_finite());
            let times: Vec<f64> = parts.iter().map(|part| sized.ns(part * elems as f64)).collect();
            prop_assert!(times.iter().all(|ns| ns.is_finite() && *ns >= 0.0), "{times:?}");
            let falls = |pair: &[f64]| pair[1] < pair[0] * (1.0 - 1e-9);
            prop_assert!(!times.windows(2).any(falls), "{times:?}");
        }
    }
}

fn size() -> impl Strategy<Value = usize> {
    prop_oneof![
        Just(0),
        Just(1),
        1..1_000_usize,
        any::<usize>(),
        Just(usize::MAX)
    ]
}

fn time() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), Just(1e-300), 0.0..1e9_f64, Just(1e60)]
}

#[test]
fn each_unit_has_its_own_rule() {
    let gpu = UnitId::device("mock", "a", 0);
    let (knee, dense) = (knee(60_000.0, 2.5), dense(2.0));
    let laws: [(UnitId, Law<'_>); 2] = [(UnitId::Cpu, &knee), (gpu, &dense)];
    let model = instance(vec![class(100_000, &laws), class(200_000, &laws)]);
    let sizes = Sizes::of(&model);
    let (class, _) = model.class(140_000, 0).expect("a class");
    let factors = [0, 1].map(|unit| sizes.curve(class, &class.units[unit], 140_000).factor);
    assert_eq!(factors, [1.0, 1.4]);
    // Beyond all that was measured as well; and of just such a size, what was measured of it.
    for (elems, own) in [(1_000, false), (900_000, false), (200_000, true)] {
        let (class, _) = model.class(elems, 0).expect("a class");
        let sized = sizes.curve(class, &class.units[0], elems);
        assert_eq!(sized.factor, 1.0, "{elems}");
        assert_eq!(std::ptr::eq(sized.curve, &class.units[0].fit.curve), own);
    }
}

#[test]
fn between_classes_that_agree_and_nowhere_else() {
    let before = knee(60_000.0, 2.5);
    // As if the machine had become slower between two measurements.
    let after = |k: f64, n: f64| 1.3 * before(k, n);
    let (before, after): (Law<'_>, Law<'_>) = (&before, &after);
    let slow = |elems| class(elems, &[(UnitId::Cpu, after)]);
    let quick = |elems| class(elems, &[(UnitId::Cpu, before)]);
    let model = instance(vec![
        slow(400_000),
        quick(50_000),
        slow(800_000),
        quick(100_000),
        quick(200_000),
    ]);
    let sizes = Sizes::of(&model);
    let factor = |elems| {
        let (class, _) = model.class(elems, 0).expect("a class");
        sizes.curve(class, &class.units[0], elems).factor
    };
    assert_eq!([60_000, 150_000, 600_000, 2_000_000].map(factor), [1.0; 4]);
    assert_eq!([250_000, 300_000].map(factor), [1.25, 0.75]);
}

#[test]
fn what_is_not_to_be_trusted_says_nothing_of_others() {
    let law = knee(60_000.0, 2.5);
    let good = [100_000, 200_000].map(|elems| class(elems, &[(UnitId::Cpu, &law)]));
    let none = Sizes::default();
    assert_ne!(Sizes::of(&instance(good.to_vec())), none);
    let mut busy = good.clone();
    busy[0].quality = Quality::Weak(Reason::Busy);
    assert_eq!(Sizes::of(&instance(busy.to_vec())), none);
    let mut weak = good.clone();
    weak[1].units[0].fit.quality = Quality::Weak(Reason::Residuals);
    assert_eq!(Sizes::of(&instance(weak.to_vec())), none);
    let mut beside = good.clone();
    beside[1].beside_elems = 1_000;
    assert_eq!(Sizes::of(&instance(beside.to_vec())), none);
    let mut unknown = good;
    unknown[1].units[0].samples.clear();
    unknown[0].units[0].samples.clear();
    assert_eq!(Sizes::of(&instance(unknown.to_vec())), none);
}
