//! `.on(Tasks)`: the same results as anywhere else, whichever worker takes what.

use crate::virtual_machine;
use skel::{
    Context,
    mock::{Law, Mock},
    prelude::*,
    tuning,
};

#[test]
fn every_chunk_is_computed_once_and_reported() {
    let context = Context::builder()
        .unit(Mock::named("device").unit().unwrap())
        .build()
        .unwrap();
    let square = map!(|i: Index1| i.i as u32 * i.i as u32)
        .within(context)
        .on(Tasks::default().chunks(13));
    let (found, calls) = skel::observe(|| square.run_shaped(10_000, ()).unwrap());
    let expected: Vec<u32> = (0..10_000_u32).map(|i| i.wrapping_mul(i)).collect();
    assert_eq!(found.host().unwrap()[..], expected);
    let parts = &calls[0].parts;
    assert_eq!(
        (parts[0].range.start, parts[parts.len() - 1].range.end),
        (0, 10_000)
    );
    assert!(
        parts
            .windows(2)
            .all(|two| two[0].range.end == two[1].range.start)
    );
}

#[test]
fn folds_group_by_chunks_whatever_worker_takes_them() {
    let x: Vec<f32> = (0..100_000).map(|i| (i as f32).sin()).collect();
    let sum = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let context = Context::builder().build().unwrap();
        let sum = reduce!(|a: f32, b: f32| a + b)
            .within(context)
            .on(Tasks::default().chunks(16));
        pool.install(|| sum.run((&x,)).unwrap())
    };
    let alone = sum(1);
    for threads in [2, 3, 8] {
        for _ in 0..20 {
            assert_eq!(sum(threads).to_bits(), alone.to_bits());
        }
    }
}

#[test]
fn scans_are_written_in_any_company() {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(4)
        .build()
        .unwrap();
    let x: Vec<u32> = (0..50_000).collect();
    let mut sum = 0_u32;
    let expected: Vec<u32> = x
        .iter()
        .map(|x| {
            sum = sum.wrapping_add(*x);
            sum
        })
        .collect();
    let context = Context::builder().build().unwrap();
    for chunks in [1, 2, 7, 64, 1000] {
        let scan = scan!(|a: u32, b: u32| a.wrapping_add(b))
            .within(context.clone())
            .on(Tasks::default().chunks(chunks));
        for _ in 0..10 {
            let found = pool.install(|| scan.run((&x,)).unwrap());
            assert_eq!(found.host().unwrap()[..], expected);
        }
    }
}

/// A device that is three times as fast takes three quarters, with nothing known of it before.
#[test]
fn unlike_units_share_as_they_are_fast() {
    let context = virtual_machine::machine(
        Law::per_elem_ns(3.0),
        Law::per_elem_ns(10.0),
        &[Law::per_elem_ns(1.0)],
    );
    // Chunks are multiples of 64 elements.
    let n = 100 * 1280;
    let fill = map!(|i: Index1| i.i as u32)
        .within(context.clone())
        .on(Tasks::default().chunks(100));
    let before = context.virtual_ns().unwrap();
    let filled = fill.run_shaped(n, ()).unwrap();
    let took = context.virtual_ns().unwrap() - before;
    drop(filled);
    // A chunk takes 3 × 1,280 ns on the CPU and 1,280 on the device: 75 chunks there, and 25 here.
    assert_eq!(took, 75 * 1280);
}

/// What the tuner knows of an instance, tasks need not find out: a slow device is not tried.
#[test]
fn schedulers_begin_with_what_the_tuner_has_measured() {
    let n = 12_800;
    let took = |is_tuned: bool| {
        let law = Law::per_elem_ns;
        let context = virtual_machine::machine(law(3.0), law(10.0), &[law(300.0)]);
        let fill = map!(|i: Index1| i.i as u32).within(context.clone());
        if is_tuned {
            let tune = || fill.run_shaped(n, ()).map(drop).unwrap();
            let ((), tuned) = tuning::tune(&context, &tuning::Options::quick(), tune);
            tuned.install(&context);
        }
        let fill = fill.on("tasks:dmda,chunks=8".parse::<Target>().unwrap());
        let took = || {
            let before = context.virtual_ns().unwrap();
            drop(fill.run_shaped(n, ()).unwrap());
            context.virtual_ns().unwrap() - before
        };
        [took(), took()]
    };
    let on_cores = 3 * n as u64;
    assert_eq!(took(true), [on_cores, on_cores]);
    let [first, second] = took(false);
    assert!(first >= 300 * n as u64 / 8, "it is tried: {first}");
    assert_eq!(second, on_cores);
}

