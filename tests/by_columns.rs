//! Rows that lie by columns, as those of a transposed matrix, give what they give where they lie one behind the other: the
//! same bits, on one thread and on several, of matrices that the CPU works through in bands and of small ones.

use skel::{Context, Element, Error, Target, prelude::*};
use std::fmt::Debug;

fn targets() -> [(Context, Target); 2] {
    let context = || {
        Context::builder()
            .build()
            .expect("the host is always there")
    };
    [(context(), Sequential.into()), (context(), Cpu.into())]
}

/// Smaller than a band, several bands, and rows of which a band has the fewest.
const SHAPES: [(usize, usize); 5] = [(7, 5), (70, 64), (1000, 333), (3, 40_000), (20_000, 37)];

/// Matrices of these elements, and their transposed as matrices of their own.
fn matrices<T: Element>(of: impl Fn(usize) -> T) -> impl Iterator<Item = (Matrix<T>, Matrix<T>)> {
    SHAPES.into_iter().map(move |(rows, cols)| {
        let at = |i: usize, j: usize| of((i * 31 + j * 17) % 1009);
        let m = Matrix::from_fn(rows, cols, at);
        (m, Matrix::from_fn(cols, rows, |i, j| at(j, i)))
    })
}

fn transposed<T: Element>(m: &Matrix<T>) -> Vec<T> {
    let of = m.host().expect("it is on the host");
    let (rows, cols) = (m.rows(), m.cols());
    (0..cols)
        .flat_map(|j| (0..rows).map(move |i| (i, j)))
        .map(|(i, j)| of[i * cols + j])
        .collect()
}

/// Everything that goes through rows, of sums of these elements.
macro_rules! rows_of {
    ($t:ty, $of:expr, $bits:expr) => {
        for (context, target) in targets() {
            for (m, t) in matrices::<$t>($of) {
                let bits = |x: &[$t]| x.iter().map($bits).collect::<Vec<_>>();
                let shape = (m.rows(), m.cols());
                let sum = reduce!(|a: $t, b: $t| a + b)
                    .within(context.clone())
                    .on(target.clone());
                let f = sum.clone().rows();
                let (found, expected): (Vector<$t>, Vector<$t>) =
                    (f.run((m.transposed(),))?, f.run((&t,))?);
                assert_eq!(
                    bits(&found.host()?),
                    bits(&expected.host()?),
                    "sums {shape:?} {target:?}"
                );
                let last = reduce!(|_a: $t, b: $t| b)
                    .within(context.clone())
                    .on(target.clone());
                let f = last.rows();
                let (found, expected): (Vector<$t>, Vector<$t>) =
                    (f.run((m.transposed(),))?, f.run((&t,))?);
                assert_eq!(
                    bits(&found.host()?),
                    bits(&expected.host()?),
                    "last {shape:?} {target:?}"
                );

                let scan = scan!(|a: $t, b: $t| a + b)
                    .within(context.clone())
                    .on(target.clone());
                let f = scan.clone().rows();
                let (found, expected): (Matrix<$t>, Matrix<$t>) =
                    (f.run((m.transposed(),))?, f.run((&t,))?);
                let by_rows = bits(&expected.host()?);
                assert_eq!(bits(&found.host()?), by_rows, "scan {shape:?} {target:?}");
                // Written by columns, from rows and from columns.
                let mut out = Matrix::<$t>::from_fn(m.rows(), m.cols(), |_, _| $of(3));
                f.run_into((&t,), out.transposed_mut())?;
                assert_eq!(
                    bits(&transposed(&out)),
                    by_rows,
                    "into columns {shape:?} {target:?}"
                );
                let found = scan.clone().cols().run((&m,))?;
                assert_eq!(
                    bits(&transposed(&found)),
                    by_rows,
                    "columns {shape:?} {target:?}"
                );
                let mut again = Matrix::from_vec(m.rows(), m.cols(), m.host()?.to_vec())?;
                scan.clone().cols().run_in_place(&mut again)?;
                assert_eq!(
                    bits(&transposed(&again)),
                    by_rows,
                    "in place {shape:?} {target:?}"
                );

                let from = scan.clone().exclusive($of(5));
                let expected: Matrix<$t> = from.clone().rows().run((&t,))?;
                let found = from.cols().run((&m,))?;
                assert_eq!(
                    bits(&transposed(&found)),
                    bits(&expected.host()?),
                    "exclusive {shape:?} {target:?}"
                );
                // All elements, row by row.
                let (found, expected): (Matrix<$t>, Matrix<$t>) =
                    (scan.run((m.transposed(),))?, scan.run((&t,))?);
                assert_eq!(
                    bits(&found.host()?),
                    bits(&expected.host()?),
                    "all {shape:?} {target:?}"
                );
                let (found, expected) = (sum.run((m.transposed(),))?, sum.run((&t,))?);
                assert_eq!(
                    bits(&[found]),
                    bits(&[expected]),
                    "sum {shape:?} {target:?}"
                );
            }
        }
    };
}

