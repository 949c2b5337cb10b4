//! Reductions of rows and columns, and of pairs.

use super::{
    Affine, Case, Check, Context, Failure, Outcome, Sizes, Target,
    data::{Sample, input, instead, same, same_value, scramble},
    refusals::if_bound,
};
use crate::{Error, prelude::*};

/// A square matrix modulo a prime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Element)]
#[repr(C)]
struct Square {
    m: [u16; 4],
}

/// Small enough for products of 16 bits.
const PRIME: u32 = 251;

impl Sample for Square {
    fn sample(i: usize) -> Self {
        let part = |k: usize| (scramble(4 * i + k) % PRIME) as u16;
        Square {
            m: [part(0), part(1), part(2), part(3)],
        }
    }

    fn bits(self) -> u64 {
        self.m.iter().fold(0, |bits, x| bits << 16 | u64::from(*x))
    }
}

#[user_function]
fn product(a: Square, b: Square) -> Square {
    let (a, b) = (a.m, b.m);
    Square {
        m: [
            (a[0] * b[0] % 251 + a[1] * b[2] % 251) % 251,
            (a[0] * b[1] % 251 + a[1] * b[3] % 251) % 251,
            (a[2] * b[0] % 251 + a[3] * b[2] % 251) % 251,
            (a[2] * b[1] % 251 + a[3] * b[3] % 251) % 251,
        ],
    }
}

fn plain_product(a: Square, b: Square) -> Square {
    let of = |i: usize, j: usize| {
        let sum: u32 = (0..2)
            .map(|k| u32::from(a.m[2 * i + k]) * u32::from(b.m[2 * k + j]))
            .sum();
        (sum % PRIME) as u16
    };
    Square {
        m: [of(0, 0), of(0, 1), of(1, 0), of(1, 1)],
    }
}

#[user_function]
fn compose(a: Affine, b: Affine) -> Affine {
    a * b
}

pub(super) fn plain_compose(a: Affine, b: Affine) -> Affine {
    Affine {
        factor: a.factor.wrapping_mul(b.factor),
        offset: a.factor.wrapping_mul(b.offset).wrapping_add(a.offset),
    }
}

#[user_function]
fn add<T: Number>(a: T, b: T) -> T {
    a + b
}

#[user_function]
fn largest(a: i32, b: i32) -> i32 {
    a.max(b)
}

#[user_function]
fn first(a: f32, _b: f32) -> f32 {
    a
}

#[user_function]
fn last(_a: f32, b: f32) -> f32 {
    b
}

#[user_function]
fn cell(at: Index2, x: u32, #[uniform] k: u32) -> u32 {
    x * (at.row as u32 + 1) + at.col as u32 * k
}

#[user_function]
fn difference(a: i32, b: i32, #[uniform] k: i32) -> i32 {
    a * k - b
}

#[user_function]
fn ratio(a: i32, b: i32) -> i32 {
    a / b
}

pub(super) fn cases(sizes: Sizes) -> Vec<Case> {
    let mut cases = Vec::new();
    let elems: Vec<usize> = sizes.elems();
    macro_rules! of_type {
        ($($name:literal $t:ty, $op:ident, $plain:expr;)*) => { $(
            let ns = elems.clone();
            cases.push(Case::new(concat!("along::", $name), move |context, target| {
                ns.iter().try_for_each(|n| {
                    shapes(*n).try_for_each(|(rows, cols)| if_bound({
                        let f = || reduce!($op).within(context.clone()).on(target);
                        let plain: fn($t, $t) -> $t = $plain;
                        of_matrix::<$t>(rows, cols, plain, |m| f().rows().run((m,)), |m| f().cols().run((m,)))
                    }))
                })
            }));
        )* };
    }
    of_type! {
        "sum::u32" u32, add, u32::wrapping_add;
        "sum::i32" i32, add, i32::wrapping_add;
        "max::i32" i32, largest, i32::max;
        "first::f32" f32, first, |a, _| a;
        "last::f32" f32, last, |_, b| b;
        "affine_maps" Affine, compose, plain_compose;
        "matrices_modulo_a_prime" Square, product, plain_product;
    }
    let checks: [(&str, Check); 6] = [
        ("along::exact_sum::f64", exact_sum),
        ("along::parts", parts),
        ("along::initial", initial),
        ("along::mapped", mapped),
        ("along::two_levels", two_levels),
        ("along::pairs", pairs),
    ];
    for (name, check) in checks {
        let ns = elems.clone();
        cases.push(Case::new(name, move |context, target| {
            ns.iter()
                .try_for_each(|n| if_bound(check(context, target, *n)))
        }));
    }
    cases.push(Case::new("along::nothing_in_them", nothing_in_them));
    cases.push(Case::new("along::shapes_must_fit", shapes_must_fit));
    cases.push(Case::new("along::trap", |context, target| {
        [44, 200]
            .iter()
            .try_for_each(|rows| if_bound(trap(context, target, *rows)))
    }));
    cases
}

