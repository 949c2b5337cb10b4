//! Compilers that take longer than they may. The gates stay closed until the test opens them, so nothing here
//! depends on how long anything takes.

use super::cases::{CASES, ELEMS};
use crate::limits::with_longer_and_longer;
use skel::{
    Context, Error,
    mock::{Gate, Mock},
    prelude::*,
    unit::UnitKind,
};
use std::time::Duration;

#[user_function]
fn double(x: u32) -> u32 {
    2 * x
}

#[user_function]
fn triple(x: u32) -> u32 {
    3 * x
}

#[user_function]
fn bump(x: &mut u32) {
    *x += 1;
}

#[user_function]
fn add(a: u32, b: u32) -> u32 {
    a + b
}

#[user_function]
fn add_to(x: &mut u32, y: u32) {
    *x += y;
}

/// The CPU and a device that has compiled `double` in time, and compiles its second kernel behind the gate.
fn second_behind(gate: &Gate) -> Context {
    with_longer_and_longer(Duration::from_millis(500), |budget| {
        let slow = Mock::named("slow").compiles_behind(2, gate);
        let builder = Context::builder().compile_budget(budget);
        let context = builder.unit(slow.unit().unwrap()).build().unwrap();
        let twice = map!(double).within(context.clone()).on(Device(0));
        let y = twice.run((&Vector::filled(100, 1_u32),)).ok()?;
        assert_eq!(y.host().ok()?[..], [2; 100]);
        Some(context)
    })
}

/// `[2; 100]`, of which only the device has elements 50..100.
fn half_on(context: &Context) -> Vector<u32> {
    let f = map!(double).within(context.clone()).on(Hybrid::ratio(0.5));
    f.run((&Vector::filled(100, 1_u32),)).unwrap()
}

/// The CPU and these devices, whose compilers get no time to speak of.
fn impatient(mocks: impl IntoIterator<Item = Mock>) -> Context {
    let builder = Context::builder().compile_budget(Duration::from_millis(1));
    let add = |builder: skel::ContextBuilder, mock: Mock| builder.unit(mock.unit().unwrap());
    mocks.into_iter().fold(builder, add).build().unwrap()
}

fn until_compiled(context: &Context) {
    while context.devices().iter().any(|d| !d.overdue.is_empty()) {
        std::thread::yield_now();
    }
}

/// What a call gives when the device has all its kernels: the compiler of another one may need longer than its budget
/// on a busy machine.
fn when_compiled<R>(context: &Context, mut call: impl FnMut() -> skel::Result<R>) -> R {
    loop {
        until_compiled(context);
        match call() {
            Err(Error::Unsupported { .. }) => {}
            found => return found.unwrap(),
        }
    }
}

/// Which units took part in the call, by name.
fn units(context: &Context) -> Vec<String> {
    let f = map!(double).within(context.clone()).on(Hybrid::ratio(0.5));
    let (y, calls) = skel::observe(|| f.run((&[1, 2, 3, 4],)));
    assert_eq!(y.unwrap().host().unwrap()[..], [2, 4, 6, 8]);
    let parts = calls.into_iter().flat_map(|call| call.parts);
    parts.map(|part| part.unit).collect()
}

#[test]
fn others_compute_what_a_device_is_not_ready_for() {
    for case in &CASES {
        let gate = Gate::new();
        let slow = Mock::named("slow").compiles_behind(1, &gate);
        let context = impatient([Mock::named("sound"), slow]);
        for _ in 0..2 {
            let done = (case.run)(&context, &Hybrid::ratio(0.3).into());
            assert!(done.is_ok(), "{}: {done:?}", case.name);
        }
        let [sound, slow] = &context.devices()[..] else {
            panic!("there are two");
        };
        assert_eq!((&sound.rejected, &slow.rejected), (&None, &None));
        gate.open();
        until_compiled(&context);
        let done = (case.run)(&context, &Device(1).into());
        // Of calls with several kernels, the next one may be compiled now, in a time that is none to speak of.
        assert!(
            matches!(
                done,
                Ok(()) | Err(Error::Unsupported { .. } | Error::Late { .. })
            ),
            "{}: {done:?}",
            case.name
        );
    }
}