/// What a scheduler has measured in one call, it goes by in the next. The right share is three quarters.
#[test]
fn schedulers_that_search_for_a_share_go_on_with_each_call() {
    let law = Law::per_elem_ns;
    let context = virtual_machine::machine(law(3.0), law(10.0), &[law(1.0)]);
    let (n, target) = (4096, "tasks:hill,chunks=64".parse::<Target>().unwrap());
    let fill = map!(|i: Index1| i.i as u32).within(context).on(&target);
    let share = || {
        let (filled, calls) = skel::observe(|| fill.run_shaped(n, ()));
        drop(filled.unwrap());
        let parts = calls[0].parts.iter();
        let device = parts.filter(|part| part.unit == "mock 0");
        device.map(|part| part.range.len()).sum::<usize>() as f64 / n as f64
    };
    let shares: Vec<f64> = (0..300).map(|_| share()).collect();
    let last = shares[280..].iter().sum::<f64>() / 20.0;
    assert_eq!(shares[0], 0.5);
    assert!((0.65..0.85).contains(&last), "{last}");
}

/// A machine with another device, or one less, is another one; and chunks may be more or fewer than before.
#[test]
fn schedulers_that_have_learned_take_calls_of_any_size() {
    let law = Law::per_elem_ns;
    let context = virtual_machine::machine(law(3.0), law(10.0), &[law(1.0)]);
    for name in skel::tasks::scheduler::names() {
        for (n, chunks) in [(1000, 30), (10, 3), (5000, 70), (0, 2), (5000, 70)] {
            let target: Target = format!("tasks:{name}").parse().unwrap();
            let Target::Tasks(tasks) = target else {
                panic!("{target}");
            };
            let context = context.clone();
            let next = map!(|x: u32| x + 1)
                .within(context)
                .on(tasks.chunks(chunks));
            let x = Vector::from_fn(n, |i| i as u32);
            let y = next.run((&x,)).unwrap().to_vec().unwrap();
            assert!(y.into_iter().eq(1..=n as u32), "{name} {n}");
        }
    }
}

/// All schedulers, each chunk at the time of its worker.
#[test]
fn every_scheduler_gives_the_same_results() {
    let law = Law::per_elem_ns;
    let context = virtual_machine::machine(law(3.0), law(10.0), &[law(1.0), law(2.0)]);
    let n = 10_000;
    let x = Vector::from((0..n).collect::<Vec<u32>>());
    let sum = n * (n - 1) / 2;
    for name in skel::tasks::scheduler::names() {
        let target: Target = format!("tasks:{name},chunks=20").parse().unwrap();
        for _ in 0..3 {
            let double = map!(|x: u32| 2 * x).within(context.clone()).on(&target);
            let y = double.run((&x,)).unwrap();
            let add = reduce!(|a: u32, b: u32| a + b)
                .within(context.clone())
                .on(&target);
            assert_eq!(add.run((&y,)).unwrap(), 2 * sum, "{name}");
            let (doubled, x) = (y.host().unwrap(), x.host().unwrap());
            assert!(
                doubled.iter().zip(&x[..]).all(|(y, x)| *y == 2 * x),
                "{name}"
            );
            let sums = scan!(|a: u32, b: u32| a + b)
                .within(context.clone())
                .on(&target);
            let sums = sums.run((&x[..],)).unwrap();
            assert_eq!(sums.host().unwrap()[n as usize - 1], sum, "{name}");
        }
    }
}

#[test]
fn a_call_in_a_user_function_of_a_pool_that_is_busy_ends() {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(2)
        .build()
        .unwrap();
    let context = Context::builder().build().unwrap();
    let double = map!(|x: u32| 2 * x)
        .within(context)
        .on(Tasks::default().chunks(8));
    let x = vec![1_u32; 1000];
    // All workers of the pool make calls at the same time: none finds a helper.
    pool.scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|_| assert_eq!(double.run((&x,)).unwrap().host().unwrap()[999], 2));
        }
    });
}
