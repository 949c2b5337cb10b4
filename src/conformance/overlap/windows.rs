//! Windows of every rank over containers of every rank, with every edge.

use super::{
    Sizes, Whole, compare, input,
    oracle::{ALL, Radius, windows},
};
use crate::{conformance::Outcome, prelude::*};

#[user_function]
pub(super) fn step(sum: u32, x: u32) -> u32 {
    sum.wrapping_mul(31).wrapping_add(x)
}

pub(super) fn plain_step(sum: u32, x: u32) -> u32 {
    sum.wrapping_mul(31).wrapping_add(x)
}

#[user_function]
fn near1(w: Window1<u32, 2>) -> u32 {
    let mut sum = w[0];
    for d in -2..=2 {
        sum = step(sum, w[d]);
    }
    sum
}

#[user_function]
fn far1(w: Window1<u32, 9>) -> u32 {
    let mut sum = w[0];
    for d in -9..=9 {
        sum = step(sum, w[d]);
    }
    sum
}

#[user_function]
fn alone(w: Window1<u32, 0>) -> u32 {
    step(w[0], w[0])
}

#[user_function]
fn near2(w: Window2<u32, 1, 2>) -> u32 {
    let mut sum = w[(0, 0)];
    for dy in -1..=1 {
        for dx in -2..=2 {
            sum = step(sum, w[(dy, dx)]);
        }
    }
    sum
}

#[user_function]
fn far2(w: Window2<u32, 7, 0>) -> u32 {
    let mut sum = w[(0, 0)];
    for dy in -7..=7 {
        sum = step(sum, w[(dy, 0)]);
    }
    sum
}

#[user_function]
fn near3(w: Window3<u32, 1, 2, 1>) -> u32 {
    let mut sum = w[(0, 0, 0)];
    for dz in -1..=1 {
        for dy in -2..=2 {
            for dx in -1..=1 {
                sum = step(sum, w[(dz, dy, dx)]);
            }
        }
    }
    sum
}

#[user_function]
fn near4(w: Window4<u32, 1, 1, 0, 2>) -> u32 {
    let mut sum = w[(0, 0, 0, 0)];
    for dw in -1..=1 {
        for dz in -1..=1 {
            for dx in -2..=2 {
                sum = step(sum, w[(dw, dz, 0, dx)]);
            }
        }
    }
    sum
}

/// Without a loop, so that devices may compute several elements at once.
#[user_function]
fn column(w: Window2<u32, 1, 0>) -> u32 {
    step(step(step(w[(0, 0)], w[(-1, 0)]), w[(0, 0)]), w[(1, 0)])
}

#[user_function]
fn row(w: Window1<u32, 1>) -> u32 {
    step(step(step(w[0], w[-1]), w[0]), w[1])
}

#[user_function]
fn through_planes(w: Window3<u32, 1, 0, 0>) -> u32 {
    let sum = step(w[(0, 0, 0)], w[(-1, 0, 0)]);
    step(step(sum, w[(0, 0, 0)]), w[(1, 0, 0)])
}

#[user_function]
fn through_rows(w: Window3<u32, 0, 1, 0>) -> u32 {
    let sum = step(w[(0, 0, 0)], w[(0, -1, 0)]);
    step(step(sum, w[(0, 0, 0)]), w[(0, 1, 0)])
}

pub(super) const CHECKS: &[(&str, Whole)] = &[
    ("vectors", vectors),
    ("wide_rows", wide_rows),
    ("rows", rows),
    ("columns", columns),
    ("matrices", matrices),
    ("planes", planes),
    ("tensors3", tensors3),
    ("tensors4", tensors4),
];

