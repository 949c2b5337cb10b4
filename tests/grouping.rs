//! Folds and scans have the bits of the reference on every unit that keeps to the grouping: any number of threads,
//! any instruction set, splits between units, chunks, tasks, and however the elements lie.
//!
//! Operators that hash both sides (`prints`) show every other grouping.

#[path = "common/prints.rs"]
mod prints;
#[path = "../src/conformance/reference.rs"]
mod reference;
#[path = "grouping/rows.rs"]
mod rows;
#[path = "grouping/segments.rs"]
mod segments;
#[path = "common/units.rs"]
mod units;

use prints::{Print, print, print_either, print_slowly};
use reference::Op;
use skel::{Error, Target, prelude::*};
use skel_core::{
    isa::{Isa, choose},
    plan::Grouping,
};
use units::setups;

#[user_function]
fn add(a: f32, b: f32) -> f32 {
    a + b
}

#[user_function]
fn add_double(a: f64, b: f64) -> f64 {
    a + b
}

#[user_function]
fn times(x: f32, y: f32) -> f32 {
    x * y
}

/// Asks for its position, so that elements come row by row.
#[user_function]
fn at(x: Print, at: Index2) -> Print {
    Print {
        hash: x.hash ^ (at.row as u32).wrapping_mul(7) ^ at.col as u32,
        zero: x.zero,
    }
}

const ORDERED: Grouping = Grouping::Ordered { chunks: 16 };

const PRINT: Op<Print> = Op {
    apply: print,
    is_wide: false,
};
const EITHER: Op<Print> = Op {
    apply: print_either,
    is_wide: false,
};
const SLOWLY: Op<Print> = Op {
    apply: print_slowly,
    is_wide: false,
};
const ADD: Op<f32> = Op {
    apply: add,
    is_wide: true,
};
const ADD_DOUBLE: Op<f64> = Op {
    apply: add_double,
    is_wide: true,
};

const SIZES: [usize; 24] = [
    1, 2, 15, 16, 17, 63, 64, 65, 100, 127, 128, 129, 255, 256, 257, 1000, 1023, 1024, 1025, 4095,
    4096, 4097, 12_289, 33_000,
];

fn prints(n: usize) -> Vec<Print> {
    let hash = |i: usize| (i as u32).wrapping_mul(0x2545_F491) ^ 0x5bd1;
    (0..n)
        .map(|i| Print {
            hash: hash(i),
            zero: 0.0,
        })
        .collect()
}

fn floats(n: usize) -> Vec<f32> {
    (0..n).map(|i| (i % 977) as f32 * 0.37 - 150.0).collect()
}

fn hashes(values: &[Print]) -> Vec<u32> {
    values.iter().map(|v| v.hash).collect()
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|v| v.to_bits()).collect()
}

#[test]
fn folds_have_the_bits_of_the_reference_on_every_unit() {
    for (name, context, target) in setups() {
        for n in SIZES {
            let (x, y) = (prints(n), floats(n));
            let what = format!("{name}, {n} elements");
            let on = |sum: Option<Print>| sum.unwrap().hash;
            let found = reduce!(print)
                .within(&context)
                .on(target.clone())
                .run((&x,));
            assert_eq!(found.unwrap().hash, on(PRINT.fold(ORDERED, &x)), "{what}");
            let found = reduce!(print_either)
                .within(&context)
                .on(target.clone())
                .run((&x,));
            assert_eq!(
                found.unwrap().hash,
                on(EITHER.fold(Grouping::Lanes, &x)),
                "{what}"
            );
            let found = reduce!(print_slowly)
                .within(&context)
                .on(target.clone())
                .run((&x,));
            assert_eq!(
                found.unwrap().hash,
                on(SLOWLY.fold(Grouping::Heavy, &x)),
                "{what}"
            );
            let found = reduce!(add).within(&context).on(target.clone()).run((&y,));
            let expected = ADD.fold(Grouping::Lanes, &y).unwrap();
            assert_eq!(found.unwrap().to_bits(), expected.to_bits(), "{what}");
            let dot = map_reduce!(times, add).within(&context).on(target.clone());
            let squares: Vec<f32> = y.iter().map(|y| y * y).collect();
            let expected = ADD.fold(Grouping::Lanes, &squares).unwrap();
            assert_eq!(
                dot.run((&y, &y)).unwrap().to_bits(),
                expected.to_bits(),
                "{what}"
            );
        }
    }
}

