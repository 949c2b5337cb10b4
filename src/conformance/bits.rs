//! Sums of floats: the bits of the one grouping, whichever unit computes them.

use super::{
    Case, Check, Context, Failure, Outcome, Sizes, Target,
    data::{input, same, same_value},
    reference::Op,
    refusals::if_bound,
};
use crate::{Error, prelude::*};
use skel_core::plan::Grouping;

#[user_function]
fn add(a: f32, b: f32) -> f32 {
    a + b
}

/// Not recognised as an operator that commutes; associative but for rounding.
#[user_function]
fn blend(a: f32, b: f32) -> f32 {
    let c = a + b;
    c + 0.0
}

#[user_function]
fn scaled(x: f32, y: f32, #[uniform] k: f32) -> f32 {
    x * 0.3 + y * k
}

const ADD: Op<f32> = Op {
    apply: add,
    is_wide: true,
};

const BLEND: Op<f32> = Op {
    apply: blend,
    is_wide: false,
};

/// Of `f32`, by an operator that does not commute, and of all scans.
const ORDERED: Grouping = Grouping::Ordered { chunks: 16 };

pub(super) fn cases(sizes: Sizes) -> Vec<Case> {
    let mut elems = vec![0, 1, 2, 15, 16, 17, 63, 64, 255, 256, 257, 1025, 4099];
    if sizes != Sizes::Small {
        elems.push(100_003);
    }
    let checks: [(&str, Check); 4] = [
        ("bits::reduce::f32", reductions),
        ("bits::map_reduce::f32", map_reductions),
        ("bits::scan::f32", scans),
        ("bits::along::f32", along),
    ];
    let cases = checks.into_iter().map(|(name, check)| {
        let ns = elems.clone();
        Case::new(name, move |context, target| {
            ns.iter()
                .try_for_each(|n| if_bound(check(context, target, *n)))
        })
    });
    cases.collect()
}

fn value(what: &str, found: crate::Result<f32>, expected: Option<f32>) -> Outcome {
    match (found, expected) {
        (Err(Error::EmptyReduce { .. }), None) => Ok(()),
        (Ok(_), None) => Err(Failure::Wrong(format!("{what}: nothing has a value"))),
        (found, Some(expected)) => same_value(what, found?, expected),
        (Err(error), None) => Err(error.into()),
    }
}

fn reductions(context: &Context, target: &Target, n: usize) -> Outcome {
    let x = input::<f32>(n, 1);
    let v = Vector::from(x.clone());
    let sum = reduce!(add).within(context.clone()).on(target);
    let expected = ADD.fold(Grouping::Lanes, &x);
    value("sum", sum.clone().run((&v,)), expected)?;
    let all = expected.map_or(0.1, |sum| 0.1 + sum);
    value("sum and more", sum.initial(0.1).run((&x,)), Some(all))?;
    let sum = reduce!(blend).within(context.clone()).on(target);
    value("in order", sum.run((&v,)), BLEND.fold(ORDERED, &x))
}

fn map_reductions(context: &Context, target: &Target, n: usize) -> Outcome {
    let (x, y) = (input::<f32>(n, 1), input::<f32>(n, 2));
    let instance = map_reduce!(scaled, add).within(context.clone()).on(target);
    let found = instance.run((&x, &y, 0.7));
    let scaled: Vec<f32> = x.iter().zip(&y).map(|(x, y)| scaled(*x, *y, 0.7)).collect();
    value("scaled", found, ADD.fold(Grouping::Lanes, &scaled))
}

fn scans(context: &Context, target: &Target, n: usize) -> Outcome {
    let x = input::<f32>(n, 1);
    let v = Vector::from(x.clone());
    let scan = scan!(add).within(context.clone()).on(target);
    let found = scan.clone().run((&v,))?;
    let expected = ADD.scan(ORDERED, false, None, &x);
    same("inclusive", &found.host()?, &expected)?;
    let found = scan.clone().initial(0.1).run((&v,))?;
    let expected = ADD.scan(ORDERED, false, Some(0.1), &x);
    same("initial", &found.host()?, &expected)?;
    let mut out = x.clone();
    scan.exclusive(0.1).run_into((&x,), &mut out)?;
    let expected = ADD.scan(ORDERED, true, Some(0.1), &x);
    same("exclusive", &out, &expected)?;
    let scan = scan!(blend).within(context.clone()).on(target);
    let expected = BLEND.scan(ORDERED, false, None, &x);
    same("in order", &scan.run((&v,))?.host()?, &expected)
}

fn along(context: &Context, target: &Target, n: usize) -> Outcome {
    for cols in [37, 111] {
        let rows = n / cols;
        let (x, y) = (input::<f32>(rows * cols, 1), input::<f32>(rows * cols, 2));
        let m = Matrix::from_vec(rows, cols, x.clone())?;
        let sum = reduce!(add).within(context.clone()).on(target);
        let found = sum.clone().rows().run((&m,))?;
        let row = |row: &[f32]| ADD.fold(Grouping::Lanes, row).unwrap_or_default();
        let expected: Vec<f32> = x.chunks(cols).map(row).collect();
        same("rows", &found.host()?, &expected)?;
        let mut found = vec![0.0; cols];
        let columns = sum.initial(0.1).cols();
        columns.run_into((&m,), &mut found)?;
        let column = |j: usize| {
            let column: Vec<f32> = x.iter().skip(j).step_by(cols).copied().collect();
            ADD.column(&column).map_or(0.1, |sum| 0.1 + sum)
        };
        let expected: Vec<f32> = (0..cols).map(column).collect();
        same("columns", &found, &expected)?;
        let both = Matrix::from_vec(rows, cols, y.clone())?;
        let f = map_reduce!(scaled, add).within(context.clone()).on(target);
        let found = f.rows().run((&m, &both, 0.7))?;
        let scaled: Vec<f32> = x.iter().zip(&y).map(|(x, y)| scaled(*x, *y, 0.7)).collect();
        let expected: Vec<f32> = scaled.chunks(cols).map(row).collect();
        same("scaled rows", &found.host()?, &expected)?;
    }
    Ok(())
}
