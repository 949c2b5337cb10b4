//! A process that has opened devices forks. In the child their threads do not exist: calls that need them say so at
//! once, all others work, and nothing waits for what never comes.
#![cfg(unix)]
#![allow(unsafe_code, reason = "forks")]
#![allow(clippy::unit_arg, reason = "closures of one expression")]

use skel::{
    Context, Error,
    mock::{Gate, Mock, Operation},
    prelude::*,
    tasks::{Steps, TaskError, TaskGraph},
    unit::DeviceUnit,
    webgpu,
};
use std::{
    io::Write,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

const N: usize = 1 << 18;

/// One test at a time: what another thread of the program has locked when it forks stays locked in the child.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[user_function]
fn double(x: u32) -> u32 {
    x.wrapping_mul(2)
}

#[user_function]
fn add(a: u32, b: u32) -> u32 {
    a.wrapping_add(b)
}

/// Enough work to be shared with the pool's threads.
#[user_function]
fn heavy(x: u32) -> u32 {
    let mut y = x;
    for _ in 0..50 {
        y = y.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    }
    y
}

/// Runs `body` in a child, and waits for its end: it says by its exit code whether all went well. The parent lets
/// go of what `body` has.
fn in_child(what: &str, body: impl FnOnce()) {
    // SAFETY: the child does what this test is about, and ends without running what the parent has prepared for its
    // own end.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "no child");
    if child == 0 {
        let done = catch_unwind(AssertUnwindSafe(body));
        // SAFETY: it ends the process.
        unsafe { libc::_exit(i32::from(done.is_err())) };
    }
    for _ in 0..6000 {
        let mut status = 0;
        // SAFETY: it writes the status.
        match unsafe { libc::waitpid(child, &mut status, libc::WNOHANG) } {
            0 => thread::sleep(Duration::from_millis(10)),
            ended => {
                assert_eq!(ended, child, "{what}");
                assert!(libc::WIFEXITED(status), "{what}: it was killed");
                assert_eq!(libc::WEXITSTATUS(status), 0, "{what}: it says why");
                return;
            }
        }
    }
    // SAFETY: it is our own child, which has not been waited for.
    unsafe { libc::kill(child, libc::SIGKILL) };
    panic!("{what}: the child hangs");
}

/// That it is said at once, and why.
fn is_left<T>(result: Result<T, Error>) -> bool {
    let Err(error) = result else { return false };
    let cause = match &error {
        Error::Late { cause, .. } | Error::Forced { cause, .. } => &**cause,
        other => other,
    };
    matches!(cause, Error::DeviceLost { reason, .. } if reason.contains("forked"))
}

fn all_are(found: &[u32], expected: impl Fn(u32) -> u32) -> bool {
    (0..).zip(found).all(|(i, y)| *y == expected(i))
}

/// What a child can do and cannot do with what its parent has made.
fn calls(context: &Context, x: &Vector<u32>, there: &Vector<u32>) {
    let twice = map!(double).within(context.clone());
    let sum = reduce!(add).within(context.clone());
    let scan = scan!(add).within(context.clone());
    // What the device would need from the host, and what it has.
    assert!(is_left(twice.clone().on(Device(0)).run((x,))));
    assert!(is_left(sum.clone().on(Device(0)).run((there,))));
    assert!(is_left(scan.on(Device(0)).run((there,))));
    assert!(is_left(there.host()));
    assert!(is_left(context.sync()));
    let reported = context.devices()[0].rejected.clone();
    assert!(reported.is_some_and(|reason| reason.contains("forked")));
    // What the host has is computed there.
    for target in [
        Target::from(Cpu),
        Sequential.into(),
        Auto.into(),
        Hybrid::ratio(0.5).into(),
    ] {
        let y = twice.clone().on(&target).run((x,)).unwrap();
        assert!(all_are(&y.host().unwrap()[..], |i| 2 * i), "{target}");
        let total = sum.clone().on(&target).run((x,)).unwrap();
        assert_eq!(total, (0..N as u32).fold(0, u32::wrapping_add), "{target}");
    }
    let worked = map!(heavy)
        .within(context.clone())
        .on(Cpu)
        .run((x,))
        .unwrap();
    assert_eq!(worked.host().unwrap()[7], heavy(7));
}

/// A graph's workers are threads of the parent.
#[test]
fn a_child_has_no_workers_of_its_parents_graphs_and_does_not_wait_for_them() {
    let _alone = alone();
    let context = Context::builder().build().unwrap();
    let graph = TaskGraph::new(&context).unwrap();
    let x = graph.handle(1_u32);
    let task = graph.task("one", (x.update(),), |(x,)| Ok(*x += 1));
    task.submit().unwrap().wait().unwrap();
    in_child("a graph of its parent", || {
        let is_forked = |error: Error| matches!(error, Error::Task(TaskError::Forked));
        let task = graph.task("one", (x.update(),), |(x,)| Ok(*x += 1));
        assert!(is_forked(task.submit().unwrap_err()));
        assert!(is_forked(graph.wait().unwrap_err()));
        let y = graph.handle(2_u32);
        assert_eq!(graph.pending(), 0);
        assert!(is_forked(graph.take(y).unwrap_err()));
        // Its own works.
        let own = TaskGraph::new(&context).unwrap();
        let sum = own.task("sum", (), |()| Ok(40 + 2)).submit().unwrap();
        assert_eq!(sum.wait().unwrap(), 42);
        drop(own);
        drop(graph);
    });
}

#[test]
fn a_child_has_no_units_of_its_parents_steps_and_does_not_wait_for_them() {
    let _alone = alone();
    let context = Context::builder().build().unwrap();
    let step = |steps: &mut Steps| {
        let mut items = [1_u32; 5];
        let done = steps.run(&mut items, |item, _| Ok(*item += 1)).map(drop);
        (done, items)
    };
    let mut steps = Steps::parse(&context, "2x2", "static").unwrap();
    assert_eq!(step(&mut steps).1, [2; 5]);
    in_child("steps of its parent", || {
        let (refused, items) = step(&mut steps);
        assert!(matches!(refused, Err(Error::Task(TaskError::Forked))));
        assert_eq!(items, [1; 5]);
        // Its own work.
        let mut own = Steps::parse(&context, "2x2", "static").unwrap();
        assert_eq!(step(&mut own).1, [2; 5]);
        drop(own);
        drop(steps);
    });
}

#[test]
fn a_child_has_no_devices_of_its_parent_and_does_not_wait_for_them() {
    let _alone = alone();
    let gate = Gate::new();
    let context = {
        let held = Mock::named("held").waits(Operation::Launch, 4, &gate);
        let builder = Context::builder().unit(held.unit().unwrap());
        builder.build().unwrap()
    };
    let x = Vector::from_fn(N, |i| i as u32);
    // The pool's threads are there, and have helped.
    let worked = map!(heavy)
        .within(context.clone())
        .on(Cpu)
        .run((&x,))
        .unwrap();
    assert_eq!(worked.host().unwrap()[7], heavy(7));
    let twice = map!(double).within(context.clone()).on(Device(0));
    let sum = reduce!(add).within(context.clone()).on(Device(0));
    let mut there = twice.run((&x,)).unwrap();
    // The first launch of a kernel is waited for.
    sum.run((&there,)).unwrap();
    let fours = twice.run((&there,)).unwrap();
    let mut total = Scalar::from(0_u32);
    sum.run_into((&fours,), &mut total).unwrap();
    // The device is in the middle of it.
    gate.reached();

    in_child("calls", || calls(&context, &x, &there));
    in_child("a value that never comes", || assert!(is_left(total.get())));
    in_child("what was on the device is overwritten", || {
        let twice = map!(double).within(context.clone()).on(Cpu);
        twice.run_into((&x,), &mut there).unwrap();
        assert!(all_are(&there.host().unwrap()[..], |i| 2 * i));
    });
    in_child("a device of its own", || {
        let mock = Mock::named("new").unit().unwrap();
        let own = Context::builder().unit(mock).build().unwrap();
        let y = map!(double).within(own).on(Device(0)).run((&x,)).unwrap();
        assert!(all_are(&y.host().unwrap()[..], |i| 2 * i));
    });
    in_child("a child of the child", || {
        in_child("its child", || calls(&context, &x, &there));
    });

    gate.open();
    // Nothing of this concerns the parent.
    assert!(all_are(&fours.host().unwrap()[..], |i| 4 * i));
    assert_eq!(
        total.get().unwrap(),
        (0..N as u32).fold(0_u32, |sum, i| sum.wrapping_add(4 * i))
    );

    // The device is busy, with whatever lock in its hands.
    for _ in 0..50 {
        let mut totals: Vec<Scalar<u32>> = (0..20).map(|_| Scalar::from(0)).collect();
        let small = twice.run((&Vector::from([1, 2]),)).unwrap();
        for total in &mut totals {
            sum.run_into((&small,), total).unwrap();
        }
        in_child("drops", move || drop((small, totals)));
    }
    in_child("all is dropped", move || {
        drop((twice, sum, there, fours, total, x, context))
    });
}

#[test]
fn a_child_has_no_device_of_wgpus() {
    let _alone = alone();
    let found = webgpu::enumerate();
    let Some(found) = found.iter().find(|found| found.rejected.is_none()) else {
        let reason = "no device that wgpu reaches (Debian: mesa-vulkan-drivers)";
        // Past libtest, which keeps what passing tests print.
        let _unseen = writeln!(
            std::io::stderr(),
            "skipped: a_child_has_no_device_of_wgpus: {reason}"
        );
        return;
    };
    let unit = DeviceUnit::new(webgpu::open(found).unwrap()).unwrap();
    let context = Context::builder().unit(unit).build().unwrap();
    let x = Vector::from_fn(N, |i| i as u32);
    let twice = map!(double).within(context.clone()).on(Device(0));
    let there = twice.run((&x,)).unwrap();
    in_child("calls", || calls(&context, &x, &there));
    in_child("opened again", || assert!(is_left(webgpu::open(found))));
    assert!(all_are(&there.host().unwrap()[..], |i| 2 * i));
    in_child("all is dropped", move || drop((twice, there, x, context)));
}
