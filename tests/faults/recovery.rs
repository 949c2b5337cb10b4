//! A device fails in a call: the others finish it, or the error says what is lost.

use super::{
    cases::{CASES, Case, ELEMS},
    context,
};
use skel::{
    Context, Error, Health,
    mock::{Mock, Operation},
    prelude::*,
    unit::UnitKind,
};
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// What goes wrong, and whether it shows before any result could depend on the device.
struct Fault {
    name: &'static str,
    script: fn(Mock) -> Mock,
    /// The device is not used any more.
    quarantined: bool,
}

const fn fault(name: &'static str, script: fn(Mock) -> Mock) -> Fault {
    Fault {
        name,
        script,
        quarantined: false,
    }
}

const fn grave(name: &'static str, script: fn(Mock) -> Mock) -> Fault {
    Fault {
        quarantined: true,
        ..fault(name, script)
    }
}

/// Those that show while the device is given its work.
const EARLY: [Fault; 13] = [
    fault("first allocation", |m| m.fails(Operation::Allocate, 1)),
    fault("second allocation", |m| m.fails(Operation::Allocate, 2)),
    fault("no memory", |m| m.memory_bytes(100)),
    fault("little memory", |m| m.memory_bytes(4 * ELEMS as u64)),
    fault("upload", |m| m.fails(Operation::Upload, 1)),
    fault("second upload", |m| m.fails(Operation::Upload, 2)),
    grave("launch", |m| m.fails(Operation::Launch, 1)),
    fault("compilation", |m| m.rejects(1)),
    grave("gone at allocation", |m| m.vanishes(Operation::Allocate, 1)),
    grave("gone at upload", |m| m.vanishes(Operation::Upload, 1)),
    grave("gone at launch", |m| m.vanishes(Operation::Launch, 1)),
    grave("panic in allocation", |m| m.panics(Operation::Allocate, 1)),
    grave("panic in launch", |m| m.panics(Operation::Launch, 1)),
];

/// Those that show when results are wanted, or not before the call has returned.
const LATE: [Fault; 6] = [
    fault("download", |m| m.fails(Operation::Download, 1)),
    fault("second launch", |m| m.fails(Operation::Launch, 2)),
    fault("finish", |m| m.fails(Operation::Finish, 1)),
    fault("gone at download", |m| m.vanishes(Operation::Download, 1)),
    fault("gone at finish", |m| m.vanishes(Operation::Finish, 1)),
    fault("panic in download", |m| m.panics(Operation::Download, 1)),
];

/// Which devices a context has, frail ones among them.
const COMPANIES: [&[bool]; 4] = [
    &[true],
    &[false, true],
    &[true, false, true],
    &[true, true, true],
];

fn company(frail: &[bool], script: fn(Mock) -> Mock) -> Context {
    context(frail.iter().enumerate().map(|(k, frail)| {
        let mock = Mock::named(format!("mock {k}"));
        if *frail { script(mock) } else { mock }
    }))
}

/// Afterwards the context works as if nothing had been.
fn is_usable(context: &Context, case: &Case, what: &str) {
    for target in [Target::from(Cpu), Hybrid::ratio(0.3).into(), Auto.into()] {
        let done = (case.run)(context, &target);
        assert!(done.is_ok(), "{what}, then {target}: {done:?}");
    }
}

#[test]
fn what_fails_early_is_done_by_others() {
    for fault in &EARLY {
        for frail in COMPANIES {
            for ratio in [0.0, 0.3] {
                for case in &CASES {
                    let what = format!("{} of {frail:?}, ratio {ratio}, {}", fault.name, case.name);
                    let context = company(frail, fault.script);
                    let done = (case.run)(&context, &Hybrid::ratio(ratio).into());
                    assert!(done.is_ok(), "{what}: {done:?}");
                    let quarantined = context
                        .devices()
                        .iter()
                        .map(|device| device.rejected.is_some())
                        .collect::<Vec<_>>();
                    if fault.quarantined {
                        assert_eq!(quarantined, frail, "{what}");
                    } else {
                        assert_eq!(quarantined, vec![false; frail.len()], "{what}");
                    }
                    is_usable(&context, case, &what);
                }
            }
        }
    }
}

