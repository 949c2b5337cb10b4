//! Functions that call functions with loops have lanes, and panic as they do.

use super::{
    LENGTHS, closures::has_lanes, closures::numbers, in_all_ways, panics::divided_by_zero,
};
use skel::prelude::*;
use skel_core::param::{Each, Uniform};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

#[user_function]
fn halves(x: u32, #[uniform] limit: u32) -> u32 {
    let (mut y, mut n) = (x, 0);
    while y > 1 && n < limit {
        y = if y % 5 == 3 { y / 3 } else { y / 2 };
        n += 1;
    }
    n
}

#[user_function]
fn of_an_index(at: Index1, x: u32) -> (u32, u32) {
    let n = halves(x ^ at.i as u32, 9);
    if n > 4 {
        return (n, halves(x, n));
    }
    (0, n)
}

#[user_function]
fn loop_free(x: u32) -> u32 {
    x / 3 + 1
}

#[test]
fn wherever_they_call() {
    let f = map!(of_an_index).on(Cpu);
    assert!(has_lanes::<(Each<u32>,), _, _>(&f));
    in_all_ways(|way| {
        for n in LENGTHS {
            let x = numbers(n);
            let (first, second) = f.run((&x,)).unwrap();
            let (first, second) = (first.host().unwrap(), second.host().unwrap());
            for i in 0..n {
                let found = (first[i], second[i]);
                assert_eq!(found, of_an_index(Index1 { i }, x[i]), "{i} of {n}, {way}");
            }
        }
    });
}

