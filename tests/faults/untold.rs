//! `sync()` reports errors that no call has reported: each one once.

use super::context;
use crate::limits::with_longer_and_longer;
use skel::{
    Context, Error,
    mock::{Gate, Mock, Operation},
    prelude::*,
};
use std::time::Duration;

#[user_function]
fn double(x: u32) -> u32 {
    2 * x
}

#[user_function]
fn into_twelve(x: &mut u32) {
    *x = 12 / *x;
}

#[user_function]
fn quotient(a: u32, b: u32) -> u32 {
    a / b
}

/// Elements that the device alone has, so that calls with them are not waited for, but for a kernel's first one.
fn there(context: &Context, x: Vec<u32>) -> Vector<u32> {
    try_there(context, x).unwrap()
}

/// The same, where the device may be given up before.
fn try_there(context: &Context, x: Vec<u32>) -> skel::Result<Vector<u32>> {
    let f = map!(double).within(context.clone()).on(Device(0));
    let made = f.run((&Vector::from(x),))?;
    context.sync()?;
    Ok(made)
}

#[test]
fn a_value_that_is_dropped_unread_and_cannot_be_had_is_told() {
    for dropped in [false, true] {
        let context = context([Mock::named("frail").fails(Operation::Launch, 3)]);
        let x = there(&context, vec![1; 10]);
        let sum = reduce!(|a: u32, b: u32| a + b).within(context.clone());
        let mut total = Scalar::from(0_u32);
        let sum = sum.on(Device(0)).named("the sum");
        assert_eq!(sum.run((&x,)).unwrap(), 20);
        sum.run_into((&x,), &mut total).unwrap();
        let kept = (!dropped).then_some(total);
        match context.sync() {
            Err(Error::Late { call, cause, .. }) => {
                assert_eq!(call, "the sum");
                assert!(matches!(*cause, Error::Device { .. }), "{cause}");
            }
            other => panic!("{other:?}"),
        }
        context.sync().unwrap();
        // A read reports it as well.
        assert!(kept.is_none_or(|total| matches!(total.get(), Err(Error::Late { .. }))));
        context.sync().unwrap();
    }
}

#[test]
fn a_value_that_traps_is_told_if_it_is_dropped_unread() {
    let context = context([Mock::named("device")]);
    let x = there(&context, vec![1, 0, 0]);
    let f = reduce!(quotient).within(context.clone()).on(Device(0));
    f.run((&there(&context, vec![1; 3]),)).unwrap();
    let (mut asked, mut unasked) = (Scalar::from(0_u32), Scalar::from(0_u32));
    f.run_into((&x,), &mut asked).unwrap();
    assert!(matches!(asked.get(), Err(Error::Trap { .. })));
    context.sync().unwrap();
    f.run_into((&x,), &mut unasked).unwrap();
    f.run_into((&x,), &mut asked).unwrap();
    // The first is still to be told when the second was.
    assert!(asked.get().is_err());
    match context.sync() {
        Err(Error::Trap { function, .. }) => assert_eq!(function, "quotient"),
        other => panic!("{other:?}"),
    }
    context.sync().unwrap();
    assert!(unasked.get().is_err());
}

#[test]
fn a_value_that_was_lost_on_its_way_is_told() {
    let context = context([Mock::named("frail").panics(Operation::Launch, 3)]);
    let x = there(&context, vec![1; 10]);
    let sum = reduce!(|a: u32, b: u32| a + b).within(context.clone());
    let mut total = Scalar::from(0_u32);
    let sum = sum.on(Device(0)).named("the sum");
    assert_eq!(sum.run((&x,)).unwrap(), 20);
    sum.run_into((&x,), &mut total).unwrap();
    match context.sync() {
        Err(Error::Late { call, cause, .. }) => {
            assert_eq!(call, "the sum");
            assert!(matches!(*cause, Error::DeviceLost { .. }), "{cause}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_value_that_others_computed_for_a_device_that_hangs_is_known() {
    let gate = Gate::new();
    // Up to the launch that hangs, the device is in time.
    let (context, x) = with_longer_and_longer(Duration::from_millis(200), |limit| {
        let hangs = Mock::named("hangs").waits(Operation::Launch, 2, &gate);
        let builder = Context::builder().unit(hangs.unit().unwrap());
        let context = builder.watchdog(limit).build().unwrap();
        let x = try_there(&context, vec![1; 10]).ok()?;
        assert_eq!(x.host().ok()?[..], [2; 10]);
        Some((context, x))
    });
    let sum = reduce!(|a: u32, b: u32| a + b).within(context.clone());
    assert_eq!(sum.on(Hybrid::ratio(0.0)).run((&x,)).unwrap(), 20);
    assert!(context.devices()[0].rejected.is_some());
    context.sync().unwrap();
    gate.open();
}

/// Many launches depend on one array, and some of them are checked before any read.
#[test]
fn of_many_traps_in_one_array_the_first_is_told() {
    const PARTS: usize = 40;
    for all in [false, true] {
        let context = context([Mock::named("device")]);
        // Each part traps at its own place, or the third does alone.
        let traps = |i: usize| i % PARTS == i / PARTS && (all || i / PARTS == 2);
        let x = (0..PARTS * PARTS).map(|i| u32::from(!traps(i))).collect();
        let mut y = there(&context, x);
        let f = map!(into_twelve).within(context.clone()).on(Device(0));
        f.run((&mut there(&context, vec![1]),)).unwrap();
        for k in 0..PARTS {
            f.run((y.part_mut(k * PARTS..(k + 1) * PARTS),)).unwrap();
        }
        let first = if all { 0 } else { 2 };
        match context.sync() {
            Err(Error::Trap { index, .. }) => assert_eq!(index, Some(first), "{all}"),
            other => panic!("{all}: {other:?}"),
        }
        context.sync().unwrap();
        // Reading says so, too, of just the parts that trapped.
        for k in 0..PARTS {
            let part = y.host_range(k * PARTS..(k + 1) * PARTS);
            assert_eq!(part.is_err(), all || k == 2, "{k}");
        }
    }
}
