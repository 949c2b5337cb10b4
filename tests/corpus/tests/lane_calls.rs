//! Calls of functions with loops, and of angles, and such whose results are streamed: whichever loop computes the elements,
//! results, traps and what is left behind `&mut` are the same.

#[path = "lane_calls/called.rs"]
mod called;
#[path = "lane_calls/closures.rs"]
mod closures;
#[path = "lane_calls/drawn.rs"]
mod drawn;
#[path = "lane_calls/panics.rs"]
mod panics;
#[path = "lane_calls/parts.rs"]
mod parts;
#[path = "lane_calls/streamed.rs"]
mod streamed;

use skel::prelude::*;
use skel_core::{
    isa::{self, Isa},
    lanes::{self, Mode},
};
use std::{
    cell::RefCell,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

/// Behind whole blocks, too few for one more of 16 or 32, and enough.
const LENGTHS: [usize; 18] = [
    0, 1, 15, 16, 17, 31, 32, 33, 35, 36, 47, 63, 64, 100, 255, 1000, 4099, 40_000,
];

/// The panics of all threads: pieces of a call are computed by helpers, too.
static PANICS: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// What the last panic of this thread says.
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Does `check` for every way to choose the face. Ways are the process's own, so one test has them at a time. Panics are
/// counted, and say nothing, unless `check` itself ends with one.
fn in_all_ways(mut check: impl FnMut(&str)) {
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|panic| {
        PANICS.fetch_add(1, Relaxed);
        LAST.set(panic.to_string());
    }));
    let checked = catch_unwind(AssertUnwindSafe(|| {
        for isa in [Isa::Baseline, Isa::V3, Isa::V4] {
            for mode in [Mode::Never, Mode::Always, Mode::Measured] {
                isa::choose(isa);
                lanes::choose(mode);
                check(&format!("{isa:?}, {mode:?}"));
            }
        }
    }));
    isa::choose(Isa::V4);
    lanes::choose(Mode::Measured);
    std::panic::set_hook(hook);
    if let Err(panic) = checked {
        eprintln!("{}", LAST.take());
        resume_unwind(panic);
    }
}

#[user_function]
fn rounds(at: Index1, x: u32, #[uniform] limit: u32) -> u32 {
    let mut n = 0;
    let mut y = x ^ at.i as u32;
    while y > 1 && n < limit {
        if y % 5 == 3 {
            y += 9;
        }
        y = y / 2 + n % 2;
        n += 1;
    }
    n
}

#[test]
fn every_length() {
    let f = map!(rounds).on(Cpu);
    in_all_ways(|way| {
        for n in LENGTHS {
            let x: Vec<u32> = (0..n as u32)
                .map(|i| i.wrapping_mul(2_654_435_761) >> 12)
                .collect();
            let expected: Vec<u32> = (0..n).map(|i| rounds(Index1 { i }, x[i], 60)).collect();
            let found = f.run((&x, 60)).unwrap();
            assert!(found.host().unwrap()[..] == expected[..], "{n}, {way}");
        }
    });
}

#[user_function]
fn collatz(at: Index2, total: &mut u64) -> (u32, f64) {
    let (mut n, mut steps) = ((at.row * 1000 + at.col) as u64 + 1, 0);
    loop {
        if n == 1 {
            break;
        }
        n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
        steps += 1;
        *total += n;
        if steps == 150 {
            return (0, 0.5);
        }
    }
    (steps, 1.0 / steps as f64)
}

#[test]
fn rows_results_in_tuples_and_changes_in_place() {
    let f = map!(collatz).on(Cpu);
    in_all_ways(|way| {
        for (rows, cols) in [(1, 1), (3, 16), (5, 31), (2, 333), (40, 100)] {
            let mut total = Matrix::from_fn(rows, cols, |i, j| (i * j) as u64);
            let (steps, inverse) = f.run((&mut total,)).unwrap();
            for row in 0..rows {
                for col in 0..cols {
                    let mut expected = (row * col) as u64;
                    let result = collatz(Index2 { row, col }, &mut expected);
                    let k = row * cols + col;
                    let found = (steps.host().unwrap()[k], inverse.host().unwrap()[k]);
                    assert_eq!(found, result, "{row}, {col} of {rows}, {cols}, {way}");
                    assert_eq!(total.host().unwrap()[k], expected, "{way}");
                }
            }
        }
    });
}

