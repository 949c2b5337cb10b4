//! Parts of containers, written where they lie.

use super::{
    Case, Check, Context, Failure, Outcome, Sizes, Target,
    data::{Sample, input, instead, same},
    refusals::if_bound,
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
    cases.push(Case::new("parts::scattered_and_not", scattered_and_not));
    cases.push(Case::new("parts::scattered_over_lost", scattered_over_lost));
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

/// What lies apart is written by every unit, and what lies between is left alone.
fn scattered(context: &Context, target: &Target, n: usize) -> Outcome {
    let f = map!(grow).within(context.clone()).on(target);
    let g = map!(|x: i32| x - 7).within(context.clone()).on(target);
    // Computed where the target says, so that what lies between is there and not on the host.
    let same_as = map!(|x: i32| x).within(context.clone()).on(target);
    for step in [2, 3, 10] {
        let mut expected = input::<i32>(n, 2);
        let mut v = same_as.run((&expected,))?;
        let x = input::<i32>(n.div_ceil(step), 1);
        f.run((&x, v.step_by_mut(step).reversed()))?;
        for (y, x) in expected.iter_mut().step_by(step).zip(x.iter().rev()) {
            *y = y.wrapping_mul(3).wrapping_add(*x);
        }
        let len = x.len().min(n / 2 / step);
        g.run_into((&x[..len],), v.part_mut(n / 2..).step_by(step).part(..len))?;
        for (y, x) in expected[n / 2..].iter_mut().step_by(step).zip(&x[..len]) {
            *y = x.wrapping_sub(7);
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
    index.run_into((&t,), block)?;
    for (k, y) in expected.iter_mut().enumerate() {
        let (i, j) = (k % cols, k / cols);
        *y = x[i * rows + j] ^ (100 * i + j) as i32;
    }
    let x = input::<i32>(rows, 6);
    f.run((&x, m.col_mut(4)))?;
    for (i, x) in x.iter().enumerate() {
        let y = &mut expected[i * cols + 4];
        *y = y.wrapping_mul(3).wrapping_add(*x);
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
        other => return Err(instead("a trap at 600", other)),
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

/// One call writes here and there and in a row, in place and anew.
fn scattered_and_not(context: &Context, target: &Target) -> Outcome {
    let f = map!(|x: i32, y: &mut i32, z: &mut i32| {
        *y += x;
        *z -= x;
        (x * 2, x * 3)
    });
    let f = f.within(context.clone()).on(target);
    let n = 1000;
    let (mut a, mut b) = (Vector::filled(2 * n, 5), Vector::filled(n, 6));
    let (mut c, mut d) = (Matrix::filled(n, 3, 7), vec![8; n]);
    let x: Vec<i32> = (0..n as i32).collect();
    let outputs = (c.col_mut(1), &mut d);
    f.run_into((&x, a.step_by_mut(2), &mut b), outputs)?;
    let (a, b, c) = (a.host()?, b.host()?, c.host()?);
    for (i, x) in (0..).zip(&x) {
        let found = [&a[2 * i..2 * i + 2], &b[i..=i], c.row(i), &d[i..=i]].concat();
        let expected = [5 + x, 5, 6 - x, 7, x * 2, 7, x * 3];
        same("an element of each", &found, &expected)?;
    }
    Ok(())
}

/// What failed calls have lost between the elements stays lost, and what is written is there.
fn scattered_over_lost(context: &Context, target: &Target) -> Outcome {
    let f = map!(ratio).within(context.clone()).on(target);
    let mut v = Vector::filled(900, 1);
    let zeros = vec![0; 300];
    match f.run_into((&vec![8; 300], &zeros), v.step_by_mut(3)) {
        Err(Error::Trap { index: Some(0), .. }) => {}
        other => return Err(instead("a trap at 0", other)),
    }
    if v.host().is_ok() {
        return Err(Failure::Wrong("a poisoned vector was read".into()));
    }
    let in_place = map!(|x: &mut i32| *x += 1)
        .within(context.clone())
        .on(target);
    match in_place.run((v.step_by_mut(2),)) {
        Err(Error::Poisoned { .. }) => {}
        other => return Err(instead("lost elements read", other)),
    }
    f.run_into((&vec![8; 450], &vec![2; 450]), v.step_by_mut(2))?;
    for i in [0, 2, 448, 896] {
        same("what was written", v.host_range(i..i + 1)?, &[4])?;
    }
    match v.host_range(895..896) {
        Err(Error::Poisoned { .. }) => Ok(()),
        other => Err(Failure::Wrong(format!("what lies between: {other:?}"))),
    }
}
