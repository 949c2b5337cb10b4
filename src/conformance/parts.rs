//! Parts of containers, read where they lie.

use super::{
    Affine, Case, Check, Context, Failure, Outcome, Sizes, Target,
    data::{Sample, input, instead, same, same_value},
    refusals::if_bound,
};
use crate::{Error, prelude::*};

#[user_function]
fn weigh<T: Number>(a: T, b: T, #[uniform] k: T) -> T {
    a * k + b
}

#[user_function]
fn pick(at: Index2, x: u32, y: u32) -> u32 {
    x * 3 + y + 1000 * at.row as u32 + at.col as u32
}

#[user_function]
fn first_of(a: Affine, b: Affine) -> Affine {
    Affine {
        factor: a.factor,
        offset: b.offset,
    }
}

#[user_function]
fn compose(a: Affine, b: Affine) -> Affine {
    a * b
}

#[user_function]
fn ratio(a: i32, b: i32) -> i32 {
    a / b
}

pub(super) fn cases(sizes: Sizes) -> Vec<Case> {
    let mut cases = Vec::new();
    let elems = sizes.elems();
    macro_rules! of_type {
        ($($t:ident)*) => { $(
            let ns = elems.clone();
            cases.push(Case::new(concat!("parts::of_vectors::", stringify!($t)), move |context, target| {
                ns.iter().try_for_each(|n| if_bound(of_vectors::<$t>(context, target, *n)))
            }));
        )* };
    }
    of_type!(f32 f64 i32 u32);
    let checks: [(&str, Check); 4] = [
        ("parts::of_matrices", of_matrices),
        ("parts::of_own_types", of_own_types),
        ("parts::reduced", reduced),
        ("parts::of_results", of_results),
    ];
    for (name, check) in checks {
        let ns = elems.clone();
        cases.push(Case::new(name, move |context, target| {
            ns.iter()
                .try_for_each(|n| if_bound(check(context, target, *n)))
        }));
    }
    cases.push(Case::new("parts::shapes_must_fit", shapes_must_fit));
    cases.push(Case::new("parts::trap", trap));
    cases
}

fn of_vectors<T: Sample + Number>(context: &Context, target: &Target, n: usize) -> Outcome {
    let (x, y, k) = (input::<T>(n, 1), input::<T>(n, 2), T::sample(5));
    let (v, w) = (Vector::from(x.clone()), Vector::from(y.clone()));
    let f = map!(weigh).within(context.clone()).on(target);
    let check = |what: &str, found: Vector<T>, a: Vec<T>, b: Vec<T>| {
        let pairs = a.into_iter().zip(b);
        let expected: Vec<T> = pairs.map(|(a, b)| a * k + b).collect();
        same(what, &found.host()?, &expected)
    };
    let (start, end) = (n / 3, n - n / 5);
    let found = f.run((v.part(start..end), w.part(..end - start), k))?;
    let (a, b) = (x[start..end].to_vec(), y[..end - start].to_vec());
    check("ranges", found, a, b)?;
    for step in [1, 2, 3, 7, n + 1] {
        let found = f.run((v.step_by(step), w.step_by(step).reversed(), k))?;
        let every = |z: &[T]| z.iter().step_by(step).copied().collect::<Vec<T>>();
        let (a, mut b) = (every(&x), every(&y));
        b.reverse();
        check("every so many", found, a, b)?;
    }
    // Parts of parts, and of slices.
    let nested = v.reversed().part(n / 7..).step_by(3).part(..n / 9);
    let a: Vec<T> = x
        .iter()
        .rev()
        .skip(n / 7)
        .step_by(3)
        .take(n / 9)
        .copied()
        .collect();
    if nested.len() != a.len() {
        return Err(Failure::Wrong(format!("{nested:?} of {n}")));
    }
    let slice = crate::VectorPart::from(&y).step_by(2).part(..a.len());
    let b: Vec<T> = y.iter().step_by(2).take(a.len()).copied().collect();
    same("a copy", &nested.to_vec()?, &a)?;
    check("parts of parts", f.run((nested, slice, k))?, a, b)
}

