//! Scans of many blocks, which look back at each other, in several orders, alone and with others before and behind.

use crate::{Test, driver::World};
use skel::{Context, Hybrid, Target, prelude::*};
use skel_backends::cuda::Options;

pub(crate) const TESTS: &[Test] = &[
    (
        "many_blocks_look_back_at_each_other",
        many_blocks_look_back_at_each_other,
    ),
    (
        "traps_of_one_block_do_not_keep_others",
        traps_of_one_block_do_not_keep_others,
    ),
    (
        "sums_of_floats_do_not_depend_on_which_block_comes_first",
        sums_of_floats_do_not_depend_on_which_block_comes_first,
    ),
    (
        "one_kernel_where_no_block_waits",
        one_kernel_where_no_block_waits,
    ),
];

/// A product of matrices modulo 2⁶⁴ depends on its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Element)]
#[repr(C)]
struct Matrix {
    a: u64,
    b: u64,
    c: u64,
    d: u64,
}

#[user_function]
fn times(x: Matrix, y: Matrix) -> Matrix {
    Matrix {
        a: x.a * y.a + x.b * y.c,
        b: x.a * y.b + x.b * y.d,
        c: x.c * y.a + x.d * y.c,
        d: x.c * y.b + x.d * y.d,
    }
}

#[user_function]
fn add(a: i32, b: i32) -> i32 {
    a + b
}

#[user_function]
fn inverses(a: i32, b: i32) -> i32 {
    a + 1000 / b
}

/// More blocks than are begun at a time: a tile has 1024 elements of this size.
const ELEMS: usize = 1024 * 130 + 5;

fn many_blocks_look_back_at_each_other(world: &World) {
    let all: Vec<Matrix> = (0..ELEMS as u64)
        .map(|i| Matrix {
            a: (i * 0x9e37_79b9) | 1,
            b: i ^ 0x55,
            c: i * i,
            d: i + 3,
        })
        .collect();
    let mut expected = all.clone();
    for i in 1..ELEMS {
        expected[i] = times(expected[i - 1], expected[i]);
    }
    let options = Options::default();
    world.in_every_order(3, |seed| {
        // The first of two devices has the second behind it.
        for (context, target) in [
            (world.context(&[options]), Target::from(Cuda)),
            (world.context(&[options]), Hybrid::ratio(0.1).into()),
            (world.context(&[options; 2]), Hybrid::ratio(0.1).into()),
        ] {
            let f = scan!(times).within(context).on(target.clone());
            let found = f.run((&Vector::from(all.clone()),)).unwrap();
            let found = found.host().unwrap();
            let wrong = found.iter().zip(&expected).position(|(a, b)| a != b);
            assert_eq!(wrong, None, "{target}, order {seed}");
        }
    });
}

fn traps_of_one_block_do_not_keep_others(world: &World) {
    world.in_every_order(4, |seed| {
        let context = world.context(&[Options::default()]);
        let f = scan!(inverses).within(context.clone()).on(Cuda);
        let mut all = vec![7; 60_000];
        all[20_000] = 0;
        let found = f.run((&Vector::from(all),));
        let error = match found {
            Ok(found) => found.host().map(|_| ()).unwrap_err(),
            Err(error) => error,
        };
        assert!(error.to_string().contains("zero"), "{error}, order {seed}");
        // The device is none the worse for it.
        let sums = scan!(add).within(context).on(Cuda);
        let ones = Vector::filled(60_000, 1);
        let sums = sums.run((&ones,)).unwrap();
        assert_eq!(*sums.host().unwrap().last().unwrap(), 60_000);
    });
}

#[user_function]
fn joined(a: f32, b: f32) -> f32 {
    a + b
}

fn sums_of_floats_do_not_depend_on_which_block_comes_first(world: &World) {
    // Sums of such numbers are rounded all the time. Blocks are more than a group, and with a part before them the first
    // group is not whole.
    let x: Vec<f32> = (0..1_600_000_u32)
        .map(|i| (i.wrapping_mul(2_654_435_761) as f32).powi(3))
        .collect();
    let x = Vector::from(x);
    let bits = |on: Target, context: Context| -> Vec<u32> {
        let sums = scan!(joined).within(context).on(on).run((&x,)).unwrap();
        sums.host().unwrap().iter().map(|x| x.to_bits()).collect()
    };
    let expected = bits(Cpu.into(), Context::builder().build().unwrap());
    world.in_every_order(3, |seed| {
        for on in [Target::from(Cuda), Hybrid::ratio(0.1).into()] {
            let found = bits(on.clone(), world.context(&[Options::default()]));
            let wrong = found.iter().zip(&expected).position(|(a, b)| a != b);
            assert_eq!(wrong, None, "{on}, order {seed}");
        }
    });
}

/// No other test uses this device.
const COUNTED: u16 = 6;

fn one_kernel_where_no_block_waits(world: &World) {
    let Some(shim) = &world.shim else {
        return;
    };
    let mut three_passes = Options::default();
    three_passes.one_pass = false;
    let one_pass = Options::default();
    // Several tiles, even without what the CPU takes.
    let x = Vector::filled(30_000, 1);
    for (options, others, launches) in [
        (one_pass, false, 1),
        (three_passes, false, 3),
        // The carry of what follows comes from the totals.
        (one_pass, true, 3),
    ] {
        let counted = (usize::from(COUNTED), options);
        let behind = others.then_some((0, options));
        let context = world.of_devices([counted].into_iter().chain(behind));
        let f = scan!(add).within(context).on(Hybrid::ratio(0.2));
        let before = shim.launches(COUNTED);
        let sums = f.run((&x,)).unwrap();
        assert_eq!(*sums.host().unwrap().last().unwrap(), 30_000);
        let counted = shim.launches(COUNTED) - before;
        assert_eq!(counted, launches, "{options:?}, others behind: {others}");
    }
}
