//! What goes wrong in graphs and calls as tasks: typed errors, no hang, and all else goes on.
#![allow(unsafe_code, reason = "a user function with a body by hand")]

use skel::{
    Context, Error,
    mock::{Mock, Operation},
    prelude::*,
    tasks::{TaskError, TaskGraph, Units},
};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

pub(super) fn graph() -> TaskGraph {
    TaskGraph::new(&Context::builder().build().unwrap()).unwrap()
}

pub(super) fn of_task<R>(result: skel::Result<R>) -> TaskError {
    match result.map(drop) {
        Err(Error::Task(error)) => error,
        Err(Error::Cancelled { by: cause, .. }) => TaskError::Cancelled { cause },
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_panic_cancels_what_reads_its_data_and_nothing_else() {
    let graph = graph();
    let (x, y) = (graph.handle(1_u32), graph.handle(2_u32));
    let panics = graph
        .task("bad", (x.update(),), |(_,)| -> skel::Result<()> {
            panic!("on purpose")
        })
        .submit()
        .unwrap();
    let reads = graph
        .task("reads", (x.read(),), |(x,): (&u32,)| Ok(*x))
        .submit()
        .unwrap();
    let after = graph
        .task("after", (), |()| Ok(()))
        .after(&panics)
        .submit()
        .unwrap();
    let other = graph
        .task("other", (y.read(),), |(y,): (&u32,)| Ok(*y))
        .submit()
        .unwrap();
    let cause = panics.id();
    assert_eq!(
        of_task(panics.wait()),
        TaskError::Panicked {
            kind: "bad".into(),
            message: "on purpose".into()
        }
    );
    let cancelled = reads.wait().map(drop).unwrap_err();
    assert!(matches!(&cancelled, Error::Cancelled { by, .. } if *by == cause));
    let whole = format!("cancelled, since `bad` ({cause}) failed: `bad` panicked: on purpose");
    assert_eq!(format!("{cancelled:?}"), whole);
    let root = cancelled.root_cause();
    assert!(matches!(root, Error::Task(TaskError::Panicked { .. })));
    assert_eq!(of_task(after.wait()), TaskError::Cancelled { cause });
    assert_eq!(other.wait().unwrap(), 2);
    assert!(matches!(
        graph.wait(),
        Err(Error::Task(TaskError::Panicked { .. }))
    ));
    assert!(graph.wait().is_ok(), "an error is reported once");
    // A task that writes all of it heals it.
    graph
        .task("heal", (x.write(),), |(x,)| Ok(*x = 7))
        .submit()
        .unwrap();
    assert_eq!(graph.take(x).unwrap(), 7);
}

/// What a task waits for may be over long before it is submitted.
#[test]
fn what_comes_after_a_task_that_failed_before_is_cancelled() {
    let graph = graph();
    let bad = graph.task("bad", (), |()| -> skel::Result<()> { panic!("on purpose") });
    let bad = bad.submit().unwrap();
    assert!(graph.wait().is_err());
    assert!(bad.is_over());
    let after = graph
        .task("after", (), |()| Ok(()))
        .after(&bad)
        .submit()
        .unwrap();
    assert_eq!(
        of_task(after.wait()),
        TaskError::Cancelled { cause: bad.id() }
    );
    let good = graph.task("good", (), |()| Ok(())).submit().unwrap();
    graph.wait().unwrap();
    let after = graph
        .task("after", (), |()| Ok(()))
        .after(&good)
        .submit()
        .unwrap();
    after.wait().unwrap();
}

#[test]
fn an_error_of_a_call_is_the_tasks() {
    let graph = graph();
    let context = Context::builder().build().unwrap();
    let divide = map!(|a: u32, b: u32| a / b).within(context);
    let x = graph.handle(Vector::from([1_u32, 0]));
    let task = graph.task("divide", (x.read(),), move |(x,)| {
        divide.run((&[1_u32, 1], x))
    });
    let error = task.submit().unwrap().wait().unwrap_err();
    assert!(
        matches!(error, Error::Trap { index: Some(1), .. }),
        "{error:?}"
    );
}

#[test]
fn bad_tasks_are_refused() {
    let (graph, other) = (graph(), graph());
    let x = graph.handle(1_u32);
    let twice = graph.task("twice", (x.read(), x.write()), |(_, _)| Ok(()));
    let refused = of_task(twice.submit());
    assert!(matches!(refused, TaskError::Conflict { .. }));
    assert!(refused.to_string().contains("of a task `twice`"));
    let foreign = other.task("foreign", (x.read(),), |(_,)| Ok(()));
    let refused = of_task(foreign.submit());
    assert!(matches!(refused, TaskError::UnknownHandle { .. }));
    assert!(refused.to_string().contains("of a task `foreign`"));
    let task = graph.task("one", (), |()| Ok(())).submit().unwrap();
    let after = other.task("after", (), |()| Ok(())).after(&task);
    assert!(matches!(
        of_task(after.submit()),
        TaskError::UnknownTask { .. }
    ));
    let nowhere = graph.task("nowhere", (), |()| Ok(())).units(Units::Devices);
    let error = of_task(nowhere.submit());
    assert_eq!(
        error,
        TaskError::NoImplementation {
            kind: "nowhere".into()
        }
    );
    let text = "no worker of the machine can run `nowhere`: it has no implementation for them, or is for other units";
    assert_eq!(error.to_string(), text);
    assert_eq!(graph.take(x).unwrap(), 1);
}

#[test]
fn what_was_taken_is_gone() {
    let graph = graph();
    let x = graph.handle(1_u32);
    assert_eq!(graph.take(x.clone()).unwrap(), 1);
    let read = graph.task("read", (x.read(),), |(x,): (&u32,)| Ok(*x));
    assert_eq!(of_task(read.submit().unwrap().wait()), TaskError::Taken);
    // No task has failed of itself by this, but the one above has.
    assert_eq!(of_task(graph.wait()), TaskError::Taken);
    assert_eq!(of_task(graph.take(x)), TaskError::Taken);
    graph.wait().unwrap();
}

#[test]
fn waiting_in_a_task_is_an_error() {
    let graph = Arc::new(graph());
    let inner = Arc::downgrade(&graph);
    let slow = Arc::new(AtomicBool::new(false));
    let task = graph
        .task("waits", (), move |()| {
            let graph = inner.upgrade().unwrap();
            let task = graph.task("never waited for", (), |()| Ok(())).submit()?;
            assert_eq!(of_task(graph.wait()), TaskError::WouldDeadlock);
            assert_eq!(of_task(task.wait()), TaskError::WouldDeadlock);
            slow.store(true, Ordering::Relaxed);
            Ok(())
        })
        .submit()
        .unwrap();
    task.wait().unwrap();
    graph.wait().unwrap();
}

#[test]
fn cancelled_and_abandoned_tasks_do_not_run() {
    let graph = graph();
    let x = graph.handle(0_u32);
    let (open, gate) = (Arc::new(AtomicBool::new(false)), graph.handle(()).clone());
    let opens = Arc::clone(&open);
    let wait = graph
        .task("gate", (gate.update(),), move |(_,)| {
            while !opens.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
            Ok(())
        })
        .submit()
        .unwrap();
    let add = || {
        let task = graph.task("add", (gate.read(), x.commute()), |(_, x)| Ok(*x += 1));
        task.submit().unwrap()
    };
    let (one, two) = (add(), add());
    one.cancel().unwrap();
    open.store(true, Ordering::Relaxed);
    wait.wait().unwrap();
    let cause = one.id();
    assert_eq!(of_task(one.wait()), TaskError::Cancelled { cause });
    // The other one would go on from what the first was to leave. What writes all of it heals it.
    assert_eq!(of_task(two.wait()), TaskError::Cancelled { cause });
    let heal = || {
        let write = graph.task("heal", (x.write(),), |(x,)| Ok(*x = 1));
        write.submit().unwrap().wait().unwrap();
    };
    let value = || {
        let look = graph.task("look", (x.read(),), |(x,): (&u32,)| Ok(*x));
        look.submit().unwrap().wait()
    };
    assert!(value().is_err());
    heal();
    assert_eq!(value().unwrap(), 1);

    // All that have not begun, and nothing else.
    open.store(false, Ordering::Relaxed);
    let (opens, begun) = (Arc::clone(&open), Arc::new(AtomicBool::new(false)));
    let begins = Arc::clone(&begun);
    let wait = graph
        .task("gate", (gate.update(),), move |(_,)| {
            begins.store(true, Ordering::Relaxed);
            while !opens.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
            Ok(7)
        })
        .submit()
        .unwrap();
    let all = [add(), add(), add()];
    while !begun.load(Ordering::Relaxed) {
        std::thread::yield_now();
    }
    graph.abandon();
    open.store(true, Ordering::Relaxed);
    assert_eq!(wait.wait().unwrap(), 7);
    // None has run: each is cancelled, by itself or for one before it.
    for task in all {
        assert!(matches!(of_task(task.wait()), TaskError::Cancelled { .. }));
    }
    assert_eq!(graph.pending(), 0);
    // The graph goes on.
    heal();
    add().wait().unwrap();
    assert_eq!(value().unwrap(), 2);
}

/// The calls of its tasks are made by the thread that gave it them, now and later. What it had computed and not given
/// back is lost: such a task fails with that as its cause.
#[test]
fn a_device_that_is_lost_leaves_the_calls_of_a_graph_to_its_thread() {
    for launch in 1..5 {
        let mock = Mock::named("device").vanishes(Operation::Launch, launch);
        let context = Context::builder()
            .unit(mock.unit().unwrap())
            .build()
            .unwrap();
        let double = map!(|x: u32| 2 * x).within(context.clone());
        let graph = TaskGraph::new(&context).unwrap();
        let x = graph.handle(Vector::from_fn(1000, |i| i as u32));
        let tasks = (0..6).map(|_| {
            let double = double.clone();
            let work = move |(x,): (&Vector<u32>,)| Ok(double.run((x,))?.host()?.to_vec());
            let task = graph.task("double", (x.read(),), work);
            task.units(Units::Devices).submit().unwrap()
        });
        let tasks: Vec<_> = tasks.collect();
        let is_right = |found: &[u32]| found.iter().zip(0..).all(|(y, x)| *y == 2 * x);
        let mut lost = 0;
        for task in tasks {
            match task.wait() {
                Ok(found) => assert!(is_right(&found), "{launch}"),
                Err(error) => {
                    let cause = error.root_cause();
                    assert!(matches!(cause, Error::DeviceLost { .. }), "{error:?}");
                    lost += 1;
                }
            }
        }
        // Two at most were on their way.
        assert!(lost <= 2, "{launch}: {lost}");
        assert_eq!(graph.wait().is_err(), lost > 0, "{launch}");
        assert_eq!(graph.pending(), 0, "{launch}");
        let double = double.clone();
        let work = move |(x,): (&Vector<u32>,)| Ok(double.run((x,))?.host()?.to_vec());
        let later = graph.task("later", (x.read(),), work);
        let later = later.units(Units::Devices).submit().unwrap();
        assert!(is_right(&later.wait().unwrap()), "{launch}");
    }
}

#[test]
fn a_dropped_graph_finishes_its_tasks_and_drops_their_data() {
    let data = Arc::new(());
    let done = Arc::new(AtomicBool::new(false));
    {
        let graph = graph();
        let x = graph.handle(Arc::clone(&data));
        let done = Arc::clone(&done);
        graph
            .task("last", (x.read(),), move |(_,)| {
                std::thread::sleep(std::time::Duration::from_millis(5));
                done.store(true, Ordering::Relaxed);
                Ok(())
            })
            .submit()
            .unwrap();
    }
    assert!(done.load(Ordering::Relaxed));
    assert_eq!(Arc::strong_count(&data), 1);
}

/// The slot of a task that was cancelled is the next one's, whose body is not cancelled with it.
#[test]
fn innocent_tasks_are_not_cancelled_with_others() {
    for threads in [1, 2] {
        let graph = graph_of(threads);
        for k in 0..300_u32 {
            let x = graph.handle(0_u32);
            let bad = graph.task("bad", (), |()| -> skel::Result<()> { Err(failure()) });
            let bad = bad.submit().unwrap();
            let behind = graph
                .task("behind", (), |()| Ok(()))
                .after(&bad)
                .submit()
                .unwrap();
            let idle = graph.task("idle", (), |()| Ok(())).submit().unwrap();
            let _may_be_over = idle.cancel();
            let good = graph.task("good", (x.write(),), move |(x,)| Ok(*x = k));
            good.submit().unwrap().wait().unwrap();
            assert!(matches!(
                of_task(behind.wait()),
                TaskError::Cancelled { .. }
            ));
            assert_eq!(graph.take(x).unwrap(), k);
        }
        assert!(graph.wait().is_err());
    }
}

pub(super) fn failure() -> Error {
    Error::Task(TaskError::Taken)
}

pub(super) fn graph_of(threads: usize) -> TaskGraph {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap();
    pool.install(graph)
}

/// What a refused task holds is dropped, and is the last to hold its data.
#[test]
fn a_refused_task_gives_its_data_back() {
    let graph = graph();
    let last = graph.handle(1_u32).update();
    let task = graph
        .task("nowhere", (last,), |(_,)| Ok(()))
        .units(Units::Devices);
    assert!(matches!(
        of_task(task.submit()),
        TaskError::NoImplementation { .. }
    ));
    let held = graph.handle(2_u32);
    let task = graph.task("nowhere", (), move |()| {
        drop(held);
        Ok(())
    });
    assert!(task.units(Units::Devices).submit().is_err());
    graph.wait().unwrap();
}

#[test]
fn a_reduction_may_be_read_twice_and_by_many() {
    let graph = graph();
    let sum = graph.reduction(1_u32, |a, b| a + b);
    graph
        .task("add", (sum.contribute(),), |(x,)| Ok(*x = Some(2)))
        .submit()
        .unwrap();
    let twice = graph.task("twice", (sum.read(), sum.read()), |(a, b): (&u32, &u32)| {
        Ok(a + b)
    });
    assert_eq!(twice.submit().unwrap().wait().unwrap(), 6);
}

/// With a body by hand for devices, the Rust function may do anything.
#[user_function(unsafe(wgsl = "return a + 1u;"))]
fn with_pool(a: u32) -> u32 {
    let nap = || std::thread::sleep(std::time::Duration::from_micros(300));
    rayon::join(nap, nap);
    a + 1
}

/// A user function that lets the pool work may be sent back to the call that it is part of.
#[test]
fn user_functions_that_wait_for_the_pool_do_not_wait_for_their_own_call() {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(3)
        .build()
        .unwrap();
    let context = Context::builder().build().unwrap();
    let x: Vec<u32> = (0..64).collect();
    let next = map!(with_pool)
        .within(context)
        .on(Tasks::default().chunks(16));
    for _ in 0..20 {
        assert_eq!(
            pool.install(|| next.run((&x,)).unwrap()).host().unwrap()[3],
            4
        );
    }
    // From two threads that are none of the pool's.
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for _ in 0..10 {
                    assert_eq!(next.run((&x,)).unwrap().host().unwrap()[9], 10);
                }
            });
        }
    });
}

