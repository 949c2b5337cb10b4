//! Values to which tasks contribute: how many contributions are kept, and what a panic leaves.

use super::faults::{graph_of, of_task};
use skel::tasks::TaskError;
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// A contribution, which counts those that there are.
struct Counted {
    digits: u64,
    alive: Arc<AtomicUsize>,
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.alive.fetch_sub(1, Ordering::Relaxed);
    }
}

fn counted(digits: u64, alive: &Arc<AtomicUsize>, most: &AtomicUsize) -> Counted {
    most.fetch_max(alive.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
    let alive = Arc::clone(alive);
    Counted { digits, alive }
}

/// They are combined as they come, in the order of submission: not only where the value is read.
#[test]
fn contributions_do_not_pile_up() {
    let (alive, most) = <(Arc<AtomicUsize>, Arc<AtomicUsize>)>::default();
    let graph = graph_of(2);
    let append = |mut a: Counted, b: Counted| {
        a.digits = a.digits.wrapping_mul(7).wrapping_add(b.digits);
        a
    };
    let sum = graph.reduction(counted(1, &alive, &most), append);
    let mut expected = 1_u64;
    for k in 0..50_000_u64 {
        let (alive, most) = (Arc::clone(&alive), Arc::clone(&most));
        let give = move |(given,): (&mut Option<Counted>,)| {
            // Some give nothing.
            *given = (k % 5 != 0).then(|| counted(k, &alive, &most));
            Ok(())
        };
        graph
            .task("give", (sum.contribute(),), give)
            .submit()
            .unwrap();
        if k % 5 != 0 {
            expected = expected.wrapping_mul(7).wrapping_add(k);
        }
    }
    let read = |(sum,): (&Counted,)| Ok(sum.digits);
    let read = graph.task("read", (sum.read(),), read).submit().unwrap();
    assert_eq!(read.wait().unwrap(), expected);
    // So many tasks are not over, at most, and a core may be slow with one while others go on.
    let most = most.load(Ordering::Relaxed);
    assert!(most < 20_000, "{most} contributions at a time");
    drop((graph, sum));
    assert_eq!(alive.load(Ordering::Relaxed), 0);
}

/// A task that is cancelled gives nothing, and keeps nothing from being combined.
#[test]
fn what_is_cancelled_gives_nothing() {
    let graph = graph_of(1);
    let sum = graph.reduction(1_u32, |a, b| a + b);
    let give = |x: u32| move |(given,): (&mut Option<u32>,)| Ok(*given = Some(x));
    let (go, wait) = std::sync::mpsc::channel::<()>();
    let hold = move |()| Ok(wait.recv().is_err());
    let hold = graph.task("hold", (), hold).submit().unwrap();
    let mut tasks = Vec::new();
    for x in [10, 100, 1000] {
        let task = graph.task("give", (sum.contribute(),), give(x));
        tasks.push(task.after(&hold).submit().unwrap());
    }
    tasks[1].cancel().unwrap();
    go.send(()).unwrap();
    let read = graph.task("read", (sum.read(),), |(sum,): (&u32,)| Ok(*sum));
    match read.submit().unwrap().wait() {
        Ok(sum) => assert_eq!(sum, 1011),
        Err(error) => assert!(matches!(
            of_task::<u32>(Err(error)),
            TaskError::Cancelled { .. }
        )),
    }
}

/// The task that combines has the error, and no later one succeeds as if nothing had been lost.
#[test]
fn combining_that_panics_loses_the_value_for_all() {
    let graph = graph_of(1);
    let sum = graph.reduction(0_u32, |_, _| panic!("combined"));
    let add = || {
        let add = graph.task("add", (sum.contribute(),), |(x,)| Ok(*x = Some(1)));
        add.submit().unwrap()
    };
    let read = || {
        let read = graph.task("read", (sum.read(),), |(x,): (&u32,)| Ok(*x));
        read.submit().unwrap()
    };
    let (first, reader) = (add(), read());
    let error = of_task(first.wait());
    assert!(matches!(error, TaskError::Panicked { message, .. } if message == "combined"));
    assert!(matches!(
        of_task(reader.wait()),
        TaskError::Cancelled { .. }
    ));
    for _ in 0..2 {
        of_task(add().wait());
        of_task(read().wait());
    }
    of_task(graph.wait());
}
