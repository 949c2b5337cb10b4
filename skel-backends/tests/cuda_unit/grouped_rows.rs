//! Folds of rows and columns have the bits of the reference, for every kind of kernel, and in blocks of any size.

use crate::{
    Test,
    driver::World,
    prints::{Print, print, print_either, print_slowly},
    reference::Op,
};
use skel::{Hybrid, Target, prelude::*};
use skel_backends::cuda::Options;
use skel_core::plan::Grouping;

pub(crate) const TESTS: &[Test] = &[
    (
        "rows_and_columns_have_the_bits_of_the_reference",
        rows_and_columns_have_the_bits_of_the_reference,
    ),
    (
        "the_first_row_that_traps_is_named",
        the_first_row_that_traps_is_named,
    ),
];

fn op(apply: fn(Print, Print) -> Print) -> Op<Print> {
    Op {
        apply,
        is_wide: false,
    }
}

const ORDERED: Grouping = Grouping::Ordered { chunks: 16 };

/// Around the ends of blocks, chunks and tiles, and of chains of rows.
const SHAPES: [(usize, usize); 12] = [
    (8197, 64),
    (2100, 130),
    (1, 5),
    (33, 37),
    (97, 1),
    (5, 63),
    (300, 64),
    (70, 143),
    (40, 1000),
    (3, 2049),
    (2, 4353),
    (3001, 2),
];

fn rows_and_columns_have_the_bits_of_the_reference(world: &World) {
    let options = Options::default();
    for target in [Target::from(Cuda), Hybrid::ratio(0.4).into()] {
        let context = world.context(&[options]);
        for (rows, cols) in SHAPES {
            let hash = |i: usize| (i as u32).wrapping_mul(0x2545_F491) ^ 0x5bd1;
            let x: Vec<Print> = (0..rows * cols)
                .map(|i| Print {
                    hash: hash(i),
                    zero: 0.0,
                })
                .collect();
            let first = x[rows * cols / 2];
            let m = Matrix::from_vec(rows, cols, x.clone()).unwrap();
            macro_rules! check {
                ($operator:ident, $grouping:expr) => {
                    let fold = reduce!($operator).within(context.clone());
                    let fold = fold.on(target.clone());
                    let first_too = fold.clone().initial(first);
                    let (of_rows, of_cols) = expected(op($operator), $grouping, &x, cols);
                    let with = |all: &[Print]| -> Vec<Print> {
                        all.iter().map(|value| $operator(first, *value)).collect()
                    };
                    let what = format!("{}, {rows} × {cols}, {target}", stringify!($operator));
                    same(fold.clone().rows().run((&m,)), &of_rows, &what);
                    same(fold.cols().run((&m,)), &of_cols, &what);
                    same(first_too.clone().rows().run((&m,)), &with(&of_rows), &what);
                    same(first_too.cols().run((&m,)), &with(&of_cols), &what);
                };
            }
            check!(print, ORDERED);
            check!(print_either, Grouping::Lanes);
            check!(print_slowly, Grouping::Heavy);
        }
    }
}

/// Of each row, and of each column.
fn expected(
    op: Op<Print>,
    grouping: Grouping,
    x: &[Print],
    cols: usize,
) -> (Vec<Print>, Vec<Print>) {
    let column = |j| x.iter().skip(j).step_by(cols).copied().collect::<Vec<_>>();
    (
        x.chunks(cols)
            .map(|row| op.fold(grouping, row).unwrap())
            .collect(),
        (0..cols).map(|j| op.column(&column(j)).unwrap()).collect(),
    )
}

fn same(found: skel::Result<Vector<Print>>, expected: &[Print], what: &str) {
    let found = found.unwrap_or_else(|error| panic!("{what}: {error}"));
    let wrong = found
        .host()
        .unwrap()
        .iter()
        .zip(expected)
        .position(|(a, b)| a != b);
    assert_eq!(wrong, None, "{what}");
}

#[user_function]
fn inverse(x: i32) -> i32 {
    1000 / x
}

#[user_function]
fn add(a: i32, b: i32) -> i32 {
    a + b
}

/// Fails where the right one is 7, or what a sum of sevens comes to.
#[user_function(commutative)]
fn checked(a: i32, b: i32) -> i32 {
    assert!(a % 7 != 0 || b % 7 != 0, "two sevens");
    a * b
}

fn the_first_row_that_traps_is_named(world: &World) {
    // The rows of a block are one, or several.
    for (rows, cols) in [(200, 3000), (8200, 70)] {
        let context = world.context(&[Options::default()]);
        let matrix = |value: i32, places: &[(usize, usize)]| {
            let mut x = vec![1; rows * cols];
            for (row, col) in places {
                x[row * cols + col % cols] = value;
            }
            Matrix::from_vec(rows, cols, x).unwrap()
        };
        let m = matrix(0, &[(180, 5), (41, 2999), (42, 0)]);
        let sums = map_reduce!(inverse, add).within(context.clone());
        is_named(41, sums.on(Cuda).rows().run((&m,)));
        // Of one lane, of two, and of two tiles.
        for two in [5 + 128, 6, 2500] {
            let m = matrix(7, &[(150, 5), (150, 6), (99, 5), (99, two), (98, 7)]);
            let products = reduce!(checked).within(context.clone());
            is_named(99, products.on(Cuda).rows().run((&m,)));
        }
    }
}

fn is_named(row: usize, found: skel::Result<Vector<i32>>) {
    let found = found.and_then(|found| found.host().map(|_| ()));
    let Err(Error::Trap { index, .. }) = found else {
        panic!("{found:?}");
    };
    assert_eq!(index, Some(row));
}
