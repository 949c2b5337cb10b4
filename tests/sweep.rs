//! Sweeps on the pool: bands whose threads come to do something else in between.
#![expect(unsafe_code, reason = "bodies by hand, which are never used here")]

use skel::{Error, prelude::*};
use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU8, Ordering},
    },
    thread::ThreadId,
    time::Duration,
};

/// Sums of what is above and to the left, by a plain loop.
fn expected(side: usize) -> Vec<u32> {
    let mut sums = vec![1_u32; side * side];
    for y in 0..side {
        for x in 0..side {
            let above = if y > 0 { sums[(y - 1) * side + x] } else { 0 };
            let left = if x > 0 { sums[y * side + x - 1] } else { 0 };
            sums[y * side + x] ^= above.wrapping_add(left);
        }
    }
    sums
}

/// Lets the pool work in the middle of it, as a function with bodies by hand may.
#[user_function(unsafe(wgsl = "return x;"))]
fn with_the_pool(x: u32) -> u32 {
    rayon::yield_now();
    x
}

#[user_function(unsafe(wgsl = "return x;"))]
fn with_parts(x: u32) -> u32 {
    let inner = || rayon::join(std::thread::yield_now, std::thread::yield_now);
    rayon::join(inner, || rayon::join(inner, inner));
    x
}

#[user_function]
fn sums(w: Sweep2<u32, 1, 1>) -> u32 {
    with_the_pool(w[(0, 0)]) ^ w[(-1, 0)].wrapping_add(w[(0, -1)])
}

#[user_function]
fn sums_of_parts(w: Sweep2<u32, 1, 1>) -> u32 {
    with_parts(w[(0, 0)]) ^ w[(-1, 0)].wrapping_add(w[(0, -1)])
}

fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap()
}

/// The thread of a band takes up the next one, in the middle of a tile.
#[test]
fn a_sweep_that_lets_the_pool_work_does_not_wait_for_itself() {
    const SIDE: usize = 64;
    let pool = pool(2);
    // The other worker has something else to do.
    let busy = Arc::new(AtomicU8::new(0));
    let of_worker = Arc::clone(&busy);
    pool.spawn(move || {
        of_worker.store(1, Ordering::SeqCst);
        while of_worker.load(Ordering::SeqCst) != 2 {
            std::thread::yield_now();
        }
    });
    while busy.load(Ordering::SeqCst) == 0 {
        std::thread::yield_now();
    }
    let mut table = Matrix::filled(SIDE, SIDE, 1_u32);
    pool.install(|| sweep!(sums).pad(0).on(Cpu).run((&mut table,)).unwrap());
    busy.store(2, Ordering::SeqCst);
    assert_eq!(table.host().unwrap()[..], expected(SIDE)[..]);
}

/// Two threads that are none of the pool's, and functions that wait for the pool.
#[test]
fn sweeps_beside_each_other_do_not_wait_for_each_other() {
    const SIDE: usize = 64;
    let expected = expected(SIDE);
    for threads in [2, 3] {
        let pool = pool(threads);
        for _ in 0..3 {
            let swept = || {
                let mut table = Matrix::filled(SIDE, SIDE, 1_u32);
                let sweep = sweep!(sums_of_parts).pad(0).on(Cpu);
                let down = sweep!(sums_of_parts).pad(0).descending([0, 1]).on(Cpu);
                sweep.run((&mut table,)).unwrap();
                assert_eq!(table.host().unwrap()[..], expected[..]);
                let mut table = Matrix::filled(SIDE, SIDE, 1_u32);
                down.run((&mut table,)).unwrap();
                let turned: Vec<u32> = expected.iter().rev().copied().collect();
                assert_eq!(table.host().unwrap()[..], turned[..]);
            };
            std::thread::scope(|scope| {
                scope.spawn(|| pool.install(swept));
                scope.spawn(|| pool.install(swept));
                scope.spawn(swept);
            });
        }
    }
}

/// Which threads have computed since the first element.
static SINCE: Mutex<Vec<ThreadId>> = Mutex::new(Vec::new());
static IS_FIRST: AtomicBool = AtomicBool::new(true);

/// The first element takes so long that no other thread waits for it; those after it take their time until two threads
/// compute.
#[user_function(unsafe(wgsl = "return x;"))]
fn slow_at_first(x: u32) -> u32 {
    if IS_FIRST.swap(false, Ordering::SeqCst) {
        std::thread::sleep(Duration::from_millis(100));
        return x;
    }
    let mut since = SINCE.lock().unwrap();
    if !since.contains(&std::thread::current().id()) {
        since.push(std::thread::current().id());
    }
    let is_alone = since.len() == 1;
    drop(since);
    if is_alone {
        std::thread::sleep(Duration::from_millis(1));
    }
    x
}

#[user_function]
fn slow_sums(w: Sweep2<u32, 1, 1>) -> u32 {
    slow_at_first(w[(0, 0)]) ^ w[(-1, 0)].wrapping_add(w[(0, -1)])
}

#[test]
fn threads_come_back_when_a_slow_tile_is_done() {
    const SIDE: usize = 64;
    let mut table = Matrix::filled(SIDE, SIDE, 1_u32);
    let sweep = sweep!(slow_sums).pad(0).on(Cpu);
    pool(2).install(|| sweep.run((&mut table,)).unwrap());
    assert_eq!(table.host().unwrap()[..], expected(SIDE)[..]);
    assert_eq!(SINCE.lock().unwrap().len(), 2);
}

/// Divides what was there by what is behind it, and takes what the sweep has made of two before it.
#[user_function]
fn divided(w: Sweep2<i64, 1, 1>, by: i64) -> i64 {
    w[(0, 0)] / by + w[(-1, 0)] % 7 - w[(0, -1)] % 5
}

/// Elements that trap in several bands, of which one that comes later in a plain loop is met first; and on one thread.
#[test]
fn the_first_trap_of_a_plain_loop_is_named_whatever_else_is_computed() {
    let (rows, cols) = (300, 400);
    for (threads, down, traps) in [
        (1, false, vec![(250, 3)]),
        (1, true, vec![(250, 3), (0, 0)]),
        (4, false, vec![(10, 390), (200, 2), (299, 399)]),
        (4, false, vec![(120, 399), (121, 0)]),
        (4, true, vec![(290, 4), (120, 398)]),
        (3, true, vec![(299, 398), (0, 399)]),
    ] {
        let mut by = vec![3_i64; rows * cols];
        traps.iter().for_each(|(row, col)| by[row * cols + col] = 0);
        let elements = traps.iter().map(|(row, col)| row * cols + col);
        let first = if down { elements.max() } else { elements.min() };
        let by = Matrix::from_vec(rows, cols, by).unwrap();
        let mut table = Matrix::filled(rows, cols, 1000_i64);
        let sweep = sweep!(divided).pad(0).on(Cpu);
        let sweep = if down {
            sweep.descending([0, 1])
        } else {
            sweep
        };
        let found = pool(threads).install(|| sweep.run((&mut table, &by)));
        match found {
            Err(Error::Trap { index, .. }) => assert_eq!(index, first, "{threads} {traps:?}"),
            other => panic!("{threads} {traps:?}: {other:?}"),
        }
        assert!(matches!(table.host(), Err(Error::Poisoned { .. })));
    }
}
