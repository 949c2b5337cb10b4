//! Errors that come when the call has returned: they name their call, and are reported once.

use super::context;
use skel::{
    Error,
    mock::{Mock, Operation},
    prelude::*,
};

#[user_function]
fn double(x: u32) -> u32 {
    2 * x
}

#[user_function]
fn into_twelve(x: u32) -> u32 {
    12 / x
}

#[test]
fn reading_tells_which_call_it_was_and_which_elements() {
    let context = context([Mock::named("frail").fails(Operation::Launch, 2)]);
    let f = map!(double).within(context).on(Device(0));
    let x = f.run((&Vector::from(vec![1_u32; 10]),)).unwrap();
    // Nothing to upload, so this call does not wait, and cannot know.
    let y = f.named("the second").run((&x,)).unwrap();
    match y.host_range(3..7).map(<[u32]>::to_vec) {
        Err(error @ Error::Late { .. }) => {
            let text = format!("{error:?}");
            assert!(text.contains("elements 3..7"), "{text}");
            assert!(text.contains("the second"), "{text}");
            assert!(text.contains("a launch failed"), "{text}");
        }
        other => panic!("{other:?}"),
    }
    // A device that failed can still be asked for what it had before.
    assert_eq!(x.host().unwrap()[..], [2; 10]);
}

#[test]
fn waiting_for_all_devices_tells_once_what_was_not_told() {
    let context = context([
        Mock::named("frail").fails(Operation::Launch, 2),
        Mock::named("sound"),
    ]);
    assert!(context.sync().is_ok(), "nothing has run");
    let f = map!(double).within(context.clone()).on(Device(0));
    let x = f.run((&Vector::from(vec![1_u32; 10]),)).unwrap();
    context.sync().unwrap();
    let y = f.named("unheard").run((&x,)).unwrap();
    match context.sync() {
        Err(Error::Late {
            call,
            elements,
            cause,
        }) => {
            assert_eq!((&*call, elements), ("unheard", 0..10));
            assert!(matches!(*cause, Error::Device { .. }), "{cause}");
        }
        other => panic!("{other:?}"),
    }
    context.sync().unwrap();
    // A read reports it as well.
    assert!(matches!(y.host(), Err(Error::Late { .. })));
}

#[test]
fn a_trap_that_was_not_seen_is_seen_by_waiting() {
    let context = context([Mock::named("device")]);
    let f = map!(into_twelve).within(context.clone()).on(Device(0));
    let x = f.run((&Vector::from([12_u32, 2, 24]),)).unwrap();
    // 1, 6, 0: the third of the next call traps.
    let y = f.run((&x,)).unwrap();
    match context.sync() {
        Err(Error::Trap {
            function, index, ..
        }) => assert_eq!((&*function, index), ("into_twelve", Some(2))),
        other => panic!("{other:?}"),
    }
    context.sync().unwrap();
    assert!(matches!(y.host(), Err(Error::Trap { index: Some(2), .. })));
    // One that was seen is not told again.
    let z = f.run((&x,)).unwrap();
    assert!(z.host().is_err());
    context.sync().unwrap();
}

#[test]
fn work_that_a_lost_device_never_did_is_reported() {
    let context = context([Mock::named("gone").vanishes(Operation::Launch, 2)]);
    let f = map!(double).within(context.clone()).on(Device(0));
    let x = f.run((&Vector::from(vec![1_u32; 10]),)).unwrap();
    let y = f.run((&x,)).unwrap();
    match context.sync() {
        Err(Error::Late { cause, .. }) => {
            assert!(matches!(*cause, Error::DeviceLost { .. }), "{cause}");
        }
        other => panic!("{other:?}"),
    }
    context.sync().unwrap();
    assert!(y.host().is_err());
}

#[test]
fn results_that_were_only_on_a_lost_device_are_named_and_the_rest_is_readable() {
    let context = context([
        Mock::named("gone").vanishes(Operation::Launch, 2),
        Mock::named("sound"),
    ]);
    let f = map!(double).within(context.clone());
    let x = Vector::from_fn(300, |i| i as u32);
    let thirds = Target::from(Hybrid::shares([1.0, 1.0, 1.0]));
    let y = f.clone().named("thirds").on(&thirds).run((&x,)).unwrap();
    // The next call finds its inputs there and does not wait, so that is how the device is found gone.
    let z = f.clone().on(&thirds).run((&y,)).unwrap();
    assert!(context.sync().is_err());
    for (r, there) in [(0..100, true), (100..200, false), (200..300, true)] {
        match y.host_range(r.clone()) {
            Ok(elements) => {
                assert!(there, "{r:?}");
                assert!(elements.iter().zip(r).all(|(y, i)| *y == 2 * i as u32));
            }
            Err(Error::Late {
                call,
                elements,
                cause,
            }) => {
                assert!(!there, "{r:?}");
                assert_eq!((&*call, elements), ("thirds", r));
                assert!(matches!(*cause, Error::DeviceLost { .. }), "{cause}");
            }
            Err(other) => panic!("{other}"),
        }
    }
    assert_eq!(z.host_range(250..251).unwrap(), [1000]);
    // A call that needs what is lost says so; one that overwrites it makes it whole.
    let mut y = y;
    let failed = f.clone().on(Cpu).run((&y,)).map(|_| ());
    assert!(matches!(failed, Err(Error::Late { .. })), "{failed:?}");
    f.on(&thirds).run_into((&x,), &mut y).unwrap();
    assert!(
        y.host()
            .unwrap()
            .iter()
            .enumerate()
            .all(|(i, y)| *y == 2 * i as u32)
    );
}

#[test]
fn a_value_that_was_not_waited_for_is_named_as_well() {
    let context = context([Mock::named("frail").fails(Operation::Launch, 3)]);
    let f = map!(double).within(context.clone()).on(Device(0));
    let x = f.run((&Vector::from(vec![1_u32; 10]),)).unwrap();
    let sum = reduce!(|a: u32, b: u32| a + b)
        .within(context)
        .on(Device(0));
    // The first launch of a kernel is waited for.
    assert_eq!(sum.run((&x,)).unwrap(), 20);
    let mut total = Scalar::from(0_u32);
    sum.named("the sum").run_into((&x,), &mut total).unwrap();
    let text = format!("{:?}", total.get().unwrap_err());
    assert!(
        text.contains("the sum") && text.contains("a launch failed"),
        "{text}"
    );
}
