//! Pools of every rank, with strides.

use super::{Sizes, Whole, compare, input, oracle::pools};
use crate::{Shape, conformance::Outcome, prelude::*};

fn plain_step(sum: u32, x: u32) -> u32 {
    sum.wrapping_mul(31).wrapping_add(x)
}

#[user_function]
fn step(sum: u32, x: u32) -> u32 {
    sum.wrapping_mul(31).wrapping_add(x)
}

#[user_function]
fn pool1(p: Pool1<u32, 3>) -> u32 {
    step(step(p[0], p[1]), p[2])
}

#[user_function]
fn pool2(p: Pool2<u32, 2, 3>) -> u32 {
    let mut sum = p[(0, 0)];
    for k in 1..6 {
        sum = step(sum, p[(k / 3, k % 3)]);
    }
    sum
}

#[user_function]
fn pool3(p: Pool3<u32, 2, 1, 2>) -> u32 {
    step(
        step(step(p[(0, 0, 0)], p[(0, 0, 1)]), p[(1, 0, 0)]),
        p[(1, 0, 1)],
    )
}

#[user_function]
fn pool4(p: Pool4<u32, 1, 2, 1, 2>) -> u32 {
    let (a, b) = (step(p[(0, 0, 0, 0)], p[(0, 0, 0, 1)]), p[(0, 1, 0, 0)]);
    step(step(a, b), p[(0, 1, 0, 1)])
}

pub(super) const CHECKS: &[(&str, Whole)] = &[
    ("pools::of_one_dimension", one),
    ("pools::of_two_dimensions", two),
    ("pools::of_more_dimensions", more),
];

/// Runs `f` with its own stride and others, and compares.
macro_rules! strides {
    ($f:expr, $x:expr, $rank:literal, $size:expr, $strides:expr) => {{
        let (x, data) = (&$x, $x.to_vec()?);
        let check = |stride: [usize; 4], found: crate::Result<_>| {
            let expected = pools(x.shape(), &data, $size, stride, plain_step);
            compare(
                &format!("{} with stride {stride:?}", x.shape()),
                found,
                expected,
            )
        };
        check(
            $size,
            $f.run((x,)).and_then(|y| Ok((y.shape(), y.to_vec()?))),
        )?;
        for stride in $strides {
            let stride: [usize; 4] = stride;
            let f = $f.clone().stride(Shape::of_rank($rank, stride));
            check(
                stride,
                f.run((x,)).and_then(|y| Ok((y.shape(), y.to_vec()?))),
            )?;
        }
    }};
}

fn one(context: &crate::Context, target: &Target, _: Sizes) -> Outcome {
    let f = map_pool!(pool1).within(context.clone()).on(target);
    let others = [[1, 1, 1, 1], [1, 1, 1, 2], [1, 1, 1, 5]];
    for n in [0, 1, 2, 3, 4, 5, 6, 257, 1009] {
        let x = Vector::from(input::<u32>(n));
        strides!(f, x, 1, [1, 1, 1, 3], others);
    }
    let x = Matrix::from_vec(5, 13, input::<u32>(65))?;
    strides!(f, x, 1, [1, 1, 1, 3], others);
    Ok(())
}

fn two(context: &crate::Context, target: &Target, _: Sizes) -> Outcome {
    let f = map_pool!(pool2).within(context.clone()).on(target);
    let others = [[1, 1, 1, 1], [1, 1, 3, 2], [1, 1, 5, 4]];
    for (rows, cols) in [(0, 3), (1, 3), (2, 2), (2, 3), (7, 11), (24, 41)] {
        let x = Matrix::from_vec(rows, cols, input::<u32>(rows * cols))?;
        strides!(f, x, 2, [1, 1, 2, 3], others);
    }
    let x = Tensor3::from_vec(3, 5, 7, input::<u32>(105))?;
    strides!(f, x, 2, [1, 1, 2, 3], others);
    Ok(())
}

fn more(context: &crate::Context, target: &Target, _: Sizes) -> Outcome {
    let f = map_pool!(pool3).within(context.clone()).on(target);
    let x = Tensor3::from_vec(5, 4, 9, input::<u32>(180))?;
    strides!(f, x, 3, [1, 2, 1, 2], [[1, 1, 1, 1], [1, 3, 2, 3]]);
    let f = map_pool!(pool4).within(context.clone()).on(target);
    let x = Tensor4::from_vec(2, 4, 3, 5, input::<u32>(120))?;
    strides!(f, x, 4, [1, 2, 1, 2], [[1, 1, 1, 1], [2, 1, 3, 2]]);
    Ok(())
}
