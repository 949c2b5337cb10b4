use crate::evidence::*;
use Measurement::{Part, Split};

fn device() -> UnitId {
    UnitId::device("mock", "a", 0)
}

fn of_two() -> Evidence {
    let mut evidence = Evidence::new(1000, 0);
    evidence.units = vec![UnitId::Cpu, device()];
    evidence
}

fn add(evidence: &mut Evidence, what: &Measurement, runs_ns: &[f64]) {
    for ns in runs_ns {
        evidence.add(what.clone(), *ns);
    }
}

#[test]
fn there_is_a_model_when_each_unit_has_done_the_whole_call() {
    let mut evidence = of_two();
    evidence.add(Part(UnitId::Cpu, 1000), 4_000.0);
    evidence.add(Part(device(), 500), 1_000.0);
    assert_eq!(evidence.model(), None);
    evidence.add(Part(device(), 1000), 2_000.0);
    let model = evidence.model().unwrap();
    // One run of each: the fastest unit, and no split.
    assert_eq!(model.quality, Quality::Weak(Reason::Budget));
    assert_eq!(model.verified(), Some(vec![(device(), 1.0)]));
    assert_eq!(model.best, Some(vec![(device(), 1.0)]));
}

#[test]
fn no_time_is_in_a_model_that_was_not_measured() {
    let mut evidence = of_two();
    evidence.units.insert(0, UnitId::Sequential);
    add(&mut evidence, &Part(UnitId::Cpu, 1000), &[4_000.0; 3]);
    add(&mut evidence, &Part(device(), 1000), &[5_000.0; 3]);
    // A part of it says nothing of the whole call on one thread.
    evidence.add(Part(UnitId::Sequential, 10), 1.0);
    let model = evidence.model().unwrap();
    let units: Vec<&UnitId> = model.units.iter().map(|unit| &unit.unit).collect();
    assert_eq!(units, [&UnitId::Cpu, &device()]);
    assert_eq!(model.measured.len(), 2);
}

#[test]
fn a_split_is_best_if_it_was_measured_to_be_and_is_worth_it() {
    let whole = |split_ns: f64| {
        let mut evidence = of_two();
        add(&mut evidence, &Part(UnitId::Cpu, 1000), &[4_000.0; 5]);
        add(&mut evidence, &Part(device(), 1000), &[4_000.0; 5]);
        let split = Split(vec![(UnitId::Cpu, 400), (device(), 600)]);
        add(&mut evidence, &split, &[split_ns; 5]);
        evidence.model().unwrap().best.unwrap()
    };
    assert_eq!(whole(3_000.0), [(UnitId::Cpu, 0.4), (device(), 0.6)]);
    assert_eq!(whole(3_990.0).len(), 1);
}

#[test]
fn a_split_of_one_unit_is_the_whole_call_on_it() {
    let mut evidence = of_two();
    evidence.add(Split(vec![(UnitId::Cpu, 0), (device(), 1000)]), 7.0);
    assert_eq!(evidence.runs_ns(&Part(device(), 1000)), [7.0]);
}

#[test]
fn drift_is_more_than_noise() {
    let drift = |runs_ns: &[f64]| {
        let mut evidence = of_two();
        add(&mut evidence, &Part(UnitId::Cpu, 1000), runs_ns);
        evidence.drift()
    };
    let before = [100.0, 101.0, 99.0, 100.5, 99.5];
    let after = before.map(|ns| 1.3 * ns);
    assert_eq!(
        drift(&[&before[..], &after[..4]].concat()),
        0.0,
        "too few runs"
    );
    assert!((drift(&[before, after].concat()) - 0.3).abs() < 1e-9);
    let mixed: Vec<f64> = before
        .iter()
        .zip(after)
        .flat_map(|(a, b)| [*a, b])
        .collect();
    assert_eq!(drift(&mixed), 0.0, "noise");
}
