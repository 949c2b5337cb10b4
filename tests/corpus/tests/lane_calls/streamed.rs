//! Results that are streamed: the same as others, wherever they begin and end.

use super::{in_all_ways, panics::divided_by_zero};
use skel::prelude::*;
use skel_core::streaming;

/// Elements that fill blocks, of all sizes, and of 12 bytes, which do not.
#[user_function]
fn of_all_sizes<T: Number>(at: Index1, x: T, y: [u32; 2], #[uniform] k: T) -> T {
    if y[1] % 7 == at.i as u32 % 7 {
        x * k
    } else {
        x + k
    }
}

#[user_function]
fn swapped<const N: usize>(x: [u32; N], #[uniform] by: u32) -> [u32; N] {
    let mut y = x;
    y[0] = x[N - 1] + by;
    y[N - 1] = x[0];
    y
}

#[user_function]
fn is_even(x: u32) -> bool {
    x & 1 == 0
}

#[user_function]
fn both(x: u32, kept: &mut u32) -> u32 {
    *kept += x;
    *kept - 1
}

#[user_function]
fn quotient(x: u32, y: u32) -> u32 {
    x / y
}

/// Around blocks of all sizes; and enough for two pieces.
const LENGTHS: [usize; 10] = [0, 1, 15, 16, 17, 127, 128, 129, 1000, 70_001];

fn streamed(mut check: impl FnMut(&str)) {
    in_all_ways(|way| {
        for at_least_bytes in [Some(0), Some(usize::MAX)] {
            streaming::choose(at_least_bytes);
            check(&format!("{way}, streamed from {at_least_bytes:?}"));
        }
        streaming::choose(None);
    });
}

fn numbers<T: Number>(of: impl Fn(usize) -> T, way: &str) {
    let f = map!(of_all_sizes).on(Cpu);
    for n in LENGTHS {
        let (x, y) = (
            Vector::from_fn(n, &of),
            Vector::from_fn(n, |i| [i as u32, 3 * i as u32]),
        );
        let found = f.run((&x, &y, of(3))).unwrap();
        let (found, x, y) = (found.host().unwrap(), x.host().unwrap(), y.host().unwrap());
        for i in 0..n {
            let expected = of_all_sizes(Index1 { i }, x[i], y[i], of(3));
            assert!(found[i] == expected, "{i} of {n}, {way}");
        }
    }
}

#[test]
fn elements_of_all_sizes() {
    streamed(|way| {
        numbers(|i| i as u8 % 50, way);
        numbers(|i| i as i16 % 100, way);
        numbers(|i| i as f32, way);
        numbers(|i| i as f64 / 3.0, way);
        for n in LENGTHS {
            let even = map!(is_even)
                .on(Cpu)
                .run((&Vector::from_fn(n, |i| i as u32),));
            let even = even.unwrap();
            let even = even.host().unwrap();
            assert!((0..n).all(|i| even[i] == (i & 1 == 0)), "{n}, {way}");
        }
    });
}

#[test]
fn arrays_that_fill_blocks_and_that_do_not() {
    fn arrays<const N: usize>(way: &str) {
        for n in LENGTHS {
            let of = |i| std::array::from_fn(|k| (i * N + k) as u32);
            let x: Vector<[u32; N]> = Vector::from_fn(n, of);
            let found = map!(swapped).on(Cpu).run((&x, 5)).unwrap();
            let found = found.host().unwrap();
            assert!(
                (0..n).all(|i| found[i] == swapped(of(i), 5)),
                "{N}: {n}, {way}"
            );
        }
    }
    streamed(|way| {
        arrays::<2>(way);
        arrays::<3>(way);
        arrays::<4>(way);
        arrays::<32>(way);
    });
}

/// Parts begin within cache lines.
#[test]
fn parts_of_containers_and_arguments_that_are_changed() {
    streamed(|way| {
        for (n, first) in [(1000, 1), (1000, 7), (70_001, 13)] {
            let x = Vector::from_fn(n, |i| i as u32);
            let mut out = Vector::filled(n + 40, 9_u32);
            let mut kept = Vector::filled(n, 1_u32);
            let f = map!(both).on(Cpu);
            f.run_into((&x, &mut kept), out.part_mut(first..first + n))
                .unwrap();
            let (out, kept) = (out.host().unwrap(), kept.host().unwrap());
            for i in 0..n + 40 {
                let expected = match i.checked_sub(first).filter(|i| *i < n) {
                    Some(i) => i as u32,
                    None => 9,
                };
                assert_eq!(out[i], expected, "{i}, {n}, {first}, {way}");
            }
            assert!((0..n).all(|i| kept[i] == 1 + i as u32), "{way}");
        }
    });
}

