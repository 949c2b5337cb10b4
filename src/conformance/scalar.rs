//! Reductions into a `Scalar`, and calls that take one.

use super::{
    Case, Context, Failure, Outcome, Sizes, Target,
    data::{input, same, same_value},
};
use crate::{Error, prelude::*};

#[user_function]
fn add(a: u32, b: u32) -> u32 {
    a + b
}

#[user_function]
fn square(x: u32) -> u32 {
    x * x
}

#[user_function]
fn relative(x: u32, #[uniform] total: u32) -> u32 {
    x ^ total
}

pub(super) fn cases(sizes: Sizes) -> Vec<Case> {
    vec![Case::new(
        "scalar::there_and_back::u32",
        move |context, target| {
            let mut ns = sizes.elems().into_iter();
            ns.try_for_each(|n| there_and_back(context, target, n))
        },
    )]
}

fn there_and_back(context: &Context, target: &Target, n: usize) -> Outcome {
    let x = input::<u32>(n, 1);
    let (sum, squares, rest) = (
        reduce!(add).within(context.clone()).on(target),
        map_reduce!(square, add).within(context.clone()).on(target),
        map!(relative).within(context.clone()).on(target),
    );
    let mut total = Scalar::from(7);
    if n == 0 {
        let failed = sum.run_into((&x,), &mut total);
        let inherited = rest.run((&[1, 2], &total)).and_then(|out| out.to_vec());
        return match (failed, total.get(), inherited) {
            (
                Err(Error::EmptyReduce { .. }),
                Err(Error::Poisoned { .. }),
                Err(Error::Poisoned { .. }),
            ) => Ok(()),
            found => Err(Failure::Wrong(format!("a reduction of nothing: {found:?}"))),
        };
    }
    sum.run_into((&x,), &mut total)?;
    let expected = x.iter().fold(0, |sum: u32, x| sum.wrapping_add(*x));
    same_value("sum", total.get()?, expected)?;
    let xors: Vec<u32> = x.iter().map(|x| x ^ expected).collect();
    same(
        "a call that takes it",
        &rest.run((&x, &total))?.host()?,
        &xors,
    )?;
    // Where the output begins elsewhere than the call.
    let mut larger = Vector::from(input::<u32>(n + 5, 2));
    let mut all = larger.to_vec()?;
    rest.run_into((&x, &total), larger.part_mut(3..n + 3))?;
    all[3..n + 3].copy_from_slice(&xors);
    same("a call that takes it, into a part", &larger.host()?, &all)?;
    squares.run_into((&x,), &mut total)?;
    let expected = x
        .iter()
        .fold(0, |sum: u32, x| sum.wrapping_add(x.wrapping_mul(*x)));
    same_value("sum of squares", total.get()?, expected)
}
