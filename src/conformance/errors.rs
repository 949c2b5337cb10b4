//! Bad calls, traps, and that the next call works.

use super::{
    Case, Context, Failure, Outcome, Target,
    data::{instead, same},
};
use crate::{Error, prelude::*};

#[user_function]
fn ratio(a: i32, b: i32) -> i32 {
    a / b
}

#[user_function]
fn divide_by(x: &mut i32, #[uniform] by: i32) {
    *x = 1000 / (*x - by);
}

#[user_function]
fn quotient(a: i32, b: i32) -> i32 {
    a / b
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case::new("errors::lengths", lengths),
        Case::new("errors::trap", trap),
        Case::new("errors::trap_in_place", trap_in_place),
        Case::new("errors::trap_in_an_operator", trap_in_an_operator),
        Case::new("errors::trap_in_a_scan", trap_in_a_scan),
        Case::new("errors::trap_is_inherited", trap_is_inherited),
    ]
}

fn wrong<T>(what: &str, found: &T) -> Failure
where
    T: std::fmt::Debug,
{
    Failure::Wrong(format!("{what}: {found:?}"))
}

fn lengths(context: &Context, target: &Target) -> Outcome {
    let f = map!(ratio).within(context.clone()).on(target);
    let expect = |found: crate::Result<()>, wanted: usize, says: &str| match found {
        Err(error @ Error::ShapeMismatch { argument, .. })
            if argument == wanted && error.to_string().contains(says) =>
        {
            Ok(())
        }
        other => Err(wrong(&format!("argument {wanted}, as {says}"), &other)),
    };
    let found = f.run((&[1, 2, 3], &[1, 2])).map(|_| ());
    expect(
        found,
        2,
        "[2], but [3] is needed (as the first container has)",
    )?;
    // Where all agree but one, it is that one.
    let g = map!(|a: i32, b: i32, c: i32| a + b + c);
    let g = g.within(context.clone()).on(target);
    let found = g.run((&[1, 2, 3], &[1, 2], &[4, 5])).map(|_| ());
    expect(
        found,
        1,
        "[3], but [2] is needed (as the other containers have)",
    )?;
    let found = g.run((&[1, 2], &[1, 2, 3], &[4, 5])).map(|_| ());
    expect(
        found,
        2,
        "[3], but [2] is needed (as the first container has)",
    )?;
    let mut out = [7; 4];
    let found = f.run_into((&[1, 2], &[4, 5]), &mut out);
    expect(found, 3, "[4], but [2] is needed (as what is passed has)")?;
    let found = f.run_into((&[1; 4], &[4, 5]), &mut out);
    expect(found, 2, "[2], but [4] is needed (as the output has)")?;
    same("an output of the wrong length", &out, &[7; 4])?;
    same(
        "the next call",
        &f.run((&[6, 8], &[2, 4]))?.host()?,
        &[3, 2],
    )
}

/// The error of a result, which may show only when it is read.
fn late<T: crate::Element>(result: crate::Result<Vector<T>>) -> crate::Result<()> {
    result?.host().map(|_| ())
}

fn expect_trap(found: crate::Result<()>, function: &str, at: Option<usize>) -> Outcome {
    match found {
        Err(Error::Trap {
            function: f,
            index,
            message,
            line,
            ..
        }) if f == function && index == at && message.contains("divide by zero") && line > 0 => {
            Ok(())
        }
        other => Err(instead(&format!("a trap in {function} at {at:?}"), other)),
    }
}

fn trap(context: &Context, target: &Target) -> Outcome {
    let n = 3000;
    let a = vec![1; n];
    let f = map!(ratio).within(context.clone()).on(target);
    // The smallest index counts, wherever the split is.
    for (zeros, first) in [
        (vec![0], 0),
        (vec![2999, 17, 1800], 17),
        (vec![2998, 2999], 2998),
    ] {
        let mut b = vec![1; n];
        zeros.into_iter().for_each(|i| b[i] = 0);
        expect_trap(late(f.run((&a, &b))), "ratio", Some(first))?;
    }
    same(
        "the next call",
        &f.run((&[6, 8], &[2, 4]))?.host()?,
        &[3, 2],
    )
}

fn trap_in_place(context: &Context, target: &Target) -> Outcome {
    let f = map!(divide_by).within(context.clone()).on(target);
    let mut v = Vector::from_fn(2000, |i| i as i32 + 1);
    let found = f.run((&mut v, 1500)).and_then(|()| v.host().map(|_| ()));
    expect_trap(found, "divide_by", Some(1499))?;
    if v.host().is_ok() {
        return Err(Failure::Wrong("a poisoned vector was read".into()));
    }
    // Overwritten, it is as good as new.
    let copy = map!(|x: i32| x).within(context.clone()).on(target);
    let source: Vec<i32> = (0..2000).collect();
    copy.run_into((&source,), &mut v)?;
    same("overwritten", &v.host()?, &source)
}

fn trap_in_an_operator(context: &Context, target: &Target) -> Outcome {
    let f = reduce!(quotient).within(context.clone()).on(target);
    expect_trap(f.run((&vec![0; 700],)).map(|_: i32| ()), "quotient", None)
}

fn trap_in_a_scan(context: &Context, target: &Target) -> Outcome {
    let f = scan!(quotient).within(context.clone()).on(target);
    let mut x = vec![1; 3000];
    let mut out = Vector::filled(3000, 7);
    for at in [1, 1500, 2999] {
        x[at] = 0;
        let found = f
            .run_into((&x,), &mut out)
            .and_then(|()| out.host().map(|_| ()));
        expect_trap(found, "quotient", None)?;
        if out.host().is_ok() {
            return Err(Failure::Wrong("a poisoned vector was read".into()));
        }
        x[at] = 1;
    }
    same("the next call", &f.run((&x,))?.host()?, &x)
}

fn trap_is_inherited(context: &Context, target: &Target) -> Outcome {
    let n = 3000;
    let mut b = vec![1; n];
    b[1234] = 0;
    let f = map!(ratio).within(context.clone()).on(target);
    let sum = reduce!(|a: i32, b: i32| a + b)
        .within(context.clone())
        .on(target);
    let found = f.run((&vec![1; n], &b)).and_then(|v| sum.run((&v,)));
    expect_trap(found.map(|_: i32| ()), "ratio", Some(1234))
}