/// About as many elements, in long rows and in short ones.
fn shapes(n: usize) -> impl Iterator<Item = (usize, usize)> {
    let shapes = [(n / 37, 37), (3, n / 3), (n / 300, 300), (n, 1), (1, n)];
    shapes
        .into_iter()
        .filter(move |(_, cols)| *cols > 0 && n < 10_000 || *cols == 37)
}

/// Element `k` of the inputs.
fn element<T: Sample>(k: usize) -> T {
    T::sample(k + 1000)
}

fn of_matrix<T: Sample>(
    rows: usize,
    cols: usize,
    op: impl Fn(T, T) -> T,
    by_rows: impl Fn(&Matrix<T>) -> crate::Result<Vector<T>>,
    by_cols: impl Fn(&Matrix<T>) -> crate::Result<Vector<T>>,
) -> Outcome {
    let m = Matrix::from_vec(rows, cols, input::<T>(rows * cols, 1))?;
    let fold = |elements: &mut dyn Iterator<Item = usize>| elements.map(element::<T>).reduce(&op);
    let expected: Vec<T> = (0..rows)
        .filter_map(|i| fold(&mut (i * cols..(i + 1) * cols)))
        .collect();
    same("rows", &by_rows(&m)?.host()?, &expected)?;
    if rows == 0 {
        return Ok(());
    }
    let expected: Vec<T> = (0..cols)
        .filter_map(|j| fold(&mut (0..rows).map(|i| i * cols + j)))
        .collect();
    same("columns", &by_cols(&m)?.host()?, &expected)
}

/// Small whole numbers, whose sum is exact in any order.
fn exact_sum(context: &Context, target: &Target, n: usize) -> Outcome {
    let (rows, cols) = (n / 43, 43);
    let x: Vec<f64> = (0..rows * cols)
        .map(|k| f64::from(scramble(k) % 9))
        .collect();
    let m = Matrix::from_vec(rows, cols, x.clone())?;
    let f = reduce!(add).within(context.clone()).on(target);
    let expected: Vec<f64> = x.chunks(cols).map(|row| row.iter().sum()).collect();
    let mut sums = vec![0.0; rows];
    f.clone().rows().run_into((&m,), &mut sums)?;
    same("rows, into a slice", &sums, &expected)?;
    let mut sums = Vector::filled(cols, 0.0);
    if rows > 0 {
        f.cols().run_into((&m,), &mut sums)?;
        let expected: Vec<f64> = (0..cols)
            .map(|j| (0..rows).map(|i| x[i * cols + j]).sum())
            .collect();
        same("columns, into a vector", &sums.host()?, &expected)?;
    }
    Ok(())
}

