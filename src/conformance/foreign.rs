//! Functions whose bodies for devices are text of the user's own.
#![allow(
    unsafe_code,
    reason = "each text computes what its Rust body does, from its parameters alone"
)]

use super::{
    Case, Check, Context, Outcome, Sizes, Target,
    data::{input, same},
};
use crate::prelude::*;

/// The Rust body is nothing that could be translated.
#[user_function(unsafe(
    wgsl = "return countOneBits(x) + 32u * k;",
    cuda = "return (u32)__popc(x) + 32u * k;"
))]
fn ones(x: u32, #[uniform] k: u32) -> u32 {
    let digits = format!("{x:b}");
    digits.chars().filter(|c| *c == '1').count() as u32 + 32 * k
}

#[user_function(unsafe(
    wgsl = "
        // x and y are places: y stands for what is behind it.
        let before = *y;
        *y = before + table_at(x % table_len());
    ",
    cuda = "
        const u32 before = y;
        y = before + table.data[x % table.len];
    "
))]
fn bump(x: u32, y: &mut u32, table: &[u32]) {
    let turns = table.iter().cycle().nth(x as usize % table.len());
    *y += turns.copied().unwrap_or_default();
}

/// Called like any other.
#[user_function]
fn twice(x: u32) -> u32 {
    ones(x, 0) * 2
}

pub(super) fn cases(sizes: Sizes) -> Vec<Case> {
    let checks: [(&str, Check); 3] = [("value", value), ("in_place", in_place), ("called", called)];
    let cases = checks.into_iter().map(|(name, check)| {
        let ns = sizes.elems();
        Case::new(format!("foreign::{name}"), move |context, target| {
            ns.iter().try_for_each(|n| check(context, target, *n))
        })
    });
    cases.collect()
}

fn value(context: &Context, target: &Target, n: usize) -> Outcome {
    let x = input::<u32>(n, 1);
    let expected: Vec<u32> = x.iter().map(|x| x.count_ones() + 96).collect();
    let f = map!(ones).within(context.clone()).on(target);
    same("ones", &f.run((&x, 3))?.host()?, &expected)
}

fn in_place(context: &Context, target: &Target, n: usize) -> Outcome {
    let (x, y) = (input::<u32>(n, 1), input::<u32>(n, 2));
    let table = [3, 1, 4, 1, 5, 9, 2];
    let expected = x.iter().zip(&y);
    let expected = expected.map(|(x, y)| y.wrapping_add(table[*x as usize % 7]));
    let expected: Vec<u32> = expected.collect();
    let mut y = Vector::from(y);
    let f = map!(bump).within(context.clone()).on(target);
    f.run((&x, &mut y, &table))?;
    same("bump", &y.host()?, &expected)
}

fn called(context: &Context, target: &Target, n: usize) -> Outcome {
    let x = input::<u32>(n, 1);
    let expected: Vec<u32> = x.iter().map(|x| 2 * x.count_ones()).collect();
    let f = map!(twice).within(context.clone()).on(target);
    same("twice", &f.run((&x,))?.host()?, &expected)
}
