//! Reduce and MapReduce, with operators that commute and operators that do not.

use super::{
    Case, Check, Context, Failure, Outcome, Sizes, Target,
    data::{Sample, input, same_value, scramble},
};
use crate::{Error, prelude::*};

#[user_function]
fn add<T: Number>(a: T, b: T) -> T {
    a + b
}

#[user_function]
fn largest(a: i32, b: i32) -> i32 {
    a.max(b)
}

#[user_function]
fn all(a: bool, b: bool) -> bool {
    a & b
}

/// `x -> a x + b` modulo 2¹⁶, as `a << 16 | b`; first the left map, then the right one. Associative,
/// not commutative.
#[user_function]
pub(super) fn compose(f: u32, g: u32) -> u32 {
    let a = (f >> 16) * (g >> 16);
    let b = (g >> 16) * (f & 0xffff) + (g & 0xffff);
    (a << 16) | (b & 0xffff)
}

#[user_function]
fn first(a: f32, _b: f32) -> f32 {
    a
}

#[user_function]
fn last(_a: f32, b: f32) -> f32 {
    b
}

#[user_function]
fn product<T: Number>(a: T, b: T) -> T {
    a * b
}

#[user_function]
#[expect(clippy::too_many_arguments, reason = "eight inputs are the point")]
fn weighted(a: u32, b: u32, c: u32, d: u32, e: u32, f: u32, g: u32, h: u32) -> u32 {
    a + 3 * b + 5 * c + 7 * d + 11 * e + 13 * f + 17 * g + 19 * h
}

#[user_function]
fn affine(at: Index1) -> u32 {
    ((at.i as u32 % 9 + 1) << 16) | (at.i as u32 % 251)
}

#[user_function]
fn cell(at: Index2, x: u32, #[uniform] k: u32) -> u32 {
    x * (at.row as u32 % 100 + 1) + k * at.col as u32
}

pub(super) fn cases(sizes: Sizes) -> Vec<Case> {
    let elems = sizes.elems();
    let mut cases = Vec::new();
    let checks: [(&str, Check); 9] = [
        ("sum::u32", sum_u32),
        ("sum_exact::f32", sum_exact::<f32>),
        ("sum_exact::f64", sum_exact::<f64>),
        ("max::i32", max_i32),
        ("all::bool", all_bool),
        ("not_commutative::u32", not_commutative),
        ("first_and_last::f32", first_and_last),
        ("eight_inputs::u32", eight_inputs),
        ("matrix::u32", matrix),
    ];
    for (name, check) in checks {
        let ns = elems.clone();
        cases.push(Case::new(
            format!("fold::{name}"),
            move |context, target| ns.iter().try_for_each(|n| check(context, target, *n)),
        ));
    }
    let ns = elems.clone();
    cases.push(Case::new(
        "fold::index_only::u32",
        move |context, target| ns.iter().try_for_each(|n| index_only(context, target, *n)),
    ));
    cases.push(Case::new("fold::dot::f32", move |context, target| {
        elems.iter().try_for_each(|n| dot(context, target, *n))
    }));
    cases
}

/// The reduction's value, or none for no elements, which must be [`Error::EmptyReduce`].
fn value<T>(n: usize, found: crate::Result<T>) -> Result<Option<T>, Failure> {
    match (n, found) {
        (0, Err(Error::EmptyReduce { .. })) => Ok(None),
        (0, Ok(_)) => Err(Failure::Wrong("a reduction of nothing has a value".into())),
        (_, found) => Ok(Some(found?)),
    }
}

/// Compares with a plain fold of the same elements.
fn check<T: Sample>(
    what: &str,
    found: crate::Result<T>,
    elements: impl Iterator<Item = T>,
    op: impl Fn(T, T) -> T,
) -> Outcome {
    let expected = elements.reduce(op);
    match (value(usize::from(expected.is_some()), found)?, expected) {
        (Some(found), Some(expected)) => same_value(what, found, expected),
        _ => Ok(()),
    }
}

fn sum_u32(context: &Context, target: &Target, n: usize) -> Outcome {
    let x = input::<u32>(n, 1);
    let f = reduce!(add).within(context.clone()).on(target);
    let sum = f.run((&Vector::from(x.clone()),));
    check("sum", sum, x.iter().copied(), u32::wrapping_add)?;
    let expected = x.iter().fold(0, |a: u32, b| a.wrapping_add(*b));
    same_value("sum with identity", f.identity(0).run((&x,))?, expected)
}