#[test]
fn it_is_told_and_the_device_takes_part_when_the_kernel_is_there() {
    let gate = Gate::new();
    let context = impatient([Mock::named("slow").compiles_behind(1, &gate)]);
    let computes = |unit: &str| units(&context).iter().any(|name| name == unit);
    assert!(!computes("slow"), "it was taken over");
    let report = &context.devices()[0];
    assert_eq!(
        (&report.rejected, &report.overdue[..]),
        (&None, &["double"][..])
    );
    assert!(
        report.to_string().ends_with(": still compiling `double`"),
        "{report}"
    );
    assert!(!computes("slow"), "it takes no share");
    let forced = map!(double).within(context.clone()).on(Device(0));
    match forced.run((&[1],)) {
        Err(Error::Unsupported {
            unit,
            instance,
            reason,
        }) => {
            assert_eq!((&unit[..], instance.contains("double")), ("slow", true));
            assert!(
                reason.contains("still being compiled, after the 1ms"),
                "{reason}"
            );
        }
        other => panic!("{:?}", other.map(|_| ())),
    }
    gate.open();
    until_compiled(&context);
    assert!(computes("slow"));
    assert_eq!(forced.run((&[1],)).unwrap().host().unwrap()[..], [2]);
}

#[test]
fn other_kernels_of_the_device_do_not_wait() {
    let gate = Gate::new();
    let slow = Mock::named("slow").compiles_behind(1, &gate);
    let context = Context::builder()
        .unit(slow.unit().unwrap())
        .compile_budget(Duration::from_millis(1))
        .build()
        .unwrap();
    let x = Vector::from([1_u32, 2]);
    let late = map!(double)
        .within(context.clone())
        .on(Device(0))
        .run((&x,));
    // It is told at once, or by what it should have written.
    let told = late.and_then(|y| y.host().map(|_| ()));
    assert!(told.is_err(), "{told:?}");
    // The second kernel has no gate; its compiler may need more than a millisecond on a busy machine.
    let triple = map!(triple).within(context.clone()).on(Device(0));
    let y = loop {
        match triple.run((&[1_u32, 2],)) {
            Ok(y) => break y,
            Err(Error::Unsupported { .. }) => std::thread::yield_now(),
            Err(other) => panic!("{other}"),
        }
    };
    assert_eq!(y.host().unwrap()[..], [3, 6]);
    assert_eq!(context.devices()[0].overdue, ["double"]);
    gate.open();
}

#[test]
fn a_context_is_dropped_while_a_kernel_is_being_compiled() {
    let gate = Gate::new();
    let context = impatient([Mock::named("slow").compiles_behind(1, &gate)]);
    assert!(!units(&context).iter().any(|name| name == "slow"));
    drop(context);
    // The compiler is still at work, and no thread waits for it.
    gate.reached();
    gate.open();
}

#[test]
fn what_was_to_be_changed_in_place_and_was_not_launched_is_computed_by_the_others() {
    let gate = Gate::new();
    let context = second_behind(&gate);
    let mut y = half_on(&context);
    // The upload makes the call wait. Half of `y` is on the device alone.
    let f = map!(add_to).within(context.clone()).on(Hybrid::ratio(0.5));
    f.run((&mut y, &vec![1_u32; 100])).unwrap();
    assert_eq!(y.host().unwrap()[..], [3; 100]);
    assert_eq!(context.devices()[0].overdue, ["add_to"]);
    gate.open();
}

#[test]
fn a_call_that_names_the_device_leaves_it_as_it_was() {
    let gate = Gate::new();
    let context = second_behind(&gate);
    let mut y = half_on(&context);
    let f = map!(add_to).within(context.clone()).on(Device(0));
    let refused = f.run((&mut y, &vec![1_u32; 100]));
    assert!(
        matches!(refused, Err(Error::Unsupported { .. })),
        "{refused:?}"
    );
    assert_eq!(y.host().unwrap()[..], [2; 100]);
    gate.open();
    when_compiled(&context, || f.run((&mut y, &vec![1_u32; 100])));
    assert_eq!(y.host().unwrap()[..], [3; 100]);
}

