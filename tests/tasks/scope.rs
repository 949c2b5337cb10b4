//! Tasks that borrow: they have all ended when the scope does, and nothing of what was lent is used after it.

use super::faults::{failure, graph, graph_of, of_task};
use skel::{
    prelude::*,
    tasks::{Handle, TaskError},
};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    time::Duration,
};

#[test]
fn tasks_change_what_they_borrow_in_the_order_of_their_accesses() {
    for cores in 1..4 {
        let graph = graph_of(cores);
        let mut x = 1_u64;
        let before = [3_u64, 5, 7];
        let last = graph
            .scope(|s| {
                let (lent, factors) = (s.lend_mut(&mut x), s.lend(&before));
                for k in 0..3 {
                    let work = move |(x, factors): (&mut u64, &[u64; 3])| {
                        *x = *x * factors[k] + k as u64;
                        Ok(())
                    };
                    s.task("step", (lent.update(), factors.read()), work)
                        .submit()?;
                }
                s.task("read", (lent.read(),), |(x,)| Ok(*x))
                    .submit()?
                    .wait()
            })
            .unwrap();
        // ((1·3 + 0)·5 + 1)·7 + 2
        assert_eq!((x, last), (114, 114));
    }
}

#[test]
fn a_scope_waits_for_tasks_that_were_not_waited_for() {
    for round in 0..200 {
        let graph = graph_of(1 + round % 3);
        let mut parts = vec![0_usize; 100];
        let sum = AtomicUsize::new(0);
        graph
            .scope(|s| {
                for (k, part) in parts.chunks_mut(7).enumerate() {
                    let (sum, graph_task) = (&sum, k % 5 == 0);
                    let work = move |()| {
                        part.fill(k);
                        sum.fetch_add(part.len(), Relaxed);
                        Ok(())
                    };
                    s.task("fill", (), work).submit()?;
                    if graph_task {
                        graph.task("own", (), |()| Ok(())).submit()?;
                    }
                }
                Ok(())
            })
            .unwrap();
        assert_eq!(sum.into_inner(), 100);
        assert!((0..100).all(|i| parts[i] == i / 7));
    }
}

#[test]
fn tasks_of_a_scope_submit_more_of_it() {
    let graph = graph_of(2);
    let count = AtomicUsize::new(0);
    graph
        .scope(|s| {
            for _ in 0..10 {
                let count = &count;
                let work = move |()| {
                    for _ in 0..10 {
                        let work = move |()| Ok(_ = count.fetch_add(1, Relaxed));
                        s.task("inner", (), work).submit()?;
                    }
                    Ok(())
                };
                s.task("outer", (), work).submit()?;
            }
            Ok(())
        })
        .unwrap();
    assert_eq!(count.into_inner(), 100);
}

