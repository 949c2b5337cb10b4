//! Block configurations are tuned as well, and change nothing but time.

use skel::{
    Context, Vector,
    mock::{Law, Mock},
    model::{InstanceModel, UnitId},
    prelude::*,
    tuning::{self, Options},
    unit::BlockConfig,
};

const N: usize = 100_000;

const fn block(lanes: u32, elems_per_lane: u32) -> BlockConfig {
    BlockConfig {
        lanes,
        elems_per_lane,
    }
}

/// A device that is much faster than the CPU, and twice as fast in blocks of 128 lanes.
fn law() -> Law {
    Law::per_elem_ns(1.0)
        .latency_ns(100.0)
        .block(block(64, 1), 1.5)
        .block(block(128, 1), 0.5)
        .block(block(256, 4), 0.99)
}

fn context(device: Mock) -> Context {
    let unit = device.virtual_time().unit().unwrap();
    let (cpu, sequential) = (Law::per_elem_ns(50.0), Law::per_elem_ns(100.0));
    let builder = Context::builder().unit(unit);
    builder.virtual_time(cpu, sequential).build().unwrap()
}

fn of_device(model: &InstanceModel) -> Option<BlockConfig> {
    let units = &model.classes[0].units;
    let device = units.iter().find(|unit| unit.unit.is_device());
    device.and_then(|unit| unit.block)
}

/// What a call takes that is all in virtual time.
fn ns(context: &Context, body: impl FnOnce() -> skel::Result<()>) -> u64 {
    let before = context.virtual_ns().unwrap();
    body().unwrap();
    context.virtual_ns().unwrap() - before
}

#[test]
fn the_fastest_block_configuration_is_found_and_used() {
    let context = context(Mock::named("device").law(law()));
    let double = map!(|x: u32| 2 * x).within(context.clone());
    let x = Vector::from_fn(N, |i| i as u32);
    let (y, tuned) = tuning::tune(&context, &Options::quick(), || double.run((&x,)));
    y.unwrap();
    assert_eq!(
        of_device(&tuned.instances[0]),
        Some(block(128, 1)),
        "{:?}",
        tuned.problems
    );
    let on = |target: skel::Target| {
        let double = &double;
        let x = &x;
        move || double.clone().on(target).run((x,)).map(drop)
    };
    let on_device = ns(&context, on(Device(0).into()));
    let tuned_ns = ns(&context, on(Hybrid::tuned().into()));
    // By name, a device does as usual: 1 ns for an element. Tuned, it does half.
    assert!(on_device >= N as u64, "{on_device}");
    assert!(tuned_ns < 6 * N as u64 / 10, "{tuned_ns}");
    // Asked a second time, it is the same.
    let again = ns(&context, on(Hybrid::tuned().into()));
    assert!(again <= tuned_ns, "{again} {tuned_ns}");
    let y = double.clone().on(Hybrid::tuned()).run((&x,)).unwrap();
    let expected: Vec<u32> = (0..N as u32).map(|i| 2 * i).collect();
    assert_eq!(y.host().unwrap()[..], expected);
}

#[test]
fn what_is_hardly_faster_is_not_taken() {
    let law = Law::per_elem_ns(1.0).block(block(64, 1), 0.99);
    let context = context(Mock::named("device").law(law));
    let double = map!(|x: u32| 2 * x).within(context.clone());
    let x = Vector::from(vec![1_u32; N]);
    let (_, tuned) = tuning::tune(&context, &Options::quick(), || double.run((&x,)));
    assert_eq!(of_device(&tuned.instances[0]), None);
}

#[test]
fn a_configuration_that_the_device_does_not_run_is_not_taken() {
    // It seemed to be twice as fast, and was launched as usual.
    let device = Mock::named("device").law(law()).refuses(block(128, 1));
    let context = context(device);
    let double = map!(|x: u32| 2 * x + 3).within(context.clone());
    let x = Vector::from(vec![1_u32; N]);
    let (_, tuned) = tuning::tune(&context, &Options::quick(), || double.run((&x,)));
    assert_eq!(of_device(&tuned.instances[0]), None);
    assert!(tuned.problems.is_empty(), "{:?}", tuned.problems);
}

#[test]
fn a_configuration_that_computes_something_else_is_left_out() {
    let device = Mock::named("device").law(law()).lies_in(block(128, 1));
    let context = context(device);
    let double = map!(|x: u32| 2 * x + 1).within(context.clone());
    let x = Vector::from(vec![1_u32; N]);
    let (_, tuned) = tuning::tune(&context, &Options::quick(), || double.run((&x,)));
    assert_eq!(of_device(&tuned.instances[0]), None);
    let said = tuned.problems.iter().any(|what| what.contains("128x1"));
    assert!(said, "{:?}", tuned.problems);
    // The device is used all the same, as usual.
    let device = tuned.instances[0].classes[0].units.iter();
    assert!(device.map(|unit| &unit.unit).any(UnitId::is_device));
    let y = double.on(Hybrid::tuned()).run((&x,)).unwrap();
    assert!(y.host().unwrap().iter().all(|y| *y == 3));
}