#[test]
fn floats() -> skel::Result<()> {
    rows_of!(f32, |i: usize| 0.1 + i as f32 / 7.0, |x: &f32| x.to_bits());
    Ok(())
}

#[test]
fn doubles() -> skel::Result<()> {
    rows_of!(f64, |i: usize| 0.1 + i as f64 / 7.0, |x: &f64| x.to_bits());
    Ok(())
}

#[test]
fn integers() -> skel::Result<()> {
    rows_of!(i32, |i: usize| i as i32 - 500, |x: &i32| *x);
    Ok(())
}

fn of<T: Element + PartialEq + Debug>(x: &Matrix<T>, expected: &[T]) -> skel::Result<()> {
    assert!(x.host()?[..] == *expected);
    Ok(())
}

/// Elements that no vector has several of, and small ones.
#[test]
fn elements_of_other_sizes() -> skel::Result<()> {
    for (context, target) in targets() {
        for (m, t) in matrices::<[i32; 3]>(|i| [i as i32, 1, -(i as i32)]) {
            let f = scan!(|a: [i32; 3], b: [i32; 3]| [a[0] + b[0], a[1] + b[1], a[2] + b[2]]);
            let f = f.within(context.clone()).on(target.clone());
            let expected: Matrix<[i32; 3]> = f.clone().rows().run((&t,))?;
            of(&expected, &transposed(&f.cols().run((&m,))?))?;
        }
        for (m, t) in matrices::<u8>(|i| i as u8) {
            let f = scan!(|a: u8, b: u8| if a > b { a } else { b });
            let f = f.within(context.clone()).on(target.clone());
            let expected: Matrix<u8> = f.clone().rows().run((&t,))?;
            of(&expected, &transposed(&f.cols().run((&m,))?))?;
        }
    }
    Ok(())
}

/// A trap is found, what was there stays, and the next call works.
#[test]
fn traps() -> skel::Result<()> {
    for (context, target) in targets() {
        let f = scan!(|a: u32, b: u32| {
            assert!(b != 999_999, "it is not counted");
            a + b
        });
        let f = f.within(context.clone()).on(target.clone()).cols();
        let of = |bad: usize| {
            Matrix::from_fn(
                1000,
                300,
                |i, j| {
                    if i * 300 + j == bad { 999_999 } else { 1_u32 }
                },
            )
        };
        let mut out = Matrix::filled(1000, 300, 7_u32);
        let error = f.run_into((&of(200_000),), &mut out).unwrap_err();
        assert!(matches!(error, Error::Trap { .. }), "{error}");
        assert_eq!(out.host()?[0], 7, "nothing was scanned");
        let mut changed = of(123);
        // The first of a row is combined with nothing.
        let done = f.run_in_place(&mut changed);
        assert!(done.is_ok(), "{done:?}");
        let mut kept = of(200_000);
        f.run_in_place(&mut kept).unwrap_err();
        assert_eq!(kept.host()?[200_000], 999_999);
        f.run_into((&of(usize::MAX),), &mut out)?;
        assert_eq!(out.host()?[999 * 300 + 7], 1000);
    }
    Ok(())
}
