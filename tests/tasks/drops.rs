//! What panics when it is dropped or combined, and graphs that are dropped by their own tasks.

use super::faults::{failure, graph, graph_of, of_task};
use crate::limits::with_longer_and_longer;
use skel::{
    Error,
    tasks::{Handle, TaskError, TaskGraph},
};
use std::{
    fmt,
    pin::Pin,
    sync::{Arc, atomic::Ordering, mpsc},
    task::{self, Wake},
    time::Duration,
};

struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("a bomb");
    }
}

/// The worker that ends the task calls it.
#[test]
fn a_waker_that_panics_is_the_users_loss() {
    struct Bad;
    impl Wake for Bad {
        fn wake(self: Arc<Self>) {
            panic!("woken");
        }
    }
    let graph = graph_of(1);
    let (go, wait) = mpsc::channel();
    let mut task = graph
        .task("waits", (), move |()| {
            let _gone = wait.recv();
            Ok(7)
        })
        .submit()
        .unwrap();
    let waker = Arc::new(Bad).into();
    let polled = Pin::new(&mut task).poll(&mut task::Context::from_waker(&waker));
    assert!(polled.is_pending());
    go.send(()).unwrap();
    assert_eq!(task.wait().unwrap(), 7);
    graph.wait().unwrap();
}

#[test]
fn what_panics_when_it_is_dropped_or_combined_is_an_error() {
    let graph = graph_of(1);
    let sum = graph.reduction(0_u32, |_, _| panic!("combined"));
    let add = graph.task("add", (sum.contribute(),), |(x,)| Ok(*x = Some(1)));
    let add = add.submit().unwrap();
    assert!(matches!(of_task(add.wait()), TaskError::Panicked { .. }));
    let _first = graph.wait();
    // In a closure that runs, in a result that is not asked for, in one that is cancelled.
    let bomb = Bomb;
    let runs = graph.task("runs", (), move |()| {
        let _bomb = &bomb;
        Ok(())
    });
    assert!(matches!(
        of_task(runs.submit().unwrap().wait()),
        TaskError::Panicked { .. }
    ));
    // Whichever thread drops the result last has the bomb.
    let result = graph.task("result", (), |()| Ok(Bomb)).submit().unwrap();
    let _here_or_there = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| drop(result)));
    let bad = graph
        .task("bad", (), |()| -> skel::Result<()> { Err(failure()) })
        .submit()
        .unwrap();
    let bomb = Bomb;
    let behind = graph.task("behind", (), move |()| {
        let _bomb = &bomb;
        Ok(())
    });
    let behind = behind.after(&bad).submit().unwrap();
    assert!(matches!(
        of_task(behind.wait()),
        TaskError::Cancelled { .. }
    ));
    assert!(graph.wait().is_err());
    // The workers are still there.
    assert_eq!(
        graph
            .task("goes on", (), |()| Ok(5))
            .submit()
            .unwrap()
            .wait()
            .unwrap(),
        5
    );
}

#[test]
fn a_graph_may_be_dropped_by_its_own_task_and_finishes_all() {
    for _ in 0..20 {
        let done = Arc::new(std::sync::atomic::AtomicU32::new(0));
        let cell: Arc<std::sync::Mutex<Option<TaskGraph>>> = Arc::default();
        *cell.lock().unwrap() = Some(graph());
        let (own, counts) = (Arc::clone(&cell), Arc::clone(&done));
        let submit = |graph: &TaskGraph| {
            let task = graph.task("drops", (), move |()| {
                let graph = own.lock().unwrap().take().unwrap();
                for _ in 0..10 {
                    let counts = Arc::clone(&counts);
                    let leaf = graph.task("leaf", (), move |()| {
                        counts.fetch_add(1, Ordering::Relaxed);
                        Ok(())
                    });
                    leaf.submit()?;
                }
                Ok(())
            });
            task.submit().unwrap();
        };
        submit(cell.lock().unwrap().as_ref().unwrap());
        let started = std::time::Instant::now();
        while done.load(Ordering::Relaxed) < 10 {
            assert!(started.elapsed().as_secs() < 60, "tasks were left");
            std::thread::yield_now();
        }
    }
}

/// An error of the user's that has what the user puts into it.
struct Holds<T>(T);

impl<T> fmt::Debug for Holds<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Holds")
    }
}

impl<T> fmt::Display for Holds<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("on purpose")
    }
}

impl<T> std::error::Error for Holds<T> {}

/// More tasks fail than a graph keeps errors of, each with an error that holds what `of` gives. Whether all have ended
/// in time.
fn many_fail<T: Send + Sync + 'static>(
    limit: Duration,
    of: impl Fn(&TaskGraph) -> T + Send + 'static,
) -> Option<()> {
    let (ended, end) = mpsc::channel();
    std::thread::spawn(move || {
        let graph = graph_of(1);
        for _ in 0..70 {
            let held = of(&graph);
            let fails = move |()| -> skel::Result<()> { Err(Error::other(Holds(held))) };
            drop(graph.task("fails", (), fails).submit().unwrap());
        }
        // The first error is not the graph's any more: who drops it has what it does.
        std::mem::forget(graph.wait().unwrap_err());
        assert_eq!(graph.pending(), 0);
        drop(graph);
        ended.send(()).unwrap();
    });
    end.recv_timeout(limit).ok()
}

#[test]
fn errors_that_hold_the_last_handle_or_panic_when_they_are_dropped_leave_the_workers_alone() {
    let second = Duration::from_secs(1);
    with_longer_and_longer(second, |limit| {
        many_fail(limit, |graph| graph.handle(1_u32))
    });
    with_longer_and_longer(second, |limit| many_fail(limit, |_| Bomb));
}

#[test]
fn what_an_error_holds_is_dropped_with_the_graph() {
    let (probe, graph) = (Arc::new(()), graph_of(1));
    let held: Handle<Arc<()>> = graph.handle(Arc::clone(&probe));
    let fails = move |()| -> skel::Result<()> { Err(Error::other(Holds(held))) };
    drop(graph.task("fails", (), fails).submit().unwrap());
    drop(graph);
    assert_eq!(Arc::strong_count(&probe), 1);
}
