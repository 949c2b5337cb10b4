//! Calls that do not wait for a device's memory: what was there before is not taken for granted.

use super::capped;
use skel::{Context, Vector, mock::Mock, prelude::*};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread::sleep,
    time::Duration,
};

/// Parts of a container that are far apart: its array would have memory for all between them.
#[test]
fn parts_far_apart_do_not_count_as_few_elements() {
    let (context, _) = capped(4096);
    let x = Vector::from((0..10_000).collect::<Vec<u32>>());
    let next = map!(|x: u32| x + 1).within(context).on(Device(0));
    for first in [0, 9900, 5000, 100, 9800] {
        let y = next.run((x.part(first..first + 100),)).unwrap();
        assert_eq!(y.host().unwrap()[..2], [first as u32 + 1, first as u32 + 2]);
    }
}

/// Calls behind the one whose array is on its way need more besides, and wait for that themselves.
#[test]
fn calls_behind_it_do_not_take_its_room() {
    let (context, _) = capped(400);
    let next = map!(|x: u32| x + 1).within(context.clone()).on(Device(0));
    let sum = map_reduce!(|x: u32, y: u32| x.min(y), |a: u32, b: u32| a + b);
    let sum = sum.within(context).on(Device(0));
    let of = |elems: u32| Vector::from((0..elems).collect::<Vec<u32>>());
    for round in 0..100 {
        // It has been on the device, and had to leave.
        let x = of(80);
        drop(next.run((&x,)).unwrap());
        let other = of(60);
        drop(next.run((&other,)).unwrap());
        drop(other);
        let few = of(18);
        let y = next.run((&few,)).unwrap();
        let y = next.run((&y,)).unwrap();
        let found = sum.run((&y, x.part(0..18))).unwrap();
        assert_eq!(found, (0..18).sum::<u32>(), "{round}");
        assert_eq!(y.host().unwrap()[17], 19);
    }
}

/// Calls that make their outputs anew, of what the call before has made, are all queued while the device is at work.
#[test]
fn a_chain_of_calls_does_not_wait_for_the_device() {
    let held = Arc::new(AtomicBool::new(false));
    let hold = Arc::clone(&held);
    let mock = Mock::named("held").before_each(move |_| {
        while hold.load(Ordering::Relaxed) {
            sleep(Duration::from_millis(1));
        }
    });
    let context = Context::builder()
        .unit(mock.unit().unwrap())
        .build()
        .unwrap();
    let next = map!(|x: u32| x.wrapping_add(1))
        .within(context.clone())
        .on(Device(0));
    let x = Vector::from(vec![0_u32; 1000]);
    // It has had memory for so many.
    let all: Vec<Vector<u32>> = (0..16).map(|_| next.run((&x,)).unwrap()).collect();
    assert_eq!(all[15].host().unwrap()[999], 1);
    drop(all);
    context.sync().unwrap();
    held.store(true, Ordering::Relaxed);
    let (done, is_done) = mpsc::channel();
    let thread = std::thread::spawn(move || {
        let last = (0..8).fold(x, |x, _| next.run((&x,)).unwrap());
        done.send(()).unwrap();
        last
    });
    let queued = is_done.recv_timeout(Duration::from_secs(20));
    held.store(false, Ordering::Relaxed);
    assert_eq!(thread.join().unwrap().host().unwrap()[999], 8);
    queued.expect("calls that are queued while the device is held");
}