/// Runs `f` over a container with every edge, and compares.
macro_rules! every_edge {
    ($what:expr, $f:expr, $x:expr, $radius:expr) => {{
        let (f, x, radius): (_, _, Radius) = (&$f, &$x, $radius);
        let data = x.to_vec()?;
        for edge in ALL {
            let found = f.clone().pad(77).edge(edge).run((x,));
            let found = found.and_then(|y| Ok((y.shape(), y.to_vec()?)));
            let expected = windows(x.shape(), &data, radius, edge, 77, plain_step);
            compare(
                &format!("{} of {} with {edge:?}", $what, x.shape()),
                found,
                expected,
            )?;
        }
    }};
}

fn vectors(context: &crate::Context, target: &Target, sizes: Sizes) -> Outcome {
    let mut elems = vec![0, 1, 2, 3, 5, 8, 18, 19, 63, 256, 257, 1021];
    if sizes != Sizes::Small {
        elems.push(100_003);
    }
    for n in elems {
        let x = Vector::from(input::<u32>(n));
        let f = map_overlap!(near1).within(context.clone()).on(target);
        every_edge!("radius 2", f, x, [None, None, None, Some(2)]);
        let f = map_overlap!(far1).within(context.clone()).on(target);
        every_edge!("radius 9", f, x, [None, None, None, Some(9)]);
        let f = map_overlap!(alone).within(context.clone()).on(target);
        every_edge!("radius 0", f, x, [None, None, None, Some(0)]);
    }
    Ok(())
}

/// Whole containers are small, since devices with low limits are to bind them.
///
/// Sizes 0 and 1, smaller than windows, around rows of work-groups, and some larger ones; rows as wide as a block of a
/// device, and wider.
const SHAPES: [(usize, usize); 12] = [
    (0, 0),
    (0, 5),
    (5, 0),
    (1, 1),
    (1, 40),
    (40, 1),
    (2, 3),
    (3, 2),
    (7, 11),
    (23, 41),
    (2, 256),
    (6, 257),
];

fn matrix(rows: usize, cols: usize) -> crate::Result<Matrix<u32>> {
    Matrix::from_vec(rows, cols, input(rows * cols))
}

fn rows(context: &crate::Context, target: &Target, _: Sizes) -> Outcome {
    for (rows, cols) in SHAPES {
        let x = matrix(rows, cols)?;
        let f = map_overlap!(near1).within(context.clone()).on(target);
        every_edge!("rows", f, x, [None, None, None, Some(2)]);
    }
    let x = Tensor3::from_vec(3, 4, 5, input(60))?;
    let f = map_overlap!(near1).within(context.clone()).on(target);
    every_edge!("rows", f, x, [None, None, None, Some(2)]);
    Ok(())
}

fn columns(context: &crate::Context, target: &Target, _: Sizes) -> Outcome {
    for (rows, cols) in SHAPES {
        let x = matrix(rows, cols)?;
        let f = map_overlap!(near1).within(context.clone()).on(target);
        every_edge!("columns", f.down_columns(), x, [None, None, Some(2), None]);
    }
    let x = Tensor3::from_vec(3, 4, 5, input(60))?;
    let f = map_overlap!(near1).within(context.clone()).on(target);
    every_edge!("columns", f.down_columns(), x, [None, None, Some(2), None]);
    let f = map_overlap!(near2).within(context.clone()).on(target);
    every_edge!(
        "outer dimensions",
        f.down_columns(),
        x,
        [None, Some(1), Some(2), None]
    );
    Ok(())
}

fn matrices(context: &crate::Context, target: &Target, sizes: Sizes) -> Outcome {
    let mut shapes = SHAPES.to_vec();
    if sizes != Sizes::Small {
        shapes.push((37, 65));
        shapes.push((211, 331));
        shapes.push((3, 40_001));
    }
    for (rows, cols) in shapes {
        let x = matrix(rows, cols)?;
        let f = map_overlap!(near2).within(context.clone()).on(target);
        every_edge!("1 by 2", f, x, [None, None, Some(1), Some(2)]);
        let f = map_overlap!(far2).within(context.clone()).on(target);
        every_edge!("7 by 0", f, x, [None, None, Some(7), Some(0)]);
    }
    Ok(())
}

