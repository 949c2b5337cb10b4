//! Pieces that go through a device in chunks, when it fails on the way.

use crate::cases::{CASES, ELEMS};
use skel::{
    Context, Error,
    mock::{Gate, Mock, Operation},
    prelude::*,
};
use std::time::Duration;

/// A device with room for a fraction of what a case needs.
fn context(mock: &Mock, watchdog: Option<Duration>) -> Context {
    let unit = mock.unit().unwrap().with_memory_cap(ELEMS as u64);
    let mut builder = Context::builder().unit(unit);
    if let Some(limit) = watchdog {
        builder = builder.watchdog(limit);
    }
    builder.build().unwrap()
}

/// Runs a case, whose results are compared in there, on a device that fails at some chunk.
fn fails_on_the_way(
    context: &Context,
    in_place: bool,
    run: fn(&Context, &Target) -> skel::Result<()>,
    what: &str,
) {
    match run(context, &Hybrid::ratio(0.3).into()) {
        Ok(()) => {}
        // Results of earlier chunks are where the elements were that the later ones need.
        Err(Error::Lost { argument, .. }) => assert!(in_place && argument == 1, "{what}"),
        Err(other) => panic!("{what}: {other}"),
    }
    run(context, &Hybrid::ratio(0.3).into()).unwrap();
    run(context, &Cpu.into()).unwrap();
}

#[test]
fn a_device_that_vanishes_between_chunks() {
    for operation in [Operation::Upload, Operation::Launch, Operation::Download] {
        for n in [1, 2, 5] {
            for case in &CASES {
                let what = format!("{operation:?} {n}, {}", case.name);
                let mock = Mock::named("gone").vanishes(operation, n);
                let context = context(&mock, None);
                fails_on_the_way(&context, case.in_place, case.run, &what);
            }
        }
    }
}

#[test]
fn a_device_that_hangs_between_chunks() {
    for n in [1, 3] {
        for case in &CASES {
            let gate = Gate::new();
            let mock = Mock::named("hangs").waits(Operation::Launch, n, &gate);
            let context = context(&mock, Some(Duration::from_millis(100)));
            let what = format!("{n}, {}", case.name);
            let done = (case.run)(&context, &Hybrid::ratio(0.3).into());
            assert!(done.is_ok() || case.in_place, "{what}: {done:?}");
            assert!(context.devices()[0].rejected.is_some(), "{what}");
            gate.open();
            (case.run)(&context, &Hybrid::ratio(0.3).into()).unwrap();
        }
    }
}

#[test]
fn with_a_watchdog_chunks_are_as_without() {
    let context = context(&Mock::named("small"), Some(Duration::from_secs(20)));
    for case in &CASES {
        for target in [Target::from(Hybrid::ratio(0.3)), Device(0).into()] {
            let done = (case.run)(&context, &target);
            assert!(done.is_ok(), "{}, {target}: {done:?}", case.name);
        }
    }
    assert_eq!(context.devices()[0].rejected, None);
}
