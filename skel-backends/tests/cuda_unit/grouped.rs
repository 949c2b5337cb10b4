//! Folds and scans have the bits of the reference: in one pass and in three, in blocks of several sizes, alone and in
//! company, and where memory takes a part at a time.

use crate::{
    Test,
    driver::World,
    prints::{Print, print, print_slowly},
    reference::Op,
};
use skel::{Context, Hybrid, Target, prelude::*, unit::DeviceUnit};
use skel_backends::cuda::{self, Options};
use skel_core::plan::Grouping;

pub(crate) const TESTS: &[Test] = &[
    ("scans_are_the_reference", scans_are_the_reference),
    ("folds_are_the_reference", folds_are_the_reference),
];

#[user_function]
fn add(a: f32, b: f32) -> f32 {
    a + b
}

const ORDERED: Grouping = Grouping::Ordered { chunks: 16 };

const PRINT: Op<Print> = Op {
    apply: print,
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

const SIZES: [usize; 12] = [
    1, 15, 17, 255, 257, 1000, 4095, 4096, 4097, 12_289, 33_000, 75_003,
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

/// Devices whose arrays take no more than so many bytes.
fn capped(options: Options, bytes: u64) -> Context {
    let driver = cuda::open_with(&cuda::enumerate()[0], options).unwrap();
    let unit = DeviceUnit::new(driver).unwrap();
    let builder = Context::builder().unit(unit.with_memory_cap(bytes));
    builder.build().unwrap()
}

fn setups(world: &World) -> Vec<(&'static str, Context, Target)> {
    let usual = Options::default();
    let mut three_passes = usual;
    three_passes.one_pass = false;
    vec![
        ("one pass", world.context(&[usual]), Cuda.into()),
        ("three passes", world.context(&[three_passes]), Cuda.into()),
        ("one pass in chunks", capped(usual, 300_000), Cuda.into()),
        (
            "three in chunks",
            capped(three_passes, 300_000),
            Cuda.into(),
        ),
        (
            "cpu first",
            world.context(&[usual]),
            Hybrid::ratio(0.3).into(),
        ),
        (
            "two behind",
            world.context(&[usual, three_passes]),
            Hybrid::shares([1.0, 3.0, 2.0]).into(),
        ),
    ]
}

fn scans_are_the_reference(world: &World) {
    let first = Print {
        hash: 77,
        zero: 0.0,
    };
    for (name, context, target) in setups(world) {
        for n in SIZES {
            let (x, y) = (prints(n), floats(n));
            let (own, numbers) = (Vector::from(x.clone()), Vector::from(y.clone()));
            let what = format!("{name}, {n} elements");
            let scan = scan!(print).within(&context).on(target.clone());
            let found = scan.run((&own,)).unwrap();
            let expected = PRINT.scan(ORDERED, false, None, &x);
            assert!(
                hashes(&found.host().unwrap()) == hashes(&expected),
                "{what}"
            );
            let scan = scan!(print).exclusive(first);
            let found = scan
                .within(&context)
                .on(target.clone())
                .run((&own,))
                .unwrap();
            let expected = PRINT.scan(ORDERED, true, Some(first), &x);
            assert!(
                hashes(&found.host().unwrap()) == hashes(&expected),
                "{what}"
            );
            let scan = scan!(print_slowly).initial(first);
            let found = scan
                .within(&context)
                .on(target.clone())
                .run((&own,))
                .unwrap();
            let expected = SLOWLY.scan(Grouping::Heavy, false, Some(first), &x);
            assert!(
                hashes(&found.host().unwrap()) == hashes(&expected),
                "{what}"
            );
            let scan = scan!(add).within(&context).on(target.clone());
            let found = scan.run((&numbers,)).unwrap();
            let expected = ADD.scan(ORDERED, false, None, &y);
            assert!(bits(&found.host().unwrap()) == bits(&expected), "{what}");
            let scan = scan!(add).exclusive(0.5);
            let found = scan
                .within(&context)
                .on(target.clone())
                .run((&numbers,))
                .unwrap();
            let expected = ADD.scan(ORDERED, true, Some(0.5), &y);
            assert!(bits(&found.host().unwrap()) == bits(&expected), "{what}");
        }
    }
}

fn folds_are_the_reference(world: &World) {
    for (name, context, target) in setups(world) {
        for n in SIZES {
            let (x, y) = (prints(n), floats(n));
            let what = format!("{name}, {n} elements");
            let found = reduce!(print)
                .within(&context)
                .on(target.clone())
                .run((&x,));
            let expected = PRINT.fold(ORDERED, &x).unwrap();
            assert_eq!(found.unwrap().hash, expected.hash, "{what}");
            let found = reduce!(print_slowly)
                .within(&context)
                .on(target.clone())
                .run((&x,));
            let expected = SLOWLY.fold(Grouping::Heavy, &x).unwrap();
            assert_eq!(found.unwrap().hash, expected.hash, "{what}");
            let found = reduce!(add).within(&context).on(target.clone()).run((&y,));
            let expected = ADD.fold(Grouping::Lanes, &y).unwrap();
            assert_eq!(found.unwrap().to_bits(), expected.to_bits(), "{what}");
        }
    }
}
