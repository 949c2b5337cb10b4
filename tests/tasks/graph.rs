//! Graphs of tasks: order, modes, futures.

use super::faults::{graph_of, of_task};
use skel::{
    Context,
    mock::Mock,
    prelude::*,
    tasks::{Task, TaskError, TaskGraph, Units},
};
use std::{
    pin::Pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    task::{self, Poll, Wake, Waker},
    time::Duration,
};

fn context(devices: usize) -> Context {
    let mut builder = Context::builder();
    for k in 0..devices {
        builder = builder.unit(Mock::named(format!("device {k}")).unit().unwrap());
    }
    builder.build().unwrap()
}

/// As if the tasks ran in the order of their submission.
#[test]
fn a_chain_of_updates_is_in_order_and_readers_see_their_own_state() {
    let graph = TaskGraph::new(&context(1)).unwrap();
    let x = graph.handle(Vec::<u32>::new());
    let mut seen = Vec::new();
    for k in 0..200_u32 {
        graph
            .task("push", (x.update(),), move |(x,)| {
                x.push(k);
                Ok(())
            })
            .submit()
            .unwrap();
        let len = graph.task("len", (x.read(),), |(x,): (&Vec<u32>,)| Ok(x.len()));
        seen.push(len.submit().unwrap());
    }
    for (k, len) in seen.into_iter().enumerate() {
        assert_eq!(len.wait().unwrap(), k + 1);
    }
    assert_eq!(graph.take(x).unwrap(), (0..200).collect::<Vec<_>>());
    // One of them took it out.
    assert_eq!(graph.tasks_by_worker().iter().sum::<u64>(), 401);
}

#[test]
fn skeleton_calls_run_on_the_tasks_worker() {
    let context = context(1);
    let graph = TaskGraph::new(&context).unwrap();
    for (units, device) in [(Units::Cores, false), (Units::Devices, true)] {
        let double = map!(|x: f32| 2.0 * x).within(context.clone()).on(Cpu);
        let x = graph.handle(Vector::from([1.0_f32; 100]));
        let names = graph
            .task("double", (x.read(),), move |(x,): (&Vector<f32>,)| {
                let (y, calls) = skel::observe(|| double.run((x,)));
                assert_eq!(y?.host()?[99], 2.0);
                Ok(calls[0]
                    .parts
                    .iter()
                    .map(|part| part.unit.clone())
                    .collect::<Vec<_>>())
            })
            .units(units)
            .submit()
            .unwrap();
        let names = names.wait().unwrap();
        assert_eq!(
            names.iter().all(|name| name == "device 0"),
            device,
            "{names:?}"
        );
    }
}

#[test]
fn contributions_are_combined_in_the_order_of_submission() {
    let graph = TaskGraph::new(&context(0)).unwrap();
    for _ in 0..20 {
        let digits = graph.reduction(String::new(), |a, b| a + &b);
        for k in 0..10 {
            graph
                .task("digit", (digits.contribute(),), move |(digit,)| {
                    // The later ones are quicker.
                    std::thread::sleep(Duration::from_micros(10 * (10 - k)));
                    *digit = (k % 2 == 0).then(|| k.to_string());
                    Ok(())
                })
                .submit()
                .unwrap();
        }
        let read = graph.task("read", (digits.read(),), |(all,): (&String,)| {
            Ok(all.clone())
        });
        assert_eq!(read.submit().unwrap().wait().unwrap(), "02468");
    }
}

#[test]
fn commuting_tasks_exclude_each_other() {
    let graph = TaskGraph::new(&context(0)).unwrap();
    let (x, inside) = (graph.handle(0_u64), Arc::new(AtomicUsize::new(0)));
    for _ in 0..500 {
        let inside = Arc::clone(&inside);
        graph
            .task("add", (x.commute(),), move |(x,)| {
                assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                *x += 1;
                inside.fetch_sub(1, Ordering::SeqCst);
                Ok(())
            })
            .submit()
            .unwrap();
    }
    assert_eq!(graph.take(x).unwrap(), 500);
}