#[test]
fn what_fails_late_is_done_by_others_or_an_error_and_never_wrong() {
    for fault in &LATE {
        for frail in COMPANIES {
            for case in &CASES {
                let what = format!("{} of {frail:?}, {}", fault.name, case.name);
                let context = company(frail, fault.script);
                // Results are compared in there.
                match (case.run)(&context, &Hybrid::ratio(0.3).into()) {
                    Ok(()) => {}
                    Err(Error::Late { call, .. }) => {
                        assert!(!case.waits, "{what}");
                        assert_ne!(call, "a call", "{what}");
                    }
                    Err(Error::Lost { argument, .. }) => {
                        assert!(case.in_place && argument == 1, "{what}");
                    }
                    Err(other) => panic!("{what}: {other}"),
                }
                // What is left to come of the fault, comes now.
                for _ in 0..2 {
                    match (case.run)(&context, &Hybrid::ratio(0.3).into()) {
                        Ok(()) | Err(Error::Late { .. } | Error::Lost { .. }) => {}
                        Err(other) => panic!("{what}: {other}"),
                    }
                }
                let _told = context.sync();
                is_usable(&context, case, &what);
            }
        }
    }
}

#[test]
fn auto_never_fails_for_want_of_a_gpu() {
    for fault in EARLY {
        for case in &CASES {
            let gpu = Mock::named("gpu").kind(UnitKind::DiscreteGpu);
            let context = context([(fault.script)(gpu)]);
            for turn in 0..5 {
                let done = (case.run)(&context, &Auto.into());
                assert!(
                    done.is_ok(),
                    "{} {}, {turn}: {done:?}",
                    fault.name,
                    case.name
                );
            }
        }
    }
}

#[test]
fn a_device_that_was_named_says_why_it_cannot() {
    for fault in &EARLY {
        for case in &CASES {
            let what = format!("{}, {}", fault.name, case.name);
            let context = company(&[true, false], fault.script);
            let first = (case.run)(&context, &Device(0).into());
            let once = |said: &str| said.matches("mock 0").count() <= 1;
            let said = first.as_ref().err().map(ToString::to_string);
            assert!(said.as_deref().is_none_or(once), "{what}: {said:?}");
            let enough = match first {
                // Some cases need no second array or upload, or little memory.
                Ok(()) => true,
                Err(error) => {
                    assert!(
                        error.is_of_device() || matches!(error, Error::Late { .. }),
                        "{what}: {error}"
                    );
                    false
                }
            };
            assert!(!(enough && fault.quarantined), "{what}");
            let second = (case.run)(&context, &Device(0).into());
            let (report, said) = (
                context.devices()[0].to_string(),
                second.as_ref().err().map(ToString::to_string),
            );
            assert!(
                once(&report) && said.as_deref().is_none_or(once),
                "{what}: {report}, {said:?}"
            );
            if fault.quarantined {
                assert!(
                    matches!(second, Err(Error::DeviceLost { .. })),
                    "{what}: {second:?}"
                );
            }
            let other = (case.run)(&context, &Device(1).into());
            assert!(other.is_ok(), "{what}: {other:?}");
            is_usable(&context, case, &what);
        }
    }
}

#[test]
fn a_kernel_that_does_not_compile_is_left_alone_and_others_are_not() {
    let context = context([Mock::named("picky").rejects(1)]);
    let double = map!(|x: u32| 2 * x).within(context.clone());
    let triple = map!(|x: u32| 3 * x).within(context.clone());
    let failed = double.clone().on(Device(0)).run((&[1],)).map(|_| ());
    match failed {
        Err(Error::Unsupported { unit, reason, .. }) => {
            assert_eq!(unit, "picky");
            assert!(reason.contains("does not compile"), "{reason}");
        }
        other => panic!("{other:?}"),
    }
    // It is not even tried again, which would succeed here.
    let failed = double.clone().on(Device(0)).run((&[1],)).map(|_| ());
    assert!(
        matches!(failed, Err(Error::Unsupported { .. })),
        "{failed:?}"
    );
    assert_eq!(
        triple.on(Device(0)).run((&[1],)).unwrap().host().unwrap()[..],
        [3]
    );
    let (y, calls) = skel::observe(|| double.on(Hybrid::ratio(0.5)).run((&[1, 2],)).unwrap());
    assert_eq!(y.host().unwrap()[..], [2, 4]);
    assert_eq!(calls[0].parts.len(), 1, "it takes no share");
    assert_eq!(context.devices()[0].rejected, None);
}

