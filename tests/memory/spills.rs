//! Hosts that have no room for what has to leave a device.

use skel::{
    Context, Error, Result,
    mock::Mock,
    prelude::*,
    unit::{Unit, UnitKind},
};

const N: usize = 100;

#[user_function]
fn own(at: Index1) -> u32 {
    at.i as u32
}

#[user_function]
fn double(x: u32) -> u32 {
    2 * x
}

/// A device with room for two arrays, and a host that has room for so many of those that leave it.
fn two(arrays: u64) -> Context {
    let mock = Mock::named("full").kind(UnitKind::DiscreteGpu);
    let unit = mock.unit().expect("a mock device");
    let unit = unit
        .with_memory_cap(2 * 4 * N as u64)
        .with_spill_cap(4 * N as u64 * arrays);
    assert_eq!(unit.health(), skel::Health::Well);
    let context = Context::builder().unit(unit).build();
    context.expect("a context of a mock")
}

fn made(context: &Context, target: impl Into<Target>) -> Result<Vector<u32>> {
    let make = map!(own).within(context.clone()).on(target);
    make.run_shaped(N, ())
}

fn is_own(x: &Vector<u32>) -> bool {
    let host = x.host().expect("it is somewhere");
    host.iter().enumerate().all(|(i, x)| *x == i as u32)
}

#[test]
fn what_cannot_be_kept_stays_and_a_call_that_names_the_device_has_no_room() {
    for arrays in 0..3 {
        let context = two(arrays);
        let mut all = Vec::new();
        let mut turns = (0..10).map(|_| made(&context, Device(0)));
        let full = turns.find_map(|made| made.map(|made| all.push(made)).err());
        let full = full.expect("ten do not fit");
        assert!(
            matches!(&full, Error::OutOfMemory { device, .. } if device == "full"),
            "{full}"
        );
        assert_eq!(all.len() as u64, 2 + arrays);
        context.sync().expect("nothing is wrong with the device");
        assert!(all.iter().all(is_own), "{arrays}");
        // Now the host has a copy of each, and they may leave.
        assert!(is_own(&made(&context, Device(0)).expect("there is room")));
    }
}

#[test]
fn others_do_what_the_device_has_no_room_for() {
    let context = two(0);
    let kept = [made(&context, Device(0)), made(&context, Device(0))];
    let kept = kept.map(|made| made.expect("there is room"));
    for target in [Target::from(Hybrid::ratio(0.3)), Auto.into()] {
        let made = made(&context, &target).expect("the CPU has room");
        assert!(is_own(&made), "{target}");
        let twice = map!(double).within(context.clone()).on(&target);
        let twice = twice.run((&made,)).expect("the CPU has room");
        let expected: Vec<u32> = (0..N as u32).map(|i| 2 * i).collect();
        assert_eq!(twice.host().expect("it is somewhere")[..], expected);
    }
    assert_eq!(context.devices()[0].rejected, None);
    assert!(kept.iter().all(is_own));
}