#[test]
fn so_do_closures_and_reductions_but_only_where_something_loops() {
    let f = map!(|x: u32, #[uniform] limit: u32| halves(x, limit) + loop_free(x)).on(Cpu);
    assert!(has_lanes::<(Each<u32>, Uniform<u32>), _, _>(&f));
    let none = map!(|x: u32| loop_free(x) + loop_free(x + 1)).on(Cpu);
    assert!(!has_lanes::<(Each<u32>,), _, _>(&none));
    let sum = map_reduce!(|x: u32| halves(x, 12) as u64, |a: u64, b: u64| a + b).on(Cpu);
    in_all_ways(|way| {
        for n in LENGTHS {
            let x = numbers(n);
            let found = f.run((&x, 7)).unwrap();
            let expected = x.iter().map(|x| halves(*x, 7) + loop_free(*x));
            assert!(
                found.host().unwrap().iter().copied().eq(expected),
                "{n}, {way}"
            );
            let expected: u64 = x.iter().map(|x| u64::from(halves(*x, 12))).sum();
            let found = sum.clone().identity(0).run((&x,)).unwrap();
            assert_eq!(found, expected, "{n}, {way}");
        }
    });
}

#[user_function]
fn sum_of(x: f32, xs: &[f32]) -> f32 {
    let mut sum = x;
    for y in xs.iter() {
        sum += *y;
    }
    sum
}

const TABLE: [f32; 3] = [0.5, -1.0, 3.25];

/// No device has slices of arrays.
#[user_function]
fn of_arrays(x: f32, cs: &[[f32; 3]], #[uniform] k: [f32; 4]) -> f32 {
    let a = [x, x + 1.0];
    let mut sum = sum_of(x, &TABLE) + sum_of(x, &k);
    for c in cs.iter() {
        sum += sum_of(x, c) + sum_of(sum, &a);
    }
    sum + sum_of(x, &[x, 1.0]) + sum_of(x, &cs[0])
}

#[test]
fn arrays_become_slices_on_cpus_as_ever() {
    let f = map!(of_arrays).on(Cpu);
    let x: Vec<f32> = (0..1000).map(|k| k as f32 / 7.0).collect();
    let (cs, k) = ([[1.0, -2.0, 0.5], [0.25, 0.0, 4.0]], [1.0, 2.0, 3.0, 4.0]);
    in_all_ways(|way| {
        let found = f.run((&x, &cs, k)).unwrap();
        let expected = x.iter().map(|x| of_arrays(*x, &cs, k));
        assert!(found.host().unwrap().iter().copied().eq(expected), "{way}");
    });
}

#[user_function]
fn is_even(x: u32) -> u32 {
    if x == 0 { 1 } else { is_odd(x - 1) }
}

#[user_function]
fn is_odd(x: u32) -> u32 {
    if x == 0 { 0 } else { is_even(x - 1) }
}

#[test]
fn functions_that_call_each_other_run_on_cpus_as_ever() {
    let f = map!(is_even).on(Cpu);
    assert!(!has_lanes::<(Each<u32>,), _, _>(&f));
    let x: Vec<u32> = (0..100).collect();
    let found = f.run((&x,)).unwrap();
    let expected = x.iter().map(|x| 1 - x % 2);
    assert!(found.host().unwrap().iter().copied().eq(expected));
}

/// It does not come back from zero.
#[user_function]
fn doublings(x: f32) -> f32 {
    let (mut x, mut n) = (x, 0.0);
    while x.abs() < 1.0 {
        x *= 2.0;
        n += 1.0;
    }
    n
}

#[user_function]
fn of_an_angle(x: f32) -> f32 {
    if x == 0.0 { 0.0 } else { doublings(x.sin()) }
}

#[test]
fn what_lanes_take_for_large_angles_goes_into_no_loop() {
    let f = map!(of_an_angle).on(Cpu);
    let x: Vec<f32> = (0..5000).map(|k| 3.0 * k as f32).collect();
    in_all_ways(|way| {
        let found = f.run((&x,)).unwrap();
        let found = found.host().unwrap();
        assert!(
            found.iter().zip(&x).all(|(y, x)| *y == of_an_angle(*x)),
            "{way}"
        );
    });
}

static CALLS: AtomicUsize = AtomicUsize::new(0);

#[allow(unsafe_code, reason = "a body for devices is the user's own word")]
mod by_hand {
    use super::{CALLS, Relaxed, user_function};

    #[user_function(unsafe(wgsl = "return x;"))]
    pub(super) fn counted(x: u32) -> u32 {
        CALLS.fetch_add(1, Relaxed);
        x
    }
}

#[user_function]
fn calls_what_counts(x: u32) -> u32 {
    let mut sum = halves(x, 3);
    if x.is_multiple_of(16) {
        sum += by_hand::counted(x);
    }
    sum
}

#[test]
fn what_is_written_by_hand_is_called_once_for_each_element() {
    let f = map!(calls_what_counts).on(Cpu);
    let x: Vec<u32> = (0..5000).collect();
    in_all_ways(|way| {
        CALLS.store(0, Relaxed);
        f.run((&x,)).unwrap();
        assert_eq!(CALLS.load(Relaxed), 5000_usize.div_ceil(16), "{way}");
    });
}

#[user_function]
fn rounds(x: u32, y: u32) -> u32 {
    let (mut left, mut n) = (x, 0);
    while left > 3 {
        left /= y;
        n += 1;
        if n == 30 {
            break;
        }
    }
    n
}

#[user_function]
fn unless_even(x: u32, y: u32) -> u32 {
    if x.is_multiple_of(2) {
        1
    } else {
        rounds(x, y) + 2
    }
}

#[test]
fn a_panic_in_what_is_called_is_that_of_the_first_element_that_panics() {
    let f = map!(unless_even).on(Cpu);
    in_all_ways(|way| {
        for (n, bad) in [
            (100_u32, 37),
            (1000, 777),
            (20_000, 12_345),
            (20_000, 19_999),
        ] {
            // What would panic is not called for even numbers.
            let x: Vec<u32> = (0..n)
                .map(|k| if k < bad { 2 * k } else { 2 * k + 101 })
                .collect();
            let y = vec![0; n as usize];
            divided_by_zero(f.run((&x, &y)), bad as usize, "rounds", way);
            let none = f.run((&x[..bad as usize], &y[..bad as usize])).unwrap();
            assert!(none.host().unwrap().iter().all(|n| *n == 1), "{way}");
        }
    });
}