fn of_matrices(context: &Context, target: &Target, n: usize) -> Outcome {
    if n > 5000 {
        return Ok(());
    }
    let f = map!(pick).within(context.clone()).on(target);
    for (rows, cols) in [(n / 37, 37), (37, n / 37), (n / 131, 131), (n, 1), (1, n)] {
        let m = Matrix::from_vec(rows, cols, input::<u32>(rows * cols, 1))?;
        let x = |i: usize, j: usize| u32::sample(i * cols + j + 1000);
        let check = |what: &str,
                     a: crate::MatrixPart<'_, u32>,
                     b: crate::MatrixPart<'_, u32>,
                     of_a: &dyn Fn(usize, usize) -> u32,
                     of_b: &dyn Fn(usize, usize) -> u32| {
            let (rows, cols) = (a.rows(), a.cols());
            let expected: Vec<u32> = (0..rows * cols)
                .map(|k| (k / cols, k % cols))
                .map(|(i, j)| {
                    of_a(i, j)
                        .wrapping_mul(3)
                        .wrapping_add(of_b(i, j))
                        .wrapping_add((1000 * i + j) as u32)
                })
                .collect();
            let found = f.run((a, b))?;
            if (found.rows(), found.cols()) != (rows, cols) {
                return Err(Failure::Wrong(format!("{what}: {found:?}")));
            }
            same(what, &found.host()?, &expected)
        };
        let (r, c) = (rows / 3, cols / 4);
        let (a, b) = (m.part(r.., c..), m.part(..rows - r, ..cols - c));
        check("blocks", a, b, &|i, j| x(i + r, j + c), &x)?;
        let square = rows.min(cols);
        let a = m.part(..square, cols - square..);
        let shifted = cols - square;
        let of_a = |i: usize, j: usize| x(i, j + shifted);
        check("mirrored", a, a.transposed(), &of_a, &|i, j| of_a(j, i))?;
        let (t, u) = (m.transposed(), m.transposed());
        check("transposed", t, u, &|i, j| x(j, i), &|i, j| x(j, i))?;
        let sum = map!(|a: u32, b: u32| a + b)
            .within(context.clone())
            .on(target);
        if square > 0 {
            let (i, j) = (rows - 1, cols / 2);
            let found = sum.run((m.row(i).part(..square), m.col(j).part(..square)))?;
            let expected: Vec<u32> = (0..square).map(|k| x(i, k).wrapping_add(x(k, j))).collect();
            same("a row and a column", &found.host()?, &expected)?;
            let found = sum.run((
                m.diagonal(),
                m.part(.., ..square).transposed().row(0).part(..square),
            ))?;
            let expected: Vec<u32> = (0..square).map(|k| x(k, k).wrapping_add(x(k, 0))).collect();
            same("the diagonal", &found.host()?, &expected)?;
        }
        let v = Vector::from(input::<u32>(rows * cols, 1));
        let found = sum.run((v.in_rows(rows, cols), &m))?;
        let expected: Vec<u32> = (0..rows * cols).map(|k| x(0, k).wrapping_mul(2)).collect();
        same("in rows", &found.host()?, &expected)?;
    }
    Ok(())
}

fn of_own_types(context: &Context, target: &Target, n: usize) -> Outcome {
    let (rows, cols) = (n / 11, 11);
    let x = input::<Affine>(rows * cols, 1);
    let m = Matrix::from_vec(rows, cols, x.clone())?;
    let f = map!(first_of).within(context.clone()).on(target);
    let found = f.run((m.transposed(), m.elements().reversed().in_rows(cols, rows)))?;
    let expected: Vec<Affine> = (0..rows * cols)
        .map(|k| Affine {
            factor: x[(k % rows) * cols + k / rows].factor,
            offset: x[rows * cols - 1 - k].offset,
        })
        .collect();
    same("first_of", &found.host()?, &expected)
}