/// Small whole numbers, whose sum is exact in any order.
fn sum_exact<T: Sample + Number>(context: &Context, target: &Target, n: usize) -> Outcome {
    let small = |i: usize| (0..scramble(i) % 8).fold(T::ZERO, |a, _| a + T::ONE);
    let x: Vec<T> = (0..n).map(small).collect();
    let f = reduce!(add).within(context.clone()).on(target);
    check("sum", f.run((&x,)), x.iter().copied(), |a, b| a + b)
}

fn max_i32(context: &Context, target: &Target, n: usize) -> Outcome {
    let x = input::<i32>(n, 1);
    let f = reduce!(largest).within(context.clone()).on(target);
    check("max", f.run((&x,)), x.iter().copied(), i32::max)
}

fn all_bool(context: &Context, target: &Target, n: usize) -> Outcome {
    let f = reduce!(all).within(context.clone()).on(target);
    for wrong in [None, Some(0), Some(n / 2), n.checked_sub(1)] {
        let x: Vec<bool> = (0..n).map(|i| Some(i) != wrong).collect();
        check("all", f.run((&x,)), x.iter().copied(), |a, b| a && b)?;
    }
    Ok(())
}

fn not_commutative(context: &Context, target: &Target, n: usize) -> Outcome {
    let x = input::<u32>(n, 1);
    let f = reduce!(compose).within(context.clone()).on(target);
    check("compose", f.run((&x,)), x.iter().copied(), compose)
}

fn first_and_last(context: &Context, target: &Target, n: usize) -> Outcome {
    let x = input::<f32>(n, 1);
    let f = reduce!(first).within(context.clone()).on(target);
    check("first", f.run((&x,)), x.iter().copied(), |a, _| a)?;
    let f = reduce!(last).within(context.clone()).on(target);
    check("last", f.run((&x,)), x.iter().copied(), |_, b| b)
}

fn eight_inputs(context: &Context, target: &Target, n: usize) -> Outcome {
    let v: Vec<Vec<u32>> = (0..8).map(|k| input(n, k)).collect();
    let weights = [1, 3, 5, 7, 11, 13, 17, 19];
    let term = |i: usize| {
        v.iter()
            .zip(weights)
            .fold(0_u32, |s, (v, w)| s.wrapping_add(v[i].wrapping_mul(w)))
    };
    let f = map_reduce!(weighted, add)
        .within(context.clone())
        .on(target);
    let found = f.run((&v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7]));
    check("weighted", found, (0..n).map(term), u32::wrapping_add)
}

fn matrix(context: &Context, target: &Target, n: usize) -> Outcome {
    let (rows, cols) = (n / 41, 41);
    let m = Matrix::from_vec(rows, cols, input::<u32>(rows * cols, 1))?;
    let term = |k: usize| {
        let (i, j) = ((k / cols) as u32, (k % cols) as u32);
        u32::sample(k + 1000)
            .wrapping_mul(i % 100 + 1)
            .wrapping_add(j.wrapping_mul(5))
    };
    let f = map_reduce!(cell, add).within(context.clone()).on(target);
    check(
        "cells",
        f.run((&m, 5)),
        (0..rows * cols).map(term),
        u32::wrapping_add,
    )
}

fn index_only(context: &Context, target: &Target, n: usize) -> Outcome {
    let f = map_reduce!(affine, compose)
        .within(context.clone())
        .on(target);
    let found = f.run_shaped(n, ());
    check(
        "affine",
        found,
        (0..n).map(|i| affine(crate::Index1 { i })),
        compose,
    )
}

fn dot(context: &Context, target: &Target, n: usize) -> Outcome {
    let small = |salt: usize| (0..n).map(move |i| (scramble(i + salt) % 4) as f32);
    let (x, y) = (Vector::from_iter(small(1)), Vector::from_iter(small(2)));
    let f = map_reduce!(product, add).within(context.clone()).on(target);
    check(
        "dot",
        f.run((&x, &y)),
        small(1).zip(small(2)).map(|(a, b)| a * b),
        |a, b| a + b,
    )
}
