//! What goes wrong in calls by chunks: a chunk fails alone, what cannot be done is refused, and nothing hangs.

use super::faults::{graph, graph_of, of_task};
use skel::{
    Context, Error, Watchdog,
    mock::{Gate, Mock, Operation},
    prelude::*,
    tasks::{CallTasks, Handle, TaskError, TaskGraph, Units},
};
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

pub(super) fn context(mocks: &[Mock]) -> Context {
    let builder = Context::builder();
    let add = |builder: skel::ContextBuilder, mock: &Mock| builder.unit(mock.unit().unwrap());
    mocks.iter().fold(builder, add).build().unwrap()
}

/// Doubles by chunks.
pub(super) fn double(
    graph: &TaskGraph,
    context: &Context,
    x: &Handle<Vector<u32>>,
    y: &Handle<Vector<u32>>,
    chunks: usize,
) -> CallTasks {
    let double = map!(|x: u32| 2 * x).within(context.clone());
    let call = graph.call("double", (x.read(), y.write()), move |(x, y)| {
        double.run_into((x,), y)
    });
    call.chunks(chunks).submit().unwrap()
}

pub(super) fn outcomes(tasks: CallTasks) -> Vec<skel::Result<()>> {
    tasks.into_iter().map(|task| task.wait()).collect()
}

#[test]
fn a_chunk_that_traps_takes_with_it_what_reads_its_elements_and_nothing_else() {
    for (mocks, units) in [(0, Units::Any), (1, Units::Devices), (1, Units::Any)] {
        let mocks: Vec<Mock> = (0..mocks).map(|_| Mock::named("mock")).collect();
        let context = context(&mocks);
        let graph = TaskGraph::new(&context).unwrap();
        let x = graph.handle(Vector::from_fn(640, |i| if i == 200 { 0 } else { 1_u32 }));
        let blank = || graph.handle(Vector::filled(640, 0_u32));
        let (y, z) = (blank(), blank());
        let divide = map!(|x: u32| 6 / x).within(context.clone());
        let call = graph.call("divide", (x.read(), y.write()), move |(x, y)| {
            divide.run_into((x,), y)
        });
        let divided = call.chunks(5).units(units).submit().unwrap();
        let cause = divided.tasks()[1].id();
        let doubled = double(&graph, &context, &y, &z, 5);
        let read = graph.task("read", (z.read(),), |(z,): (&Vector<u32>,)| z.to_vec());
        let read = read.submit().unwrap();
        for (chunk, outcome) in outcomes(divided).into_iter().enumerate() {
            match (chunk, outcome) {
                (1, Err(Error::Trap { index, .. })) => assert_eq!(index, Some(200)),
                (1, other) => panic!("{other:?}"),
                (_, other) => other.unwrap(),
            }
        }
        for (chunk, outcome) in outcomes(doubled).into_iter().enumerate() {
            match chunk {
                1 => assert_eq!(of_task(outcome), TaskError::Cancelled { cause }),
                _ => outcome.unwrap(),
            }
        }
        assert_eq!(of_task(read.wait()), TaskError::Cancelled { cause });
        assert!(matches!(graph.wait(), Err(Error::Trap { .. })));
        // Elements of the other chunks may be read on; the failed ones are healed by what writes them.
        double(&graph, &context, &y, &z, 3);
        assert!(graph.wait().is_ok(), "cancelled tasks are no new error");
        double(&graph, &context, &x, &y, 7);
        double(&graph, &context, &y, &z, 2);
        let z = graph.take(z).unwrap().to_vec().unwrap();
        assert!(
            z.iter()
                .enumerate()
                .all(|(i, z)| *z == if i == 200 { 0 } else { 4 })
        );
    }
}

