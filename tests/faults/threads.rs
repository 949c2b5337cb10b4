//! Several threads, and calls from within.

use super::{cases::CASES, context};
use skel::{mock::Mock, mock::Operation, prelude::*};
use std::sync::Mutex;

#[user_function]
fn double(x: u32) -> u32 {
    2 * x
}

fn two() -> skel::Context {
    context([Mock::named("a"), Mock::named("b")])
}

#[test]
fn threads_share_a_context_and_an_instance() {
    let context = two();
    let f = map!(double).within(context.clone()).on(Hybrid::ratio(0.4));
    let shared = Vector::from_fn(1000, |i| i as u32);
    std::thread::scope(|s| {
        for thread in 0..6_u32 {
            let (f, shared, context) = (&f, &shared, &context);
            s.spawn(move || {
                let own = Vector::filled(500, thread);
                for _ in 0..20 {
                    assert_eq!(
                        f.run((&own,)).unwrap().host().unwrap()[..],
                        [2 * thread; 500]
                    );
                    let y = f.run((shared,)).unwrap();
                    assert_eq!(y.host_range(990..992).unwrap(), [1980, 1982]);
                }
                let case = &CASES[thread as usize];
                (case.run)(context, &Hybrid::ratio(0.2).into()).unwrap();
            });
        }
    });
}

#[test]
fn threads_share_a_device_that_is_lost_under_them() {
    let context = context([
        Mock::named("gone").vanishes(Operation::Launch, 5),
        Mock::named("b"),
    ]);
    std::thread::scope(|s| {
        for thread in 0..4_usize {
            let context = &context;
            s.spawn(move || {
                for case in CASES.iter().cycle().skip(thread).take(CASES.len()) {
                    // Results are compared in there; some may be lost.
                    match (case.run)(context, &Hybrid::ratio(0.3).into()) {
                        Ok(()) | Err(skel::Error::Late { .. }) => {}
                        Err(other) => panic!("{}: {other}", case.name),
                    }
                }
            });
        }
    });
    for case in &CASES {
        (case.run)(&context, &Hybrid::ratio(0.3).into()).unwrap();
    }
}

#[test]
fn calls_from_tasks_of_a_pool_of_one_thread() {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    let context = two();
    pool.install(|| {
        rayon::scope(|s| {
            for case in &CASES {
                let context = &context;
                s.spawn(move |_| (case.run)(context, &Hybrid::ratio(0.3).into()).unwrap());
            }
        });
        // Both halves of a join, the inner ones on the only thread.
        let run = |k: usize| (CASES[k].run)(&context, &Hybrid::ratio(0.5).into());
        let (a, b) = rayon::join(|| run(0), || rayon::join(|| run(1), || run(4)));
        a.and(b.0).and(b.1).unwrap();
    });
}

#[test]
fn calls_from_all_workers_of_a_pool_at_once() {
    use rayon::prelude::*;
    let context = two();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(3)
        .build()
        .unwrap();
    pool.install(|| {
        (0..24_usize).into_par_iter().for_each(|k| {
            let case = &CASES[k % CASES.len()];
            (case.run)(&context, &Hybrid::ratio(0.3).into()).unwrap();
        });
    });
}

#[test]
fn calls_under_the_users_own_lock() {
    // Each thread holds a lock for the whole call; a helper of the CPU's crew that took up another
    // task, which wants the lock, would never give it back.
    let f = map!(double).within(two()).on(Hybrid::ratio(0.5));
    let sum = Mutex::new(0_u64);
    rayon::scope(|s| {
        for k in 0..8_u32 {
            let (f, sum) = (&f, &sum);
            s.spawn(move |_| {
                let mut sum = sum.lock().unwrap();
                let y = f.run((&vec![k; 20_000],)).unwrap();
                *sum += y.host().unwrap().iter().map(|y| u64::from(*y)).sum::<u64>();
            });
        }
    });
    assert_eq!(*sum.lock().unwrap(), 20_000 * 2 * 28);
}

#[test]
fn a_call_while_another_thread_holds_a_device() {
    let gate = skel::mock::Gate::new();
    let context = context([Mock::named("held").waits(Operation::Launch, 1, &gate)]);
    let f = map!(double).within(context).on(Device(0));
    std::thread::scope(|s| {
        let first = s.spawn(|| f.run((&[1, 2],)).unwrap().host().unwrap().to_vec());
        gate.reached();
        // It waits its turn, on the device, and on the CPU needs none.
        let second = s.spawn(|| f.run((&[3],)).unwrap().host().unwrap().to_vec());
        let third = f.clone().on(Cpu).run((&[4],)).unwrap();
        assert_eq!(third.host().unwrap()[..], [8]);
        gate.open();
        assert_eq!(first.join().unwrap(), [2, 4]);
        assert_eq!(second.join().unwrap(), [6]);
    });
}