#[test]
fn data_is_not_taken_by_a_task_of_the_graph() {
    let graph = Arc::new(graph());
    let x = graph.handle(3_u32);
    let (inner, handle) = (Arc::downgrade(&graph), x.clone());
    let task = graph.task("takes", (), move |()| {
        let graph = inner.upgrade().unwrap();
        assert_eq!(of_task(graph.take(handle)), TaskError::WouldDeadlock);
        Ok(())
    });
    task.submit().unwrap().wait().unwrap();
    assert_eq!(Arc::into_inner(graph).unwrap().take(x).unwrap(), 3);
}

#[test]
fn contributions_count_in_the_order_of_submission_not_of_declaration() {
    let graph = graph();
    let said = graph.reduction(String::new(), |a, b| a + &b);
    let (later, first) = (said.contribute(), said.contribute());
    graph
        .task("say", (first,), |(x,)| Ok(*x = Some("first ".into())))
        .submit()
        .unwrap();
    graph
        .task("say", (later,), |(x,)| Ok(*x = Some("later".into())))
        .submit()
        .unwrap();
    let read = graph.task("read", (said.read(),), |(x,): (&String,)| Ok(x.clone()));
    assert_eq!(read.submit().unwrap().wait().unwrap(), "first later");
}

#[test]
fn a_device_that_fails_leaves_its_chunks_to_others() {
    for operation in [Operation::Launch, Operation::Upload] {
        let mock = Mock::named("broken").fails(operation, 1);
        let context = Context::builder()
            .unit(mock.unit().unwrap())
            .build()
            .unwrap();
        let double = map!(|x: u32| 2 * x)
            .within(context)
            .on(Tasks::default().chunks(10));
        let x = Vector::from((0..10_000).collect::<Vec<u32>>());
        let y = double.run((&x,)).unwrap();
        assert!(
            y.host()
                .unwrap()
                .iter()
                .zip(0..)
                .all(|(y, x): (&u32, u32)| *y == 2 * x)
        );
    }
}