#[test]
fn scans_have_the_bits_of_the_reference_on_every_unit() {
    let first = Print {
        hash: 77,
        zero: 0.0,
    };
    for (name, context, target) in setups() {
        for n in SIZES {
            let (x, y) = (prints(n), floats(n));
            let what = format!("{name}, {n} elements");
            let scan = scan!(print).within(&context).on(target.clone());
            let found = scan.run((&Vector::from(x.clone()),)).unwrap();
            let expected = PRINT.scan(ORDERED, false, None, &x);
            assert!(
                hashes(&found.host().unwrap()) == hashes(&expected),
                "{what}"
            );
            let scan = scan!(print)
                .exclusive(first)
                .within(&context)
                .on(target.clone());
            let found = scan.run((&Vector::from(x.clone()),)).unwrap();
            let expected = PRINT.scan(ORDERED, true, Some(first), &x);
            assert!(
                hashes(&found.host().unwrap()) == hashes(&expected),
                "{what}"
            );
            let scan = scan!(print_slowly)
                .initial(first)
                .within(&context)
                .on(target.clone());
            let found = scan.run((&Vector::from(x.clone()),)).unwrap();
            let expected = SLOWLY.scan(Grouping::Heavy, false, Some(first), &x);
            assert!(
                hashes(&found.host().unwrap()) == hashes(&expected),
                "{what}"
            );
            let scan = scan!(add).within(&context).on(target.clone());
            let found = scan.run((&Vector::from(y.clone()),)).unwrap();
            let expected = ADD.scan(ORDERED, false, None, &y);
            assert!(bits(&found.host().unwrap()) == bits(&expected), "{what}");
            let scan = scan!(add)
                .exclusive(0.5)
                .within(&context)
                .on(target.clone());
            let found = scan.run((&Vector::from(y.clone()),)).unwrap();
            let expected = ADD.scan(ORDERED, true, Some(0.5), &y);
            assert!(bits(&found.host().unwrap()) == bits(&expected), "{what}");
        }
    }
}

#[test]
fn neither_threads_nor_instruction_sets_change_a_bit() {
    let n = 300_007;
    let (x, y) = (prints(n), floats(n));
    let z: Vec<f64> = y.iter().map(|y| f64::from(*y) * 1.1).collect();
    let sums = (
        PRINT.fold(ORDERED, &x).unwrap().hash,
        EITHER.fold(Grouping::Lanes, &x).unwrap().hash,
    );
    let expected = (
        PRINT.scan(ORDERED, false, None, &x),
        ADD.scan(ORDERED, false, None, &y),
    );
    let sum = ADD_DOUBLE.fold(Grouping::Lanes, &z).unwrap().to_bits();
    for isa in [Isa::Baseline, Isa::V3, Isa::V4] {
        let isa = choose(isa);
        for threads in [1, 2, 3, 8] {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| {
                let what = format!("{isa:?}, {threads} threads");
                let found = reduce!(print).on(Cpu).run((&x,)).unwrap().hash;
                let either = reduce!(print_either).on(Cpu).run((&x,)).unwrap().hash;
                assert_eq!((found, either), sums, "{what}");
                let found = reduce!(add_double).on(Cpu).run((&z,)).unwrap();
                assert_eq!(found.to_bits(), sum, "{what}");
                let found = scan!(print)
                    .on(Cpu)
                    .run((&Vector::from(x.clone()),))
                    .unwrap();
                assert!(
                    hashes(&found.host().unwrap()) == hashes(&expected.0),
                    "{what}"
                );
                let found = scan!(add).on(Cpu).run((&Vector::from(y.clone()),)).unwrap();
                assert!(bits(&found.host().unwrap()) == bits(&expected.1), "{what}");
            });
        }
    }
    choose(Isa::V4);
}

#[test]
fn how_elements_lie_changes_no_bit() {
    let n = 20_011;
    let x = prints(n + 3);
    for offset in 0..4 {
        let own = &x[offset..n + offset];
        let found = reduce!(print_either).on(Cpu).run((own,)).unwrap().hash;
        assert_eq!(found, EITHER.fold(Grouping::Lanes, own).unwrap().hash);
    }
    let vector = Vector::from(x.clone());
    let backwards: Vec<Print> = x.iter().rev().copied().collect();
    let every_third: Vec<Print> = x.iter().step_by(3).copied().collect();
    for (view, own) in [
        (vector.part(..).reversed(), &backwards),
        (vector.part(..).step_by(3), &every_third),
    ] {
        for target in [Target::from(Sequential), Cpu.into()] {
            let found = reduce!(print_either)
                .on(target.clone())
                .run((view,))
                .unwrap();
            assert_eq!(found.hash, EITHER.fold(Grouping::Lanes, own).unwrap().hash);
            let found = reduce!(print).on(target.clone()).run((view,)).unwrap();
            assert_eq!(found.hash, PRINT.fold(ORDERED, own).unwrap().hash);
            let found: Vector<Print> = scan!(print).on(target).run((view,)).unwrap();
            let expected = PRINT.scan(ORDERED, false, None, own);
            assert!(hashes(&found.host().unwrap()) == hashes(&expected));
        }
    }
}

