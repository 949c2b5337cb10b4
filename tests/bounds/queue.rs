//! Back-pressure: callers wait while too much is in front of a device.

use super::{add, bump, context, double, there, try_there};
use crate::limits::with_longer_and_longer;
use skel::{
    Context, Error,
    mock::{Gate, Mock, Operation},
    prelude::*,
};
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

/// Commands in front of a device, at most (`device/back_pressure.rs`).
const MOST: usize = 64;

/// A device that takes its time for launches, and counts them.
fn slow() -> (Mock, Arc<AtomicUsize>) {
    let launched = Arc::<AtomicUsize>::default();
    let count = Arc::clone(&launched);
    let mock = Mock::named("slow").before_each(move |operation| {
        if operation == Operation::Launch {
            // Longer than the caller takes to make a call, so that the queue is full.
            (0..100).for_each(|_| thread::yield_now());
            count.fetch_add(1, Ordering::SeqCst);
        }
    });
    (mock, launched)
}

/// Whatever was called, at most so many commands are in front of what is read next.
#[test]
fn calls_that_are_not_waited_for_are_never_far_ahead_of_the_device() {
    const CALLS: usize = 2000;
    let (mock, launched) = slow();
    let context = context(&mock);
    let (x, unrelated) = (there(&context, 10), there(&context, 10));
    let mut y = there(&context, 10);
    let sum = reduce!(add).within(context.clone()).on(Device(0));
    let twice = map!(double).within(context.clone()).on(Device(0));
    let bump = map!(bump).within(context.clone()).on(Device(0));
    let before = launched.load(Ordering::SeqCst);
    let mut total = Scalar::from(0_u32);
    for k in 0..CALLS {
        match k % 3 {
            0 => sum.run_into((&x,), &mut total).unwrap(),
            1 => twice.run_into((&x,), &mut y).unwrap(),
            _ => bump.run((&mut y,)).unwrap(),
        }
        let ahead = before + k + 1 - launched.load(Ordering::SeqCst);
        assert!(ahead <= MOST, "{ahead} commands after {k} calls");
    }
    assert_eq!(unrelated.host().unwrap()[9], 9);
    assert_eq!(total.get().unwrap(), 45);
}

/// The last caller that there is room for does not wait, and the next one does, until the device goes on.
#[test]
fn one_caller_more_than_there_is_room_for_waits() {
    let gate = Gate::new();
    let context = context(&Mock::named("held").waits(Operation::Launch, 3, &gate));
    let x = there(&context, 10);
    let sum = reduce!(add).within(context.clone()).on(Device(0));
    // A kernel's first launch is waited for.
    assert_eq!(sum.run((&x,)).unwrap(), 45);
    // The device holds one of them in its hands.
    let mut totals: Vec<Scalar<u32>> = (0..MOST).map(|_| Scalar::from(0)).collect();
    for total in &mut totals {
        sum.run_into((&x,), total).unwrap();
    }
    gate.reached();
    let opened = AtomicUsize::new(0);
    let (told, returned) = mpsc::channel();
    thread::scope(|s| {
        s.spawn(|| {
            let mut one_more = Scalar::from(0_u32);
            sum.run_into((&x,), &mut one_more).unwrap();
            told.send(opened.load(Ordering::SeqCst)).unwrap();
            assert_eq!(one_more.get().unwrap(), 45);
        });
        // Time to go wrong: a caller that did not wait would have come back.
        (0..1000).for_each(|_| thread::yield_now());
        assert_eq!(returned.try_recv(), Err(mpsc::TryRecvError::Empty));
        opened.store(1, Ordering::SeqCst);
        gate.open();
        assert_eq!(returned.recv(), Ok(1), "not before");
    });
    assert!(totals.iter().all(|total| total.get().unwrap() == 45));
}

/// Bytes of arguments in front of a device, at most (`device/back_pressure.rs`).
const MOST_BYTES: usize = 16 << 20;
const LARGE_ELEMS: usize = 1 << 17;

#[user_function]
fn add_first(x: u32, #[uniform] table: [u32; LARGE_ELEMS]) -> u32 {
    x + table[0]
}

