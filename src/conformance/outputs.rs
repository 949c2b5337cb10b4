//! Functions that fill several containers, and uniform values of several parts.

use super::{
    Case, Check, Context, Failure, Outcome, Sizes, Target,
    data::{input, instead, same},
};
use crate::{Error, prelude::*};

#[user_function]
fn parts(x: f32, y: i32) -> (i32, f32) {
    (y - 1, x * 2.0)
}

#[user_function]
fn four(x: u32, y: &mut u32) -> (u32, bool, f32, i32) {
    *y += x;
    (x ^ 5, x > 7, x as f32, -(x as i32))
}

#[user_function]
fn quotients(a: i32, b: i32) -> (i32, i32) {
    (a / b, a % b)
}

/// What all elements are told.
#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
pub(super) struct Line {
    slope: f32,
    offset: f32,
    weights: [u32; 3],
    upwards: Direction,
}

/// Part of a uniform value.
#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
pub(super) struct Direction {
    x: i32,
    y: i32,
}

#[user_function]
fn on_line(x: f32, k: u32, #[uniform] line: Line, #[uniform] table: [i32; 4]) -> f32 {
    let bent = line.weights[(k % 3) as usize] + line.upwards.y as u32;
    line.slope * x + line.offset + bent as f32 + table[(k % 4) as usize] as f32
}

pub(super) fn cases(sizes: Sizes) -> Vec<Case> {
    let elems = sizes.elems();
    let checks: [(&str, Check); 3] = [
        ("outputs::two", two),
        ("outputs::four_and_in_place", four_and_in_place),
        ("uniforms::of_several_parts", uniforms),
    ];
    let mut cases: Vec<Case> = checks
        .into_iter()
        .map(|(name, check)| {
            let ns = elems.clone();
            Case::new(name, move |context, target| {
                ns.iter().try_for_each(|n| check(context, target, *n))
            })
        })
        .collect();
    cases.push(Case::new("outputs::matrices", matrices));
    cases.push(Case::new("outputs::shapes_must_fit", shapes_must_fit));
    cases.push(Case::new("outputs::a_trap_poisons_all", poisoned));
    cases
}

fn two(context: &Context, target: &Target, n: usize) -> Outcome {
    let (x, y) = (input::<f32>(n, 1), input::<i32>(n, 2));
    let first: Vec<i32> = y.iter().map(|y| y.wrapping_sub(1)).collect();
    let second: Vec<f32> = x.iter().map(|x| x * 2.0).collect();
    let f = map!(parts).within(context.clone()).on(target);
    let (a, b) = f.run((&x, &y))?;
    same("the first", &a.host()?, &first)?;
    same("the second", &b.host()?, &second)?;
    let (mut a, mut b) = (vec![0; n], Vector::filled(n, 0.0));
    f.run_into((&x, &y), (&mut a, &mut b))?;
    same("into a slice", &a, &first)?;
    same("into a vector", &b.host()?, &second)
}

fn four_and_in_place(context: &Context, target: &Target, n: usize) -> Outcome {
    let (x, y) = (input::<u32>(n, 1), input::<u32>(n, 2));
    let mut changed = Vector::from(y.clone());
    let f = map!(four).within(context.clone()).on(target);
    let (a, b, c, d) = f.run((&x, &mut changed))?;
    let sums: Vec<u32> = x.iter().zip(&y).map(|(x, y)| x.wrapping_add(*y)).collect();
    same("in place", &changed.host()?, &sums)?;
    let of = |f: fn(&u32) -> u32| -> Vec<u32> { x.iter().map(f).collect() };
    same("the first", &a.host()?, &of(|x| x ^ 5))?;
    let second: Vec<bool> = x.iter().map(|x| *x > 7).collect();
    same("the second", &b.host()?, &second)?;
    let third: Vec<f32> = x.iter().map(|x| *x as f32).collect();
    same("the third", &c.host()?, &third)?;
    let fourth: Vec<i32> = x.iter().map(|x| (*x as i32).wrapping_neg()).collect();
    same("the fourth", &d.host()?, &fourth)
}

fn uniforms(context: &Context, target: &Target, n: usize) -> Outcome {
    let (x, k) = (input::<f32>(n, 1), input::<u32>(n, 2));
    let line = Line {
        slope: 0.5,
        offset: -3.25,
        weights: [10, 20, 30],
        upwards: Direction { x: 0, y: 7 },
    };
    let table = [-1, 2, -3, 4];
    let element = |i: usize| {
        let bent = line.weights[(k[i] % 3) as usize] + line.upwards.y as u32;
        line.slope * x[i] + line.offset + bent as f32 + table[(k[i] % 4) as usize] as f32
    };
    let expected: Vec<f32> = (0..n).map(element).collect();
    let f = map!(on_line).within(context.clone()).on(target);
    same("on_line", &f.run((&x, &k, line, table))?.host()?, &expected)
}

fn matrices(context: &Context, target: &Target) -> Outcome {
    let (x, y) = (
        Matrix::from_fn(7, 11, |i, j| (i + j) as f32),
        Matrix::from_fn(7, 11, |i, j| (i * j) as i32),
    );
    let f = map!(parts).within(context.clone()).on(target);
    let (a, b) = f.run((&x, &y))?;
    if (a.rows(), b.cols()) != (7, 11) {
        return Err(Failure::Wrong(format!("{a:?}, {b:?}")));
    }
    let first: Vec<i32> = (0..77).map(|k| (k / 11) * (k % 11) - 1).collect();
    let second: Vec<f32> = (0..77).map(|k| (k / 11 + k % 11) as f32 * 2.0).collect();
    same("the first", &a.host()?, &first)?;
    same("the second", &b.host()?, &second)
}

fn shapes_must_fit(context: &Context, target: &Target) -> Outcome {
    let f = map!(parts).within(context.clone()).on(target);
    let (mut a, mut b) = ([0; 3], [0.0; 2]);
    match f.run_into((&[1.0; 3], &[1; 3]), (&mut a, &mut b)) {
        Err(Error::ShapeMismatch { argument: 4, .. }) => Ok(()),
        other => Err(Failure::Wrong(format!("the second output: {other:?}"))),
    }
}

fn poisoned(context: &Context, target: &Target) -> Outcome {
    let f = map!(quotients).within(context.clone()).on(target);
    let mut b = vec![3; 2000];
    b[1234] = 0;
    let (mut q, mut r) = (Vector::filled(2000, 0), Vector::filled(2000, 0));
    let found = f.run_into((&vec![7; 2000], &b), (&mut q, &mut r));
    let found = found.and_then(|()| q.host().map(|_| ()));
    match found {
        Err(Error::Trap {
            index: Some(1234), ..
        }) => {}
        other => return Err(instead("a trap at 1234", other)),
    }
    if q.host().is_ok() || r.host().is_ok() {
        return Err(Failure::Wrong("a poisoned output was read".into()));
    }
    f.run_into((&vec![7; 2000], &vec![3; 2000]), (&mut q, &mut r))?;
    same("overwritten", &q.host()?, &[2; 2000])?;
    same("overwritten, too", &r.host()?, &[1; 2000])
}
