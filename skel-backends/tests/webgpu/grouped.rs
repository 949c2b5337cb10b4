//! Folds and scans on work-groups of any size: the same bits as on CPU cores, whatever of a work-group, of a block and
//! of a tile is there.

use crate::{
    Test,
    harness::found,
    prints::{Print, print, print_either, print_slowly},
};
use skel::{Context, Error, Target, prelude::*, unit::DeviceUnit};
use skel_backends::webgpu::{self, Options};

pub(crate) const TESTS: &[Test] = &[
    (
        "floats_are_grouped_the_same_way",
        floats_are_grouped_the_same_way,
    ),
    (
        "prefixes_are_grouped_the_same_way",
        prefixes_are_grouped_the_same_way,
    ),
    (
        "every_other_grouping_would_show",
        every_other_grouping_would_show,
    ),
    (
        "values_of_many_words_are_combined",
        values_of_many_words_are_combined,
    ),
    ("arrays_are_combined", arrays_are_combined),
    (
        "the_smallest_element_that_traps_is_named",
        the_smallest_element_that_traps_is_named,
    ),
    (
        "operators_that_trap_are_no_trouble",
        operators_that_trap_are_no_trouble,
    ),
];

pub(crate) fn context(lanes: u32) -> Context {
    let found = found().expect("tests without a device are ignored");
    let options = Options {
        lanes: Some(lanes),
        ..Options::default()
    };
    let driver = webgpu::open_with(&found, options).expect("the device opens");
    let unit = DeviceUnit::new(driver).expect("a unit");
    Context::builder().unit(unit).build().expect("a context")
}

/// Work-groups of less than a block, of few and of many.
pub(crate) const LANES: [u32; 4] = [4, 32, 128, 256];

/// Numbers of elements around the ends of blocks, chunks, rows of lanes, and tiles.
fn sizes() -> impl Iterator<Item = usize> {
    let lanes = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
    let around = lanes
        .into_iter()
        .flat_map(|lanes: usize| [8 * lanes - 8, 8 * lanes - 1, 8 * lanes, 8 * lanes + 1]);
    around.filter(|n| *n > 0).chain([3, 100_003])
}

#[user_function]
fn add(a: f32, b: f32) -> f32 {
    a + b
}

/// Not recognised as an operator that commutes.
#[user_function]
fn add_in_order(a: f32, b: f32) -> f32 {
    let c = a;
    c + b
}

/// Of which hardly any two sums in another order are the same.
fn uneven(n: usize) -> Vector<f32> {
    let values = (0..n).map(|i| 1.0 / (1 + (i * 7_919) % 1_009) as f32);
    Vector::from(values.collect::<Vec<_>>())
}

fn floats_are_grouped_the_same_way() {
    for lanes in LANES {
        let context = context(lanes);
        for n in sizes() {
            let x = uneven(n);
            let sums = [Target::from(Sequential), Device(0).into()].map(|target| {
                let any = reduce!(add).within(context.clone()).on(target.clone());
                let ordered = reduce!(add_in_order).within(context.clone()).on(target);
                let sums = [any.run((&x,)).unwrap(), ordered.run((&x,)).unwrap()];
                sums.map(f32::to_bits)
            });
            assert_eq!(sums[0], sums[1], "{n} elements, {lanes} lanes");
        }
    }
}

fn prefixes_are_grouped_the_same_way() {
    for lanes in LANES {
        let context = context(lanes);
        for n in sizes() {
            let x = uneven(n);
            let prefixes = [Target::from(Sequential), Device(0).into()].map(|target| {
                let scan = scan!(add_in_order).within(context.clone()).on(target);
                let prefixes = scan.run((&x,)).unwrap();
                let prefixes = prefixes.host().unwrap();
                prefixes.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
            });
            assert!(prefixes[0] == prefixes[1], "{n} elements, {lanes} lanes");
        }
    }
}

pub(crate) fn print_of(i: usize) -> Print {
    Print {
        hash: (i as u32).wrapping_mul(0x2545_F491) ^ 0x5bd1,
        zero: 0.0,
    }
}

