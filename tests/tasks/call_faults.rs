//! Devices that fail in calls as tasks: whatever goes wrong when, results are right, nothing hangs, and the next call works.

#![allow(unsafe_code, reason = "a user function with a body by hand")]

use super::range_faults::context;
use crate::limits::with_longer_and_longer;
use skel::{
    Context,
    mock::{Mock, Operation},
    prelude::*,
};
use std::{
    sync::atomic::{
        AtomicBool, AtomicU64, AtomicUsize,
        Ordering::{Relaxed, SeqCst},
    },
    thread,
    time::{Duration, Instant},
};

const N: usize = 10_000;

/// A map into the caller's memory and a reduction, twice: also when the device is not there any more.
fn calls_are_right(context: &Context, scheduler: &str, what: &str) {
    let target: Target = format!("tasks:{scheduler},chunks=12").parse().unwrap();
    let double = map!(|x: u32| 2 * x).within(context.clone()).on(&target);
    let sum = reduce!(|a: u32, b: u32| a + b);
    let sum = sum.within(context.clone()).on(&target);
    let x = Vector::from_fn(N, |i| i as u32);
    for turn in 0..2 {
        let mut y = vec![0_u32; N];
        double.run_into((&x,), &mut y[..]).unwrap();
        assert!(
            y.iter().zip(0..).all(|(y, x): (_, u32)| *y == 2 * x),
            "{what} {turn}"
        );
        let all = (N * (N - 1) / 2) as u32;
        assert_eq!(sum.run((&x,)).unwrap(), all, "{what} {turn}");
    }
}

#[test]
fn calls_as_tasks_outlive_whatever_a_device_does() {
    let operations = [
        Operation::Allocate,
        Operation::Upload,
        Operation::Launch,
        Operation::Download,
    ];
    for scheduler in ["eager", "dmda", "laheteroprio"] {
        for operation in operations {
            for n in [1, 2, 3, 5, 9] {
                let mocks = [
                    Mock::named("vanishes").vanishes(operation, n),
                    Mock::named("fails").fails(operation, n),
                    Mock::named("short").runs_short(operation, n),
                ];
                for (k, mock) in mocks.iter().enumerate() {
                    let what = format!("{scheduler} {operation:?} {n} {k}");
                    calls_are_right(&context(std::slice::from_ref(mock)), scheduler, &what);
                }
            }
        }
    }
}

/// Chunks have so many elements.
const CHUNK: u32 = 64;
/// How many chunks cores have begun; whether the fallback has begun one, and has seen cores begin others meanwhile.
static BEGUN: AtomicUsize = AtomicUsize::new(0);
static FALLBACK: AtomicBool = AtomicBool::new(false);
static MET: AtomicBool = AtomicBool::new(false);
static LIMIT_MS: AtomicU64 = AtomicU64::new(0);

/// Whether it comes to be in time.
fn awaits(what: impl Fn() -> bool) -> bool {
    let (since, limit) = (
        Instant::now(),
        Duration::from_millis(LIMIT_MS.load(Relaxed)),
    );
    while !what() && since.elapsed() < limit {
        thread::yield_now();
    }
    what()
}

/// With a body by hand for devices, the Rust function may do anything. The thread of a device calls it for what the device
/// has failed to compute, and waits for other chunks; cores wait for that before they begin.
#[user_function(unsafe(wgsl = "return x + 1u;"))]
fn meets(x: u32) -> u32 {
    if x.is_multiple_of(CHUNK) {
        let thread = thread::current();
        if thread
            .name()
            .is_some_and(|name| name.starts_with("skel tasks"))
        {
            if !FALLBACK.swap(true, SeqCst) {
                // A core may have had one when this was begun, before its first element; it has to come for the next one.
                let begun = BEGUN.load(SeqCst);
                MET.store(awaits(|| BEGUN.load(SeqCst) >= begun + 2), SeqCst);
            }
        } else {
            awaits(|| FALLBACK.load(SeqCst));
            BEGUN.fetch_add(1, SeqCst);
        }
    }
    x + 1
}

#[test]
fn while_a_chunk_is_computed_for_a_device_that_failed_others_are_begun() {
    let target: Target = "tasks:eager,chunks=20,ahead=1".parse().unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let pool = pool.unwrap();
    with_longer_and_longer(Duration::from_secs(1), |limit| {
        LIMIT_MS.store(limit.as_millis() as u64, Relaxed);
        BEGUN.store(0, SeqCst);
        FALLBACK.store(false, SeqCst);
        MET.store(false, SeqCst);
        let context = context(&[Mock::named("fails").fails(Operation::Launch, 1)]);
        let meets = map!(meets).within(context).on(&target);
        let x: Vec<u32> = (0..20 * CHUNK).collect();
        let y = pool.install(|| meets.run((&x,)).unwrap());
        assert!(
            y.host()
                .unwrap()
                .iter()
                .zip(1..)
                .all(|(y, next)| *y == next)
        );
        MET.load(SeqCst).then_some(())
    });
}

static IS_OVER: AtomicBool = AtomicBool::new(false);

/// Does what the pool has to do until there is no need of it.
#[user_function(unsafe(wgsl = "return a + 1u;"))]
fn lends_its_thread(a: u32) -> u32 {
    while !IS_OVER.load(Relaxed) {
        rayon::yield_now();
    }
    a + 1
}

/// Helpers that have a chunk of another call in hand come, and leave at once: what they were invited for, the caller does.
#[test]
fn calls_whose_helpers_have_other_work_in_hand_are_done_by_their_callers() {
    struct Over;
    impl Drop for Over {
        fn drop(&mut self) {
            IS_OVER.store(true, Relaxed);
        }
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(5)
        .build()
        .unwrap();
    let context = context(&[]);
    let lends = map!(lends_its_thread).within(context.clone());
    let lends = lends.on(Tasks::default().chunks(1));
    let sum = reduce!(|a: u32, b: u32| a + b).within(context);
    let sum = sum.on(Tasks::default().chunks(2));
    let x = [1_u32; 2];
    pool.scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|_| drop(lends.run((&x[..1],)).unwrap()));
        }
        scope.spawn(|_| {
            let _over = Over;
            for k in 0..3000 {
                assert_eq!(sum.run((&x,)).unwrap(), 2, "{k}");
            }
        });
    });
}
