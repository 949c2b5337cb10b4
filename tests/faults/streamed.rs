//! Pieces that go through a device in chunks, when it fails on the way.

use super::cases::{CASES, ELEMS};
use skel::{
    Context,
    mock::{Gate, Mock, Operation},
    prelude::*,
};
use std::{ops::Range, time::Duration};

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
fn fails_on_the_way(context: &Context, run: fn(&Context, &Target) -> skel::Result<()>, what: &str) {
    let done = run(context, &Hybrid::ratio(0.3).into());
    assert!(done.is_ok(), "{what}: {done:?}");
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
                fails_on_the_way(&context, case.run, &what);
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
            assert!(done.is_ok(), "{what}: {done:?}");
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

#[user_function]
fn bump(x: &mut u32, by: u32) {
    *x += by;
}

#[user_function]
fn mix(x: &mut u32, y: &mut u32) {
    *x += *y;
    *y += *x;
}

/// Which unit did what, in a call: the position of the unit, and its elements.
fn parts(body: impl FnOnce()) -> Vec<(usize, Range<usize>)> {
    let ((), calls) = skel::observe(body);
    let parts = calls[0].parts.iter();
    parts.map(|p| (p.unit_index, p.range.clone())).collect()
}

#[test]
fn in_place_what_has_landed_stays_and_the_rest_is_done_by_others() {
    let faults: [fn(Mock, u64) -> Mock; 5] = [
        |mock, k| mock.fails(Operation::Download, k),
        |mock, k| mock.vanishes(Operation::Download, k),
        |mock, k| mock.vanishes(Operation::Launch, k),
        |mock, k| mock.fails(Operation::Launch, k),
        |mock, k| mock.vanishes(Operation::Upload, 2 * k),
    ];
    let all = |x: &[u32]| x.iter().enumerate().all(|(i, x)| *x == 8 * i as u32);
    for (which, fault) in faults.iter().enumerate() {
        for k in 1..6 {
            let what = format!("fault {which} at {k}");
            let context = context(&fault(Mock::named("frail"), k), None);
            let f = map!(bump).within(context).on(Hybrid::ratio(0.0));
            let by = Vector::from_fn(ELEMS, |i| 7 * i as u32);
            let mut v = Vector::from_fn(ELEMS, |i| i as u32);
            let done = parts(|| f.run((&mut v, &by)).unwrap());
            assert!(all(&v.host().unwrap()), "{what}");
            // The CPU has begun where the device has ended.
            match &done[..] {
                // One that is gone does not give what it has computed.
                [(1, rest)] => assert!(k <= 2 && *rest == (0..ELEMS), "{what}: {done:?}"),
                [(2, landed), (1, rest)] => {
                    assert!(k > 1 && landed.end == rest.start, "{what}: {done:?}");
                    assert_eq!((landed.start, rest.end), (0, ELEMS), "{what}");
                }
                other => panic!("{what}: {other:?}"),
            }
        }
    }
    // Slices are the same.
    let context = context(&Mock::named("frail").fails(Operation::Download, 3), None);
    let f = map!(bump).within(context).on(Hybrid::ratio(0.0));
    let mut v: Vec<u32> = (0..ELEMS as u32).collect();
    let by: Vec<u32> = v.iter().map(|i| 7 * i).collect();
    f.run((&mut v[..], &by[..])).unwrap();
    assert!(all(&v));
}

/// Of two arguments that are changed, one has come back from the device, and the other one does not.
#[test]
fn a_chunk_lands_as_a_whole_or_not_at_all() {
    for k in 1..8 {
        let context = context(&Mock::named("frail").fails(Operation::Download, k), None);
        let f = map!(mix).within(context).on(Hybrid::ratio(0.0));
        let mut x = Vector::from_fn(ELEMS, |i| i as u32);
        let mut y = vec![7_u32; ELEMS];
        f.run((&mut x, &mut y[..])).unwrap();
        let x = x.host().unwrap();
        assert!((0..ELEMS).all(|i| x[i] == i as u32 + 7), "{k}");
        assert!((0..ELEMS).all(|i| y[i] == i as u32 + 14), "{k}");
    }
}