/// Columns of what is transposed are rows; blocks; what lies in a vector.
fn parts(context: &Context, target: &Target, n: usize) -> Outcome {
    if !(2..=5000).contains(&n) {
        return Ok(());
    }
    let (rows, cols) = (n / 19 + 2, 19);
    let x = input::<Affine>(rows * cols, 1);
    let (m, v) = (
        Matrix::from_vec(rows, cols, x.clone())?,
        Vector::from(x.clone()),
    );
    let f = reduce!(compose).within(context.clone()).on(target);
    let fold =
        |elements: &mut dyn Iterator<Item = usize>| elements.map(|k| x[k]).reduce(plain_compose);
    let found = f.clone().rows().run((m.transposed(),))?;
    let expected: Vec<Affine> = (0..cols)
        .filter_map(|j| fold(&mut (0..rows).map(|i| i * cols + j)))
        .collect();
    same("rows of what is transposed", &found.host()?, &expected)?;
    let found = f.clone().cols().run((m.part(1.., 2..9),))?;
    let expected: Vec<Affine> = (2..9)
        .filter_map(|j| fold(&mut (1..rows).map(|i| i * cols + j)))
        .collect();
    same("columns of a block", &found.host()?, &expected)?;
    let found = f.rows().run((v.reversed().in_rows(rows, cols),))?;
    let expected: Vec<Affine> = (0..rows)
        .filter_map(|i| fold(&mut (0..cols).map(|j| rows * cols - 1 - (i * cols + j))))
        .collect();
    same("rows of a vector, backwards", &found.host()?, &expected)
}

fn initial(context: &Context, target: &Target, n: usize) -> Outcome {
    let begin = Affine {
        factor: 5,
        offset: 11,
    };
    for (rows, cols) in [(n / 23, 23), (2, n / 2), (n.min(70), 0)] {
        let x = input::<Affine>(rows * cols, 1);
        let m = Matrix::from_vec(rows, cols, x.clone())?;
        let f = reduce!(compose)
            .initial(begin)
            .within(context.clone())
            .on(target);
        let fold = |elements: &mut dyn Iterator<Item = usize>| {
            elements.map(|k| x[k]).fold(begin, plain_compose)
        };
        let expected: Vec<Affine> = (0..rows)
            .map(|i| fold(&mut (i * cols..(i + 1) * cols)))
            .collect();
        same("rows", &f.clone().rows().run((&m,))?.host()?, &expected)?;
        let expected: Vec<Affine> = (0..cols)
            .map(|j| fold(&mut (0..rows).map(|i| i * cols + j)))
            .collect();
        same("columns", &f.clone().cols().run((&m,))?.host()?, &expected)?;
        same_value("all", f.run((&m,))?, fold(&mut (0..rows * cols)))?;
    }
    Ok(())
}

fn mapped(context: &Context, target: &Target, n: usize) -> Outcome {
    let (rows, cols) = (n / 31, 31);
    let m = Matrix::from_vec(rows, cols, input::<u32>(rows * cols, 1))?;
    let f = map_reduce!(cell, add)
        .initial(9)
        .within(context.clone())
        .on(target);
    let value = |i: usize, j: usize| {
        element::<u32>(i * cols + j)
            .wrapping_mul(i as u32 + 1)
            .wrapping_add(j as u32 * 3)
    };
    let expected: Vec<u32> = (0..rows)
        .map(|i| (0..cols).fold(9, |sum: u32, j| sum.wrapping_add(value(i, j))))
        .collect();
    let found: Vector<u32> = f.clone().rows().run((&m, 3))?;
    same("rows", &found.host()?, &expected)?;
    let expected: Vec<u32> = (0..cols)
        .map(|j| (0..rows).fold(9, |sum: u32, i| sum.wrapping_add(value(i, j))))
        .collect();
    let found: Vector<u32> = f.cols().run((&m, 3))?;
    same("columns", &found.host()?, &expected)
}

fn two_levels(context: &Context, target: &Target, n: usize) -> Outcome {
    let (rows, cols) = (n / 27, 27);
    let x = input::<i32>(rows * cols, 1);
    let m = Matrix::from_vec(rows, cols, x.clone())?;
    let f = reduce!(add)
        .rows()
        .then(reduce!(largest).identity(i32::MIN))
        .within(context.clone())
        .on(target.clone());
    let sums = x
        .chunks(cols)
        .map(|row| row.iter().fold(0, |a: i32, b| a.wrapping_add(*b)));
    same_value(
        "the largest sum",
        f.run((&m,))?,
        sums.max().unwrap_or(i32::MIN),
    )
}