/// Rows as wide as a block of a device, and wider: several elements below each other may be computed at once, also where
/// they belong to several planes.
fn wide_rows(context: &crate::Context, target: &Target, _: Sizes) -> Outcome {
    for (rows, cols) in [(2, 256), (6, 257), (5, 300)] {
        let x = matrix(rows, cols)?;
        let f = map_overlap!(column).within(context.clone()).on(target);
        every_edge!("a column", f, x, [None, None, Some(1), Some(0)]);
        let f = map_overlap!(row).within(context.clone()).on(target);
        every_edge!("a row", f, x, [None, None, None, Some(1)]);
        every_edge!("down", f.down_columns(), x, [None, None, Some(1), None]);
    }
    for (planes, rows, cols) in [(1, 6, 256), (2, 3, 257), (3, 2, 260)] {
        let x = Tensor3::from_vec(planes, rows, cols, input(planes * rows * cols))?;
        let f = map_overlap!(through_planes)
            .within(context.clone())
            .on(target);
        every_edge!("planes", f, x, [None, Some(1), Some(0), Some(0)]);
        let f = map_overlap!(through_rows)
            .within(context.clone())
            .on(target);
        every_edge!("rows", f, x, [None, Some(0), Some(1), Some(0)]);
        let f = map_overlap!(column).within(context.clone()).on(target);
        every_edge!("each plane", f, x, [None, None, Some(1), Some(0)]);
    }
    Ok(())
}

fn planes(context: &crate::Context, target: &Target, _: Sizes) -> Outcome {
    for (planes, rows, cols) in [
        (0, 3, 3),
        (1, 1, 1),
        (3, 4, 5),
        (2, 0, 5),
        (5, 9, 8),
        (2, 3, 300),
    ] {
        let x = Tensor3::from_vec(planes, rows, cols, input(planes * rows * cols))?;
        let f = map_overlap!(near2).within(context.clone()).on(target);
        every_edge!("planes", f, x, [None, None, Some(1), Some(2)]);
    }
    let x = Tensor4::from_vec(2, 3, 4, 5, input(120))?;
    let f = map_overlap!(near2).within(context.clone()).on(target);
    every_edge!("planes", f, x, [None, None, Some(1), Some(2)]);
    let f = map_overlap!(near3).within(context.clone()).on(target);
    every_edge!("volumes", f, x, [None, Some(1), Some(2), Some(1)]);
    Ok(())
}

fn tensors3(context: &crate::Context, target: &Target, _: Sizes) -> Outcome {
    for (planes, rows, cols) in [
        (1, 1, 1),
        (1, 5, 3),
        (4, 6, 5),
        (0, 1, 1),
        (5, 6, 33),
        (1, 3, 257),
    ] {
        let x = Tensor3::from_vec(planes, rows, cols, input(planes * rows * cols))?;
        let f = map_overlap!(near3).within(context.clone()).on(target);
        every_edge!("1 by 2 by 1", f, x, [None, Some(1), Some(2), Some(1)]);
    }
    Ok(())
}

fn tensors4(context: &crate::Context, target: &Target, _: Sizes) -> Outcome {
    let shapes = [
        (1, 1, 1, 1),
        (3, 2, 1, 5),
        (4, 3, 5, 7),
        (1, 2, 0, 3),
        (2, 2, 1, 257),
    ];
    for (volumes, planes, rows, cols) in shapes {
        let elems = volumes * planes * rows * cols;
        let x = Tensor4::from_vec(volumes, planes, rows, cols, input(elems))?;
        let f = map_overlap!(near4).within(context.clone()).on(target);
        every_edge!(
            "1 by 1 by 0 by 2",
            f,
            x,
            [Some(1), Some(1), Some(0), Some(2)]
        );
    }
    Ok(())
}