#[user_function]
fn root(a: f32) -> f32 {
    let mut x = a;
    let mut n = 0;
    while n < 40 {
        let next = 0.5 * (x + a / x);
        if next == x {
            break;
        }
        x = next;
        n += 1;
    }
    x
}

#[user_function]
fn add(a: f32, b: f32) -> f32 {
    a + b
}

/// Associative, and does not commute.
#[user_function]
fn last_of_both(a: f32, b: f32) -> f32 {
    if b > 0.0 { b } else { a }
}

#[test]
fn reductions_group_alike() {
    let (sum, last) = (
        map_reduce!(root, add).on(Cpu),
        map_reduce!(root, last_of_both).on(Cpu),
    );
    let two = map_reduce!(
        |x: f32| {
            let mut n = 0;
            let mut y = x;
            while y > 1.0 {
                y *= 0.7;
                n += 1;
            }
            (n, y)
        },
        |a: u32, b: u32| a + b,
        |a: f32, b: f32| a + b
    );
    let two = two.on(Cpu);
    for n in LENGTHS.into_iter().filter(|n| *n > 0) {
        let special = [f32::INFINITY, -0.0, 1e-40];
        let x: Vec<f32> = (0..n)
            .map(|i| match i % 101 {
                7..10 => special[i % 3].abs(),
                _ => 0.25 + (i * 7919 % 1000) as f32,
            })
            .collect();
        let finite: Vec<f32> = x.iter().map(|x| x.min(1e6)).collect();
        let mut first = None;
        in_all_ways(|way| {
            let (a, b) = (sum.run((&x,)).unwrap(), last.run((&x,)).unwrap());
            let (c, d) = two.run((&finite,)).unwrap();
            let bits = (a.to_bits(), b.to_bits(), c, d.to_bits());
            assert_eq!(*first.get_or_insert(bits), bits, "{n}, {way}");
        });
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
struct Share {
    left: u32,
    rounds: u32,
}

#[user_function]
impl Share {
    fn take(&mut self, by: u32) -> u32 {
        self.rounds += 1;
        self.left -= self.left / by;
        self.left
    }
}

#[user_function]
fn shared(x: u32, y: u32, total: &mut Share) -> Share {
    let mut share = Share { left: x, rounds: 0 };
    while share.take(y + x % 4) > 9 {
        if share.left % 5 == 2 {
            total.take(7);
        }
        if share.rounds == 40 {
            break;
        }
    }
    share
}

#[test]
fn methods_change_what_is_lent_for_their_own_element_only() {
    let f = map!(shared).on(Cpu);
    let before = |k: usize| Share {
        left: k as u32,
        rounds: 1,
    };
    in_all_ways(|way| {
        for n in LENGTHS {
            let x: Vec<u32> = (0..n as u32).map(|k| k * 7919).collect();
            let y: Vec<u32> = (0..n as u32).map(|k| 2 + k % 5).collect();
            let mut totals = Vector::from((0..n).map(before).collect::<Vec<_>>());
            let found = f.run((&x, &y, &mut totals)).unwrap();
            let (found, totals) = (found.host().unwrap(), totals.host().unwrap());
            for k in 0..n {
                let mut total = before(k);
                let expected = shared(x[k], y[k], &mut total);
                assert_eq!(
                    (found[k], totals[k]),
                    (expected, total),
                    "{k} of {n}, {way}"
                );
            }
        }
    });
}

#[user_function]
fn wave(x: f32, y: f64) -> (f32, f64) {
    let (s, c) = y.sin_cos();
    (x.sin() + 2.0, s + 3.0 * c)
}

#[test]
fn angles_of_all_sizes() {
    let f = map!(wave).on(Cpu);
    let large = [8192.0, 1e9, f32::MAX, f32::INFINITY];
    // None large; one of them; about one of each block; all.
    for each in [usize::MAX, 5_000, 30, 1] {
        let angle = |k: usize| match k % each {
            r if r + 1 == each.min(30_000) => {
                large[k / each % 4] * if k.is_multiple_of(2) { 1.0 } else { -1.0 }
            }
            _ => (k % 1000) as f32 * 0.37 - 99.0,
        };
        in_all_ways(|way| {
            for n in LENGTHS {
                let x: Vec<f32> = (0..n).map(angle).collect();
                let y: Vec<f64> = (0..n).map(|k| angle(n - k) as f64 * 100.0).collect();
                let (sines, sums) = f.run((&x, &y)).unwrap();
                let (sines, sums) = (sines.host().unwrap(), sums.host().unwrap());
                for k in 0..n {
                    let (sine, sum) = wave(x[k], y[k]);
                    let found = (sines[k].to_bits(), sums[k].to_bits());
                    assert_eq!(
                        found,
                        (sine.to_bits(), sum.to_bits()),
                        "{k} of {n}, {each}, {way}"
                    );
                }
            }
        });
    }
}

#[user_function(lanes = off)]
fn without(x: u32) -> u32 {
    let mut x = x;
    while x > 10 {
        x /= 2;
    }
    x
}

#[test]
fn lanes_can_be_turned_off() {
    use skel_core::{param::Each, user_function::UserFunction};
    fn has_lanes<F: UserFunction<(Each<u32>,)>>() -> bool {
        F::HAS_LANES
    }
    #[user_function]
    fn with(x: u32) -> u32 {
        let mut x = x;
        while x > 10 {
            x /= 2;
        }
        x
    }
    assert!(!has_lanes::<without>() && has_lanes::<with>());
    assert_eq!(
        map!(without)
            .on(Cpu)
            .run((&[100],))
            .unwrap()
            .host()
            .unwrap()[..],
        [6]
    );
}

/// What a macro is given may change variables.
#[user_function]
fn counted_in_assert(x: u32) -> u32 {
    let mut n = x % 10;
    while n < 50 {
        assert!(
            {
                n += 1;
                n
            } < 1000
        );
    }
    n
}

#[user_function]
fn draw(mask: u32, state: &mut u32) -> u32 {
    *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    (*state >> 8) & mask
}

#[user_function]
fn tries(seed: u32) -> u32 {
    let (mut state, mut n) = (seed, 0);
    while !matches!(draw(255, &mut state), 0..=9) {
        n += 1;
    }
    n
}

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct Bound {
    value: f32,
}

#[user_function]
impl Bound {
    /// Named like a method of numbers.
    fn min(self, y: f32, hits: &mut u32) -> f32 {
        *hits += 1;
        if y < self.value { y } else { self.value }
    }
}

#[user_function]
fn bounded(x: f32) -> u32 {
    let bound = Bound { value: 4.0 };
    let (mut y, mut hits) = (x, 0);
    while y > 1.0 {
        let m = bound.min(y, &mut hits);
        y = m * 0.5;
    }
    hits
}

#[test]
fn changes_within_macros_and_by_methods_that_sound_harmless() {
    let (count, tries_of, bounds) = (
        map!(counted_in_assert).on(Cpu),
        map!(tries).on(Cpu),
        map!(bounded).on(Cpu),
    );
    let (x, y): (Vec<u32>, Vec<f32>) = (0..100).map(|k| (k * 7919, k as f32 * 0.3)).unzip();
    in_all_ways(|way| {
        let found = count.run((&x,)).unwrap();
        let expected: Vec<u32> = x.iter().map(|x| counted_in_assert(*x)).collect();
        assert_eq!(found.host().unwrap()[..], expected[..], "{way}");
        let found = tries_of.run((&x,)).unwrap();
        let expected: Vec<u32> = x.iter().map(|x| tries(*x)).collect();
        assert_eq!(found.host().unwrap()[..], expected[..], "{way}");
        let found = bounds.run((&y,)).unwrap();
        let expected: Vec<u32> = y.iter().map(|y| bounded(*y)).collect();
        assert_eq!(found.host().unwrap()[..], expected[..], "{way}");
    });
}