fn pairs(context: &Context, target: &Target, n: usize) -> Outcome {
    for (rows, cols) in [(n.min(300), n / 300 + 1), (n / 17, 17), (5, n)] {
        if rows * cols > 20_000 {
            continue;
        }
        let (v, h) = (input::<i32>(rows, 1), Vector::from(input::<i32>(cols, 2)));
        let f = map_pairs_reduce!(difference, largest)
            .within(context.clone())
            .on(target);
        let value = |i: usize, j: usize| v[i].wrapping_mul(3).wrapping_sub(i32::sample(j + 2000));
        if cols > 0 {
            let found: Vector<i32> = f.run((down(&v), across(&h), 3))?;
            let expected: Vec<i32> = (0..rows)
                .filter_map(|i| (0..cols).map(|j| value(i, j)).max())
                .collect();
            same("by row", &found.host()?, &expected)?;
        }
        if rows > 0 {
            let found: Vector<i32> = f.clone().cols().run((down(&v), across(&h), 3))?;
            let expected: Vec<i32> = (0..cols)
                .filter_map(|j| (0..rows).map(|i| value(i, j)).max())
                .collect();
            same("by column", &found.host()?, &expected)?;
        }
    }
    Ok(())
}

fn nothing_in_them(context: &Context, target: &Target) -> Outcome {
    let f = reduce!(largest).within(context.clone()).on(target);
    let none = Matrix::filled(7, 0, 0);
    match f.clone().rows().run((&none,)) {
        Err(Error::EmptyReduce { .. }) => {}
        other => return Err(Failure::Wrong(format!("rows of nothing: {other:?}"))),
    }
    let found = f.clone().identity(-5).rows().run((&none,))?;
    same("an identity", &found.host()?, &[-5; 7])?;
    let found = f.clone().cols().run((&none,))?;
    same("no columns", &found.host()?, &[])?;
    let found = f.initial(4).cols().run((none.transposed(),))?;
    same("columns of nothing", &found.host()?, &[4; 7])
}

fn shapes_must_fit(context: &Context, target: &Target) -> Outcome {
    let m = Matrix::filled(4, 6, 1);
    let f = reduce!(largest).within(context.clone()).on(target);
    let mut out = [0; 5];
    match f.rows().run_into((&m,), &mut out) {
        Err(Error::ShapeMismatch {
            argument: 2,
            expected: crate::Shape::D1(4),
            ..
        }) => {}
        other => return Err(Failure::Wrong(format!("five for four: {other:?}"))),
    }
    let f = map_reduce!(ratio, largest)
        .within(context.clone())
        .on(target);
    let found = f.cols().run((&m, down(&[1; 6])));
    match found.map(|_: Vector<i32>| ()) {
        Err(Error::ShapeMismatch {
            argument: 2,
            expected: crate::Shape::D1(4),
            ..
        }) => Ok(()),
        other => Err(Failure::Wrong(format!("six rows for four: {other:?}"))),
    }
}

/// The smallest row or column counts, in functions and in operators.
fn trap(context: &Context, target: &Target, rows: usize) -> Outcome {
    let expect = |found: crate::Result<Vector<i32>>, at: usize| match found
        .and_then(|v| v.host().map(|_| ()))
    {
        Err(Error::Trap {
            index: Some(index),
            function,
            line,
            ..
        }) if index == at && function == "ratio" && line > 0 => Ok(()),
        other => Err(instead(&format!("a trap at {at}"), other)),
    };
    let (a, mut b) = (vec![1; 700], vec![1; 90]);
    (b[80], b[33]) = (0, 0);
    let f = map_pairs_reduce!(ratio, largest)
        .within(context.clone())
        .on(target);
    expect(f.run((down(&b[..1]), across(&b))), 0)?;
    expect(f.clone().cols().run((down(&a), across(&b))), 33)?;
    let mut m = Matrix::filled(rows, 40, 1);
    let (first, later) = (rows / 4 * 3, rows / 8 * 7);
    m.host_mut()?[first * 40 + 7] = 0;
    m.host_mut()?[later * 40 + 1] = 0;
    let f = reduce!(ratio).within(context.clone()).on(target);
    expect(f.clone().rows().run((&m,)), first)?;
    expect(f.clone().cols().run((&m,)), 1)?;
    let found = f.rows().run((m.part(..3, ..),))?;
    same("the next call", &found.host()?, &[1; 3])
}
