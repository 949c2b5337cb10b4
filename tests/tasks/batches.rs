//! Tasks that are handed over as one batch.

use skel::{
    Context,
    prelude::*,
    tasks::{TaskGraph, scheduler::Heft},
};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    task::Waker,
    thread,
};

type Sizes = Arc<Mutex<Vec<usize>>>;

/// First in, first out, with the sizes of the batches that it was shown.
#[derive(Debug)]
struct Noting(Sizes);

mod noting {
    use super::{Noting, Sizes};
    use skel::tasks::{
        BadOption, Configuration, Machine, Scheduler, TaskId,
        engine::{ClassId, ClassSet, Hint, View, WorkerId},
    };
    use std::{collections::VecDeque, sync::Arc};

    impl Configuration for Noting {
        fn text(&self) -> String {
            "noting".into()
        }

        fn build(&self, _: &Machine) -> Result<Box<dyn Scheduler>, BadOption> {
            Ok(Box::new(Tasks(Arc::clone(&self.0), VecDeque::new())))
        }
    }

    struct Tasks(Sizes, VecDeque<TaskId>);

    impl Scheduler for Tasks {
        fn plan(&mut self, tasks: &[TaskId], _: &View<'_>) {
            self.0.lock().unwrap().push(tasks.len());
        }

        fn push(&mut self, task: TaskId, _: Option<WorkerId>, _: &View<'_>) -> Hint {
            self.1.push_back(task);
            Hint::any(ClassSet::ALL)
        }

        fn pop(&mut self, _: WorkerId, _: &View<'_>) -> Option<TaskId> {
            self.1.pop_front()
        }

        fn drain(&mut self) -> Vec<TaskId> {
            self.1.drain(..).collect()
        }

        fn ready(&self, _: ClassId) -> usize {
            self.1.len()
        }
    }
}

fn noting() -> (TaskGraph, Sizes) {
    let sizes = Sizes::default();
    let graph = TaskGraph::builder(&Context::builder().build().unwrap())
        .scheduler(Noting(Arc::clone(&sizes)))
        .most_submitted(10);
    (graph.build().unwrap(), sizes)
}

fn sizes(sizes: &Sizes) -> Vec<usize> {
    std::mem::take(&mut sizes.lock().unwrap())
}

/// A task that counts.
fn count(graph: &TaskGraph, ran: &Arc<AtomicUsize>) -> skel::tasks::Task<()> {
    let ran = Arc::clone(ran);
    let count = move |()| {
        ran.fetch_add(1, Ordering::Relaxed);
        Ok(())
    };
    graph.task("count", (), count).submit().unwrap()
}

#[test]
fn none_of_a_batch_runs_before_the_scheduler_knows_all_of_it() {
    let (graph, noted) = noting();
    let ran = Arc::new(AtomicUsize::new(0));
    // More than may be submitted otherwise.
    let seen = graph.batch(|| {
        (0..100).for_each(|_| drop(count(&graph, &ran)));
        graph.batch(|| (0..20).for_each(|_| drop(count(&graph, &ran))));
        thread::scope(|s| {
            s.spawn(|| count(&graph, &ran));
        });
        ran.load(Ordering::Relaxed)
    });
    assert_eq!(seen, 0);
    graph.wait().unwrap();
    assert_eq!(
        (ran.load(Ordering::Relaxed), sizes(&noted)),
        (121, vec![121])
    );
    // Of others there is no plan, and an empty batch is none.
    count(&graph, &ran).wait().unwrap();
    graph.batch(|| ());
    assert!(sizes(&noted).is_empty());
}

#[test]
fn calls_by_chunks_are_part_of_a_batch() {
    let (graph, noted) = noting();
    let double = map!(|x: u32| 2 * x);
    let mut x = graph.handle(Vector::from_fn(640, |i| i as u32));
    let mut y = graph.handle(Vector::filled(640, 0_u32));
    graph.batch(|| {
        for _ in 0..4 {
            let double = double.clone();
            let call = graph.call("double", (x.read(), y.write()), move |(x, y)| {
                double.run_into((x,), y)
            });
            call.chunks(5).submit().unwrap();
            std::mem::swap(&mut x, &mut y);
        }
    });
    assert_eq!(sizes(&noted), [20]);
    let x = graph.take(x).unwrap().to_vec().unwrap();
    assert!(x.iter().enumerate().all(|(i, x)| *x == 16 * i as u32));
}

