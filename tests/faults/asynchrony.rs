//! What happens while devices are at work.

use super::context;
use skel::{
    Error,
    mock::{Gate, Mock, Operation},
    prelude::*,
};
use std::sync::mpsc;

#[user_function]
fn double(x: u32) -> u32 {
    2 * x
}

#[user_function]
fn inverse(x: u32) -> u32 {
    12 / x
}

#[test]
fn calls_on_a_device_return_before_it_is_done_and_chain_there() {
    let gate = Gate::new();
    let context = context([Mock::named("held").waits(Operation::Launch, 4, &gate)]);
    let f = map!(double).within(context).on(Device(0));
    let x = f.run((&Vector::from([1_u32, 2, 3]),)).unwrap();
    // There is room for the results: allocations wait for their turn.
    let (mut y, mut z) = (f.run((&x,)).unwrap(), f.run((&x,)).unwrap());
    // Each call needs the result of the one before; the first has not even begun.
    f.run_into((&x,), &mut y).unwrap();
    gate.reached();
    f.run_into((&y,), &mut z).unwrap();
    f.run_into((&z,), &mut y).unwrap();
    gate.open();
    assert_eq!(y.host().unwrap()[..], [16, 32, 48]);
}

#[test]
fn dropping_containers_neither_waits_nor_frees_what_is_in_use() {
    let gate = Gate::new();
    let (seen, uploads) = mpsc::channel();
    let held = Mock::named("held")
        .memory_bytes(3 * 4000)
        .waits(Operation::Launch, 2, &gate)
        .before_each(move |operation| {
            if operation == Operation::Allocate {
                seen.send(()).unwrap();
            }
        });
    let context = context([held]);
    let f = map!(double).within(context.clone()).on(Device(0));
    let x = f.run((&Vector::from(vec![1_u32; 1000]),)).unwrap();
    let y = f.run((&x,)).unwrap();
    let z = Vector::filled(1000, 3_u32);
    gate.reached();
    // The device is in a launch that reads one and writes the other. If dropping waited, this would hang.
    drop((x, y));
    gate.open();
    // What they had is free afterwards: there would not be room otherwise.
    for _ in 0..3 {
        assert_eq!(f.run((&z,)).unwrap().host().unwrap()[..], [6; 1000]);
    }
    context.sync().unwrap();
    assert!(uploads.try_iter().count() >= 4);
}

#[test]
fn reading_waits_for_just_what_is_read() {
    let gate = Gate::new();
    let context = context([
        Mock::named("quick"),
        Mock::named("held").waits(Operation::Launch, 2, &gate),
    ]);
    let f = map!(double)
        .within(context.clone())
        .on(Hybrid::shares([1.0, 1.0, 1.0]));
    let x = f.run((&Vector::from_fn(300, |i| i as u32),)).unwrap();
    let y = f.run((&x,)).unwrap();
    gate.reached();
    // If this waited for the device that is held back, it would hang.
    assert_eq!(y.host_range(0..2).unwrap(), [0, 4]);
    assert_eq!(y.host_range(150..152).unwrap(), [600, 604]);
    assert_eq!(x.host_range(0..200).unwrap().len(), 200);
    gate.open();
    assert_eq!(y.host_range(299..300).unwrap(), [1196]);
    assert!(
        y.host()
            .unwrap()
            .iter()
            .enumerate()
            .all(|(i, y)| *y == 4 * i as u32)
    );
}

#[test]
fn a_trap_on_the_cpu_waits_for_the_devices_and_is_the_error() {
    let gate = Gate::new();
    let context = context([Mock::named("held").waits(Operation::Launch, 1, &gate)]);
    let f = map!(inverse).within(context.clone()).on(Hybrid::ratio(0.5));
    // Element 3 is the CPU's.
    let mut x = vec![1_u32; 100];
    x[3] = 0;
    let opener = std::thread::spawn({
        let gate = gate.clone();
        move || {
            gate.reached();
            gate.open();
        }
    });
    let mut out = vec![0_u32; 100];
    let failed = f.run_into((&x[..],), &mut out[..]);
    assert!(
        matches!(failed, Err(Error::Trap { index: Some(3), .. })),
        "{failed:?}"
    );
    // The device has let go of the slices: else they could not be had here.
    out.fill(1);
    x[3] = 1;
    opener.join().unwrap();
    f.run_into((&x[..],), &mut out[..]).unwrap();
    assert_eq!(out, [12; 100]);
}

#[test]
fn a_trap_on_the_cpu_and_a_device_that_fails_are_a_trap() {
    for operation in [Operation::Allocate, Operation::Upload, Operation::Launch] {
        let context = context([Mock::named("gone").vanishes(operation, 1)]);
        let mut x = vec![1_u32; 100];
        x[3] = 0;
        let f = map!(inverse).within(context).on(Hybrid::ratio(0.5));
        let failed = f.run((&x,)).map(|_| ());
        assert!(
            matches!(failed, Err(Error::Trap { index: Some(3), .. })),
            "{operation:?}: {failed:?}"
        );
        x[3] = 12;
        assert_eq!(f.run((&x,)).unwrap().host().unwrap()[3], 1);
    }
}

#[test]
fn a_trap_in_what_the_cpu_does_for_a_device_is_the_calls_error() {
    let context = context([Mock::named("gone").vanishes(Operation::Launch, 1)]);
    let f = map!(inverse).within(context).on(Hybrid::ratio(0.5));
    let mut x = vec![1_u32; 100];
    x[77] = 0;
    let failed = f.run((&x,)).map(|_| ());
    assert!(
        matches!(
            failed,
            Err(Error::Trap {
                index: Some(77),
                ..
            })
        ),
        "{failed:?}"
    );
}
