//! Closures with loops, and of angles, have lanes as functions do.

use super::{LENGTHS, in_all_ways, panics::divided_by_zero};
use skel::prelude::*;
use skel_core::{
    param::{Each, Params},
    user_function::UserFunction,
};

pub(crate) fn has_lanes<P: Params, F: UserFunction<P>, E>(
    _: &skel_core::skeleton::Map<F, E>,
) -> bool {
    F::HAS_LANES
}

pub(crate) fn numbers(n: usize) -> Vec<u32> {
    (0..n as u32)
        .map(|i| i.wrapping_mul(2_654_435_761) >> 12)
        .collect()
}

#[test]
fn with_an_index_a_uniform_value_and_early_returns() {
    let f = map!(|at: Index1, x: u32, #[uniform] limit: u32| -> (u32, f64) {
        let (mut y, mut n) = (x ^ at.i as u32, 0);
        while y > 1 {
            if n == limit {
                return (0, y as f64);
            }
            y = if y % 5 == 3 { y / 3 } else { y / 2 };
            n += 1;
        }
        (n, 0.5)
    })
    .on(Cpu);
    assert!(has_lanes::<(Each<u32>, skel_core::param::Uniform<u32>), _, _>(&f));
    let expected = |i: usize, x: u32| {
        let (mut y, mut n) = (x ^ i as u32, 0);
        while y > 1 && n < 9 {
            y = if y % 5 == 3 { y / 3 } else { y / 2 };
            n += 1;
        }
        if y > 1 { (0, y as f64) } else { (n, 0.5) }
    };
    in_all_ways(|way| {
        for n in LENGTHS {
            let x = numbers(n);
            let (rounds, rest) = f.run((&x, 9)).unwrap();
            let (rounds, rest) = (rounds.host().unwrap(), rest.host().unwrap());
            for k in 0..n {
                let found = (rounds[k], rest[k]);
                assert_eq!(found, expected(k, x[k]), "{k} of {n}, {way}");
            }
        }
    });
}

/// The types of a closure may be parameters of the function around it; it has no items of its own that would know none.
fn summed_up<T: Number + PartialEq + std::fmt::Debug>(
    x: &mut [T],
    y: &[u32],
    by: impl Fn(T, u32) -> T,
) {
    let f = map!(|x: &mut T, y: u32| {
        let mut k = 0;
        while k < y % 50 {
            let before = *x;
            *x += before;
            k += 7;
        }
    })
    .on(Cpu);
    assert!(has_lanes::<(skel_core::param::EachMut<T>, Each<u32>), _, _>(&f));
    let before = x.to_vec();
    in_all_ways(|way| {
        x.copy_from_slice(&before);
        f.run((&mut *x, y)).unwrap();
        for ((x, before), y) in x.iter().zip(&before).zip(y) {
            assert_eq!(*x, by(*before, *y), "{way}");
        }
    });
}

#[test]
fn that_change_their_arguments_in_generic_functions() {
    let y = numbers(4099);
    let doubled = |y: u32| (y % 50).div_ceil(7);
    summed_up(&mut vec![0.3_f32; 4099], &y, |x, y| {
        x * 2.0_f32.powi(doubled(y) as i32)
    });
    summed_up(&mut vec![3_u64; 4099], &y, |x, y| x << doubled(y));
}

#[test]
fn of_reductions_and_operators_that_are_promised_to_commute() {
    let f = map_reduce!(
        |x: u32| {
            let (mut x, mut n) = (x, 0_u64);
            while x > 1 {
                x /= 2;
                n += 1;
            }
            n
        },
        #[commutative]
        |a: u64, b: u64| a + b
    )
    .on(Cpu);
    in_all_ways(|way| {
        for n in LENGTHS {
            let x = numbers(n);
            let expected = x.iter().map(|x| u64::from(x.checked_ilog2().unwrap_or(0)));
            let found = f.clone().identity(0).run((&x,)).unwrap();
            assert_eq!(found, expected.sum::<u64>(), "{n}, {way}");
        }
    });
}

#[test]
fn of_angles_of_all_sizes() {
    let f = map!(|x: f32| x.sin() * 2.0 + x.cos()).on(Cpu);
    assert!(has_lanes::<(Each<f32>,), _, _>(&f));
    in_all_ways(|way| {
        for each in [usize::MAX, 5000, 30, 1] {
            let angle = |k: usize| {
                if k % each == 7 % each {
                    1e9
                } else {
                    k as f32 * 0.37
                }
            };
            let x: Vec<f32> = (0..40_000).map(angle).collect();
            let found = f.run((&x,)).unwrap();
            let one_by_one = map!(|x: f32| x.sin() * 2.0 + x.cos()).on(Sequential);
            for (k, found) in found.host().unwrap().iter().enumerate().step_by(97) {
                // Too short for lanes.
                let alone = one_by_one.run((&x[k..=k],)).unwrap().host().unwrap()[0];
                assert_eq!(found.to_bits(), alone.to_bits(), "{k}, {each}, {way}");
            }
        }
    });
}

#[test]
fn a_panic_is_that_of_the_first_element_that_panics() {
    let f = map!(|x: u32, y: u32| {
        let (mut x, mut n) = (x, 0);
        while x > 9 {
            x /= y;
            n += 1;
        }
        n
    })
    .on(Cpu);
    assert!(has_lanes::<(Each<u32>, Each<u32>), _, _>(&f));
    in_all_ways(|way| {
        let (x, mut y) = (vec![1000; 4099], vec![3; 4099]);
        (y[4000], y[77]) = (0, 0);
        divided_by_zero(f.run((&x, &y)), 77, "closure", way);
        y = vec![10; 4099];
        assert_eq!(f.run((&x, &y)).unwrap().host().unwrap()[4098], 3, "{way}");
    });
}