#[test]
fn tasks_may_submit_tasks() {
    let graph = Arc::new(TaskGraph::new(&context(0)).unwrap());
    let sum = graph.reduction(0_u64, |a, b| a + b);
    fn split(graph: &Arc<TaskGraph>, sum: &skel::tasks::Reduction<u64>, n: u64) {
        let (g, s) = (Arc::downgrade(graph), sum.clone());
        graph
            .task("split", (sum.contribute(),), move |(part,)| {
                if n < 2 {
                    *part = Some(n);
                    return Ok(());
                }
                let graph = g.upgrade().unwrap();
                split(&graph, &s, n / 2);
                split(&graph, &s, n - n / 2);
                Ok(())
            })
            .submit()
            .unwrap();
    }
    split(&graph, &sum, 1000);
    graph.wait().unwrap();
    let read = graph.task("read", (sum.read(),), |(sum,): (&u64,)| Ok(*sum));
    assert_eq!(read.submit().unwrap().wait().unwrap(), 1000);
}

#[test]
fn many_threads_submit_and_wait() {
    let graph = TaskGraph::builder(&context(0))
        .most_submitted(50)
        .build()
        .unwrap();
    let total = Arc::new(Mutex::new(0_u64));
    std::thread::scope(|scope| {
        for t in 0..4_u64 {
            let (graph, total) = (&graph, &total);
            scope.spawn(move || {
                for k in 0..500 {
                    let total = Arc::clone(total);
                    let task = graph.task("add", (), move |()| {
                        *total.lock().unwrap() += t;
                        Ok(k)
                    });
                    let task = task.submit().unwrap();
                    if k % 7 == 0 {
                        assert_eq!(task.wait().unwrap(), k);
                    }
                }
            });
        }
    });
    graph.wait().unwrap();
    assert_eq!(*total.lock().unwrap(), 500 * 6);
}

