//! Functions that call functions with loops have lanes, and panic as they do.

use super::{
    LENGTHS, closures::has_lanes, closures::numbers, in_all_ways, panics::divided_by_zero,
};
use skel::prelude::*;
use skel_core::param::{Each, Uniform};

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
    if x % 2 == 0 { 1 } else { rounds(x, y) + 2 }
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
