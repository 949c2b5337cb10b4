//! Parts of containers, read where they lie, and vectors that serve whole rows or columns.

use super::{
    Affine, Case, Check, Context, Failure, Outcome, Sizes, Target,
    data::{Sample, input, same, same_value},
};
use crate::{Error, prelude::*};

#[user_function]
fn weigh<T: Number>(a: T, b: T, #[uniform] k: T) -> T {
    a * k - b
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

#[user_function]
fn four_of(a: u32, b: u32, c: u32, d: u32) -> (u32, bool) {
    (a + 3 * b + 5 * c + 7 * d, a > c)
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
    let checks: [(&str, Check); 9] = [
        ("parts::ranges_written", ranges_written),
        ("parts::scattered", scattered),
        ("parts::of_matrices", of_matrices),
        ("parts::of_own_types", of_own_types),
        ("parts::reduced", reduced),
        ("parts::of_results", of_results),
        ("spread::with_matrices", with_matrices),
        ("spread::pairs", pairs),
        ("spread::several", several),
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
    cases.push(Case::new("parts::failures_are_local", failures_are_local));
    cases
}

/// A device may be unable to bind what lies far apart. That it binds what lies near, other numbers of
/// elements show.
pub(super) fn if_bound(outcome: Outcome) -> Outcome {
    match outcome {
        Err(Failure::Unsupported(Error::Unsupported { reason, .. }))
            if reason.contains("at once") =>
        {
            Ok(())
        }
        outcome => outcome,
    }
}

fn of_vectors<T: Sample + Number>(context: &Context, target: &Target, n: usize) -> Outcome {
    let (x, y, k) = (input::<T>(n, 1), input::<T>(n, 2), T::sample(5));
    let (v, w) = (Vector::from(x.clone()), Vector::from(y.clone()));
    let f = map!(weigh).within(context.clone()).on(target);
    let check = |what: &str, found: Vector<T>, a: Vec<T>, b: Vec<T>| {
        let pairs = a.into_iter().zip(b);
        let expected: Vec<T> = pairs.map(|(a, b)| a * k - b).collect();
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

fn with_matrices(context: &Context, target: &Target, n: usize) -> Outcome {
    for (rows, cols) in [(n / 37, 37), (5, n / 5), (n, 1), (n, 0)] {
        let m = Matrix::from_vec(rows, cols, input::<i32>(rows * cols, 1))?;
        let (down_rows, over_cols) = (input::<i32>(rows, 2), Vector::from(input::<i32>(cols, 3)));
        let f = map!(|x: i32, v: i32, h: i32| x - 2 * v + 5 * h);
        let f = f.within(context.clone()).on(target);
        let found = f.run((&m, down(&down_rows), across(over_cols.part(..))))?;
        let expected: Vec<i32> = (0..rows * cols)
            .map(|k| {
                i32::sample(k + 1000)
                    .wrapping_sub(down_rows[k / cols].wrapping_mul(2))
                    .wrapping_add(i32::sample(k % cols + 3000).wrapping_mul(5))
            })
            .collect();
        same("a matrix and vectors", &found.host()?, &expected)?;
    }
    Ok(())
}

fn pairs(context: &Context, target: &Target, n: usize) -> Outcome {
    for (rows, cols) in [
        (n.min(300), n / 300 + 1),
        (n / 17, 17),
        (1, n),
        (0, n),
        (n, 0),
    ] {
        let (v, h) = (Vector::from(input::<f32>(rows, 1)), input::<f32>(cols, 2));
        let f = map_pairs!(weigh).within(context.clone()).on(target);
        let found: Matrix<f32> = f.run((down(&v), across(&h), 0.5))?;
        if (found.rows(), found.cols()) != (rows, cols) {
            return Err(Failure::Wrong(format!("{found:?} of {rows} and {cols}")));
        }
        let expected: Vec<f32> = (0..rows * cols)
            .map(|k| f32::sample(k / cols + 1000) * 0.5 - h[k % cols])
            .collect();
        same("pairs", &found.host()?, &expected)?;
        let mut into = Matrix::filled(rows, cols, 0.0);
        f.run_into((across(&h), down(&v), 2.0), &mut into)?;
        let expected: Vec<f32> = (0..rows * cols)
            .map(|k| h[k % cols] * 2.0 - f32::sample(k / cols + 1000))
            .collect();
        same("the other way round", &into.host()?, &expected)?;
    }
    Ok(())
}

/// Several vectors of each kind, one of them backwards, and two outputs.
fn several(context: &Context, target: &Target, n: usize) -> Outcome {
    let (rows, cols) = (n / 29, 29);
    let (a, b) = (input::<u32>(rows, 1), Vector::from(input::<u32>(rows, 2)));
    let (c, d) = (
        Vector::from(input::<u32>(2 * cols, 3)),
        input::<u32>(cols, 4),
    );
    let f = map_pairs!(four_of).within(context.clone()).on(target);
    let args = (
        down(&a),
        down(b.reversed()),
        across(c.step_by(2)),
        across(&d),
    );
    let (sums, flags) = f.run(args)?;
    let of = |k: usize| (k / cols, k % cols);
    let expected: Vec<u32> = (0..rows * cols)
        .map(of)
        .map(|(i, j)| {
            let [b, c] = [u32::sample(rows - 1 - i + 2000), u32::sample(2 * j + 3000)];
            a[i].wrapping_add(b.wrapping_mul(3))
                .wrapping_add(c.wrapping_mul(5))
                .wrapping_add(d[j].wrapping_mul(7))
        })
        .collect();
    same("sums", &sums.host()?, &expected)?;
    let expected: Vec<bool> = (0..rows * cols)
        .map(of)
        .map(|(i, j)| a[i] > u32::sample(2 * j + 3000))
        .collect();
    same("flags", &flags.host()?, &expected)
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
        other => return Err(Failure::Wrong(format!("a trap at 17: {other:?}"))),
    }
    let found = f.run((down(&[6, 8]), across(&[2, 4])))?;
    same("the next call", &found.host()?, &[3, 1, 4, 2])
}

#[user_function]
fn grow(x: i32, y: &mut i32) {
    *y = *y * 3 + x;
}

/// Ranges are written where they lie, and nothing else is touched, wherever it is.
fn ranges_written(context: &Context, target: &Target, n: usize) -> Outcome {
    let (start, end) = (n / 3, n - n / 5);
    let x = input::<i32>(end - start, 1);
    let mut expected = input::<i32>(n, 2);
    let mut v = Vector::from(expected.clone());
    let f = map!(grow).within(context.clone()).on(target);
    let g = map!(|x: i32| x - 7).within(context.clone()).on(target);
    for round in 0..3 {
        f.run((&x, v.part_mut(start..end)))?;
        for (y, x) in expected[start..end].iter_mut().zip(&x) {
            *y = y.wrapping_mul(3).wrapping_add(*x);
        }
        let from = round.min(n - x.len());
        g.run_into((&x,), v.part_mut(from..from + x.len()))?;
        for (y, x) in expected[from..].iter_mut().zip(&x) {
            *y = x.wrapping_sub(7);
        }
    }
    same("a range", &v.host()?, &expected)?;
    let (rows, cols) = (n / 7, 7);
    let mut expected = input::<i32>(rows * cols, 3);
    let mut m = Matrix::from_vec(rows, cols, expected.clone())?;
    let block = Matrix::from_vec(
        rows - rows / 4,
        cols,
        input::<i32>((rows - rows / 4) * cols, 4),
    )?;
    f.run((&block, m.part_mut(rows / 4.., ..)))?;
    for (k, y) in expected[rows / 4 * cols..].iter_mut().enumerate() {
        *y = y.wrapping_mul(3).wrapping_add(i32::sample(k + 4000));
    }
    same("rows", &m.host()?, &expected)
}

/// What lies apart is written by the CPU: a device that is asked for says that it cannot.
fn scattered(context: &Context, target: &Target, n: usize) -> Outcome {
    let fine = |found: crate::Result<()>| match (found, target) {
        (Ok(()), _) => Ok(true),
        (Err(Error::Unsupported { reason, .. }), Target::Device(_))
            if reason.contains("one after the other") =>
        {
            Ok(false)
        }
        (Err(error), _) => Err(Failure::Failed(error)),
    };
    let f = map!(grow).within(context.clone()).on(target);
    let g = map!(|x: i32| x - 7).within(context.clone()).on(target);
    // Computed where the target says, so that what lies between is there and not on the host.
    let same_as = map!(|x: i32| x).within(context.clone()).on(target);
    for step in [2, 3, 10] {
        let mut expected = input::<i32>(n, 2);
        let mut v = same_as.run((&expected,))?;
        let x = input::<i32>(n.div_ceil(step), 1);
        if fine(f.run((&x, v.part_mut(..).step_by(step).reversed())))? {
            for (y, x) in expected.iter_mut().step_by(step).zip(x.iter().rev()) {
                *y = y.wrapping_mul(3).wrapping_add(*x);
            }
        }
        let len = x.len().min(n / 2 / step);
        if fine(g.run_into((&x[..len],), v.part_mut(n / 2..).step_by(step).part(..len)))? {
            for (y, x) in expected[n / 2..].iter_mut().step_by(step).zip(&x[..len]) {
                *y = x.wrapping_sub(7);
            }
        }
        same("every so many", &v.host()?, &expected)?;
    }
    let (rows, cols) = (n / 13, 13);
    let mut expected = input::<i32>(rows * cols, 3);
    let mut m = Matrix::from_vec(rows, cols, expected.clone())?;
    let index = map!(|at: Index2, x: i32| x ^ (100 * at.row + at.col) as i32);
    let index = index.within(context.clone()).on(target);
    let x = input::<i32>(cols * rows, 5);
    let (t, block) = (Matrix::from_vec(cols, rows, x.clone())?, m.transposed_mut());
    if fine(index.run_into((&t,), block))? {
        for (k, y) in expected.iter_mut().enumerate() {
            let (i, j) = (k % cols, k / cols);
            *y = x[i * rows + j] ^ (100 * i + j) as i32;
        }
    }
    let x = input::<i32>(rows, 6);
    if fine(f.run((&x, m.col_mut(4))))? {
        for (i, x) in x.iter().enumerate() {
            let y = &mut expected[i * cols + 4];
            *y = y.wrapping_mul(3).wrapping_add(*x);
        }
    }
    same("a matrix", &m.host()?, &expected)
}

/// A call that fails takes with it what it should have written, and no more than lies between.
fn failures_are_local(context: &Context, target: &Target) -> Outcome {
    let f = map!(ratio).within(context.clone()).on(target);
    let mut v = Vector::from_fn(3000, |i| i as i32);
    let mut b = vec![1; 1000];
    b[600] = 0;
    let found = f.run_into((&vec![8; 1000], &b), v.part_mut(1000..2000));
    match found.and_then(|()| v.host_range(1000..2000).map(|_| ())) {
        Err(Error::Trap {
            index: Some(600), ..
        }) => {}
        other => return Err(Failure::Wrong(format!("a trap at 600: {other:?}"))),
    }
    if v.host_range(1599..1602).is_ok() {
        return Err(Failure::Wrong("a poisoned element was read".into()));
    }
    let numbers = |r: std::ops::Range<i32>| r.collect::<Vec<i32>>();
    same("before", v.host_range(0..1000)?, &numbers(0..1000))?;
    same("behind", v.host_range(2000..3000)?, &numbers(2000..3000))?;
    let next = map!(|x: i32| x + 1).within(context.clone()).on(target);
    next.run_into((&vec![5; 1000],), v.part_mut(1000..2000))?;
    same("overwritten", v.host_range(999..1001)?, &[999, 6])?;
    same("all of it", &v.host_range(1600..2001)?[399..], &[6, 2000])
}