#[test]
fn elements_that_come_row_by_row_are_grouped_by_their_number() {
    for (rows, cols) in [
        (1, 37),
        (2, 37),
        (300, 37),
        (2703, 37),
        (9, 1000),
        (100, 129),
    ] {
        let x = prints(rows * cols);
        let own: Vec<Print> = (0..rows * cols)
            .map(|i| {
                let place = Index2 {
                    row: i / cols,
                    col: i % cols,
                };
                at(x[i], place)
            })
            .collect();
        let matrix = Matrix::from_vec(rows, cols, x).unwrap();
        for (name, context, target) in setups() {
            let what = format!("{name}, {rows} rows of {cols}");
            let sum = map_reduce!(at, print_either)
                .within(&context)
                .on(target.clone());
            let expected = EITHER.fold(Grouping::Lanes, &own).unwrap().hash;
            assert_eq!(sum.run((&matrix,)).unwrap().hash, expected, "{what}");
            let sum = map_reduce!(at, print).within(&context).on(target.clone());
            let expected = PRINT.fold(ORDERED, &own).unwrap().hash;
            assert_eq!(sum.run((&matrix,)).unwrap().hash, expected, "{what}");
        }
    }
}

/// Not recognised as an operator that commutes.
#[user_function]
fn add_in_order(a: f32, b: f32) -> f32 {
    let c = a;
    c + b
}

fn hashed(values: &[f32]) -> u32 {
    let mix = |hash: u32, value: &f32| (hash ^ value.to_bits()).wrapping_mul(0x0100_0193);
    values.iter().fold(0x811C_9DC5, mix)
}

/// Of so many elements: the bits of the sum, of the sum in order, and hashes of the bits of both scans. Should a
/// change of weights or shapes change bits, it is seen here.
const GOLDEN: [(usize, [u32; 4]); 10] = [
    (
        1,
        [1_065_353_216, 1_065_353_216, 3_582_745_887, 3_582_745_887],
    ),
    (17, [1_079_779_745, 1_079_779_745, 104_663_809, 877_767_929]),
    (
        63,
        [1_083_657_718, 1_083_657_718, 2_719_031_104, 950_283_314],
    ),
    (
        64,
        [1_083_690_484, 1_083_690_485, 1_329_443_567, 4_255_934_348],
    ),
    (
        257,
        [1_086_593_666, 1_086_593_667, 1_566_825_342, 2_434_478_999],
    ),
    (
        1000,
        [1_089_439_994, 1_089_439_995, 4_124_961_020, 1_343_204_514],
    ),
    (
        4097,
        [1_091_457_880, 1_091_457_882, 2_674_345_594, 3_721_190_833],
    ),
    (
        12_289,
        [1_092_609_603, 1_092_609_605, 818_898_737, 4_014_500_431],
    ),
    (
        100_003,
        [1_094_807_902, 1_094_807_904, 453_174_335, 559_644_958],
    ),
    (
        1_000_000,
        [1_097_222_302, 1_097_222_304, 921_578_883, 3_216_345_755],
    ),
];

#[test]
fn the_bits_stay_what_they_are() {
    let found = GOLDEN.map(|(n, _)| {
        let x: Vec<f32> = (0..n).map(|i| 1.0 / (i + 1) as f32).collect();
        let sums = [
            reduce!(add).on(Cpu).run((&x,)).unwrap().to_bits(),
            reduce!(add_in_order).on(Cpu).run((&x,)).unwrap().to_bits(),
        ];
        let scans = [
            scan!(add).on(Cpu).run((&Vector::from(x.clone()),)),
            scan!(add_in_order).on(Cpu).run((&Vector::from(x.clone()),)),
        ];
        let [wide, ordered] = scans.map(|y| hashed(&y.unwrap().host().unwrap()));
        (n, [sums[0], sums[1], wide, ordered])
    });
    assert_eq!(found, GOLDEN);
}

/// Recursion through another function: no device form, and no weight.
#[user_function]
fn add_evenly(a: f32, b: f32) -> f32 {
    add_in_turn(a, b, 3)
}

#[user_function]
fn add_in_turn(a: f32, b: f32, turns: u32) -> f32 {
    if turns == 0 {
        a + b
    } else {
        add_out_of_turn(a, b, turns - 1)
    }
}

#[user_function]
fn add_out_of_turn(a: f32, b: f32, turns: u32) -> f32 {
    if turns == 0 {
        a + b
    } else {
        add_in_turn(a, b, turns - 1)
    }
}

#[test]
fn scans_without_a_kernel_have_the_same_bits_however_they_are_cut() {
    let mut state = 1_u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / 1e5 - 80.0
    };
    let x: Vec<f32> = (0..5000).map(|_| random()).collect();
    let bits = |target: &str| -> Vec<u32> {
        let target: Target = target.parse().unwrap();
        let y = scan!(add_evenly).on(target).run((&x,)).unwrap();
        y.host().unwrap().iter().map(|y| y.to_bits()).collect()
    };
    let expected = bits("seq");
    for target in ["cpu", "tasks:eager,chunks=2", "tasks:eager,chunks=3"] {
        assert!(bits(target) == expected, "{target}");
    }
}