/// Short rows and long ones of what has gaps, read and changed: segments end within rows, and some have no block.
#[test]
fn parts_with_gaps_are_read_and_changed() {
    let shapes = [
        (90, 3),
        (70, 16),
        (40, 31),
        (9, 114),
        (9, 130),
        (23, 1000),
        (300, 100),
    ];
    let (even, both) = (map!(is_even).on(Cpu), map!(both).on(Cpu));
    streamed(|way| {
        for ((rows, cols), lead) in shapes.into_iter().flat_map(|s| [(s, 0), (s, 3)]) {
            let wide = cols + 28;
            let x = Matrix::from_fn(rows, wide, |r, c| (3 * (r * wide + c)) as u32);
            let of = |r: usize, c: usize| (3 * (r * wide + c + 5)) as u32;
            let part = x.part(.., 5..5 + cols);
            let found = even.run((&part,)).unwrap();
            let found = found.host().unwrap();
            for (r, c) in (0..rows).flat_map(|r| (0..cols).map(move |c| (r, c))) {
                assert_eq!(
                    found[r * cols + c],
                    of(r, c) & 1 == 0,
                    "{rows} {cols} {way}"
                );
            }
            let mut kept = Matrix::filled(rows, wide, 1_u32);
            let mut out = Matrix::filled(rows + lead, cols, 9_u32);
            let changed = kept.part_mut(.., 7..7 + cols);
            both.run_into((&part, changed), out.part_mut(lead.., ..))
                .unwrap();
            let (out, kept) = (out.host().unwrap(), kept.host().unwrap());
            for (r, c) in (0..rows).flat_map(|r| (0..wide).map(move |c| (r, c))) {
                let inside = c.checked_sub(7).filter(|c| *c < cols);
                let expected = inside.map_or(1, |c| 1 + of(r, c));
                assert_eq!(kept[r * wide + c], expected, "{rows} {cols} {way}");
                if let Some(c) = inside {
                    assert_eq!(out[(r + lead) * cols + c], of(r, c), "{rows} {cols} {way}");
                }
            }
        }
    });
}

#[test]
fn an_element_that_traps_is_found() {
    let f = map!(quotient).on(Cpu);
    streamed(|way| {
        for bad in [0, 77, 69_999] {
            let x = vec![100; 70_000];
            let mut y = vec![3; 70_000];
            y[bad] = 0;
            divided_by_zero(f.run((&x, &y)), bad, "quotient", way);
            y[bad] = 4;
            let found = f.run((&x, &y)).unwrap();
            let found = found.host().unwrap();
            assert!((0..70_000).all(|i| found[i] == 100 / y[i]), "{way}");
        }
    });
}

#[user_function]
fn sum<T: Number>(a: T, b: T) -> T {
    a + b
}

/// Sums that are exact in any order, against a loop, to places at and between boundaries of what is streamed at once.
fn prefixes<T: Number>(of: impl Fn(usize) -> T, way: &str) {
    let inclusive = scan!(sum).on(Cpu);
    let exclusive = scan!(sum).exclusive(of(3)).on(Cpu);
    for (n, first) in [
        (255, 0),
        (256, 0),
        (256, 1),
        (1000, 7),
        (1000, 4),
        (1000, 8),
        (4096, 0),
        (70_001, 0),
        (70_001, 13),
    ] {
        let x: Vec<T> = (0..n).map(&of).collect();
        let mut out = [(); 2].map(|()| Vector::filled(n + 40, of(9)));
        let [with, without] = &mut out;
        let places = first..first + n;
        inclusive
            .run_into((&x,), with.part_mut(places.clone()))
            .unwrap();
        exclusive.run_into((&x,), without.part_mut(places)).unwrap();
        let [with, without] = out;
        let (with, without) = (with.host().unwrap(), without.host().unwrap());
        let mut before = of(3);
        for i in 0..n + 40 {
            let at = i.checked_sub(first).filter(|k| *k < n);
            let expected = at.map_or((of(9), of(9)), |k| {
                let expected = (before + x[k] - of(3), before);
                before += x[k];
                expected
            });
            assert!(
                (with[i], without[i]) == expected,
                "{i}, {n}, {first}, {way}"
            );
        }
    }
}

/// Sums that are rounded: the bits show how they are grouped.
fn rounded() -> Vec<u64> {
    let mut bits = Vec::new();
    for n in [1, 255, 256, 257, 4095, 4097, 70_001] {
        let x: Vec<f32> = (0..n).map(|i| (i as f32).sin()).collect();
        let y: Vec<f64> = (0..n).map(|i| (i as f64).cos()).collect();
        for exclusive in [false, true] {
            let (of_x, of_y) = (scan!(sum).on(Cpu), scan!(sum).on(Cpu));
            let (x, y) = match exclusive {
                true => (
                    of_x.exclusive(0.3).run((&x,)),
                    of_y.exclusive(0.3).run((&y,)),
                ),
                false => (of_x.run((&x,)), of_y.run((&y,))),
            };
            let (x, y) = (x.unwrap(), y.unwrap());
            bits.extend(x.host().unwrap().iter().map(|x| u64::from(x.to_bits())));
            bits.extend(y.host().unwrap().iter().map(|y| y.to_bits()));
        }
    }
    bits
}

#[test]
fn streaming_changes_no_bit_of_prefixes() {
    let mut expected = None;
    streamed(|way| {
        let found = rounded();
        assert!(
            *expected.get_or_insert_with(|| found.clone()) == found,
            "{way}"
        );
    });
}

#[test]
fn prefixes_are_streamed_as_well() {
    streamed(|way| {
        prefixes(|i| (i % 11) as f32, way);
        prefixes(|i| (i % 11) as f64, way);
        prefixes(|i| (i % 11) as i32, way);
    });
}