#[test]
fn a_closure_that_panics_for_one_chunk_fails_that_chunk() {
    let graph = graph_of(1);
    let context = context(&[]);
    let x = graph.handle(Vector::filled(640, 1_u32));
    let y = graph.handle(Vector::filled(640, 0_u32));
    let (next, runs) = (map!(|x: u32| x + 1).within(context), AtomicUsize::new(0));
    let call = graph.call("next", (x.read(), y.write()), move |(x, y)| {
        // Once to plan, and then one chunk after the other on one thread.
        match runs.fetch_add(1, Ordering::SeqCst) {
            3 => panic!("on purpose"),
            _ => next.run_into((x,), y),
        }
    });
    let done = outcomes(call.chunks(4).submit().unwrap());
    assert_eq!(done.iter().filter(|done| done.is_ok()).count(), 3);
    assert_eq!(
        of_task(done.into_iter().find(Result::is_err).unwrap()),
        TaskError::Panicked {
            kind: "next".into(),
            message: "on purpose".into()
        }
    );
    assert!(graph.take(y).is_err());
    assert_eq!(graph.take(x).unwrap().host().unwrap()[639], 1);
}

/// From so many chunks on, several share what the graph orders.
#[test]
fn a_chunk_that_fails_among_thousands_is_not_healed_by_its_neighbours() {
    let context = context(&[]);
    for bad in [0_u32, 4000, 4999, 5999] {
        let graph = graph();
        let (x, y) = (
            graph.handle(Vector::from_fn(6000, move |i| u32::from(i as u32 != bad))),
            graph.handle(Vector::filled(6000, 0_u32)),
        );
        let divide = map!(|x: u32| 6 / x).within(context.clone());
        let call = graph.call("divide", (x.read(), y.write()), move |(x, y)| {
            divide.run_into((x,), y)
        });
        let divided = call.chunks(6000).submit().unwrap();
        assert_eq!(
            divided.len(),
            6000,
            "as many as wanted, though more than may be submitted"
        );
        let failed = outcomes(divided).into_iter().filter(Result::is_err).count();
        assert!(failed >= 1, "{bad}");
        assert!(graph.take(y).is_err(), "{bad}");
        assert!(graph.take(x).is_ok());
    }
}

#[test]
fn no_task_sees_a_call_in_part() {
    let context = context(&[]);
    let graph = graph();
    let y = graph.handle(Vector::filled(64, 0_u32));
    let next = map!(|y: &mut u32| *y += 1).within(context);
    thread::scope(|s| {
        let reader = s.spawn(|| {
            let look = || {
                let read = graph.task("look", (y.read(),), |(y,): (&Vector<u32>,)| y.to_vec());
                read.submit().unwrap().wait().unwrap()
            };
            let mut last = 0;
            while last < 100 {
                let seen = look();
                assert!(seen.iter().all(|one| *one == seen[0]), "{seen:?}");
                assert!(seen[0] >= last);
                last = seen[0];
            }
        });
        for _ in 0..100 {
            let next = next.clone();
            let call = graph.call("next", (y.update(),), move |(y,)| next.run((y,)));
            call.chunks(16).submit().unwrap();
        }
        reader.join().unwrap();
    });
}

#[test]
fn chunks_come_after_a_task_and_are_not_waited_for_in_one() {
    let graph = Arc::new(graph());
    let context = context(&[]);
    let (x, y) = (
        graph.handle(Vector::filled(640, 1_u32)),
        graph.handle(Vector::filled(640, 0_u32)),
    );
    let fails = graph.task("fails", (), |()| -> skel::Result<()> {
        panic!("on purpose")
    });
    let fails = fails.submit().unwrap();
    let after = map!(|x: u32| x + 1).within(context.clone());
    let call = graph.call("after", (x.read(), y.write()), move |(x, y)| {
        after.run_into((x,), y)
    });
    let cause = fails.id();
    for outcome in outcomes(call.after(&fails).priority(3).chunks(4).submit().unwrap()) {
        assert_eq!(of_task(outcome), TaskError::Cancelled { cause });
    }
    assert!(graph.wait().is_err());
    let (inside, given) = (Arc::clone(&graph), (x.clone(), y.clone()));
    let waits = graph.task("waits", (), move |()| {
        let tasks = double(&inside, &context, &given.0, &given.1, 4);
        Ok(of_task(tasks.wait()) == TaskError::WouldDeadlock)
    });
    assert!(waits.submit().unwrap().wait().unwrap());
    graph.wait().unwrap();
}

