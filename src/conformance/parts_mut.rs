//! Parts of containers, written where they lie.

use super::{
    Case, Check, Context, Failure, Outcome, Sizes, Target,
    data::{Sample, input, same},
    parts::if_bound,
};
use crate::{Error, prelude::*};

#[user_function]
fn ratio(a: i32, b: i32) -> i32 {
    a / b
}

#[user_function]
fn grow(x: i32, y: &mut i32) {
    *y = *y * 3 + x;
}

pub(super) fn cases(sizes: Sizes) -> Vec<Case> {
    let elems = sizes.elems();
    let checks: [(&str, Check); 2] = [
        ("parts::ranges_written", ranges_written),
        ("parts::scattered", scattered),
    ];
    let mut cases: Vec<Case> = checks
        .into_iter()
        .map(|(name, check)| {
            let ns = elems.clone();
            Case::new(name, move |context, target| {
                ns.iter()
                    .try_for_each(|n| if_bound(check(context, target, *n)))
            })
        })
        .collect();
    cases.push(Case::new("parts::failures_are_local", failures_are_local));
    cases
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
