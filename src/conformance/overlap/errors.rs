//! What must be refused, and traps.

use super::{Sizes, Whole};
use crate::{
    Error, Result,
    conformance::{Failure, Outcome},
    prelude::*,
};

#[user_function]
fn ratio(w: Window2<i32, 1, 1>) -> i32 {
    w[(0, 1)] / w[(0, 0)]
}

#[user_function]
fn at(w: Window1<i32, 1>, #[uniform] d: isize) -> i32 {
    w[d]
}

#[user_function]
fn both(a: Window1<i32, 1>, b: Window1<i32, 2>, c: i32) -> i32 {
    a[1] + b[2] + c
}

#[user_function]
fn indexed(w: Window2<i32, 1, 1>, at: Index1) -> i32 {
    w[(0, 1)] + at.i as i32
}

pub(super) const CHECKS: &[(&str, Whole)] = &[
    ("errors::traps", traps),
    ("errors::shapes", shapes),
    ("errors::settings", settings),
];

fn traps(context: &crate::Context, target: &Target, _: Sizes) -> Outcome {
    // The element itself, in the interior, at an edge, and in a corner; the smallest one counts.
    for zero in [37 * 20 + 19, 37 * 20 + 36, 0] {
        let m = Matrix::from_fn(24, 37, |i, j| {
            i32::from(![zero, 23 * 37].contains(&(i * 37 + j)))
        });
        let f = map_overlap!(ratio).within(context.clone()).on(target);
        let found = f.edge(Edge::Reflect).run((&m,));
        trapped(found.and_then(|y| y.to_vec()), zero)?;
    }
    let f = map_overlap!(at).within(context.clone()).on(target);
    let found = f.run((&[1; 300], 2)).and_then(|y| y.to_vec());
    // The same words on every unit, by which one finds the window.
    if let Err(error @ Error::Trap { .. }) = &found
        && !error.to_string().contains("beyond the reach of the window")
    {
        return Err(Failure::Wrong(format!("an offset: {error}")));
    }
    trapped(found, 0)?;
    let y = f.run((&[1; 300], -1))?;
    super::super::data::same("within the radius", &y.host()?, &[1; 300])
}

fn trapped<T: std::fmt::Debug>(found: Result<T>, expected: usize) -> Outcome {
    match found {
        Err(Error::Trap {
            index: Some(index), ..
        }) if index == expected => Ok(()),
        Err(error) => Err(error.into()),
        Ok(value) => Err(Failure::Wrong(format!("{value:?} instead of a trap"))),
    }
}

fn shapes(context: &crate::Context, target: &Target, _: Sizes) -> Outcome {
    let f = map_overlap!(both).within(context.clone()).on(target);
    let refused = |found: Result<()>, wanted: usize| match found {
        Err(Error::ShapeMismatch { argument, .. }) if argument == wanted => Ok(()),
        found => Err(Failure::Wrong(format!("{found:?} for argument {wanted}"))),
    };
    refused(f.run((&[1; 5], &[1; 6], &[1; 5])).map(|_| ()), 2)?;
    refused(f.run((&[1; 5], &[1; 5], &[1; 4])).map(|_| ()), 3)?;
    refused(f.run_into((&[1; 5], &[1; 5], &[1; 5]), &mut [0; 6]), 4)?;
    // Without edges, the largest window counts.
    let f = f.edge(Edge::None);
    refused(f.run((&[1; 5], &[1; 5], &[1; 3])).map(|_| ()), 3)?;
    let y = f.run((&[1; 5], &[1; 5], &[4; 1]))?;
    super::super::data::same("inside", &y.host()?, &[6])
}

fn settings(context: &crate::Context, target: &Target, _: Sizes) -> Outcome {
    let refused = |found: Result<Vec<i32>>| match found {
        Err(Error::Neighbourhood { .. }) => Ok(()),
        found => Err(Failure::Wrong(format!("{found:?}"))),
    };
    let f = map_overlap!(ratio).within(context.clone()).on(target);
    let m = || Matrix::filled(5, 5, 1);
    let none = f.edge(Edge::None);
    refused(none.iterate(2, m(), ()).and_then(|y| y.to_vec()))?;
    refused(
        none.update(Update::Red)
            .run((&m(),))
            .and_then(|y| y.to_vec()),
    )?;
    // Padded edges take a value.
    let f = map_overlap!(ratio).within(context.clone()).on(target);
    let padded = f.edge(Edge::Pad);
    refused(padded.run((&m(),)).and_then(|y| y.to_vec()))?;
    refused(padded.iterate(2, m(), ()).and_then(|y| y.to_vec()))?;
    let f = map_overlap!(indexed).within(context.clone()).on(target);
    let red = f.update(Update::RedBlack);
    refused(red.run((&m(),)).and_then(|y| y.to_vec()))?;
    refused(red.iterate(1, m(), ()).and_then(|y| y.to_vec()))?;
    let f = map_pool!(|p: Pool2<i32, 2, 2>| p[(1, 1)])
        .within(context.clone())
        .on(target);
    refused(
        f.clone()
            .stride((1, 0))
            .run((&m(),))
            .and_then(|y| y.to_vec()),
    )?;
    let both = f.clone().stride(2).run((&m(),))?;
    super::super::data::same("one stride for all", &both.host()?, &[1; 4])?;
    refused(f.stride((1, 1, 1)).run((&m(),)).and_then(|y| y.to_vec()))?;
    // There is nothing beside the columns of a matrix for such a window to go down.
    let f = map_overlap!(ratio).within(context.clone()).on(target);
    let down = f.edge(Edge::None).down_columns();
    refused(down.run((&m(),)).and_then(|y| y.to_vec()))
}