#[test]
fn a_thread_that_submits_more_than_there_is_room_for_works() {
    const MOST: usize = 8;
    let graph = TaskGraph::builder(&context(0))
        .most_submitted(MOST)
        .build()
        .unwrap();
    let (runs, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
    graph
        .scope(|scope| {
            for _ in 0..500 {
                let (graph, runs) = (&graph, &runs);
                scope
                    .task("count", (), move |()| {
                        runs.fetch_add(1, Ordering::Relaxed);
                        Ok(())
                    })
                    .submit()?;
                most.fetch_max(graph.pending(), Ordering::Relaxed);
            }
            Ok(())
        })
        .unwrap();
    assert_eq!(runs.into_inner(), 500);
    let most = most.into_inner();
    assert!(most <= MOST, "{most} tasks were there at once");
}

/// Blocks of a matrix product, each a task that calls a skeleton.
#[test]
fn a_tiled_product_equals_the_plain_one() {
    let context = context(2);
    let graph = TaskGraph::new(&context).unwrap();
    let (n, tile) = (4, 16);
    let value = |i: usize, j: usize| ((i * 7 + j * 3) % 11) as f32;
    let tiles = |f: fn(usize, usize) -> f32| {
        let graph = &graph;
        let of = move |k: usize| {
            let (bi, bj) = (k / n, k % n);
            graph.handle(Matrix::from_fn(tile, tile, |i, j| {
                f(bi * tile + i, bj * tile + j)
            }))
        };
        (0..n * n).map(of).collect::<Vec<_>>()
    };
    let (a, b, c) = (
        tiles(|i, j| ((i * 7 + j * 3) % 11) as f32),
        tiles(|i, j| ((j * 7 + i * 3) % 11) as f32),
        tiles(|_, _| 0.0),
    );
    let gemm = map!(
        |i: Index2, a: MatrixView<f32>, b: MatrixView<f32>, c: &mut f32| {
            let mut sum = *c;
            for k in 0..a.cols() {
                sum += a[(i.row, k)] * b[(k, i.col)];
            }
            *c = sum;
        }
    );
    let gemm = gemm.within(context.clone());
    for i in 0..n {
        for j in 0..n {
            for k in 0..n {
                let gemm = gemm.clone();
                let accesses = (
                    a[i * n + k].read(),
                    b[k * n + j].read(),
                    c[i * n + j].update(),
                );
                graph
                    .task("gemm", accesses, move |(a, b, c)| gemm.run((a, b, c)))
                    .submit()
                    .unwrap();
            }
        }
    }
    for (k, tile_handle) in c.into_iter().enumerate() {
        let found = graph.take(tile_handle).unwrap();
        let (bi, bj) = (k / n, k % n);
        for i in 0..tile {
            for j in 0..tile {
                let (row, col) = (bi * tile + i, bj * tile + j);
                let of = |k: usize| value(row, k) * value(col, k);
                let expected: f32 = (0..n * tile).map(of).sum();
                assert_eq!(found.host().unwrap()[i * tile + j], expected);
            }
        }
    }
}

/// With one worker it could not end.
#[test]
fn polling_what_is_not_over_in_a_task_of_the_graph_is_an_error_as_waiting_is() {
    let graph = Arc::new(graph_of(1));
    let inner = Arc::downgrade(&graph);
    let polls = graph.task("polls", (), move |()| {
        let graph = inner.upgrade().unwrap();
        let mut never = graph.task("never", (), |()| Ok(())).submit()?;
        let mut context = task::Context::from_waker(Waker::noop());
        match Pin::new(&mut never).poll(&mut context) {
            Poll::Ready(found) => Ok(of_task(found)),
            Poll::Pending => panic!("it will not be over"),
        }
    });
    let found = polls.submit().unwrap().wait().unwrap();
    assert_eq!(found, TaskError::WouldDeadlock);
    graph.wait().unwrap();
}

/// Executors may poll at once what they are woken for. They wait for nothing.
#[test]
fn a_waker_may_poll_other_tasks_of_the_graph() {
    struct Polls(Mutex<(Task<()>, Option<bool>)>);
    impl Wake for Polls {
        fn wake(self: Arc<Self>) {
            let (task, is_pending) = &mut *self.0.lock().unwrap();
            let mut context = task::Context::from_waker(Waker::noop());
            *is_pending = Some(Pin::new(task).poll(&mut context).is_pending());
        }
    }
    let graph = graph_of(1);
    let (go, wait) = mpsc::channel::<()>();
    let work = move |()| {
        let _gone = wait.recv();
        Ok(())
    };
    let first = graph.task("first", (), work);
    let mut first = first.submit().unwrap();
    let second = graph.task("second", (), |()| Ok(())).after(&first);
    let polls = Arc::new(Polls(Mutex::new((second.submit().unwrap(), None))));
    let waker = Arc::clone(&polls).into();
    let polled = Pin::new(&mut first).poll(&mut task::Context::from_waker(&waker));
    assert!(polled.is_pending());
    go.send(()).unwrap();
    graph.wait().unwrap();
    assert_eq!(polls.0.lock().unwrap().1, Some(true));
}

/// Tasks that do not return for a while, on all cores but one, and on the only one.
#[test]
fn a_program_can_watch_its_tasks() {
    for cores in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(cores);
        let context = Context::builder().build().unwrap();
        let graph = pool.build().unwrap().install(|| TaskGraph::new(&context));
        let graph = graph.unwrap();
        let (sends, waits) = std::sync::mpsc::channel::<()>();
        let late = graph.task("late", (), move |()| {
            let _sent_or_dropped = waits.recv();
            Ok(())
        });
        let late = late.submit().unwrap();
        let others: Vec<_> = (0..4)
            .map(|k| graph.task("other", (), move |()| Ok(k)).submit().unwrap())
            .collect();
        assert!(!graph.wait_timeout(Duration::from_millis(50)).unwrap());
        if cores > 1 {
            // Nothing waits for the late one.
            while graph.pending() > 1 {
                assert!(!graph.wait_timeout(Duration::from_millis(1)).unwrap());
            }
        }
        let running = graph.running();
        assert_eq!(running.len(), 1, "{running:?}");
        assert_eq!((running[0].task, &*running[0].kind), (late.id(), "late"));
        sends.send(()).unwrap();
        assert!(graph.wait_timeout(Duration::MAX).unwrap());
        assert_eq!(graph.running(), []);
        let found: Vec<i32> = others
            .into_iter()
            .map(|task| task.wait().unwrap())
            .collect();
        assert_eq!(found, [0, 1, 2, 3]);
        let failing = graph.task("fails", (), |()| Err::<(), _>(skel::Error::other("no")));
        let _failed = failing.submit().unwrap();
        assert!(graph.wait_timeout(Duration::from_secs(600)).is_err());
    }
}
