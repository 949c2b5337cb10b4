//! Folds of rows and columns on work-groups of any size: the same bits as on CPU cores, and the same row named where
//! one traps.

use crate::{
    Test,
    grouped::{LANES, context, print_of},
    prints::{Print, print, print_either, print_slowly},
};
use skel::{Context, Error, Target, prelude::*};

pub(crate) const TESTS: &[Test] = &[
    (
        "rows_and_columns_are_grouped_the_same_way",
        rows_and_columns_are_grouped_the_same_way,
    ),
    (
        "the_first_row_that_traps_is_named",
        the_first_row_that_traps_is_named,
    ),
    (
        "spans_that_trapped_are_not_joined",
        spans_that_trapped_are_not_joined,
    ),
    (
        "values_too_large_for_a_group_are_refused_in_long_rows_alone",
        values_too_large_for_a_group_are_refused_in_long_rows_alone,
    ),
];

/// What folds of the rows and of the columns come to.
fn of_rows_and_columns(context: &Context, target: &Target, m: &Matrix<Print>) -> [Vec<u32>; 6] {
    macro_rules! run {
        ($operator:ident, $axis:ident) => {{
            let fold = reduce!($operator).within(context.clone());
            let found = fold.on(target.clone()).$axis().run((m,)).unwrap();
            let found = found.host().unwrap();
            found.iter().map(|p| p.hash).collect::<Vec<u32>>()
        }};
    }
    [
        run!(print, rows),
        run!(print_either, rows),
        run!(print_slowly, rows),
        run!(print, cols),
        run!(print_either, cols),
        run!(print_slowly, cols),
    ]
}

fn rows_and_columns_are_grouped_the_same_way() {
    for lanes in LANES {
        let context = context(lanes);
        for (rows, cols) in [
            (3, 63),
            (70, 64),
            (9, 1100),
            (2, 4353),
            (8197, 64),
            (2100, 130),
            (1, 33_000),
            (33_000, 1),
        ] {
            let x = (0..rows * cols).map(print_of).collect();
            let m = Matrix::from_vec(rows, cols, x).unwrap();
            let expected = of_rows_and_columns(&context, &Sequential.into(), &m);
            let found = of_rows_and_columns(&context, &Device(0).into(), &m);
            assert!(found == expected, "{rows} × {cols}, {lanes} lanes");
        }
    }
}

#[user_function]
fn inverse(x: i32) -> i32 {
    1000 / x
}

#[user_function]
fn sum(a: i32, b: i32) -> i32 {
    a + b
}

/// Fails where both sides have a seven.
#[user_function(commutative)]
fn checked(a: i32, b: i32) -> i32 {
    assert!(a % 7 != 0 || b % 7 != 0, "two sevens");
    a * b
}

fn the_first_row_that_traps_is_named() {
    // The rows of a group are one, or several.
    for (lanes, rows, cols) in LANES
        .into_iter()
        .flat_map(|l| [(l, 90, 3000), (l, 8200, 70)])
    {
        let context = context(lanes);
        let matrix = |value: i32, places: &[(usize, usize)]| {
            let mut x = vec![1; rows * cols];
            for (row, col) in places {
                x[row * cols + col % cols] = value;
            }
            Matrix::from_vec(rows, cols, x).unwrap()
        };
        let m = matrix(0, &[(80, 5), (41, 2999), (42, 0)]);
        let sums = map_reduce!(inverse, sum).within(context.clone());
        is_named(41, sums.on(Device(0)).rows().run((&m,)), lanes);
        // Of one lane, of two, and of two tiles.
        for two in [5 + 128, 6, 2500] {
            let m = matrix(7, &[(70, 1), (70, 2), (39, 5), (39, two), (38, 7)]);
            let products = reduce!(checked).within(context.clone());
            is_named(39, products.on(Device(0)).rows().run((&m,)), lanes);
        }
    }
}

#[user_function]
fn small_ratio(a: i32, b: i32) -> i32 {
    assert!(a < 1000, "not small");
    a / b
}

/// Each thread takes a few of 20,000 rows. What lies where one of them would have left its node, of the call before,
/// must not be taken for it: that traps, too.
fn spans_that_trapped_are_not_joined() {
    let context = context(128);
    let large = Matrix::filled(20_000, 2, 100);
    let sums = reduce!(sum).within(context.clone()).on(Device(0));
    let sums = sums.cols().run((&large,)).unwrap();
    assert_eq!(sums.host().unwrap()[..], [2_000_000; 2]);
    let mut m = Matrix::filled(20_000, 2, 1);
    for span in 0..10 {
        // The second element of a span.
        m.host_mut().unwrap()[2 * (2048 * span + 1) + 1] = 0;
    }
    let ratios = reduce!(small_ratio).within(context).on(Device(0));
    let found = ratios.cols().run((&m,));
    let found = found.and_then(|found| found.host().map(|_| ()));
    let Err(Error::Trap { index, message, .. }) = found else {
        panic!("{found:?}");
    };
    assert_eq!((index, &*message), (Some(1), "attempt to divide by zero"));
}

fn is_named(row: usize, found: skel::Result<Vector<i32>>, lanes: u32) {
    let found = found.and_then(|found| found.host().map(|_| ()));
    let Err(Error::Trap { index, .. }) = found else {
        panic!("{found:?}, {lanes} lanes");
    };
    assert_eq!(index, Some(row), "{lanes} lanes");
}

/// Of which a work-group has no room for 128.
#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
struct Large {
    cells: [u32; 160],
}

#[user_function(commutative)]
fn first_cells(a: Large, b: Large) -> Large {
    let mut sum = a;
    sum.cells[0] = a.cells[0] + b.cells[0];
    sum
}

fn values_too_large_for_a_group_are_refused_in_long_rows_alone() {
    let context = context(128);
    let sum = reduce!(first_cells).within(context).on(Device(0));
    let matrix = |rows: usize, cols: usize| {
        let large = |i: usize| Large {
            cells: [i as u32; 160],
        };
        Matrix::from_vec(rows, cols, (0..rows * cols).map(large).collect()).unwrap()
    };
    let total = |found: Vector<Large>, of: &[usize]| {
        let sums: Vec<u32> = found.host().unwrap().iter().map(|l| l.cells[0]).collect();
        let expected: Vec<u32> = of.iter().map(|i| *i as u32).collect();
        assert_eq!(sums, expected);
    };
    let short = matrix(2, 40);
    total(
        sum.clone().rows().run((&short,)).unwrap(),
        &[(0..40).sum(), (40..80).sum()],
    );
    let high = matrix(70, 1);
    total(sum.clone().cols().run((&high,)).unwrap(), &[(0..70).sum()]);
    let found = sum.rows().run((&matrix(1, 64),));
    assert!(matches!(found, Err(Error::Unsupported { .. })), "{found:?}");
}
