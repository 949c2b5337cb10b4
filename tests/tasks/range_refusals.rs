//! Calls by chunks that are refused, at `submit` or chunk by chunk.

use super::{
    faults::{graph, of_task},
    range_faults::{context, double, outcomes},
};
use skel::{
    Error,
    prelude::*,
    tasks::{CallTasks, TaskError, Units},
};
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// The reason why a call is refused.
fn reason(submitted: skel::Result<CallTasks>) -> String {
    match of_task(submitted) {
        TaskError::NotByChunks { reason, .. } => reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_cannot_be_computed_by_chunks_is_refused_with_the_reason() {
    let graph = graph();
    let context = context(&[]);
    let x = graph.handle(Matrix::from_fn(8, 8, |i, j| (8 * i + j) as u32));
    let y = graph.handle(Matrix::filled(8, 8, 0_u32));
    let line = graph.handle(Vector::filled(8, 1_u32));

    let sum = reduce!(|a: u32, b: u32| a + b).within(context.clone());
    let call = graph.call("sum", (x.read(),), move |(x,)| sum.run((x,)).map(drop));
    assert!(reason(call.submit()).contains("parts of one value"));

    let sums = scan!(|a: u32, b: u32| a + b).within(context.clone());
    let call = graph.call("sums", (line.read(),), move |(x,)| sums.run((x,)).map(drop));
    assert!(reason(call.submit()).contains("scan"));

    let draw = map!(|random: &mut Random, x: u32| x + random.next_u32() % 2);
    let draw = draw.within(context.clone());
    let call = graph.call("draw", (x.read(), y.write()), move |(x, y)| {
        draw.run_into((x,), y)
    });
    assert!(reason(call.submit()).contains("random"));

    let next = map!(|x: u32| x + 1).within(context.clone());
    let twice = next.clone();
    let call = graph.call("new", (x.read(),), {
        let next = next.clone();
        move |(x,)| next.run((x,)).map(drop)
    });
    assert!(reason(call.submit()).contains("other data than that of its handles"));

    let change = map!(|x: &mut u32| *x += 1).within(context.clone());
    let call = graph.call("twice", (x.read(), line.update()), {
        let change = change.clone();
        move |(x, line)| {
            change.run((line,))?;
            twice.run((x,)).map(drop)
        }
    });
    assert!(reason(call.submit()).contains("several calls"));
    let call = graph.call("none", (x.read(),), |(_,)| Ok(()));
    assert!(reason(call.submit()).contains("no call"));

    // The closure looks at elements, of which there are none yet.
    let call = graph.call("looks", (x.read(), y.write()), {
        let next = next.clone();
        move |(x, y)| {
            let _first = x.host()?[0];
            next.run_into((x,), y)
        }
    });
    let looked = of_task(call.submit());
    assert_eq!(looked, TaskError::NotOfChunk { start: 0, end: 64 });

    // What is wrong with the call itself.
    let call = graph.call("shapes", (line.read(), y.write()), |(_, _)| {
        let mut y = Matrix::filled(2, 2, 0_u32);
        map!(|x: u32| x).run_into((&Matrix::filled(2, 3, 0_u32),), &mut y)
    });
    let error = call.submit().unwrap_err();
    assert!(matches!(error, Error::ShapeMismatch { .. }), "{error}");

    let call = graph.call("zero", (x.read(), y.write()), move |(x, y)| {
        next.run_into((x,), y)
    });
    let error = call.chunks(0).submit().unwrap_err();
    assert!(matches!(error, Error::BadOption(_)), "{error}");
    let call = graph.call("twice", (x.read(), x.update()), |(_, _)| Ok(()));
    assert!(matches!(of_task(call.submit()), TaskError::Conflict { .. }));
    let foreign = super::faults::graph();
    let call = foreign.call("foreign", (x.read(),), |(_,)| Ok(()));
    assert!(matches!(
        of_task(call.submit()),
        TaskError::UnknownHandle { .. }
    ));
    let call = graph.call("nowhere", (line.update(),), move |(x,)| change.run((x,)));
    assert!(matches!(
        of_task(call.units(Units::Devices).submit()),
        TaskError::NoImplementation { .. }
    ));

    // Nothing has run.
    assert_eq!(graph.pending(), 0);
    assert!(graph.wait().is_ok());
    assert_eq!(graph.take(x).unwrap().host().unwrap()[63], 63);
    assert_eq!(graph.take(y).unwrap().host().unwrap()[63], 0);
    assert_eq!(graph.take(line).unwrap().host().unwrap()[7], 1);
}

#[test]
fn a_container_that_a_task_has_put_in_place_of_another_shape_is_an_error() {
    let context = context(&[]);
    let refused = |tasks: CallTasks| {
        for outcome in outcomes(tasks) {
            let error = of_task(outcome);
            assert!(
                matches!(&error, TaskError::NotByChunks { reason, .. } if reason.contains("another shape")),
                "{error:?}"
            );
        }
    };
    let graph = graph();
    let (x, y) = (
        graph.handle(Vector::filled(640, 1_u32)),
        graph.handle(Vector::filled(640, 0_u32)),
    );
    let replace = graph.task("replace", (x.write(),), |(x,)| {
        *x = Vector::filled(10, 1_u32);
        Ok(())
    });
    replace.submit().unwrap();
    refused(double(&graph, &context, &x, &y, 4));
    assert!(graph.wait().is_err());
    // As many elements, in other rows.
    let (m, n) = (
        graph.handle(Matrix::filled(6, 8, 1_u32)),
        graph.handle(Matrix::filled(6, 8, 0_u32)),
    );
    let call = || {
        let double = map!(|x: u32| 2 * x).within(context.clone());
        let call = graph.call("double", (m.read(), n.write()), move |(m, n)| {
            double.run_into((m,), n)
        });
        call.chunks(3).submit().unwrap()
    };
    let turn = graph.task("turn", (m.update(),), |(m,)| {
        *m = Matrix::filled(8, 6, 1_u32);
        Ok(())
    });
    turn.submit().unwrap();
    refused(call());
    // One of the same shape is as good as the first.
    let turn = graph.task("turn back", (m.update(),), |(m,)| {
        *m = Matrix::filled(6, 8, 3_u32);
        Ok(())
    });
    turn.submit().unwrap();
    call().wait().unwrap();
    let n = graph.take(n).unwrap().to_vec().unwrap();
    assert!(n.iter().all(|doubled| *doubled == 6));
    assert!(graph.wait().is_err(), "the chunks that were refused");
}

#[test]
fn a_closure_that_panics_when_the_call_is_planned_is_an_error_of_submit() {
    let graph = graph();
    let x = graph.handle(Vector::filled(640, 1_u32));
    let call = graph.call("panics", (x.read(),), |(_,)| panic!("on purpose"));
    let error = of_task(call.submit());
    assert!(
        matches!(&error, TaskError::Panicked { kind, message } if kind == "panics" && message == "on purpose"),
        "{error}"
    );
    // The thread goes on as it was.
    assert_eq!(
        map!(|x: u32| x + 1)
            .run((&vec![1],))
            .unwrap()
            .to_vec()
            .unwrap(),
        [2]
    );
    assert!(graph.wait().is_ok());
}

#[test]
fn chunks_that_make_another_call_than_was_planned_have_failed() {
    let context = context(&[]);
    let graph = graph();
    let (x, y) = (
        graph.handle(Vector::from_fn(640, |i| i as u32)),
        graph.handle(Vector::filled(640, 0_u32)),
    );
    let double = map!(|x: u32| 2 * x).within(context.clone());
    let triple = map!(|x: u32| 3 * x).within(context.clone());
    let sum = reduce!(|a: u32, b: u32| a + b).within(context.clone());
    let inner = map_overlap!(|x: Window1<u32, 1>| x[-1] + x[1]);
    let inner = inner.edge(Edge::Cyclic).within(context);
    for other in 0..4 {
        let (double, triple, sum) = (double.clone(), triple.clone(), sum.clone());
        let (inner, calls) = (inner.clone(), AtomicUsize::new(0));
        let call = graph.call("other", (x.read(), y.write()), move |(x, y)| {
            match (calls.fetch_add(1, Ordering::Relaxed), other) {
                (0, _) => double.run_into((x,), y),
                (_, 0) => triple.run_into((x,), y),
                (_, 1) => double.run((x,)).map(drop),
                (_, 2) => sum.run((x,)).map(drop),
                (_, _) => inner.run_into((x,), y),
            }
        });
        for outcome in outcomes(call.chunks(3).submit().unwrap()) {
            let error = of_task(outcome);
            assert!(
                matches!(&error, TaskError::NotByChunks { reason, .. } if reason.contains("another call")),
                "{other}: {error:?}"
            );
        }
        assert!(graph.wait().is_err());
    }
    assert!(graph.take(y).is_err(), "it was not written");
}

/// A closure that lends what it has of a container to another graph reaches its own elements there, and no others.
#[test]
fn what_a_chunk_has_is_not_more_in_another_graph() {
    let context = context(&[]);
    let (graph, second) = (graph(), Arc::new(graph()));
    let (x, y) = (
        graph.handle(Vector::from_fn(640, |i| i as u32)),
        graph.handle(Vector::filled(640, 0_u32)),
    );
    let double = map!(|x: u32| 2 * x).within(context);
    let refused = Arc::new(AtomicUsize::new(0));
    let call = graph.call("lends", (x.read(), y.write()), {
        let refused = Arc::clone(&refused);
        move |(x, y)| {
            let mut all = Vector::filled(640, 0_u32);
            let inner = second.scope(|s| {
                let (x, all) = (s.lend(x), s.lend_mut(&mut all));
                let leak = s.call("leak", (x.read(), all.write()), |(x, all)| {
                    double.run_into((x,), all)
                });
                leak.submit()?.wait()
            });
            if matches!(inner, Err(Error::Task(TaskError::NotOfChunk { .. }))) {
                refused.fetch_add(1, Ordering::Relaxed);
            }
            double.run_into((x,), y)
        }
    });
    call.chunks(4).submit().unwrap().wait().unwrap();
    let planned = 1;
    assert_eq!(
        refused.load(Ordering::Relaxed),
        planned + 4,
        "by each chunk"
    );
    let y = graph.take(y).unwrap().to_vec().unwrap();
    assert!(y.iter().enumerate().all(|(i, y)| *y == 2 * i as u32));
}
