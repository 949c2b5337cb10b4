use crate::{
    Curve, Evidence,
    Measurement::{Part, Split},
    decide::*,
    fit,
};

fn device() -> UnitId {
    UnitId::device("mock", "a", 0)
}

fn evidence(cpu_ns: f64, device_ns: f64) -> Evidence {
    let mut evidence = Evidence::new(1000, 0);
    evidence.units = vec![UnitId::Cpu, device()];
    for _ in 0..5 {
        evidence.add(Part(UnitId::Cpu, 1000), cpu_ns);
        evidence.add(Part(device(), 1000), device_ns);
    }
    evidence
}

/// Of the kind that a busy machine had: curves that say something else than what was measured.
#[test]
fn what_was_measured_to_be_slower_is_not_chosen() {
    for quality in [
        Quality::Good,
        Quality::Weak(Reason::Busy),
        Quality::Weak(Reason::Drift),
    ] {
        let mut model = evidence(63_000.0, 152_000.0).model().unwrap();
        model.quality = quality;
        for unit in model.units.iter_mut().filter(|unit| unit.unit == device()) {
            unit.fit.curve = Curve::line(0.001, 0.0);
        }
        model.best = model.measured_best().map(|best| best.shares.clone());
        assert_eq!(
            model.verified(),
            Some(vec![(UnitId::Cpu, 1.0)]),
            "{quality:?}"
        );
    }
}

#[test]
fn a_weak_class_is_not_split_whatever_was_measured() {
    let mut evidence = evidence(4_000.0, 4_000.0);
    for _ in 0..5 {
        evidence.add(Split(vec![(UnitId::Cpu, 500), (device(), 500)]), 2_000.0);
    }
    assert_eq!(
        evidence
            .model()
            .unwrap()
            .verified()
            .map(|shares| shares.len()),
        Some(2)
    );
    evidence.is_busy = true;
    let model = evidence.model().unwrap();
    assert_eq!(model.verdict(), Verdict::Weak(Reason::Busy));
    assert_eq!(model.verified().map(|shares| shares.len()), Some(1));
}

#[test]
fn one_thread_is_asked_within_what_was_measured_of_it() {
    let mut model = evidence(4_000.0, 8_000.0).model().unwrap();
    let samples: Vec<Sample> = [10, 20, 40]
        .iter()
        .filter_map(|n| Sample::of(*n, &[*n as f64; 5]))
        .collect();
    model.units.push(UnitModel {
        unit: UnitId::Sequential,
        fit: fit(&samples).unwrap(),
        samples,
        block: None,
    });
    let units: Vec<&UnitModel> = model.units.iter().collect();
    let chosen = |elems: usize, factor: f64| {
        let curve = |k: usize| SizedCurve {
            curve: &units[k].fit.curve,
            factor,
        };
        let cost = |k: usize| UnitCost::new(&units[k].fit.curve, factor);
        let decided = model.decide(elems, &units, curve, cost).unwrap();
        decided
            .sizes
            .iter()
            .position(|n| *n == elems)
            .map(|k| units[k].unit.clone())
    };
    assert_eq!(chosen(30, 1.0), Some(UnitId::Sequential));
    assert_eq!(chosen(41, 1.0), Some(UnitId::Cpu));
    // A call of 30 elements whose curve is that of a call of 1000: one thread was not measured there.
    assert_eq!(chosen(30, 0.03), Some(UnitId::Cpu));
}

#[test]
fn few_runs_are_less_sure_than_many_and_splits_that_were_not_tried_count() {
    let unsure = |runs: usize, split_ns: Option<f64>| {
        let mut evidence = Evidence::new(1000, 0);
        evidence.units = vec![UnitId::Cpu, device()];
        for k in 0..runs {
            let noise = 1.0 + 0.01 * (k % 3) as f64;
            for unit in [UnitId::Cpu, device()] {
                for part in [250, 500, 1000] {
                    evidence.add(Part(unit.clone(), part), 4.0 * part as f64 * noise);
                }
            }
            if let Some(ns) = split_ns {
                evidence.add(Split(vec![(UnitId::Cpu, 500), (device(), 500)]), ns * noise);
            }
        }
        evidence.model().unwrap().unsure()
    };
    // Half of it on each would take half as long.
    assert!(unsure(9, None) > 0.9, "{}", unsure(9, None));
    assert!(
        unsure(9, Some(2_000.0)) < 0.05,
        "{}",
        unsure(9, Some(2_000.0))
    );
    assert!(unsure(30, Some(3_950.0)) < unsure(3, Some(3_950.0)));
}

#[test]
fn of_many_classes_the_weakest_counts_and_none_is_unknown() {
    let good = evidence(1.0, 2.0).model().unwrap();
    let mut weak = good.clone();
    weak.quality = Quality::Weak(Reason::Drift);
    assert_eq!(Verdict::of([&good, &good]), Verdict::Good);
    assert_eq!(Verdict::of([&good, &weak]), Verdict::Weak(Reason::Drift));
    assert_eq!(Verdict::of(std::iter::empty()), Verdict::Unknown);
    assert_eq!(
        Verdict::of([&good, &weak]).to_string(),
        "weak: times drifted"
    );
}
