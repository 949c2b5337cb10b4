//! What can be computed again, and what is lost.

use super::context;
use skel::{
    Context, Error,
    mock::{Mock, Operation},
    prelude::*,
};

#[user_function]
fn double(x: u32) -> u32 {
    2 * x
}

#[user_function]
fn bump(x: &mut u32) {
    *x += 1;
}

#[user_function]
fn add_to(x: &mut u32, y: u32) {
    *x += y;
}

fn halves() -> Target {
    Hybrid::ratio(0.5).into()
}

/// A device that alone has elements 50..100 of the vector.
fn half_on(context: &Context) -> Vector<u32> {
    let x = Vector::filled(100, 1_u32);
    let f = map!(double).within(context.clone()).on(halves());
    f.run((&x,)).unwrap()
}

#[test]
fn what_was_only_on_the_device_that_failed_in_place_is_lost_by_range() {
    let context = context([Mock::named("gone").vanishes(Operation::Launch, 2)]);
    let mut y = half_on(&context);
    // The upload makes the call wait, so it knows.
    let f = map!(add_to).within(context.clone()).on(halves());
    match f.named("adds").run((&mut y, &vec![1_u32; 100])) {
        Err(Error::Lost {
            instance,
            argument,
            elements,
            cause,
        }) => {
            assert_eq!((&*instance, argument), ("adds", 1));
            assert_eq!(elements, std::slice::from_ref(&(50..100)));
            assert!(matches!(*cause, Error::DeviceLost { .. }), "{cause}");
        }
        other => panic!("{other:?}"),
    }
    // As after any call that fails: poisoned, until overwritten.
    assert!(matches!(y.host(), Err(Error::Poisoned { .. })));
    map!(double)
        .within(context)
        .on(halves())
        .run_into((&[4; 100],), &mut y)
        .unwrap();
    assert_eq!(y.host().unwrap()[..], [8; 100]);
}

#[test]
fn what_the_host_has_as_well_is_not_lost() {
    let context = context([Mock::named("gone").vanishes(Operation::Launch, 2)]);
    let mut y = half_on(&context);
    // Now the host has a copy, and the device still has its own.
    assert_eq!(y.host().unwrap()[..], [2; 100]);
    let f = map!(add_to).within(context).on(halves());
    f.run((&mut y, &vec![1_u32; 100])).unwrap();
    assert_eq!(y.host().unwrap()[..], [3; 100]);
}

#[test]
fn a_device_that_never_began_still_has_what_it_had() {
    // The second upload is that of the second argument, and its failure is known before the launch: the
    // first argument is as it was, on the device.
    let context = context([Mock::named("full").fails(Operation::Allocate, 3)]);
    let mut y = half_on(&context);
    let f = map!(add_to).within(context.clone()).on(halves());
    f.run((&mut y, &vec![1_u32; 100])).unwrap();
    assert_eq!(y.host().unwrap()[..], [3; 100]);
    assert_eq!(context.devices()[0].rejected, None);
}

