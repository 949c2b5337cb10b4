//! What a failed call leaves behind: everything that it had not begun to change.

use super::context;
use skel::{
    Error,
    mock::{Mock, Operation},
    prelude::*,
    unit::UnitKind,
};
use std::sync::{Arc, Mutex};

#[user_function]
fn double(x: u32) -> u32 {
    2 * x
}

#[user_function]
fn bump(x: &mut u32) {
    *x += 1;
}

#[user_function]
fn index(at: Index1) -> u32 {
    at.i as u32
}

#[test]
fn a_call_that_never_began_changes_nothing() {
    let unable = || context([Mock::named("unable").cannot("no reason")]);
    let targets = [
        Target::from(Device(9)),
        Hybrid::ratio(7.0).into(),
        Device(0).into(),
    ];
    for target in targets {
        let mut v = Vector::from([1_u32, 2, 3]);
        assert!(
            map!(bump)
                .within(unable())
                .on(&target)
                .run((&mut v,))
                .is_err()
        );
        assert_eq!(v.host().unwrap()[..], [1, 2, 3], "{target}");
    }
}

#[test]
fn auto_does_not_fail_for_want_of_memory_on_the_gpu() {
    let small = || {
        context([Mock::named("gpu")
            .kind(UnitKind::DiscreteGpu)
            .memory_bytes(1000)])
    };
    let f = map!(double).within(small());
    let x = Vector::filled(10_000, 3_u32);
    for _ in 0..4 {
        assert_eq!(f.run((&x,)).unwrap().host().unwrap()[..], [6; 10_000]);
    }
    let f = map!(bump).within(small());
    let mut x = Vector::filled(10_000, 0_u32);
    for _ in 0..4 {
        f.run((&mut x,)).unwrap();
    }
    assert_eq!(x.host().unwrap()[..], [4; 10_000]);
}

#[test]
fn an_upload_that_failed_beside_another_failure_is_tried_again() {
    let context = context([
        Mock::named("first").fails(Operation::Upload, 1),
        Mock::named("second").fails(Operation::Allocate, 1),
    ]);
    let x = Vector::filled(1000, 1_u32);
    let f = map!(double).within(context);
    let everywhere = Target::from(Hybrid::ratio(0.0));
    for target in [everywhere.clone(), everywhere, Device(0).into()] {
        let y = f.clone().on(&target).run((&x,)).unwrap();
        assert_eq!(y.host().unwrap()[..], [2; 1000], "{target}");
    }
}

#[test]
fn a_device_that_cannot_be_used_leaves_a_hybrid_call_to_the_others() {
    let f = map!(double).within(context([
        Mock::named("idle"),
        Mock::named("unable").cannot("no"),
    ]));
    let x = vec![1_u32; 100];
    // The share of the second device goes to those that can.
    for (shares, expected) in [([0.0, 0.0, 1.0], 0..100), ([1.0, 0.0, 3.0], 0..100)] {
        let run = || f.clone().on(Hybrid::shares(shares)).run((&x,)).unwrap();
        let (_, calls) = skel::observe(run);
        assert_eq!(calls[0].parts.len(), 1);
        assert_eq!(calls[0].parts[0].range, expected);
    }
}

#[test]
fn what_was_not_launched_is_what_it_was_also_where_the_device_was_named() {
    let frail = Mock::named("frail").fails(Operation::Upload, 1);
    let add_to = map!(|x: &mut u32, y: u32| *x += y).within(context([frail]));
    let mut v = Vector::from([1_u32]);
    let failed = add_to.clone().on(Device(0)).run((&mut v, &[1]));
    assert!(matches!(failed, Err(Error::Device { .. })), "{failed:?}");
    assert_eq!(v.host().unwrap()[..], [1]);
    add_to.on(Device(0)).run((&mut v, &[1])).unwrap();
    assert_eq!(v.host().unwrap()[..], [2]);
}

#[test]
fn causes_do_not_pile_up() {
    let frail = context([Mock::named("frail").rejects(1)]);
    let add_to = map!(|x: &mut u32, y: u32| *x += y).within(frail.clone());
    let mut v = Vector::from([1_u32]);
    let rejected = map!(|x: &mut u32, y: u32| *x ^= y).within(frail);
    assert!(rejected.on(Device(0)).run((&mut v, &[1])).is_err());
    for _ in 0..3 {
        let mut w = Vector::from([1_u32]);
        // The CPU looks at its inputs before it touches anything.
        let failed = add_to.clone().on(Cpu).run((&mut w, &v));
        assert!(matches!(failed, Err(Error::Poisoned { .. })), "{failed:?}");
        assert_eq!(w.host().unwrap()[..], [1]);
        // So does a device; and the cause is the first one.
        match add_to.clone().on(Device(0)).run((&mut w, &v)) {
            Err(Error::Poisoned { cause }) => {
                assert!(matches!(*cause, Error::Unsupported { .. }), "{cause:?}");
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(w.host().unwrap()[..], [1]);
    }
    let mut scalar = Scalar::from(1_u32);
    let nothing: [u32; 0] = [];
    let sum = reduce!(|a: u32, b: u32| a + b).on(Cpu);
    assert!(sum.run_into((&nothing,), &mut scalar).is_err());
    let mut parts = Vector::from([1_u32, 2, 3]);
    for target in [Target::from(Cpu), Device(0).into()] {
        let bump = map!(|x: &mut u32, #[uniform] by: u32| *x += by);
        let mock = context([Mock::named("sound")]);
        let failed = bump.within(mock).on(&target).run((&mut parts, &scalar));
        assert!(matches!(failed, Err(Error::Poisoned { .. })), "{failed:?}");
        assert_eq!(parts.host().unwrap()[..], [1, 2, 3], "{target}");
    }
}

#[test]
fn shapes_beyond_memory_are_errors() {
    let f = map!(index).on(Cpu);
    let failed = f.run_shaped(usize::MAX, ()).map(|_| ());
    assert!(
        matches!(failed, Err(Error::OutOfMemory { .. })),
        "{failed:?}"
    );
    let cells = map!(|at: Index2| at.col as u32).on(Cpu);
    let failed = cells
        .run_shaped(((1_usize << 32) + 1, 1_usize << 32), ())
        .map(|_| ());
    assert!(matches!(failed, Err(Error::TooLarge { .. })), "{failed:?}");
    assert_eq!(f.run_shaped(3, ()).unwrap().host().unwrap()[..], [0, 1, 2]);
}

#[test]
fn what_the_host_needs_is_fetched_before_the_device_has_more_to_do() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    let context = context([
        Mock::named("mock").before_each(move |operation| log.lock().unwrap().push(operation))
    ]);
    let f = map!(double).within(context);
    let x = f.clone().on(Device(0)).run((&vec![1_u32; 100],)).unwrap();
    seen.lock().unwrap().clear();
    let y = f.on(Hybrid::ratio(0.5)).run((&x,)).unwrap();
    assert_eq!(y.host().unwrap()[..], [4; 100]);
    let seen = seen.lock().unwrap();
    let at = |wanted| seen.iter().position(|operation| *operation == wanted);
    assert!(at(Operation::Download) < at(Operation::Launch), "{seen:?}");
}
