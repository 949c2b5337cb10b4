//! Folds and scans in which lanes of a subgroup pass each other values: the same bits as without, whatever of
//! a work-group, of a subgroup and of a lane's elements is there.

use crate::{Test, harness::found};
use skel::{Context, Error, prelude::*, unit::DeviceUnit};
use skel_backends::{
    device::Driver,
    webgpu::{self, Options},
};

pub(crate) const TESTS: &[Test] = &[
    (
        "floats_are_grouped_the_same_way",
        floats_are_grouped_the_same_way,
    ),
    (
        "prefixes_are_grouped_the_same_way",
        prefixes_are_grouped_the_same_way,
    ),
    ("values_of_many_words_pass", values_of_many_words_pass),
    ("arrays_pass", arrays_pass),
    (
        "the_smallest_element_that_traps_is_named",
        the_smallest_element_that_traps_is_named,
    ),
    (
        "operators_that_trap_are_no_trouble",
        operators_that_trap_are_no_trouble,
    ),
    ("they_are_as_told", they_are_as_told),
];

/// A sum on the device that the environment describes.
pub(crate) const SUM: &[Test] = &[("a_sum", a_sum)];

/// Whether the device can.
pub(crate) fn are_there() -> bool {
    found().is_some_and(|found| driver(&found, None, true).limits().passes_in_subgroups())
}

fn driver(found: &webgpu::Found, lanes: Option<u32>, subgroups: bool) -> webgpu::WebGpu {
    let options = Options {
        lanes,
        without_subgroups: !subgroups,
        ..Options::default()
    };
    webgpu::open_with(found, options).expect("the device opens")
}

/// Without subgroups, and with them.
fn contexts(lanes: u32) -> [Context; 2] {
    let found = found().expect("tests without a device are ignored");
    [false, true].map(|subgroups| {
        let unit = DeviceUnit::new(driver(&found, Some(lanes), subgroups)).expect("a unit");
        Context::builder().unit(unit).build().expect("a context")
    })
}

/// Work-groups of less than a subgroup, of few and of many.
const LANES: [u32; 4] = [4, 32, 128, 256];

/// Numbers of elements that need so many lanes: around the ends of subgroups and work-groups, and of all work-groups.
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
        let [without, with] = contexts(lanes);
        for n in sizes() {
            let x = uneven(n);
            let sums = [&without, &with].map(|context| {
                let any = reduce!(add).within(context.clone()).on(Device(0));
                let ordered = reduce!(add_in_order).within(context.clone()).on(Device(0));
                let sums = [any.run((&x,)).unwrap(), ordered.run((&x,)).unwrap()];
                sums.map(f32::to_bits)
            });
            assert_eq!(sums[0], sums[1], "{n} elements, {lanes} lanes");
        }
    }
}

fn prefixes_are_grouped_the_same_way() {
    for lanes in LANES {
        let [without, with] = contexts(lanes);
        for n in sizes() {
            let x = uneven(n);
            let prefixes = [&without, &with].map(|context| {
                let scan = scan!(add_in_order).within(context.clone()).on(Device(0));
                let prefixes = scan.run((&x,)).unwrap();
                let prefixes = prefixes.host().unwrap();
                prefixes.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
            });
            assert!(prefixes[0] == prefixes[1], "{n} elements, {lanes} lanes");
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

fn values_of_many_words_pass() {
    for lanes in [4, 256] {
        let [_, with] = contexts(lanes);
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

fn arrays_pass() {
    let [_, with] = contexts(64);
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
    for context in contexts(64) {
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
    for context in contexts(64) {
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

fn they_are_as_told() {
    let found = found().expect("tests without a device are ignored");
    for told in [false, true] {
        let driver = driver(&found, None, told);
        assert_eq!(driver.limits().passes_in_subgroups(), told);
        let listed = ("subgroups", if told { "yes" } else { "no" }.to_owned());
        assert!(driver.info().limits.contains(&listed), "{listed:?}");
    }
}

fn a_sum() {
    let found = found().expect("tests without a device are ignored");
    let unit = DeviceUnit::new(webgpu::open(&found).expect("the device opens")).expect("a unit");
    let context = Context::builder().unit(unit).build().expect("a context");
    let sum = reduce!(sum).within(context).on(Device(0));
    let ones = Vector::from(vec![1_u32; 1_000]);
    assert_eq!(sum.run((&ones,)).unwrap(), 1_000);
}
