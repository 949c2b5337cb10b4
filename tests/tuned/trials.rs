//! Splits of which no call was measured: where copies take longer than they did, the host is found to be shorter.

use super::{context, took};
use skel::{
    Context, Vector,
    mock::Law,
    prelude::*,
    tuning::{self, Options},
};

const ELEMS: usize = 100_000;

fn machine(ns_per_byte: f64) -> Context {
    let device = Law::per_elem_ns(0.2).latency_ns(5_000.0);
    context(
        Law::per_elem_ns(2.0),
        &[device.transfers(1_000.0, ns_per_byte)],
    )
}

/// What calls take, one after the other, each with a container that only the host has, tuned where a byte takes half a
/// nanosecond.
fn calls_ns(ns_per_byte: f64, target: impl Into<Target> + Clone) -> Vec<f64> {
    let sum = reduce!(|a: f32, b: f32| a + b);
    let input = || Vector::from(vec![1.0_f32; ELEMS]);
    let tuned_in = machine(0.5);
    let (_, tuned) = tuning::tune(&tuned_in, &Options::default(), || {
        sum.clone()
            .within(tuned_in.clone())
            .run((&input(),))
            .unwrap();
    });
    assert!(tuned.problems.is_empty(), "{:?}", tuned.problems);
    let context = machine(ns_per_byte);
    tuned.install(&context);
    let sum = sum.within(context.clone()).on(target);
    let call = |_| {
        let x = input();
        took(&context, || {
            assert_eq!(sum.run((&x,)).unwrap(), ELEMS as f32)
        })
    };
    (0..12).map(call).collect()
}

#[test]
fn calls_are_not_slower_than_the_host_for_long() {
    let host = calls_ns(3.0, Cpu)[11];
    let tuned = calls_ns(3.0, Hybrid::tuned());
    let slower = tuned.iter().filter(|ns| **ns > 1.01 * host).count();
    assert!(tuned[0] > 1.2 * host, "the split is no slower: {tuned:?}");
    // The first one, in which the device begins, does not count.
    assert_eq!(slower, 4, "{tuned:?}, and the host takes {host}");
    assert!(tuned[7..].iter().all(|ns| *ns <= 1.01 * host), "{tuned:?}");
}

#[test]
fn splits_that_are_as_fast_as_predicted_are_kept() {
    let host = calls_ns(0.5, Cpu)[11];
    let tuned = calls_ns(0.5, Hybrid::tuned());
    assert!(tuned[0] < 0.8 * host);
    assert!(tuned[6..].iter().all(|ns| *ns == tuned[0]), "{tuned:?}");
}
