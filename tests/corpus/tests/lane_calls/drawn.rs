//! Calls that draw random numbers: every element has those that it has alone, whichever loop computes it.

use super::{
    LENGTHS, closures::has_lanes, closures::numbers, in_all_ways, panics::divided_by_zero,
};
use skel::prelude::*;
use skel_core::{
    param::{Each, EachMut, Uniform},
    space::Stream,
};

/// The seed of the calls: both halves count.
const SEED: u64 = 0x0123_4567_89ab_cdef;

fn random(call: u32, i: usize) -> Random {
    Random::new(Stream { seed: SEED, call }, i)
}

#[user_function]
fn hits(rng: &mut Random, #[uniform] points: u32) -> u32 {
    let mut hits = 0;
    for _ in 0..points {
        let (x, y) = (rng.uniform_f32(), rng.uniform_f32());
        if x * x + y * y < 1.0 {
            hits += 1;
        }
    }
    hits
}

#[user_function]
fn gap(rng: &mut Random, rate: f64) -> f64 {
    -(1.0 - rng.uniform_f64()).ln() / rate
}

/// Lanes end at different times.
#[user_function]
fn arrivals(at: Index1, rng: &mut Random, x: u32, last: &mut f64) -> (u32, u32) {
    let (mut time, mut n) = (0.0, 0);
    loop {
        time += gap(rng, 1.0 + f64::from(x % 5));
        if time > 4.0 {
            break;
        }
        n += 1;
    }
    *last = time;
    (n, rng.next_u32() ^ at.i as u32)
}

#[test]
fn of_elements_with_an_index() {
    let f = map!(arrivals).seed(SEED).on(Cpu);
    assert!(has_lanes::<(Each<u32>, EachMut<f64>), _, _>(&f));
    in_all_ways(|way| {
        let f = f.clone().seed(SEED);
        for (call, n) in LENGTHS.into_iter().enumerate() {
            let x = numbers(n);
            let mut last = vec![0.0; n];
            let (count, word) = f.run((&x, &mut last)).unwrap();
            let (count, word) = (count.host().unwrap(), word.host().unwrap());
            for i in 0..n {
                let mut expected = 0.0;
                let mut rng = random(call as u32, i);
                let result = arrivals(Index1 { i }, &mut rng, x[i], &mut expected);
                assert_eq!((count[i], word[i]), result, "{i} of {n}, {way}");
                assert_eq!(last[i], expected, "{i} of {n}, {way}");
            }
        }
    });
}

#[test]
fn of_nothing_but_random_numbers_and_in_reductions() {
    let f = map!(hits).on(Cpu);
    assert!(has_lanes::<(Uniform<u32>,), _, _>(&f));
    let sum = map_reduce!(hits, |a: u32, b: u32| a + b)
        .identity(0)
        .on(Cpu);
    in_all_ways(|way| {
        let (f, sum) = (f.clone().seed(SEED), sum.clone().seed(SEED));
        for (call, n) in LENGTHS.into_iter().enumerate() {
            let expected: Vec<u32> = (0..n)
                .map(|i| hits(&mut random(call as u32, i), 21))
                .collect();
            let found: Vector<u32> = f.run_shaped(n, (21,)).unwrap();
            assert!(found.host().unwrap()[..] == expected[..], "{n}, {way}");
            let found = sum.run_shaped(n, (21,)).unwrap();
            assert_eq!(found, expected.iter().sum::<u32>(), "{n}, {way}");
        }
    });
}

#[test]
fn in_closures_without_loops_and_by_rows() {
    let f = map!(|at: Index2, x: f32, rng: &mut Random| {
        let shift = 0.1 * rng.normal_f32();
        if at.col % 3 == 0 {
            x + shift
        } else {
            x - shift * rng.uniform_f32()
        }
    })
    .on(Cpu);
    assert!(has_lanes::<(Each<f32>,), _, _>(&f));
    in_all_ways(|way| {
        let f = f.clone().seed(SEED);
        for (call, (rows, cols)) in [(1, 1), (3, 16), (5, 31), (2, 333), (40, 100)]
            .into_iter()
            .enumerate()
        {
            let x = Matrix::from_fn(rows, cols, |i, j| (i + 2 * j) as f32);
            let found = f.run((&x,)).unwrap();
            for k in 0..rows * cols {
                let mut rng = random(call as u32, k);
                let (x, shift) = (x.host().unwrap()[k], 0.1 * rng.normal_f32());
                let expected = match k % cols % 3 {
                    0 => x + shift,
                    _ => x - shift * rng.uniform_f32(),
                };
                assert_eq!(
                    found.host().unwrap()[k],
                    expected,
                    "{k} of {rows}, {cols}, {way}"
                );
            }
        }
    });
}

#[user_function]
fn quotients(rng: &mut Random, y: u32) -> u32 {
    let mut sum = 0;
    for _ in 0..5 {
        sum += rng.next_u32() / (y + rng.next_u32() % 2) % 1000;
    }
    sum
}

#[test]
fn of_the_element_that_panics_and_again() {
    let f = map!(quotients).on(Cpu);
    in_all_ways(|way| {
        let f = f.clone().seed(SEED);
        for (call, bad) in [37, 777, 12_345].into_iter().enumerate() {
            let mut y = vec![3; 20_000];
            y[bad] = 0;
            // One of five numbers is even, but for one in 32 elements.
            let even = (0..5).map(|k| {
                let mut rng = random(2 * call as u32, bad);
                (0..2 * k + 1).for_each(|_| _ = rng.next_u32());
                rng.next_u32().is_multiple_of(2)
            });
            assert!(even.into_iter().any(|even| even), "another element, please");
            divided_by_zero(f.run((&y,)), bad, "quotients", way);
            y[bad] = 3;
            let found = f.run((&y,)).unwrap();
            for (i, found) in found.host().unwrap().iter().enumerate() {
                let expected = quotients(&mut random(2 * call as u32 + 1, i), y[i]);
                assert_eq!(*found, expected, "{i}, {way}");
            }
        }
    });
}
