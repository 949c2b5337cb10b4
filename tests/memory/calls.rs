//! Calls on four times the device's memory, against plain loops.

use super::capped;
use skel::{Context, Target, Traffic, prelude::*};
use std::thread;

const N: usize = 10_000;
/// A quarter of what one container takes.
const CAP_BYTES: u64 = (N * size_of::<u32>()) as u64 / 4;

#[user_function]
fn axpy(x: u32, y: u32, #[uniform] a: u32) -> u32 {
    a * x + y
}

#[user_function]
fn bump(x: &mut u32, by: u32) {
    *x += by;
}

#[user_function]
fn around(w: Window1<u32, 2>, #[uniform] weight: u32) -> u32 {
    w[-2] + weight * w[0] + 3 * w[1] + 5 * w[2]
}

/// Composes `x ↦ a x + b` modulo 2^32: it is associative, and does not commute.
#[user_function]
fn then(f: [u32; 2], g: [u32; 2]) -> [u32; 2] {
    [f[0] * g[0], f[1] * g[0] + g[1]]
}

#[user_function]
fn add(a: u32, b: u32) -> u32 {
    a + b
}

fn numbers(n: usize, seed: u32) -> Vec<u32> {
    let mut x = seed;
    let next = |_| {
        x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        x >> 7
    };
    (0..n).map(next).collect()
}

/// Runs `check` on a device with a quarter of what one container takes, alone and beside the CPU; and
/// looks whether it took more.
fn everywhere(check: impl Fn(&Context, &Target)) {
    for target in [Target::from(Device(0)), Hybrid::ratio(0.3).into()] {
        let (context, mock) = capped(CAP_BYTES);
        check(&context, &target);
        let most = mock.most_bytes_in_use();
        assert!(
            0 < most && most <= CAP_BYTES,
            "{target}: {most} of {CAP_BYTES}"
        );
    }
}

#[test]
fn map() {
    everywhere(|context, target| {
        let f = map!(axpy).within(context.clone()).on(target);
        let (x, y) = (numbers(N, 1), numbers(N, 2));
        let expected: Vec<u32> = x.iter().zip(&y).map(|(x, y)| 3 * x + y).collect();
        let (vx, vy) = (Vector::from(x.clone()), Vector::from(y.clone()));
        let z = f.run((&vx, &vy, 3)).expect("it fits in chunks");
        assert_eq!(z.host().expect("results")[..], expected, "{target}");
        // Results as inputs, and borrowed slices.
        let w = f.run((&z, &x[..], 2)).expect("it fits in chunks");
        let expected: Vec<u32> = expected.iter().zip(&x).map(|(z, x)| 2 * z + x).collect();
        assert_eq!(w.to_vec().expect("results"), expected, "{target}");
    });
}

#[test]
fn in_place() {
    everywhere(|context, target| {
        let f = map!(bump).within(context.clone()).on(target);
        let by = Vector::from(numbers(N, 3));
        let (mut v, mut slice) = (Vector::from(numbers(N, 4)), numbers(N, 5));
        for _ in 0..3 {
            f.run((&mut v, &by)).expect("it fits in chunks");
            f.run((&mut slice[..], &by)).expect("it fits in chunks");
        }
        let thrice = |x: Vec<u32>| -> Vec<u32> {
            x.iter()
                .zip(numbers(N, 3))
                .map(|(x, by)| x + 3 * by)
                .collect()
        };
        assert_eq!(
            v.to_vec().expect("results"),
            thrice(numbers(N, 4)),
            "{target}"
        );
        assert_eq!(slice, thrice(numbers(N, 5)), "{target}");
    });
}

fn stencil(x: &[u32], edge: Edge) -> Vec<u32> {
    let n = x.len() as isize;
    let at = |i: isize| -> u32 {
        let i = match edge {
            Edge::Cyclic => i.rem_euclid(n),
            Edge::Reflect if i < 0 => -i,
            Edge::Reflect if i >= n => 2 * (n - 1) - i,
            Edge::Symmetric if i < 0 => -1 - i,
            Edge::Symmetric if i >= n => 2 * n - 1 - i,
            _ => i.clamp(0, n - 1),
        };
        x[i as usize]
    };
    let near = |i: isize| at(i - 2) + 7 * at(i) + 3 * at(i + 1) + 5 * at(i + 2);
    (0..n).map(near).collect()
}

