//! Models of one instance from two sources.

use crate::store::test::*;
use merge::{Prefer, files};

/// The sample file with one class of so many elements.
fn of_size(elems: usize, seed: u64) -> TuningFile {
    let mut file = numbered(seed);
    let instance = &mut file.machines[0].instances[0];
    instance.classes.truncate(1);
    instance.classes[0].elems = elems;
    instance.classes[0].split_overhead_ns = seed as f64;
    file
}

fn sizes(file: &TuningFile) -> Vec<(usize, f64)> {
    let classes = file.machines[0].instances[0].classes.iter();
    classes.map(|c| (c.elems, c.split_overhead_ns)).collect()
}

#[test]
fn classes_of_other_sizes_stay() {
    let both = files(of_size(1000, 1), of_size(1 << 20, 2), Prefer::New);
    assert_eq!(both.machines.len(), 1);
    assert_eq!(sizes(&both), [(1000, 1.0), (1 << 20, 2.0)]);
    assert_eq!(both.machines[0].instances[0].seed, 2);
    // The nearest power of two of 1000 is 1024, as that of 1100, and not that of 1500.
    let again = files(both.clone(), of_size(1100, 3), Prefer::New);
    assert_eq!(sizes(&again), [(1100, 3.0), (1 << 20, 2.0)]);
    let kept = files(both.clone(), of_size(1100, 3), Prefer::Old);
    assert_eq!(kept, both);
    let more = files(both, of_size(1500, 3), Prefer::Old);
    assert_eq!(sizes(&more), [(1000, 1.0), (1500, 3.0), (1 << 20, 2.0)]);
}

#[test]
fn classes_are_told_apart_as_they_are_looked_up() {
    // Around the middle between two powers: the square root of two.
    for elems in [2, 3, 5, 6, 1447, 1448, 1449, 2895, 2896, 2897] {
        for other in [2, 4, 1024, 2048, 4096] {
            let both = files(of_size(other, 1), of_size(elems, 2), Prefer::Old);
            let same = size_class(elems) == size_class(other);
            assert_eq!(sizes(&both).len() == 1, same, "{elems} and {other}");
        }
    }
}

#[test]
fn sizes_at_the_ends_are_sizes() {
    let mut all = of_size(0, 0);
    for elems in [1, 2, usize::MAX] {
        all = files(all, of_size(elems, 0), Prefer::New);
    }
    let sizes: Vec<usize> = sizes(&all).iter().map(|(n, _)| *n).collect();
    // No elements and one are of one class: the newer one counts.
    assert_eq!(sizes, [1, 2, usize::MAX]);
}

#[test]
fn a_new_driver_is_no_new_machine_and_a_new_device_is() {
    let mut driver = numbered(2);
    driver.machines[0].fingerprint.devices[0].driver = "999".into();
    let both = files(numbered(1), driver.clone(), Prefer::New);
    assert_eq!(both, driver);
    let mut alone = numbered(2);
    alone.machines[0].fingerprint.devices.clear();
    let both = files(numbered(1), alone, Prefer::New);
    let seeds: Vec<u64> = both.machines.iter().map(|m| m.instances[0].seed).collect();
    assert_eq!(seeds, [2, 1]);
}

#[test]
fn other_instances_transfers_and_choices_stay() {
    let mut other = numbered(2);
    let machine = &mut other.machines[0];
    machine.instances[0].key.name = "other".into();
    machine.transfers[0].0 = UnitId::device("wgpu", "b", 0);
    let both = files(numbered(1), other, Prefer::New);
    let machine = &both.machines[0];
    assert_eq!((machine.instances.len(), machine.transfers.len()), (2, 2));

    let mut chain = numbered(2);
    let choice = &mut chain.machines[0].instances[0].chain[0];
    choice.elems *= 64;
    let both = files(numbered(1), chain, Prefer::New);
    assert_eq!(both.machines[0].instances[0].chain.len(), 2);
}

/// Ctrl-C after a few calls of a run that began anew.
#[test]
fn a_few_runs_do_not_replace_a_good_model() {
    let weak = |reason: Reason| {
        let mut new = of_size(1100, 3);
        let instance = &mut new.machines[0].instances[0];
        instance.classes[0].quality = Quality::Weak(reason);
        instance.when_unix_s = 300;
        instance.chain.clear();
        new
    };
    let mut old = of_size(1000, 1);
    let instance = &mut old.machines[0].instances[0];
    instance.classes[0].quality = Quality::Good;
    instance.when_unix_s = 100;
    (instance.chain[0].elems, instance.chain[0].beside_elems) =
        (1000, instance.classes[0].beside_elems);
    let merged = |old: &TuningFile, new: TuningFile| files(old.clone(), new, Prefer::New);
    let kept = merged(&old, weak(Reason::Budget));
    assert_eq!(kept.machines, old.machines);
    // What was measured to the end counts, on a busy machine too, and what is known was weak.
    assert_eq!(sizes(&merged(&old, weak(Reason::Busy))), [(1100, 3.0)]);
    let mut weaker = old.clone();
    weaker.machines[0].instances[0].classes[0].quality = Quality::Weak(Reason::Budget);
    assert_eq!(sizes(&merged(&weaker, weak(Reason::Budget))), [(1100, 3.0)]);
    // A unit has come of which the good one says nothing.
    let mut fewer = old.clone();
    fewer.machines[0].instances[0].classes[0].units.truncate(1);
    assert_eq!(sizes(&merged(&fewer, weak(Reason::Budget))), [(1100, 3.0)]);
}

/// A size that was measured again, and of which nothing was chosen together with others this time.
#[test]
fn a_choice_that_does_not_pay_any_more_is_withdrawn() {
    let (mut old, mut new) = (numbered(2), numbered(1));
    let instance = &mut old.machines[0].instances[0];
    let class = &instance.classes[0];
    (instance.chain[0].elems, instance.chain[0].beside_elems) = (class.elems, class.beside_elems);
    new.machines[0].instances[0].chain.clear();
    let merged = |prefer| {
        let both = files(old.clone(), new.clone(), prefer);
        both.machines[0].instances[0].chain.len()
    };
    assert_eq!((merged(Prefer::New), merged(Prefer::Old)), (0, 1));
}