#[test]
fn calls_in_a_scope_borrow_skeletons_and_containers() {
    let graph = graph();
    let scale = map!(|x: f32, #[uniform] a: f32| a * x);
    let x = Vector::from([1.0_f32, 2.0, 3.0]);
    let mut y = Vector::from([0.0_f32; 3]);
    graph
        .scope(|s| {
            let (x, y) = (s.lend(&x), s.lend_mut(&mut y));
            let first = |(x, y): (&Vector<f32>, &mut Vector<f32>)| scale.run_into((x, 2.0), y);
            s.task("scale", (x.read(), y.write()), first).submit()?;
            let again = |(y,): (&mut Vector<f32>,)| {
                *y = scale.run((&*y, 5.0))?;
                Ok(())
            };
            s.task("again", (y.update(),), again).submit()?;
            Ok(())
        })
        .unwrap();
    assert_eq!(y.host().unwrap()[..], [10.0, 20.0, 30.0]);
}

#[test]
fn the_first_error_is_the_scopes_and_not_the_graphs() {
    let graph = graph_of(2);
    let mut x = 0_u32;
    let failed = graph.scope(|s| {
        let x = s.lend_mut(&mut x);
        let bad = |(x,): (&mut u32,)| -> skel::Result<()> {
            *x = 1;
            Err(failure())
        };
        s.task("bad", (x.update(),), bad).submit()?;
        s.task("behind", (x.read(),), |(x,)| Ok(*x)).submit()?;
        Ok(())
    });
    assert_eq!(failed.unwrap_err().to_string(), failure().to_string());
    graph.wait().unwrap();
    // What a failed task left is there, as after any function that failed.
    assert_eq!(x, 1);
    // An error of the body comes first, and the next scope knows nothing of the one before.
    let failed = graph.scope(|s| -> skel::Result<()> {
        let panics = |()| -> skel::Result<()> { panic!("on purpose") };
        s.task("panics", (), panics).submit()?;
        Err(failure())
    });
    assert_eq!(failed.unwrap_err().to_string(), failure().to_string());
    graph.scope(|_| Ok(())).unwrap();
}

#[test]
fn a_scope_whose_body_panics_waits_first() {
    let graph = graph_of(2);
    let mut done = vec![false; 20];
    let panics = catch_unwind(AssertUnwindSafe(|| {
        graph.scope(|s| -> skel::Result<()> {
            for done in &mut done {
                let work = move |()| {
                    std::thread::sleep(Duration::from_millis(1));
                    *done = true;
                    Ok(())
                };
                s.task("slow", (), work).submit()?;
            }
            panic!("in the body")
        })
    }));
    assert_eq!(
        *panics.unwrap_err().downcast::<&str>().unwrap(),
        "in the body"
    );
    assert!(done.iter().all(|done| *done));
}

#[test]
fn nothing_that_was_lent_is_found_after_the_scope() {
    let graph = graph_of(2);
    let mut kept: Option<Handle<Vec<u32>>> = None;
    let mut data = vec![1_u32, 2];
    graph
        .scope(|s| {
            let lent = s.lend_mut(&mut data);
            assert!(matches!(
                of_task(graph.take(lent.clone())),
                TaskError::Lent { .. }
            ));
            // Also for tasks of the graph that are not the scope's.
            let own = graph.task("own", (lent.update(),), |(data,)| Ok(data.push(3)));
            own.submit()?.wait()?;
            kept = Some(lent);
            Ok(())
        })
        .unwrap();
    graph.wait().unwrap();
    assert_eq!(data, [1, 2, 3]);
    drop(data);
    let kept = kept.unwrap();
    let late = graph.task("late", (kept.read(),), |(data,)| Ok(data.len()));
    assert_eq!(of_task(late.submit().unwrap().wait()), TaskError::Taken);
    assert!(matches!(of_task(graph.take(kept)), TaskError::Lent { .. }));
}

#[test]
fn a_scope_in_a_task_of_its_graph_is_refused() {
    let graph = std::sync::Arc::new(graph_of(2));
    let same = graph.clone();
    let inside = graph
        .task("inside", (), move |()| same.scope(|_| Ok(())))
        .submit()
        .unwrap();
    assert_eq!(of_task(inside.wait()), TaskError::WouldDeadlock);
    let other = graph_of(1);
    let inside = graph
        .task("other", (), move |()| {
            let mut x = 0;
            other.scope(|s| {
                let x = s.lend_mut(&mut x);
                s.task("set", (x.write(),), |(x,)| Ok(*x = 5)).submit()?;
                Ok(())
            })?;
            Ok(x)
        })
        .submit()
        .unwrap();
    assert_eq!(inside.wait().unwrap(), 5);
}

#[test]
fn cancelled_tasks_of_a_scope_are_dropped_and_reported() {
    let graph = graph_of(1);
    let alive = AtomicUsize::new(0);
    struct Counts<'a>(&'a AtomicUsize);
    impl Drop for Counts<'_> {
        fn drop(&mut self) {
            self.0.fetch_sub(1, Relaxed);
        }
    }
    let failed = graph.scope(|s| {
        for _ in 0..100 {
            alive.fetch_add(1, Relaxed);
            let counts = Counts(&alive);
            let work = move |()| {
                let _counts = &counts;
                std::thread::sleep(Duration::from_micros(200));
                Ok(())
            };
            s.task("counts", (), work).submit()?;
        }
        graph.abandon();
        Ok(())
    });
    assert!(matches!(of_task(failed), TaskError::Cancelled { .. }));
    assert_eq!(alive.load(Relaxed), 0);
}