#[test]
fn what_is_asked_for_in_a_batch_is_not_held_back() {
    let (graph, noted) = noting();
    let ran = Arc::new(AtomicUsize::new(0));
    graph.batch(|| {
        count(&graph, &ran).wait().unwrap();
        count(&graph, &ran);
        graph.wait().unwrap();
        assert_eq!(sizes(&noted), [1, 1]);
        let task = count(&graph, &ran);
        while !task.is_over() {
            thread::yield_now();
        }
        count(&graph, &ran);
        while graph.pending() > 0 {
            thread::yield_now();
        }
        let mut task = pin!(count(&graph, &ran));
        let mut context = std::task::Context::from_waker(Waker::noop());
        while task.as_mut().poll(&mut context).is_pending() {
            thread::yield_now();
        }
        let mut mine = 0;
        graph
            .scope(|s| {
                s.task("mine", (), |()| Ok(mine += 1)).submit()?;
                Ok(())
            })
            .unwrap();
        assert_eq!(mine, 1);
        let handle = graph.handle(7_u32);
        assert_eq!(graph.take(handle).unwrap(), 7);
        assert_eq!(sizes(&noted), [1, 1, 1, 1, 1]);
        // Another thread waits, and this one for that.
        thread::scope(|s| {
            s.spawn(|| count(&graph, &ran).wait().unwrap());
        });
    });
    assert_eq!(ran.load(Ordering::Relaxed), 6);
}

#[test]
fn a_thread_that_waits_keeps_nothing_from_running() {
    let (graph, _) = noting();
    let (go, gone) = mpsc::channel::<()>();
    let task = graph.task("waits", (), move |()| Ok(gone.recv().is_ok()));
    let task = task.submit().unwrap();
    thread::scope(|s| {
        let waits = s.spawn(|| task.wait().unwrap());
        graph.batch(|| {
            // It ends when the other thread waits, or else when it is asked for below.
            let ran = Arc::new(AtomicUsize::new(0));
            let counted = count(&graph, &ran);
            go.send(()).unwrap();
            assert!(waits.join().unwrap());
            counted.wait().unwrap();
        });
    });
}

#[test]
fn a_panic_hands_over_what_was_submitted() {
    let (graph, noted) = noting();
    let ran = Arc::new(AtomicUsize::new(0));
    let panics = || {
        graph.batch(|| {
            count(&graph, &ran);
            count(&graph, &ran);
            panic!("on purpose")
        })
    };
    assert!(catch_unwind(AssertUnwindSafe(panics)).is_err());
    graph.wait().unwrap();
    assert_eq!((ran.load(Ordering::Relaxed), sizes(&noted)), (2, vec![2]));
}

#[test]
fn what_is_cancelled_in_a_batch_does_not_run() {
    let (graph, _) = noting();
    let ran = Arc::new(AtomicUsize::new(0));
    graph.batch(|| {
        let task = count(&graph, &ran);
        task.cancel().unwrap();
    });
    graph.wait().unwrap();
    graph.batch(|| {
        count(&graph, &ran);
        graph.abandon();
        count(&graph, &ran);
    });
    graph.wait().unwrap();
    assert_eq!(ran.load(Ordering::Relaxed), 1, "that after `abandon`");
}

/// Tasks by themselves, then a chain: which of them run in which order, by one worker.
fn order(batched: bool) -> Vec<usize> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let context = Context::builder().build().unwrap();
    let graph = TaskGraph::builder(&context).scheduler(Heft);
    let graph = pool.unwrap().install(|| graph.build().unwrap());
    let order = Arc::new(Mutex::new(Vec::new()));
    let chain = graph.handle(());
    let (go, gone) = mpsc::channel::<()>();
    // Nothing runs before all are submitted, in a batch or not.
    let gate = graph.task("gate", (), move |()| {
        gone.recv().expect("it is sent");
        Ok(())
    });
    gate.submit().unwrap();
    let submit = || {
        for k in 0..6 {
            let order = Arc::clone(&order);
            let note = move || {
                order.lock().unwrap().push(k);
                Ok(())
            };
            let _task = match k < 3 {
                true => graph.task("task", (), move |()| note()).submit(),
                false => graph
                    .task("task", (chain.update(),), move |(_,)| note())
                    .submit(),
            };
        }
    };
    match batched {
        true => graph.batch(submit),
        false => submit(),
    }
    go.send(()).unwrap();
    graph.wait().unwrap();
    let order = order.lock().unwrap();
    order.clone()
}

#[test]
fn heft_runs_a_batch_by_what_waits_for_its_tasks() {
    assert_eq!(order(false)[0], 0, "as they came");
    let order = order(true);
    assert_eq!(order[0], 3, "the head of the longest chain: {order:?}");
    let mut all = order.clone();
    all.sort_unstable();
    assert_eq!(all, [0, 1, 2, 3, 4, 5]);
}
