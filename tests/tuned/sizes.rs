//! Calls of sizes that were not measured, between those that were.

use super::{context, oracle, took};
use skel::{
    Vector,
    mock::Law,
    prelude::*,
    tuning::{self, Options},
};

/// The sizes that are measured: one of each class.
const TUNED: [usize; 5] = [100_000, 200_000, 400_000, 800_000, 1_600_000];
/// The sizes that are asked for, one of them larger than all.
const ASKED: [usize; 8] = [
    130_000, 160_000, 300_000, 550_000, 900_000, 1_100_000, 1_250_000, 2_100_000,
];

/// The least part of the oracle's speed that calls of all these sizes reach, and at which size.
fn worst(cpu: Law, device: Law) -> (f64, usize) {
    let context = context(cpu, &[device]);
    let double = map!(|x: f32| 2.0 * x).within(context.clone());
    let input = |n: usize| Vector::from(vec![1.0_f32; n]);
    let inputs = TUNED.map(input);
    let (_, tuned) = tuning::tune(&context, &Options::default(), || {
        for x in &inputs {
            drop(double.clone().on(Cpu).run((x,)).unwrap());
        }
    });
    assert!(tuned.problems.is_empty(), "{:?}", tuned.problems);
    assert_eq!(tuned.instances[0].classes.len(), TUNED.len());
    let parts = ASKED.map(|n| {
        let x = input(n);
        let call = |target: Target| drop(double.clone().on(target).run((&x,)).unwrap());
        let best = oracle(&context, call);
        (best / took(&context, || call(Hybrid::tuned().into())), n)
    });
    parts
        .into_iter()
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .unwrap()
}

#[test]
fn caches_end_where_they_end_whatever_the_size_of_the_call() {
    let cpu = Law::per_elem_ns(1.0)
        .latency_ns(4_000.0)
        .knee(250_000, 2.0)
        .knee(600_000, 4.0);
    // Few elements do not fill it.
    let device = Law::per_elem_ns(2.4).latency_ns(15_000.0).knee(90_000, 0.8);
    let (part, elems) = worst(cpu, device);
    assert!(part >= 0.97, "{part} of the oracle at {elems} elements");
}

#[test]
fn a_larger_picture_is_slow_at_the_same_places() {
    let dense = |x: f64| 0.2 + 1.6 * f64::from(u8::from((0.4..0.8).contains(&x)));
    let cpu = Law::per_elem_ns(2.0).latency_ns(4_000.0).density(dense);
    let device = Law::per_elem_ns(1.0).latency_ns(15_000.0).density(dense);
    let (part, elems) = worst(cpu, device);
    assert!(part >= 0.97, "{part} of the oracle at {elems} elements");
}