#[test]
fn an_input_that_only_a_lost_device_had_is_named() {
    let context = context([Mock::named("gone").vanishes(Operation::Download, 1)]);
    let y = half_on(&context);
    // The CPU needs elements 50..60, and asks the device.
    let f = map!(double).within(context.clone()).on(Hybrid::ratio(0.6));
    match f.run((&y,)).map(|_| ()) {
        Err(Error::Late {
            elements, cause, ..
        }) => {
            assert_eq!(elements, 50..60);
            assert!(matches!(*cause, Error::DeviceLost { .. }), "{cause}");
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(y.host_range(0..50).unwrap(), [2; 50]);
}

#[test]
fn inputs_of_a_device_that_failed_a_launch_are_fetched_from_it() {
    let context = context([Mock::named("frail").fails(Operation::Launch, 2)]);
    let y = half_on(&context);
    let pairs = map!(|x: u32, y: u32| x + y).within(context.clone());
    // The upload makes the call wait: the CPU fetches what the device had, and does its part.
    let z = pairs.on(halves()).run((&y, &vec![5_u32; 100])).unwrap();
    assert_eq!(z.host().unwrap()[..], [7; 100]);
    assert!(context.devices()[0].rejected.is_some());
}

#[test]
fn a_slice_that_may_have_been_overwritten_is_not_used_again() {
    let context = context([Mock::named("frail").fails(Operation::Download, 1)]);
    let mut v = vec![1_u32; 100];
    let f = map!(bump).within(context.clone()).on(halves());
    match f.run((&mut v[..],)) {
        Err(Error::Lost {
            argument, elements, ..
        }) => {
            assert_eq!(argument, 1);
            assert_eq!(elements, std::slice::from_ref(&(50..100)));
        }
        other => panic!("{other:?}"),
    }
    // One that is only written is.
    let context = self::context([Mock::named("frail").fails(Operation::Download, 1)]);
    let f = map!(double).within(context).on(halves());
    f.run_into((&[3; 100],), &mut v[..]).unwrap();
    assert_eq!(v, [6; 100]);
}

#[test]
fn an_upload_that_failed_is_made_when_it_is_needed_again() {
    let context = context([Mock::named("frail").fails(Operation::Upload, 1)]);
    let x = Vector::from_fn(100, |i| i as u32);
    let f = map!(double).within(context.clone());
    let failed = f.clone().on(Device(0)).run((&x,)).map(|_| ());
    assert!(
        matches!(
            failed,
            Err(Error::Device {
                operation: "an upload",
                ..
            })
        ),
        "{failed:?}"
    );
    for target in [Target::from(Device(0)), halves()] {
        let y = f.clone().on(&target).run((&x,)).unwrap();
        assert!(
            y.host()
                .unwrap()
                .iter()
                .enumerate()
                .all(|(i, y)| *y == 2 * i as u32)
        );
    }
    // In place, too, and in the company of the CPU, which does the part at once.
    let context = self::context([Mock::named("frail").fails(Operation::Upload, 1)]);
    let f = map!(bump).within(context).on(halves());
    let mut v = Vector::filled(100, 1_u32);
    f.run((&mut v,)).unwrap();
    f.run((&mut v,)).unwrap();
    assert_eq!(v.host().unwrap()[..], [3; 100]);
}

#[test]
fn a_device_that_lies_is_found_out_by_a_check() {
    let context = context([Mock::named("liar").lies(2)]);
    let f = map!(double).within(context).on(Device(0));
    let read = || f.run((&[1, 2],)).unwrap().host().unwrap().to_vec();
    assert_eq!([read(), read(), read()], [[2, 4], [0, 0], [2, 4]]);
}

/// A device that alone has all elements, and fails when it is to store every second one of them.
fn apart(context: &Context) -> (Vector<u32>, Error) {
    let on = || map!(double).within(context.clone()).on(Hybrid::ratio(0.0));
    let mut y = on().run((&vec![1_u32; 100],)).unwrap();
    let failed = on()
        .named("apart")
        .run_into((&vec![4_u32; 50],), y.step_by_mut(2));
    (y, failed.expect_err("the device is gone"))
}

#[test]
fn what_lies_between_elements_that_only_the_device_had_is_lost_with_it() {
    let context = context([Mock::named("gone").vanishes(Operation::Launch, 2)]);
    let (y, failed) = apart(&context);
    match failed {
        Error::Lost {
            argument, elements, ..
        } => {
            assert_eq!(argument, 2);
            assert_eq!(elements, std::slice::from_ref(&(0..99)));
        }
        other => panic!("{other:?}"),
    }
    assert!(matches!(y.host_range(0..99), Err(Error::Poisoned { .. })));
}

#[test]
fn elements_apart_are_computed_again_where_the_host_has_what_lies_between() {
    let context = context([Mock::named("gone").vanishes(Operation::Launch, 2)]);
    let on = || map!(double).within(context.clone()).on(Hybrid::ratio(0.0));
    let mut y = on().run((&vec![1_u32; 100],)).unwrap();
    assert_eq!(y.host().unwrap()[..], [2; 100]);
    on().run_into((&vec![4_u32; 50],), y.step_by_mut(2))
        .unwrap();
    let expected: Vec<u32> = [8, 2].repeat(50);
    assert_eq!(y.host().unwrap()[..], expected);
}

#[test]
fn a_trap_among_elements_apart_poisons_what_lies_between() {
    let context = context([Mock::named("well")]);
    let make = map!(double).within(context.clone()).on(Device(0));
    let mut y = make.run((&vec![1_u32; 100],)).unwrap();
    let by: Vector<u32> = make.run((&vec![0_u32; 50],)).unwrap();
    let f = map!(|x: u32| 8 / x).within(context.clone()).on(Device(0));
    // Nothing is waited for: the error comes with the elements.
    f.run_into((&by,), y.part_mut(..99).step_by(2)).unwrap();
    match y.host_range(1..2) {
        Err(Error::Trap { index: Some(0), .. }) => {}
        other => panic!("{other:?}"),
    }
    assert_eq!(y.host_range(99..100).unwrap()[..], [2]);
    let again = map!(|x: u32| x + 1).within(context).on(Device(0));
    again.run_into((&vec![4; 100],), &mut y).unwrap();
    assert_eq!(y.host().unwrap()[..], [5; 100]);
}

#[test]
fn elements_apart_come_to_the_host_where_a_device_has_no_room_for_all() {
    // The vector has room, but not beside the argument.
    let context = context([Mock::named("small").memory_bytes(500)]);
    let on = || map!(double).within(context.clone()).on(Device(0));
    let mut y = on().run((&vec![1_u32; 50],)).unwrap();
    drop(on().run((&vec![1_u32; 50],)).unwrap());
    let mut long = Vector::filled(100, 2_u32);
    map!(bump)
        .within(context.clone())
        .on(Device(0))
        .run((&mut long,))
        .unwrap();
    on().run_into((&vec![4_u32; 50],), long.step_by_mut(2))
        .unwrap();
    let expected: Vec<u32> = [8, 3].repeat(50);
    assert_eq!(long.host().unwrap()[..], expected);
    on().run_into((&vec![4_u32; 25],), y.step_by_mut(2))
        .unwrap();
    assert_eq!(y.host().unwrap()[..], [8, 2].repeat(25));
}
