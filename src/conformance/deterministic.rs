//! Deterministic reductions and scans: the bits of one tree, whichever unit computes it. Rows and columns keep to the
//! grouping by default, as the tests of it see.

use super::{
    Case, Check, Context, Failure, Outcome, Sizes, Target,
    data::{input, same, same_value},
    parts::if_bound,
};
use crate::{Error, prelude::*};

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

pub(super) fn cases(sizes: Sizes) -> Vec<Case> {
    let mut elems = vec![0, 1, 2, 15, 16, 17, 255, 256, 257, 4099];
    if sizes != Sizes::Small {
        elems.push(100_003);
    }
    let checks: [(&str, Check); 3] = [
        ("deterministic::reduce::f32", reductions),
        ("deterministic::map_reduce::f32", map_reductions),
        ("deterministic::scan::f32", scans),
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

/// The elements of a tile.
const TILE: usize = 16;

type Op = fn(f32, f32) -> f32;

fn chain(x: &[f32], op: Op) -> Option<f32> {
    x.iter().copied().reduce(op)
}

fn join(a: Option<f32>, b: Option<f32>, op: Op) -> Option<f32> {
    match (a, b) {
        (Some(a), Some(b)) => Some(op(a, b)),
        (a, b) => a.or(b),
    }
}

/// The totals of the tiles that are full, and of the rest.
fn totals(x: &[f32], op: Op) -> (Vec<f32>, Option<f32>) {
    let (tiles, rest) = x.as_chunks::<TILE>();
    let of_tiles = tiles.iter().filter_map(|tile| chain(tile, op));
    (of_tiles.collect(), chain(rest, op))
}

/// The one tree.
fn tree(x: &[f32], op: Op) -> Option<f32> {
    let (tiles, rest) = totals(x, op);
    match tiles.is_empty() {
        true => rest,
        false => join(tree(&tiles, op), rest, op),
    }
}

/// What precedes each tile.
fn carries(x: &[f32], initial: Option<f32>, op: Op) -> Vec<Option<f32>> {
    if x.len() < TILE {
        return vec![initial];
    }
    let (tiles, _) = totals(x, op);
    let carries = carries(&tiles, initial, op);
    let place = |i: usize| {
        let tile = i / TILE;
        join(carries[tile], chain(&tiles[tile * TILE..i], op), op)
    };
    (0..=tiles.len()).map(place).collect()
}

fn prefixes(x: &[f32], initial: Option<f32>, exclusive: bool, op: Op) -> Vec<f32> {
    let carries = carries(x, initial, op);
    let prefix = |i: usize| {
        let (tile, end) = (i / TILE, i + usize::from(!exclusive));
        let prefix = join(carries[tile], chain(&x[tile * TILE..end], op), op);
        prefix.unwrap_or_default()
    };
    (0..x.len()).map(prefix).collect()
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
    let found = sum.clone().deterministic().run((&v,));
    value("sum", found, tree(&x, |a, b| a + b))?;
    let found = sum.initial(0.1).deterministic().run((&x,));
    let expected = join(Some(0.1), tree(&x, |a, b| a + b), |a, b| a + b);
    value("sum and more", found, expected)?;
    let sum = reduce!(blend).within(context.clone()).on(target);
    let found = sum.deterministic().run((&v,));
    value("in order", found, tree(&x, blend))
}

fn map_reductions(context: &Context, target: &Target, n: usize) -> Outcome {
    let (x, y) = (input::<f32>(n, 1), input::<f32>(n, 2));
    let instance = map_reduce!(scaled, add).within(context.clone()).on(target);
    let found = instance.deterministic().run((&x, &y, 0.7));
    let scaled: Vec<f32> = x.iter().zip(&y).map(|(x, y)| scaled(*x, *y, 0.7)).collect();
    value("scaled", found, tree(&scaled, |a, b| a + b))
}

fn scans(context: &Context, target: &Target, n: usize) -> Outcome {
    let x = input::<f32>(n, 1);
    let v = Vector::from(x.clone());
    let scan = scan!(add).within(context.clone()).on(target);
    let sum: Op = |a, b| a + b;
    let found = scan.clone().deterministic().run((&v,))?;
    same("inclusive", &found.host()?, &prefixes(&x, None, false, sum))?;
    let found = scan.clone().initial(0.1).deterministic().run((&v,))?;
    same(
        "initial",
        &found.host()?,
        &prefixes(&x, Some(0.1), false, sum),
    )?;
    let mut out = x.clone();
    scan.exclusive(0.1)
        .deterministic()
        .run_into((&x,), &mut out)?;
    same("exclusive", &out, &prefixes(&x, Some(0.1), true, sum))
}