#[user_function]
fn bump(x: &mut u32) {
    *x += 1;
}

/// What a launch needs besides its arrays, tables for example, may not be there.
#[test]
fn a_launch_without_room_is_made_again_where_it_can_be() {
    let launches = Arc::new(AtomicUsize::new(0));
    let (counted, short) = (Arc::clone(&launches), 3);
    let device = Mock::named("short")
        .runs_short(Operation::Launch, short)
        .before_each(move |operation| {
            counted.fetch_add(
                usize::from(operation == Operation::Launch),
                Ordering::SeqCst,
            );
        });
    let context = |device: &Mock| context([device.clone()]);
    let there = |context: &skel::Context| {
        let index = map!(|i: Index1| i.i as u32).within(context.clone());
        let beside = index.on(Device(0)).run_shaped(100, ()).unwrap();
        let bump = map!(bump).within(context.clone()).on(Device(0));
        let mut m = Matrix::from_fn(8, 8, |i, j| (8 * i + j) as u32);
        bump.run((&mut m,)).unwrap();
        (beside, m)
    };
    // Each element of a column is stored once more: nothing that the launch reads is changed.
    let with_room = context(&device);
    let (beside, mut m) = there(&with_room);
    let column = map!(|x: u32| 10 * x).within(with_room.clone());
    let x = [1_u32, 2, 3, 4, 5, 6, 7, 8];
    column
        .on(Device(0))
        .run_into((&x,), m.part_mut(.., ..).col(3))
        .unwrap();
    let expected = |i: usize, j: usize| match j {
        3 => 10 * x[i],
        _ => (8 * i + j) as u32 + 1,
    };
    let found = m.host().unwrap().to_vec();
    assert_eq!(
        found,
        (0..64).map(|k| expected(k / 8, k % 8)).collect::<Vec<_>>()
    );
    assert_eq!(launches.load(Ordering::SeqCst), 4);
    assert_eq!(beside.host().unwrap()[99], 99);
    // What is changed in place may be half changed.
    launches.store(0, Ordering::SeqCst);
    let without = context(&device);
    let (beside, mut m) = there(&without);
    let bump = map!(bump).within(without.clone()).on(Device(0));
    let failed = bump.run((&mut m,)).and_then(|()| m.host().map(|_| ()));
    let failed = failed.unwrap_err();
    assert!(
        matches!(failed.root_cause(), Error::OutOfMemory { .. }),
        "{failed:?}"
    );
    assert_eq!(launches.load(Ordering::SeqCst), 3);
    assert_eq!(beside.host().unwrap()[99], 99);
}

#[test]
fn the_list_of_devices_says_which_are_not_used_any_more() {
    let context = context([
        Mock::named("gone").vanishes(Operation::Launch, 1),
        Mock::named("sound"),
    ]);
    let line = |index: usize| context.devices()[index].to_string();
    assert!(!line(0).contains("vanished"));
    let double = map!(|x: u32| 2 * x).within(context.clone());
    let (y, calls) = skel::observe(|| double.clone().on(Hybrid::ratio(0.0)).run((&[1, 2],)));
    assert_eq!(y.unwrap().host().unwrap()[..], [2, 4]);
    // The report says which unit did what the device did not.
    let parts: Vec<(usize, usize)> = calls[0]
        .parts
        .iter()
        .map(|part| (part.unit_index, part.range.start))
        .collect();
    assert_eq!(parts, [(1, 0), (3, 1)]);
    assert!(line(0).contains("quarantined: it vanished"), "{}", line(0));
    assert_eq!(context.devices()[1].rejected, None);
    match double.on(Device(0)).run((&[1],)).map(|_| ()) {
        Err(Error::DeviceLost { device, reason }) => {
            assert_eq!(device, "gone");
            assert!(reason.contains("vanished"), "{reason}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn health_is_what_a_unit_says_of_itself() {
    use skel::unit::Unit;
    let unit = Mock::named("mock").unit().unwrap();
    assert_eq!(unit.health(), Health::Well);
}