#[test]
fn stencils_and_their_iteration() {
    everywhere(|context, target| {
        for edge in [
            Edge::Duplicate,
            Edge::Cyclic,
            Edge::Reflect,
            Edge::Symmetric,
        ] {
            let f = map_overlap!(around)
                .within(context.clone())
                .on(target)
                .edge(edge);
            let x: Vec<u32> = numbers(N, 6).iter().map(|x| x % 1000).collect();
            let y = f
                .run((&Vector::from(x.clone()), 7))
                .expect("it fits in chunks");
            assert_eq!(
                y.host().expect("results")[..],
                stencil(&x, edge),
                "{target} {edge:?}"
            );
            let steps = f
                .iterate(4, Vector::from(x.clone()), (7,))
                .expect("it fits in chunks");
            let mut expected = x;
            for _ in 0..4 {
                expected = stencil(&expected, edge);
            }
            assert_eq!(
                steps.host().expect("results")[..],
                expected,
                "{target} {edge:?}"
            );
        }
    });
}

fn maps(seed: u32) -> Vec<[u32; 2]> {
    let pairs = numbers(N, seed).into_iter().zip(numbers(N, seed + 1));
    pairs.map(|(a, b)| [a, b]).collect()
}

#[test]
fn folds_keep_the_order_of_chunks() {
    everywhere(|context, target| {
        let maps = maps(7);
        let expected = maps.iter().copied().reduce(then).expect("some");
        let f = reduce!(then).within(context.clone()).on(target);
        let found = f.run((&Vector::from(maps),)).expect("it fits in chunks");
        assert_eq!(found, expected, "{target}");
    });
}

#[test]
fn scans_pass_the_carry_from_chunk_to_chunk() {
    everywhere(|context, target| {
        let maps = maps(9);
        let mut expected = maps.clone();
        for i in 1..N {
            expected[i] = then(expected[i - 1], expected[i]);
        }
        let f = scan!(then).within(context.clone()).on(target);
        let found = f.run((&Vector::from(maps),)).expect("it fits in chunks");
        assert_eq!(found.host().expect("results")[..], expected, "{target}");
    });
}

#[test]
fn a_container_that_fits_stays_and_moves_once() {
    let (context, _) = capped(12 * CAP_BYTES);
    let f = map!(axpy).within(context.clone()).on(Device(0));
    let (x, y) = (Vector::from(numbers(N, 1)), Vector::from(numbers(N, 2)));
    let mut z = Vector::filled(N, 0);
    f.run_into((&x, &y, 3), &mut z)
        .expect("there is room for three");
    let before = context.traffic();
    f.run_into((&x, &y, 3), &mut z)
        .expect("there is room for three");
    let nothing = Traffic {
        uploaded_bytes: 0,
        downloaded_bytes: 0,
    };
    assert_eq!(context.traffic() - before, nothing, "enough is enough");
}

#[test]
fn containers_in_turns_push_each_other_out_and_stay_right() {
    // Room for one result and one argument; ten containers take turns.
    let (context, mock) = capped(8 * CAP_BYTES + 4);
    let f = map!(bump).within(context).on(Device(0));
    let by = Vector::from(numbers(N, 1));
    let mut all: Vec<Vector<u32>> = (0..10).map(|k| Vector::filled(N, k)).collect();
    for _ in 0..3 {
        for v in &mut all {
            f.run((&mut *v, &by)).expect("it fits");
        }
    }
    for (k, v) in (0..).zip(&all) {
        let expected: Vec<u32> = numbers(N, 1).iter().map(|by| k + 3 * by).collect();
        assert_eq!(v.host().expect("results")[..], expected, "container {k}");
    }
    assert!(mock.most_bytes_in_use() <= 8 * CAP_BYTES + 4);
}

#[test]
fn threads_share_a_device_that_has_room_for_one_of_them() {
    let (context, mock) = capped(9 * CAP_BYTES);
    let f = map!(bump).within(context.clone()).on(Device(0));
    let sum = map_reduce!(|x: u32| x, add).within(context).on(Device(0));
    thread::scope(|scope| {
        for k in 0..4 {
            let (f, sum) = (f.clone(), sum.clone());
            scope.spawn(move || {
                let by = Vector::from(numbers(N, k));
                let mut v = Vector::filled(N, 0);
                for round in 1..10 {
                    f.run((&mut v, &by)).expect("it fits");
                    let expected = numbers(N, k)
                        .iter()
                        .fold(0_u32, |sum, by| sum.wrapping_add(by.wrapping_mul(round)));
                    assert_eq!(sum.run((&v,)).expect("it fits"), expected, "{k} {round}");
                }
            });
        }
    });
    assert!(mock.most_bytes_in_use() <= 9 * CAP_BYTES);
}
