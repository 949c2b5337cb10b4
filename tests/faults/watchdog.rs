//! Devices that do not answer.

use super::cases::CASES;
use crate::limits::with_longer_and_longer;
use skel::{
    Context, Error,
    mock::{Gate, Mock, Operation},
    prelude::*,
    unit::UnitKind,
};
use std::time::Duration;

/// Long enough for a device that is well, and that has a busy machine under it.
const LONG: Duration = Duration::from_secs(20);
/// Where it does not matter if a device that is well is given up, too.
const SHORT: Duration = Duration::from_millis(100);

fn watched(mocks: impl IntoIterator<Item = Mock>, limit: Duration) -> Context {
    let builder = Context::builder().watchdog(limit);
    let add = |builder: skel::ContextBuilder, mock: Mock| builder.unit(mock.unit().unwrap());
    mocks.into_iter().fold(builder, add).build().unwrap()
}

#[user_function]
fn double(x: u32) -> u32 {
    2 * x
}

#[test]
fn with_a_watchdog_everything_is_as_without() {
    let context = watched([Mock::named("a"), Mock::named("b")], LONG);
    for case in &CASES {
        for target in [
            Target::from(Hybrid::ratio(0.3)),
            Device(1).into(),
            Cpu.into(),
        ] {
            let done = (case.run)(&context, &target);
            assert!(done.is_ok(), "{}, {target}: {done:?}", case.name);
        }
    }
    assert!(
        context
            .devices()
            .iter()
            .all(|device| device.rejected.is_none())
    );
}

#[test]
fn others_finish_what_a_device_that_hangs_does_not() {
    let places = [Operation::Allocate, Operation::Upload, Operation::Launch];
    for operation in places {
        for case in &CASES {
            let gate = Gate::new();
            let hangs = Mock::named("hangs").waits(operation, 1, &gate);
            let context = watched([Mock::named("sound"), hangs], SHORT);
            let what = format!("{operation:?}, {}", case.name);
            // Even the sound one may be slow for so short a limit: then it is given up as well.
            let done = (case.run)(&context, &Hybrid::ratio(0.3).into());
            assert!(done.is_ok(), "{what}: {done:?}");
            let line = context.devices()[1].to_string();
            assert!(line.contains("has not answered"), "{what}: {line}");
            // It comes back, and finds nothing to do.
            gate.open();
            let failed = (case.run)(&context, &Device(1).into());
            assert!(
                matches!(failed, Err(Error::DeviceLost { .. })),
                "{what}: {failed:?}"
            );
            let done = (case.run)(&context, &Hybrid::ratio(0.3).into());
            assert!(done.is_ok(), "{what}: {done:?}");
        }
    }
}

#[test]
fn a_device_that_hangs_while_results_are_fetched() {
    for case in &CASES {
        let gate = Gate::new();
        let hangs = Mock::named("hangs").waits(Operation::Download, 1, &gate);
        let context = watched([hangs], SHORT);
        match (case.run)(&context, &Hybrid::ratio(0.3).into()) {
            Ok(()) => {}
            // It was given up when it had just copied.
            Err(Error::Lost { .. }) => assert!(case.in_place, "{}", case.name),
            Err(Error::Late { cause, .. }) => {
                assert!(!case.waits, "{}", case.name);
                assert!(matches!(*cause, Error::DeviceLost { .. }), "{cause}");
            }
            Err(other) => panic!("{}: {other}", case.name),
        }
        gate.open();
        let done = (case.run)(&context, &Hybrid::ratio(0.3).into());
        assert!(done.is_ok(), "{}: {done:?}", case.name);
    }
}

#[test]
fn memory_of_the_caller_is_free_although_the_device_still_hangs() {
    let gate = Gate::new();
    let hangs = Mock::named("hangs").waits(Operation::Launch, 1, &gate);
    let context = watched([hangs], SHORT);
    let f = map!(double).within(context.clone());
    let mut out = vec![7_u32; 1000];
    let x = vec![1_u32; 1000];
    let failed = f.clone().on(Device(0)).run_into((&x[..],), &mut out[..]);
    assert!(
        matches!(failed, Err(Error::DeviceLost { .. })),
        "{failed:?}"
    );
    drop(x);
    out.fill(9);
    gate.open();
    // Now the device would have written it.
    let other = Mock::named("other").unit().unwrap();
    let second = Context::builder().unit(other).build().unwrap();
    f.within(second).on(Device(0)).run((&[1],)).unwrap();
    assert_eq!(out, [9; 1000]);
}

#[test]
fn a_device_named_or_asked_for_results_that_hangs_is_an_error() {
    let gate = Gate::new();
    let (context, x, y) = with_longer_and_longer(Duration::from_millis(500), |limit| {
        let hangs = Mock::named("hangs").waits(Operation::Launch, 2, &gate);
        let context = watched([hangs], limit);
        let f = map!(double).within(context.clone()).on(Device(0));
        let x = f.run((&Vector::from([1_u32, 2]),)).ok()?;
        let y = f.run((&x,)).ok()?;
        Some((context, x, y))
    });
    gate.reached();
    assert!(matches!(y.host(), Err(Error::Late { .. })));
    // What it had is gone with it.
    assert!(matches!(x.host(), Err(Error::Late { .. })));
    match context.sync() {
        Err(Error::DeviceLost { reason, .. }) => assert!(reason.contains("not answered")),
        other => panic!("{other:?}"),
    }
    context.sync().unwrap();
    drop((x, y));
    gate.open();
}

#[test]
fn auto_goes_on_without_a_gpu_that_hangs() {
    let gate = Gate::new();
    let hangs = Mock::named("gpu")
        .kind(UnitKind::DiscreteGpu)
        .waits(Operation::Launch, 1, &gate);
    let context = watched([hangs], SHORT);
    for turn in 0..4 {
        for case in &CASES {
            let done = (case.run)(&context, &Auto.into());
            assert!(done.is_ok(), "{}, {turn}: {done:?}", case.name);
        }
    }
    gate.open();
}

#[test]
fn a_long_queue_is_no_hang() {
    // All launches together take longer than one may; none of them does, unless the machine is too busy.
    with_longer_and_longer(Duration::from_millis(500), |limit| {
        let slow = Mock::named("slow").takes(move |_| limit / 50);
        let context = watched([slow], limit);
        let f = map!(double).within(context.clone()).on(Device(0));
        let mut x = f.run((&Vector::from([1_u32]),)).ok()?;
        for _ in 0..60 {
            x = f.run((&x,)).ok()?;
        }
        assert_eq!(x.host().ok()?[..], [0]);
        context.devices()[0].rejected.is_none().then_some(())
    });
}