/// What three folds and three scans come to.
fn hashes(context: &Context, target: &Target, x: &Vector<Print>) -> ([u32; 3], [Vec<u32>; 3]) {
    let each = |prefixes: Vector<Print>| {
        let prefixes = prefixes.host().unwrap();
        prefixes.iter().map(|p| p.hash).collect::<Vec<u32>>()
    };
    macro_rules! run {
        ($instance:expr) => {{
            let instance = $instance.within(context.clone()).on(target.clone());
            instance.run((x,)).unwrap()
        }};
    }
    let first = print_of(77);
    let folds = [
        run!(reduce!(print)),
        run!(reduce!(print_either)),
        run!(reduce!(print_slowly)),
    ];
    let scans = [
        run!(scan!(print)),
        run!(scan!(print).exclusive(first)),
        run!(scan!(print_slowly).initial(first)),
    ];
    (folds.map(|sum| sum.hash), scans.map(each))
}

fn every_other_grouping_would_show() {
    let found = found().expect("tests without a device are ignored");
    let usual = Options::default();
    let in_parts = Options {
        max_binding_bytes: Some(128 << 10),
        max_buffer_bytes: Some(512 << 10),
        max_workgroups_per_dimension: Some(3),
        lanes: Some(64),
        ..usual
    };
    let targets = [
        Target::from(Device(0)),
        Hybrid::ratio(0.3).into(),
        "tasks:eager,chunks=5".parse().unwrap(),
    ];
    for (options, memory_bytes) in [(usual, u64::MAX), (in_parts, u64::MAX), (usual, 300_000)] {
        let driver = webgpu::open_with(&found, options).expect("the device opens");
        let unit = DeviceUnit::new(driver).expect("a unit");
        let unit = unit.with_memory_cap(memory_bytes);
        let context = Context::builder().unit(unit).build().expect("a context");
        for n in sizes().chain([12_289, 33_000]) {
            let x = Vector::from((0..n).map(print_of).collect::<Vec<_>>());
            let (folds, scans) = hashes(&context, &Sequential.into(), &x);
            // An array of several buffers must begin with a tile, as whole ones do.
            let targets = if options == in_parts {
                &targets[..1]
            } else {
                &targets
            };
            for target in targets {
                let what = format!("{target:?}, {memory_bytes} bytes, {options:?}, {n} elements");
                let found = hashes(&context, target, &x);
                assert_eq!(found.0, folds, "{what}");
                for (k, (found, expected)) in found.1.iter().zip(&scans).enumerate() {
                    let differs = found.iter().zip(expected).position(|(a, b)| a != b);
                    assert_eq!(differs, None, "scan {k}, {what}");
                }
            }
        }
    }
}

/// A struct within another.
#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
struct Half {
    word: u16,
}

/// Words of every kind; two of them make one that is not the same the other way round.
#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
struct Mixed {
    slope: u64,
    start: i64,
    most: f64,
    first: Half,
    last: i16,
    bytes: [u8; 2],
    small: i8,
    odd: bool,
}

#[user_function]
fn after(f: Mixed, g: Mixed) -> Mixed {
    Mixed {
        slope: f.slope * g.slope,
        start: f.start * g.slope as i64 + g.start,
        most: f.most.max(g.most),
        first: f.first,
        last: g.last,
        bytes: [f.bytes[0], g.bytes[1]],
        small: f.small.min(g.small),
        odd: f.odd ^ g.odd,
    }
}

fn mixed(i: usize) -> Mixed {
    let scrambled = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Mixed {
        slope: scrambled | 1,
        start: (scrambled >> 7) as i64,
        most: (scrambled >> 40) as f64 + 1e-9,
        first: Half { word: i as u16 ^ 9 },
        last: -(i as i16),
        bytes: [i as u8, i as u8 ^ 5],
        small: scrambled as i8,
        odd: i.is_multiple_of(3),
    }
}