/// Nothing is to be uploaded, so nothing but the kernel is waited for.
#[test]
fn first_launches_over_what_is_on_the_device_are_computed_by_the_others_as_well() {
    for in_place in [false, true] {
        let gate = Gate::new();
        let context = second_behind(&gate);
        let mut y = half_on(&context);
        let halves = Hybrid::ratio(0.5);
        let late = if in_place {
            map!(bump)
                .within(context.clone())
                .on(halves)
                .run((&mut y,))
                .unwrap();
            "bump"
        } else {
            y = map!(triple)
                .within(context.clone())
                .on(halves)
                .run((&y,))
                .unwrap();
            "triple"
        };
        assert_eq!(context.devices()[0].overdue, [late]);
        let expected = if in_place { 3 } else { 6 };
        assert_eq!(y.host().unwrap()[..], [expected; 100]);
        gate.open();
        // Nothing is left to be said of it.
        context.sync().unwrap();
    }
}

#[test]
fn a_first_launch_that_is_refused_leaves_what_is_on_the_device() {
    let gate = Gate::new();
    let context = second_behind(&gate);
    let twice = map!(double).within(context.clone()).on(Device(0));
    let mut y = twice.run((&Vector::filled(100, 1_u32),)).unwrap();
    let f = map!(bump).within(context.clone()).on(Device(0));
    let refused = f.run((&mut y,));
    assert!(
        matches!(refused, Err(Error::Unsupported { .. })),
        "{refused:?}"
    );
    // Other kernels of the device do not wait.
    assert!(units(&context).iter().any(|unit| unit == "slow"));
    gate.open();
    when_compiled(&context, || f.run((&mut y,)));
    assert_eq!(y.host().unwrap()[..], [3; 100]);
    context.sync().unwrap();
}

/// The prefixes of `[2; 100]`.
fn sums() -> Vec<u32> {
    (1..=100).map(|k| 2 * k).collect()
}

#[test]
fn a_scan_in_place_whose_kernel_is_not_there_in_time_is_computed_by_the_others() {
    let gate = Gate::new();
    let context = second_behind(&gate);
    // Nothing has to be uploaded: half of `y` is on the device alone.
    let mut y = half_on(&context);
    let scan = scan!(add).within(context.clone()).on(Hybrid::ratio(0.5));
    scan.run_in_place(&mut y).unwrap();
    assert_eq!(context.devices()[0].overdue.len(), 1);
    assert_eq!(y.host().unwrap()[..], sums());
    gate.open();
    // Nothing is left to be said of it.
    context.sync().unwrap();
}

#[test]
fn a_scan_in_place_on_a_device_whose_compiler_takes_too_long_leaves_the_elements() {
    let gate = Gate::new();
    let context = second_behind(&gate);
    let twice = map!(double).within(context.clone()).on(Device(0));
    let mut y = twice.run((&Vector::filled(100, 1_u32),)).unwrap();
    let scan = scan!(add).within(context.clone()).on(Device(0));
    let refused = scan.run_in_place(&mut y);
    assert!(
        matches!(refused, Err(Error::Unsupported { .. })),
        "{refused:?}"
    );
    gate.open();
    until_compiled(&context);
    // What was refused has not changed anything, and the device has the kernel now.
    assert_eq!(y.try_clone().unwrap().host().unwrap()[..], [2; 100]);
    when_compiled(&context, || scan.run_in_place(&mut y));
    assert_eq!(y.host().unwrap()[..], sums());
}

#[test]
fn auto_comes_back_to_a_gpu_whose_compiler_took_too_long() {
    let gate = Gate::new();
    let gpu = Mock::named("gpu").kind(UnitKind::DiscreteGpu);
    let context = impatient([gpu.compiles_behind(1, &gate)]);
    let f = map!(double).within(context.clone()).on(Auto);
    let x = vec![1_u32; ELEMS];
    let unit = || {
        let (y, calls) = skel::observe(|| f.run((&x,)));
        assert_eq!(y.unwrap().host().unwrap()[..], [2; ELEMS]);
        calls[0].parts[0].unit.clone()
    };
    // Measured on the CPU, refused by the GPU, which then takes no part.
    for _ in 0..3 {
        assert_ne!(unit(), "gpu");
    }
    gate.open();
    until_compiled(&context);
    assert_eq!(unit(), "gpu");
}
