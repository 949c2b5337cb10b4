//! What becomes of devices when their contexts are dropped, while containers are still there.

use super::{add, bump, context, double, there};
use skel::{
    Context,
    mock::{Gate, Mock, Operation},
    prelude::*,
};
use std::{
    sync::{Mutex, mpsc},
    time::Duration,
};

/// A device, and what tells when its driver is gone.
struct Lifetime(mpsc::Receiver<()>);

impl Lifetime {
    fn of(mock: Mock) -> (Context, Lifetime) {
        let (alive, gone) = mpsc::channel::<()>();
        let alive = Mutex::new(alive);
        let mock = mock.before_each(move |_| drop(alive.lock()));
        (context(&mock), Lifetime(gone))
    }

    fn lasts(&self) -> bool {
        self.0.try_recv() == Err(mpsc::TryRecvError::Empty)
    }

    /// Waits for its end; for so long only if there is none.
    fn ends(&self) {
        let ended = self.0.recv_timeout(Duration::from_secs(100));
        assert_eq!(ended, Err(mpsc::RecvTimeoutError::Disconnected));
    }
}

fn device() -> (Context, Lifetime) {
    Lifetime::of(Mock::named("device"))
}

#[test]
fn what_the_host_has_as_well_keeps_no_device() {
    let (context, device) = device();
    let twice = map!(double).within(context.clone()).on(Device(0));
    let x = Vector::from([1_u32, 2, 3]);
    let y = twice.run((&x,)).unwrap();
    assert_eq!(y.host().unwrap()[..], [2, 4, 6]);
    drop((twice, context));
    device.ends();
    assert_eq!(
        format!("{x:?} {y:?}"),
        "Vector<u32>[3] on host Vector<u32>[3] on host"
    );
    assert_eq!(y.host().unwrap()[..], [2, 4, 6]);
}

#[test]
fn what_only_the_device_has_can_be_read_and_then_it_is_gone() {
    let (context, device) = device();
    let y = there(&context, 3);
    drop(context);
    assert!(device.lasts());
    assert_eq!(y.host().unwrap()[..], [0, 1, 2]);
    device.ends();
    assert_eq!(y.into_vec().unwrap(), [0, 1, 2]);
}

#[test]
fn the_device_stays_for_the_last_element() {
    let (context, device) = device();
    let (y, z) = (there(&context, 10), there(&context, 10));
    drop(context);
    assert_eq!(z.host().unwrap()[9], 9);
    assert_eq!(y.host_range(0..9).unwrap()[8], 8);
    assert!(device.lasts());
    assert_eq!(y.host_range(9..10).unwrap(), [9]);
    device.ends();
}

#[test]
fn what_is_overwritten_keeps_no_device() {
    let (context, device) = device();
    let mut y = there(&context, 10);
    drop(context);
    let twice = map!(double)
        .within(Context::builder().build().unwrap())
        .on(Cpu);
    twice.run_into((&[7; 9],), y.part_mut(0..9)).unwrap();
    assert!(device.lasts());
    twice.run_into((&[7; 10],), &mut y).unwrap();
    device.ends();
    assert_eq!(y.host().unwrap()[..], [14; 10]);
}

#[test]
fn a_container_that_is_dropped_keeps_no_device() {
    let (context, device) = device();
    let y = there(&context, 10);
    drop(context);
    assert!(device.lasts());
    drop(y);
    device.ends();
}

#[test]
fn a_value_that_is_still_to_come_comes() {
    let gate = Gate::new();
    let (context, device) = Lifetime::of(Mock::named("held").waits(Operation::Launch, 3, &gate));
    let x = there(&context, 10);
    let mut total = Scalar::from(0_u32);
    let sum = reduce!(add).within(context.clone()).on(Device(0));
    // The first launch of a kernel is waited for.
    assert_eq!(sum.run((&x,)).unwrap(), 45);
    sum.run_into((&x,), &mut total).unwrap();
    gate.reached();
    drop((x, sum, context));
    gate.open();
    assert_eq!(total.get().unwrap(), 45);
    device.ends();
}

/// What left a full device is not lost, either.
#[test]
fn what_was_spilled_can_be_read() {
    let (context, device) = Lifetime::of(Mock::named("small").memory_bytes(500));
    let all: Vec<Vector<u32>> = (0..5).map(|_| there(&context, 100)).collect();
    drop(context);
    assert!(device.lasts());
    assert!(all.iter().all(|x| x.host().unwrap()[99] == 99));
    device.ends();
}

#[test]
fn a_device_that_was_lost_is_gone_with_its_context() {
    let (context, device) = Lifetime::of(Mock::named("frail").vanishes(Operation::Launch, 2));
    let (x, y) = (there(&context, 3), Vector::from([1_u32]));
    let twice = map!(double).within(context.clone()).on(Device(0));
    assert!(twice.run((&y,)).is_err());
    drop((twice, context));
    device.ends();
    assert!(matches!(x.host(), Err(skel::Error::Late { .. })));
}

/// A container that goes from context to context has no more copies than there are contexts.
#[test]
fn copies_of_contexts_that_are_gone_are_forgotten() {
    let mut x = Vector::from([0_u32; 3]);
    for k in 1..=50_u32 {
        let (context, device) = device();
        let bump = map!(bump).within(context.clone()).on(Device(0));
        bump.run((&mut x,)).unwrap();
        assert_eq!(x.host().unwrap()[..], [k; 3]);
        drop((bump, context));
        device.ends();
        assert_eq!(format!("{x:?}"), "Vector<u32>[3] on host");
    }
}