/// Against the sequential loop, with blocks that do not divide the slice, for every number of cores.
#[test]
fn steps_on_ranges_of_a_slice_are_in_order_without_barriers() {
    const LEN: usize = 1003;
    const STEPS: usize = 9;
    let start = || (0..LEN).map(|i| (i * 37 % 101) as u64).collect::<Vec<_>>();
    let step = |x: &[u64], y: &mut [u64]| {
        for (i, y) in y.iter_mut().enumerate() {
            *y = (x[i] + 3 * x[i + 1] + 5 * x[i + 2]) % 1009;
        }
    };
    let (mut x, mut y) = (start(), start());
    for _ in 0..STEPS {
        step(&x, &mut y[1..LEN - 1]);
        std::mem::swap(&mut x, &mut y);
    }
    let expected = x;
    for (cores, block) in [(1, 64), (2, 100), (3, 7), (4, 5000)] {
        let graph = graph_of(cores);
        let (mut x, mut y) = (start(), start());
        graph
            .scope(|s| {
                let mut x = s.lend_slice(&mut x, block)?;
                let mut y = s.lend_slice(&mut y, block)?;
                for _ in 0..STEPS {
                    // Pieces that are no blocks: they overlap with several, and share some.
                    for k in (1..LEN - 1).step_by(41) {
                        let inner = k..(k + 41).min(LEN - 1);
                        let around = inner.start - 1..inner.end + 1;
                        let work = move |(x, y): (&[u64], &mut [u64])| Ok(step(x, y));
                        s.task("step", (x.read(around), y.update(inner)), work)
                            .submit()?;
                    }
                    std::mem::swap(&mut x, &mut y);
                }
                Ok(())
            })
            .unwrap();
        let last = if STEPS.is_multiple_of(2) { x } else { y };
        assert_eq!(last, expected, "{cores} cores, blocks of {block}");
    }
}

#[test]
fn ranges_that_cannot_be_are_refused() {
    let graph = graph_of(1);
    let mut data = [1_u32, 2, 3, 4, 5];
    let mut kept = None;
    graph
        .scope(|s| {
            let lent = s.lend_slice(&mut data, 2)?;
            for elems in [0..6, 6..7, usize::MAX - 1..usize::MAX] {
                let (start, end) = (elems.start, elems.end);
                let bad = s.task("bad", (lent.read(elems),), |(x,)| Ok(x.len()));
                let bad = of_task(bad.submit().map(drop));
                assert_eq!(bad, TaskError::BadRange { start, end, len: 5 });
            }
            let backwards = std::ops::Range { start: 3, end: 2 };
            let bad = s.task("bad", (lent.update(backwards),), |(x,)| Ok(x.len()));
            assert!(matches!(
                of_task(bad.submit().map(drop)),
                TaskError::BadRange { .. }
            ));
            // Other elements, and the same block.
            let two = (lent.read(0..1), lent.update(1..2));
            let two = s.task("two", two, |(_, _)| Ok(())).submit();
            assert!(matches!(of_task(two.map(drop)), TaskError::Conflict { .. }));
            let none = s.task("none", (lent.update(5..5),), |(x,)| Ok(x.len()));
            assert_eq!(none.submit()?.wait()?, 0);
            let other = (lent.read(0..2), lent.update(2..5));
            let other = s.task("other", other, |(x, y)| Ok(y[2] = x[1]));
            other.submit()?;
            assert!(s.lend_slice(Vec::<u8>::new().leak(), 0).is_err());
            kept = Some(lent);
            Ok(())
        })
        .unwrap();
    assert_eq!(data, [1, 2, 3, 4, 2]);
    let kept = kept.unwrap();
    let late = graph.task("late", (kept.read(0..1),), |(x,)| Ok(x[0]));
    assert_eq!(of_task(late.submit().unwrap().wait()), TaskError::Taken);
}