fn reduced(context: &Context, target: &Target, n: usize) -> Outcome {
    let x = input::<Affine>(n, 1);
    let v = Vector::from(x.clone());
    let f = reduce!(compose)
        .identity(Affine::IDENTITY)
        .within(context.clone())
        .on(target);
    let plain = |elements: &mut dyn Iterator<Item = Affine>| {
        elements.fold(Affine::IDENTITY, |a, b| Affine {
            factor: a.factor.wrapping_mul(b.factor),
            offset: a.factor.wrapping_mul(b.offset).wrapping_add(a.offset),
        })
    };
    let found = f.run((v.reversed(),))?;
    same_value("reversed", found, plain(&mut x.iter().rev().copied()))?;
    let found = f.run((v.step_by(3),))?;
    same_value(
        "every third",
        found,
        plain(&mut x.iter().step_by(3).copied()),
    )?;
    let (rows, cols) = (n / 13, 13);
    let found = f.run((v.part(..rows * cols).in_rows(rows, cols).transposed(),))?;
    let mut by_columns = (0..rows * cols).map(|k| x[(k % rows) * cols + k / rows]);
    same_value("by columns", found, plain(&mut by_columns))
}

/// What one call writes, part here, part there, the next one reads in parts.
fn of_results(context: &Context, target: &Target, n: usize) -> Outcome {
    let step = map!(|a: u32, b: u32| a * 3 + b)
        .within(context.clone())
        .on(target);
    let mut v = Vector::from(input::<u32>(n, 1));
    let mut expected = input::<u32>(n, 1);
    let from = n.min(2);
    v = step.run((v.part(from..), v.reversed().part(..n - from)))?;
    expected = (from..n)
        .map(|i| {
            expected[i]
                .wrapping_mul(3)
                .wrapping_add(expected[n - 1 - (i - from)])
        })
        .collect();
    same("once", &v.host()?, &expected)?;
    for _ in 0..3 {
        v = step.run((&v, v.reversed()))?;
        let back: Vec<u32> = expected.iter().rev().copied().collect();
        for (x, y) in expected.iter_mut().zip(back) {
            *x = x.wrapping_mul(3).wrapping_add(y);
        }
    }
    same("again and again", &v.host()?, &expected)
}

fn shapes_must_fit(context: &Context, target: &Target) -> Outcome {
    let f = map!(ratio).within(context.clone()).on(target);
    let (v, m) = (Vector::filled(10, 1), Matrix::filled(3, 4, 1));
    let wrong = |found: crate::Result<()>, argument: usize, expected: crate::Shape| match found {
        Err(Error::ShapeMismatch {
            argument: a,
            expected: e,
            ..
        }) if (a, e) == (argument, expected) => Ok(()),
        other => Err(Failure::Wrong(format!("{argument}: {other:?}"))),
    };
    let found = f.run((v.part(1..), v.part(..8))).map(|_| ());
    wrong(found, 2, crate::Shape::D1(9))?;
    let found = f.run((&m, down(&v))).map(|_| ());
    wrong(found, 2, crate::Shape::D1(3))?;
    let found = f.run((across(&v), &m)).map(|_| ());
    wrong(found, 1, crate::Shape::D1(4))?;
    let found = f.run((m.transposed(), &m)).map(|_| ());
    wrong(found, 2, crate::Shape::D2(4, 3))?;
    let pairs = map_pairs!(ratio).within(context.clone()).on(target);
    match pairs.run((down(&v), down(&v))).map(|_: Matrix<i32>| ()) {
        Err(Error::NoShape { .. }) => Ok(()),
        other => Err(Failure::Wrong(format!("two vectors down: {other:?}"))),
    }
}

fn trap(context: &Context, target: &Target) -> Outcome {
    let f = map_pairs!(ratio).within(context.clone()).on(target);
    let (v, mut h) = (vec![1; 60], vec![1; 50]);
    (h[49], h[17]) = (0, 0);
    let found = f.run((down(&v), across(&h)));
    match found.and_then(|m: Matrix<i32>| m.host().map(|_| ())) {
        Err(Error::Trap {
            index: Some(17),
            function,
            ..
        }) if function == "ratio" => {}
        other => return Err(instead("a trap at 17", other)),
    }
    let found = f.run((down(&[6, 8]), across(&[2, 4])))?;
    same("the next call", &found.host()?, &[3, 1, 4, 2])
}