fn values_of_many_words_are_combined() {
    for lanes in [4, 256] {
        let with = context(lanes);
        for n in sizes().filter(|n| n % 3 != 1) {
            let x: Vec<Mixed> = (0..n).map(mixed).collect();
            let mut so_far = None;
            let expected = x.iter().map(|g| {
                let next = so_far.map_or(*g, |f| after(f, *g));
                so_far = Some(next);
                next
            });
            let expected: Vec<Mixed> = expected.collect();
            let x = Vector::from(x);
            let reduce = reduce!(after).within(with.clone()).on(Device(0));
            match reduce.run((&x,)) {
                // A device without `f64`.
                Err(Error::Unsupported { .. }) => return,
                total => assert_eq!(total.unwrap(), expected[n - 1], "{n}, {lanes} lanes"),
            }
            let scan = scan!(after).within(with.clone()).on(Device(0));
            let prefixes = scan.run((&x,)).unwrap();
            assert!(*prefixes.host().unwrap() == expected, "{n}, {lanes} lanes");
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
struct Square {
    cells: [u32; 4],
}

#[user_function]
fn product(a: Square, b: Square) -> Square {
    let (a, b) = (a.cells, b.cells);
    Square {
        cells: [
            a[0] * b[0] + a[1] * b[2],
            a[0] * b[1] + a[1] * b[3],
            a[2] * b[0] + a[3] * b[2],
            a[2] * b[1] + a[3] * b[3],
        ],
    }
}

fn arrays_are_combined() {
    let with = context(64);
    let n = 5_000;
    let square = |i: u32| Square {
        cells: [i | 1, i / 3 * 2, i.wrapping_mul(77_777), i & 0xff | 1],
    };
    let x: Vec<Square> = (0..n).map(square).collect();
    // Their determinants are odd, so that nothing is forgotten.
    let expected = x[1..].iter().fold(x[0], |a, b| {
        let (a, b) = (a.cells, b.cells);
        let cell = |i: usize, k: usize| {
            let left = a[2 * i].wrapping_mul(b[k]);
            left.wrapping_add(a[2 * i + 1].wrapping_mul(b[2 + k]))
        };
        Square {
            cells: [cell(0, 0), cell(0, 1), cell(1, 0), cell(1, 1)],
        }
    });
    let product = reduce!(product).within(with).on(Device(0));
    assert_eq!(product.run((&Vector::from(x),)).unwrap(), expected);
}

#[user_function]
fn quotient(a: u32, b: u32) -> u32 {
    a / b
}

#[user_function]
fn sum(a: u32, b: u32) -> u32 {
    a + b
}

/// A sum, unless that is 0: then it traps.
#[user_function]
fn fussy(a: u32, b: u32) -> u32 {
    let (sum, same) = (a + b, b + a);
    sum + sum / same - 1
}

fn the_smallest_element_that_traps_is_named() {
    for context in [4, 64].map(context) {
        let divide = map_reduce!(quotient, sum).within(context).on(Device(0));
        for n in sizes() {
            let mut divisors = vec![1_u32; n];
            let ones = Vector::from(vec![1_u32; n]);
            let total = divide.run((&ones, &Vector::from(divisors.clone())));
            assert_eq!(total.unwrap(), n as u32);
            for i in [n / 3, n / 2, n - 1] {
                divisors[i] = 0;
            }
            match divide.run((&ones, &Vector::from(divisors))) {
                Err(Error::Trap { index, .. }) => assert_eq!(index, Some(n / 3), "{n}"),
                other => panic!("{n}: {other:?}"),
            }
        }
    }
}

fn operators_that_trap_are_no_trouble() {
    for context in [4, 64].map(context) {
        let reduce = reduce!(fussy).within(context.clone()).on(Device(0));
        let scan = scan!(fussy).within(context).on(Device(0));
        for n in sizes().filter(|n| *n > 8) {
            let mut x = vec![1_u32; n];
            let vector = Vector::from(x.clone());
            assert_eq!(reduce.run((&vector,)).unwrap(), n as u32);
            let prefixes = scan.run((&vector,)).unwrap();
            assert!(prefixes.host().unwrap().iter().copied().eq(1..=n as u32));
            // Only the first elements of all trap, whichever lane combines them with what.
            x[..8].fill(0);
            let vector = Vector::from(x);
            let errors = [
                reduce.run((&vector,)).map(drop),
                scan.run((&vector,)).and_then(|x| x.host().map(drop)),
            ];
            for error in errors {
                match error {
                    Err(Error::Trap { index, message, .. }) => {
                        assert_eq!(index, None, "{n}");
                        assert_eq!(message, "attempt to divide by zero", "{n}");
                    }
                    other => panic!("{n}: {other:?}"),
                }
            }
        }
    }
}