#[test]
fn chunks_that_have_not_begun_are_cancelled() {
    let graph = graph_of(1);
    let context = context(&[]);
    let (gate, x) = (Gate::new(), graph.handle(Vector::filled(640, 1_u32)));
    let y = graph.handle(Vector::filled(640, 0_u32));
    let opens = gate.clone();
    graph
        .task("gate", (x.read(),), move |(_,): (&Vector<u32>,)| {
            opens.reached();
            Ok(())
        })
        .submit()
        .unwrap();
    let z = graph.handle(Vector::filled(640, 0_u32));
    let first = double(&graph, &context, &x, &y, 3);
    let second = double(&graph, &context, &y, &z, 3);
    first.cancel();
    gate.open();
    let cancelled = |outcome| matches!(of_task(outcome), TaskError::Cancelled { .. });
    // One may have begun.
    let of_first = outcomes(first).into_iter().filter(Result::is_err);
    assert!(of_first.map(cancelled).filter(|it| *it).count() >= 2);
    let of_second = outcomes(second).into_iter().filter(Result::is_err);
    assert!(of_second.map(cancelled).filter(|it| *it).count() >= 2);
    assert_eq!(graph.pending(), 0);
    let _errors = graph.wait();
    assert_eq!(graph.take(x).unwrap().host().unwrap()[0], 1);
}

/// Steps on a device that is lost, fails, hangs or is out of memory on the way: right, or an error with that as its cause.
#[test]
fn steps_by_chunks_outlive_a_device_or_say_what_is_lost() {
    let operations = [
        Operation::Allocate,
        Operation::Upload,
        Operation::Launch,
        Operation::Download,
    ];
    let never = Gate::new();
    let (mut right, mut lost) = (0, 0);
    for operation in operations {
        for n in [1, 2, 3, 5, 9] {
            let vanishes = Mock::named("vanishes").vanishes(operation, n);
            let fails = Mock::named("fails").fails(operation, n);
            let short = Mock::named("short").runs_short(operation, n);
            let hangs = Mock::named("hangs").waits(operation, n, &never);
            for (k, mock) in [vanishes, fails, short, hangs].into_iter().enumerate() {
                let what = format!("{operation:?} {n} {k}");
                let builder = Context::builder().unit(mock.unit().unwrap());
                let watchdog = Watchdog::After(Duration::from_millis(100));
                let context = builder.watchdog(watchdog).build().unwrap();
                let graph = TaskGraph::new(&context).unwrap();
                let mean = map_overlap!(|x: Window1<u32, 1>| x[-1] + x[1]);
                let mean = mean.edge(Edge::Duplicate).within(context.clone());
                let mut x = graph.handle(Vector::from_fn(640, |i| i as u32));
                let mut y = graph.handle(Vector::filled(640, 0_u32));
                let mut expected: Vec<u32> = (0..640).collect();
                for _ in 0..4 {
                    let mean = mean.clone();
                    let call = graph.call("mean", (x.read(), y.write()), move |(x, y)| {
                        mean.run_into((x,), y)
                    });
                    call.chunks(4).submit().unwrap();
                    std::mem::swap(&mut x, &mut y);
                    let at = |i: usize| expected[i.min(639)];
                    expected = (0..640)
                        .map(|i: usize| at(i.saturating_sub(1)) + at(i + 1))
                        .collect();
                }
                let waited = graph.wait();
                assert_eq!(graph.pending(), 0, "{what}");
                let found = graph.take(x).and_then(|x| x.to_vec());
                match found {
                    Ok(found) => {
                        assert_eq!(found, expected, "{what}");
                        right += 1;
                    }
                    Err(error) => {
                        let error = waited.err().unwrap_or(error);
                        assert!(error.root_cause().is_of_device(), "{what}: {error}");
                        lost += 1;
                    }
                }
            }
        }
    }
    never.open();
    // Most are made good: what the device fails to compute, its thread computes.
    assert!(right > lost, "{right} {lost}");
}
