//! Reductions of several components, and of what begins with a value.

use super::{
    Affine, Case, Check, Context, Failure, Outcome, Sizes, Target,
    along::plain_compose,
    data::{input, instead, same, same_value},
    refusals::if_bound,
};
use crate::{Error, prelude::*};

#[user_function]
fn compose(a: Affine, b: Affine) -> Affine {
    a * b
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
fn ratio(a: i32, b: i32) -> i32 {
    a / b
}

#[user_function]
fn moments(x: i32) -> (i32, i32, Affine) {
    let f = Affine {
        factor: x as u32,
        offset: 7,
    };
    (x, x / 3, f)
}

pub(super) fn cases(sizes: Sizes) -> Vec<Case> {
    let elems = sizes.elems();
    let checks: [(&str, Check); 2] = [
        ("along::components", components),
        ("fold::components", fold_components),
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
    cases.push(Case::new("along::components_of_nothing", nothing));
    cases.push(Case::new("fold::initial", fold_initial));
    cases
}

/// What [`moments`] gives, component by component.
fn plain_moments(x: i32) -> (i32, i32, Affine) {
    let f = Affine {
        factor: x as u32,
        offset: 7,
    };
    (x, x / 3, f)
}

fn fold_moments(mut elements: impl Iterator<Item = i32>) -> Option<(i32, i32, Affine)> {
    let first = plain_moments(elements.next()?);
    Some(elements.map(plain_moments).fold(first, |a, b| {
        (a.0.wrapping_add(b.0), a.1.max(b.1), plain_compose(a.2, b.2))
    }))
}

fn components(context: &Context, target: &Target, n: usize) -> Outcome {
    let (rows, cols) = (n / 21, 21);
    let x = input::<i32>(rows * cols, 1);
    let m = Matrix::from_vec(rows, cols, x.clone())?;
    let f = map_reduce!(moments, add, largest, compose)
        .within(context.clone())
        .on(target);
    let (a, b, c) = f.rows().run((&m,))?;
    let expected: Vec<_> = x
        .chunks(cols)
        .filter_map(|row| fold_moments(row.iter().copied()))
        .collect();
    let firsts: Vec<i32> = expected.iter().map(|e| e.0).collect();
    same("the first", &a.host()?, &firsts)?;
    let seconds: Vec<i32> = expected.iter().map(|e| e.1).collect();
    same("the second", &b.host()?, &seconds)?;
    let thirds: Vec<Affine> = expected.iter().map(|e| e.2).collect();
    same("the third", &c.host()?, &thirds)
}

fn fold_components(context: &Context, target: &Target, n: usize) -> Outcome {
    let x = input::<i32>(n, 1);
    let f = map_reduce!(moments, add, largest, compose)
        .within(context.clone())
        .on(target);
    match (f.run((&x,)), fold_moments(x.iter().copied())) {
        (Err(Error::EmptyReduce { .. }), None) => {}
        (found, Some(expected)) => {
            let found = found?;
            same_value("the first", found.0, expected.0)?;
            same_value("the second", found.1, expected.1)?;
            same_value("the third", found.2, expected.2)?;
        }
        (found, None) => return Err(Failure::Wrong(format!("of nothing: {found:?}"))),
    }
    // No inputs at all: an index range.
    let f = map_reduce!(
        |at: Index1| (at.i as u32 % 1000, 3 * at.i as u32),
        add,
        |a: u32, b: u32| a ^ b
    );
    let f = f.initial((1, 2)).within(context.clone()).on(target);
    let found = f.run_shaped(n, ())?;
    let sum = (0..n as u32).fold(1, |sum, i| sum + i % 1000);
    let mixed = (0..n as u32).fold(2, |a, i| a ^ i.wrapping_mul(3));
    same_value("a sum of indices", found.0, sum)?;
    same_value("indices mixed", found.1, mixed)
}

/// Rows without elements.
fn nothing(context: &Context, target: &Target) -> Outcome {
    let none = Matrix::filled(7, 0, 0);
    let f = map_reduce!(moments, add, largest, compose).within(context.clone());
    let f = f.on(target).initial((1, 2, Affine::IDENTITY));
    let (a, b, c) = f.rows().run((&none,))?;
    same("the first", &a.host()?, &[1; 7])?;
    same("the second", &b.host()?, &[2; 7])?;
    same("the third", &c.host()?, &[Affine::IDENTITY; 7])
}

fn fold_initial(context: &Context, target: &Target) -> Outcome {
    let f = reduce!(ratio).initial(7).within(context.clone()).on(target);
    same_value("of nothing", f.run((&[0; 0],))?, 7)?;
    same_value("of one", f.run((&[2],))?, 3)?;
    match f.run((&[0],)) {
        Err(Error::Trap {
            index: None,
            function,
            message,
            ..
        }) if function == "ratio" && message.contains("divide by zero") => Ok(()),
        other => Err(instead("a trap at the beginning", other)),
    }
}