/// Long before their number does, where each of them keeps a large value.
#[test]
fn the_bytes_that_calls_keep_hold_callers_back() {
    const ROOM: usize = MOST_BYTES / (4 * LARGE_ELEMS);
    const { assert!(2 * ROOM <= MOST) };
    let gate = Gate::new();
    let context = context(&Mock::named("held").waits(Operation::Launch, 4, &gate));
    let (x, mut y) = (there(&context, 10), there(&context, 10));
    let table = [3; LARGE_ELEMS];
    let f = map!(add_first).within(context.clone()).on(Device(0));
    // A kernel's first launch is waited for.
    f.run_into((&x, table), &mut y).unwrap();
    for _ in 0..ROOM {
        f.run_into((&x, table), &mut y).unwrap();
    }
    gate.reached();
    let opened = AtomicUsize::new(0);
    let (told, returned) = mpsc::channel();
    thread::scope(|s| {
        s.spawn(|| {
            f.run_into((&x, table), &mut y).unwrap();
            told.send(opened.load(Ordering::SeqCst)).unwrap();
        });
        (0..1000).for_each(|_| thread::yield_now());
        assert_eq!(returned.try_recv(), Err(mpsc::TryRecvError::Empty));
        opened.store(1, Ordering::SeqCst);
        gate.open();
        assert_eq!(returned.recv(), Ok(1), "not before");
    });
    assert_eq!(y.host().unwrap()[9], 12);
}

#[test]
fn a_device_that_hangs_does_not_keep_calls_that_wait_for_room() {
    let gate = Gate::new();
    // Up to the launch that hangs, the device is in time.
    let (x, sum) = with_longer_and_longer(Duration::from_millis(500), |limit| {
        let hangs = Mock::named("hangs").waits(Operation::Launch, 3, &gate);
        let builder = Context::builder().unit(hangs.unit().unwrap());
        let context = builder.watchdog(limit).build().unwrap();
        let x = try_there(&context, 10).ok()?;
        let sum = reduce!(add).within(context).on(Device(0));
        assert_eq!(sum.run((&x,)).ok()?, 45);
        Some((x, sum))
    });
    let mut total = Scalar::from(0_u32);
    let calls = (0..2 * MOST).map(|_| sum.run_into((&x,), &mut total));
    let (done, failed): (Vec<_>, Vec<_>) = calls.partition(Result::is_ok);
    assert!(done.len() <= MOST, "{} calls had room", done.len());
    for failed in failed {
        assert!(
            matches!(failed, Err(Error::DeviceLost { .. })),
            "{failed:?}"
        );
    }
    gate.open();
}

#[test]
fn what_is_dropped_does_not_wait_for_room() {
    let gate = Gate::new();
    let context =
        context(&Mock::named("held").waits(Operation::Launch, 2 * MOST as u64 + 3, &gate));
    let many: Vec<Vector<u32>> = (0..2 * MOST).map(|_| there(&context, 10)).collect();
    let x = there(&context, 10);
    let sum = reduce!(add).within(context.clone()).on(Device(0));
    assert_eq!(sum.run((&x,)).unwrap(), 45);
    let mut total = Scalar::from(0_u32);
    for _ in 0..MOST {
        sum.run_into((&x,), &mut total).unwrap();
    }
    gate.reached();
    // The queue is full. If freeing waited, this would hang.
    drop((many, x));
    gate.open();
    assert_eq!(total.get().unwrap(), 45);
}

/// No caller waits for room while another thread waits for it.
#[test]
fn many_threads_on_several_devices_come_to_an_end() {
    let mocks = ["a", "b"].map(|name| Mock::named(name).unit().unwrap());
    let builder = mocks
        .into_iter()
        .fold(Context::builder(), |b, unit| b.unit(unit));
    let context = builder.build().unwrap();
    let thirds = Target::from(Hybrid::shares([1.0, 1.0, 1.0]));
    let x = Vector::from_fn(300, |i| i as u32);
    thread::scope(|s| {
        for _ in 0..4 {
            s.spawn(|| {
                let scan = scan!(add).within(context.clone()).on(&thirds);
                let bump = map!(bump).within(context.clone()).on(&thirds);
                let mut sums = scan.run((&x,)).unwrap();
                for _ in 0..100 {
                    scan.run_into((&x,), &mut sums).unwrap();
                    (0..5).for_each(|_| bump.run((&mut sums,)).unwrap());
                }
                assert_eq!(sums.host_range(299..300).unwrap(), [299 * 150 + 5]);
            });
        }
    });
}
