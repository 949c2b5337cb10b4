//! Devices compute chunks that follow each other as one piece.

use skel::{
    Context,
    mock::{Mock, Operation},
    prelude::*,
};
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::Relaxed},
};

const ELEMS: usize = 1 << 16;

/// A context of a device that counts launches.
fn counted(mock: Mock) -> (Context, Arc<AtomicUsize>) {
    let launches = Arc::new(AtomicUsize::new(0));
    let counts = Arc::clone(&launches);
    let mock = mock.before_each(move |operation| {
        if operation == Operation::Launch {
            counts.fetch_add(1, Relaxed);
        }
    });
    let builder = Context::builder().unit(mock.unit().unwrap());
    (builder.build().unwrap(), launches)
}

/// All sixteen chunks on the device, one piece after the other.
fn target(merge: usize) -> Target {
    let text = format!("tasks:device,chunks=16,ahead=1,merge={merge}");
    text.parse().unwrap()
}

#[test]
fn so_many_chunks_are_one_launch_and_results_are_the_same() {
    let (context, launches) = counted(Mock::named("device"));
    let x = Vector::from_fn(ELEMS, |i| i as u32);
    let double = map!(|x: u32| 2 * x).within(context.clone());
    let sum = reduce!(|a: u32, b: u32| a + b).within(context);
    let expected: u32 = (0..ELEMS as u32).fold(0, u32::wrapping_add);
    for (merge, pieces) in [(1, 16), (4, 4), (5, 4), (100, 1)] {
        launches.store(0, Relaxed);
        let y = double.clone().on(target(merge)).run((&x,)).unwrap();
        assert_eq!(launches.load(Relaxed), pieces, "{merge}");
        let right = |(i, y): (usize, &u32)| *y == 2 * i as u32;
        assert!(y.host().unwrap().iter().enumerate().all(right));
        let total = sum.clone().on(target(merge)).run((&x,)).unwrap();
        assert_eq!(total, expected, "{merge}");
    }
}

/// The first one in the order of elements, though others are in the same piece and before it in time.
#[test]
fn a_trap_is_that_of_its_element() {
    let (context, _) = counted(Mock::named("device"));
    let invert = map!(|x: u32| 100 / x).within(context);
    let x = Vector::from_fn(ELEMS, |i| {
        u32::from(i != 21_000 && i != 22_000 && i != 60_000)
    });
    for merge in [1, 3, 100] {
        let y = invert.clone().on(target(merge)).run((&x,));
        let error = y.and_then(|y| y.host().map(|_| ())).unwrap_err();
        let cause = match &error {
            Error::Poisoned { cause } => cause,
            error => error,
        };
        let Error::Trap { index, .. } = cause else {
            panic!("{merge}: {error}");
        };
        assert_eq!(*index, Some(21_000), "{merge}");
    }
}

#[test]
fn what_a_device_fails_to_compute_the_host_computes_whole() {
    for fails_at in [1, 2, 3] {
        let (context, _) = counted(Mock::named("frail").fails(Operation::Launch, fails_at));
        let triple = map!(|x: u32| 3 * x).within(context).on(target(4));
        let x = Vector::from_fn(ELEMS, |i| i as u32);
        let y = triple.run((&x,)).unwrap();
        let right = |(i, y): (usize, &u32)| *y == 3 * i as u32;
        assert!(
            y.host().unwrap().iter().enumerate().all(right),
            "{fails_at}"
        );
    }
}
