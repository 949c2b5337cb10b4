//! Call: functions that are called once.

use super::{
    Case, Check, Context, Failure, Outcome, Sizes, Target,
    data::{input, same},
};
use crate::prelude::*;

#[user_function]
#[expect(clippy::needless_range_loop, reason = "the position counts as well")]
fn largest(xs: &[i32]) -> (i32, u32) {
    let (mut most, mut at) = (xs[0], 0);
    for i in 1..xs.len() {
        if xs[i] > most {
            most = xs[i];
            at = i as u32;
        }
    }
    (most, at)
}

#[user_function]
fn trace(m: MatrixView<i32>, #[uniform] k: i32) -> i32 {
    let mut sum = 0;
    for i in 0..m.rows().min(m.cols()) {
        sum += k * m[(i, i)];
    }
    sum
}

pub(super) fn cases(sizes: Sizes) -> Vec<Case> {
    let checks: [(&str, Check); 2] = [("tuple", tuple), ("matrix", matrix)];
    let cases = checks.into_iter().map(|(name, check)| {
        let ns = sizes.elems();
        Case::new(format!("call::{name}"), move |context, target| {
            // One thread reads all, in one binding, of which small devices have small ones.
            let ns = ns.iter().filter(|n| (1..=1000).contains(*n));
            ns.copied().try_for_each(|n| check(context, target, n))
        })
    });
    cases.collect()
}

fn tuple(context: &Context, target: &Target, n: usize) -> Outcome {
    let xs = input::<i32>(n, 1);
    let mut expected = (xs[0], 0);
    for (i, x) in xs.iter().enumerate() {
        if *x > expected.0 {
            expected = (*x, i as u32);
        }
    }
    let f = call!(largest).within(context.clone()).on(target);
    let found = f.run((&xs,))?;
    if found != expected {
        return Err(Failure::Wrong(format!(
            "{found:?} of {n}, not {expected:?}"
        )));
    }
    Ok(())
}

fn matrix(context: &Context, target: &Target, n: usize) -> Outcome {
    let xs = input::<i32>(n / 7 * 7, 1);
    let expected =
        (0..7.min(n / 7)).fold(0_i32, |sum, i| sum.wrapping_add(xs[8 * i].wrapping_mul(3)));
    let m = Matrix::from_vec(n / 7, 7, xs)?;
    let f = call!(trace).within(context.clone()).on(target);
    same("trace", &[f.run((&m, 3))?], &[expected])
}
