//! Reductions of what lies on a device, one after the other: each is launched while those before are under way, and none
//! is waited for but by readers of its value.

use skel::{
    Context, Error,
    mock::{Gate, Mock, Operation},
    prelude::*,
};
use std::{
    sync::{
        Mutex,
        mpsc::{Receiver, channel},
    },
    time::Duration,
};

/// A device whose launches end behind the gate, from the `n`th on, and which says when it was given one.
fn slow(n: u64, gate: &Gate) -> (Context, Receiver<()>) {
    let (told, launches) = channel();
    let told = Mutex::new(told);
    let mock = Mock::named("slow").ends_behind(n, gate);
    let mock = mock.before_each(move |operation| {
        if operation == Operation::Launch {
            let _receiver_gone = told.lock().unwrap().send(());
        }
    });
    let builder = Context::builder().unit(mock.unit().unwrap());
    (builder.build().unwrap(), launches)
}

/// A minute is for ever.
fn wait_for_launch(launches: &Receiver<()>) {
    let launched = launches.recv_timeout(Duration::from_secs(60));
    launched.expect("a launch that waits for none before it");
}

#[test]
fn the_next_one_is_launched_before_the_first_has_ended() {
    let gate = Gate::new();
    let (context, launches) = slow(2, &gate);
    let sum = reduce!(|a: u32, b: u32| a + b)
        .within(context)
        .on(Device(0));
    let x = Vector::from_fn(1000, |i| i as u32);
    let mut totals = [(); 4].map(|()| Scalar::from(0));
    for total in &mut totals {
        sum.run_into((&x,), total).unwrap();
    }
    totals.iter().for_each(|_| wait_for_launch(&launches));
    gate.open();
    for total in &totals {
        assert_eq!(total.get().unwrap(), 499_500);
    }
}

#[test]
fn a_value_comes_to_its_end_though_its_context_and_its_data_are_gone() {
    let gate = Gate::new();
    let (context, launches) = slow(2, &gate);
    let mut total = Scalar::from(0);
    {
        let sum = reduce!(|a: u32, b: u32| a + b)
            .within(context)
            .on(Device(0));
        let x = Vector::from_fn(1000, |i| i as u32);
        for _ in 0..2 {
            sum.run_into((&x,), &mut total).unwrap();
            wait_for_launch(&launches);
        }
    }
    gate.open();
    assert_eq!(total.get().unwrap(), 499_500);
}

#[test]
fn what_a_value_under_way_trapped_at_is_told_to_its_reader_or_by_sync() {
    for is_read in [true, false] {
        let gate = Gate::new();
        let (context, launches) = slow(3, &gate);
        let quotient = reduce!(|a: u32, b: u32| a / b)
            .within(context.clone())
            .on(Device(0));
        let (ones, zeros) = (Vector::filled(1000, 1_u32), Vector::filled(1000, 0_u32));
        let mut value = Scalar::from(0);
        quotient.run_into((&ones,), &mut value).unwrap();
        // What is brought is waited for; so it has to be there.
        let double = map!(|x: u32| 2 * x).within(context.clone()).on(Device(0));
        double.run((&zeros,)).unwrap();
        quotient.run_into((&zeros,), &mut value).unwrap();
        (0..3).for_each(|_| wait_for_launch(&launches));
        gate.open();
        let trap = |error: &Error| matches!(error, Error::Trap { .. });
        if is_read {
            let told = value.get().unwrap_err();
            assert!(trap(&told), "{told}");
            // Once is enough.
            context.sync().unwrap();
        } else {
            let told = context.sync().unwrap_err();
            assert!(trap(&told), "{told}");
            context.sync().unwrap();
        }
    }
}
