//! Where scans write: in place of what they read, into parts, columns into what is given.

use super::{
    Affine, Case, Check, Context, Failure, Outcome, Sizes, Target,
    data::{Sample, input, same},
    refusals::if_bound,
};
use crate::{Error, prelude::*};

#[user_function]
fn compose(a: Affine, b: Affine) -> Affine {
    a * b
}

#[user_function]
fn add(a: u32, b: u32) -> u32 {
    a + b
}

pub(super) fn cases(sizes: Sizes) -> Vec<Case> {
    let checks: [(&str, Check); 3] = [
        ("scan::in_place", in_place),
        ("scan::columns_into", columns_into),
        ("scan::into_parts", into_parts),
    ];
    let mut cases: Vec<Case> = checks
        .into_iter()
        .map(|(name, check)| {
            let ns = sizes.elems();
            Case::new(name, move |context, target| {
                ns.iter()
                    .try_for_each(|n| if_bound(check(context, target, *n)))
            })
        })
        .collect();
    cases.push(Case::new("scan::columns_must_fit", columns_must_fit));
    cases
}

/// The prefixes of `x`, after `before`.
fn prefixes(x: impl Iterator<Item = Affine>, before: Option<Affine>) -> Vec<Affine> {
    let mut total = before;
    x.map(|x| {
        let next = total.map_or(x, |total| Affine {
            factor: total.factor.wrapping_mul(x.factor),
            offset: total
                .factor
                .wrapping_mul(x.offset)
                .wrapping_add(total.offset),
        });
        total = Some(next);
        next
    })
    .collect()
}

fn in_place(context: &Context, target: &Target, n: usize) -> Outcome {
    let x = input::<Affine>(n, 1);
    let f = scan!(compose).within(context.clone()).on(target);
    // Twice: what the first call left where it was is scanned again.
    let mut v = Vector::from(x.clone());
    f.run_in_place(&mut v)?;
    f.run_in_place(&mut v)?;
    let once = prefixes(x.iter().copied(), None);
    same("all", &v.host()?, &prefixes(once.into_iter(), None))?;
    let first = <Affine as Sample>::sample(77);
    let mut v = Vector::from(x.clone());
    f.clone().exclusive(first).run_in_place(&mut v)?;
    let mut expected = prefixes(x.iter().copied(), Some(first));
    expected.insert(0, first);
    expected.truncate(n);
    same("all, exclusive", &v.host()?, &expected)?;
    let (rows, cols) = (n / 7, 7);
    let x = &x[..rows * cols];
    let mut m = Matrix::from_vec(rows, cols, x.to_vec())?;
    f.clone().initial(first).rows().run_in_place(&mut m)?;
    let by_rows: Vec<Affine> = x
        .chunks(cols)
        .flat_map(|row| prefixes(row.iter().copied(), Some(first)))
        .collect();
    same("rows", &m.host()?, &by_rows)?;
    f.cols().run_in_place(&mut m)?;
    same("columns", &m.host()?, &by_columns(&by_rows, cols))
}

fn by_columns(x: &[Affine], cols: usize) -> Vec<Affine> {
    let mut out = x.to_vec();
    for j in 0..cols {
        let column = prefixes(x.iter().skip(j).step_by(cols).copied(), None);
        let places = out.iter_mut().skip(j).step_by(cols);
        places.zip(column).for_each(|(place, value)| *place = value);
    }
    out
}

fn columns_into(context: &Context, target: &Target, n: usize) -> Outcome {
    let f = scan!(compose).within(context.clone()).on(target).cols();
    let (rows, cols) = (n / 5, 5);
    let x = input::<Affine>(rows * cols, 2);
    let m = Matrix::from_vec(rows, cols, x.clone())?;
    let expected = by_columns(&x, cols);
    let mut out = Matrix::filled(rows, cols, Affine::IDENTITY);
    f.run_into((&m,), &mut out)?;
    same("a matrix", &out.host()?, &expected)?;
    // Into some of the columns of another.
    let mut larger = Matrix::filled(rows, cols + 2, Affine::IDENTITY);
    f.run_into((&m,), larger.part_mut(.., 1..=cols))?;
    let wide: Vec<Affine> = expected
        .chunks(cols)
        .flat_map(|row| [&[Affine::IDENTITY], row, &[Affine::IDENTITY]].concat())
        .collect();
    same("a block", &larger.host()?, &wide)
}

fn into_parts(context: &Context, target: &Target, n: usize) -> Outcome {
    let f = scan!(add).within(context.clone()).on(target);
    let x = input::<u32>(n, 3);
    let sums = x.iter().scan(0_u32, |sum, x| {
        *sum = sum.wrapping_add(*x);
        Some(*sum)
    });
    // Backwards, with gaps.
    let mut out = Vector::filled(3 * n + 1, 9);
    let mut expected = vec![9; 3 * n + 1];
    f.run_into((&x,), out.part_mut(1..).step_by(3).reversed())?;
    for (i, sum) in sums.enumerate() {
        expected[1 + 3 * (n - 1 - i)] = sum;
    }
    same("every third", &out.host()?, &expected)
}

fn columns_must_fit(context: &Context, target: &Target) -> Outcome {
    let f = scan!(add).within(context.clone()).on(target).cols();
    let mut out = Matrix::filled(4, 3, 7);
    match f.run_into((&Matrix::filled(3, 4, 1),), &mut out) {
        Err(Error::ShapeMismatch { argument: 2, .. }) => {}
        other => return Err(Failure::Wrong(format!("columns into rows: {other:?}"))),
    }
    same("what was not written", &out.host()?, &[7; 12])
}
