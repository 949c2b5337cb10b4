//! Iteration, and updates of one colour.

use super::{Sizes, Whole, input};
use crate::{
    conformance::{Outcome, data::same},
    prelude::*,
};

#[user_function]
fn life(w: Window2<u32, 1, 1>, #[uniform] born: u32) -> u32 {
    let mut count = 0;
    for dy in -1..=1 {
        for dx in -1..=1 {
            count += w[(dy, dx)];
        }
    }
    let near = count - w[(0, 0)];
    if near == born || near == 2 && w[(0, 0)] == 1 {
        1
    } else {
        0
    }
}

#[user_function]
fn spread(w: Window1<u32, 2>) -> u32 {
    w[-2].wrapping_add(w[0].wrapping_mul(3)) ^ w[2].wrapping_sub(w[1])
}

#[user_function]
fn spread2(w: Window2<u32, 1, 1>, k: u32) -> u32 {
    (w[(-1, 0)] ^ w[(0, 1)])
        .wrapping_add(w[(1, 0)] ^ w[(0, -1)])
        .wrapping_mul(k)
}

#[user_function]
fn spread3(w: Window3<u32, 1, 1, 1>) -> u32 {
    (w[(-1, 0, 0)] ^ w[(0, 1, 0)]).wrapping_add(w[(1, 0, 0)] ^ w[(0, 0, -1)])
}

#[user_function]
fn with_index(w: Window2<u32, 1, 1>, at: Index2) -> u32 {
    w[(0, 1)].wrapping_add((at.row * at.col) as u32)
}

#[user_function]
fn with_random(w: Window1<u32, 1>, random: &mut Random) -> u32 {
    w[1] ^ (random.next_u32() & 1)
}

pub(super) const CHECKS: &[(&str, Whole)] = &[
    ("iterate::glider", glider),
    ("iterate::vectors", vectors),
    ("update::vectors", coloured_vectors),
    ("update::matrices", coloured_matrices),
    ("update::tensors", coloured_tensors),
    ("update::index_and_random", coloured_given),
    ("update::iterate", coloured_steps),
];

fn glider(context: &crate::Context, target: &Target, _: Sizes) -> Outcome {
    // A glider on a torus is where it was after four steps in which it goes down and right by one.
    let cells = [(0, 1), (1, 2), (2, 0), (2, 1), (2, 2)];
    let (rows, cols) = (12, 20);
    let field = |shift: usize| {
        let there = cells.map(|(i, j)| ((i + shift) % rows, (j + shift) % cols));
        Matrix::from_fn(rows, cols, |i, j| u32::from(there.contains(&(i, j))))
    };
    let f = map_overlap!(life)
        .within(context.clone())
        .on(target)
        .edge(Edge::Cyclic);
    let later = f.iterate(4 * 15, field(0), (3,))?;
    same("after 60 steps", &later.host()?, &field(15).host()?)?;
    let same_field = f.iterate(0, field(2), (3,))?;
    same("after none", &same_field.host()?, &field(2).host()?)
}

fn vectors(context: &crate::Context, target: &Target, _: Sizes) -> Outcome {
    for n in [0, 1, 2, 5, 700] {
        let mut x = input::<u32>(n);
        let f = map_overlap!(spread).within(context.clone()).on(target);
        let found = f.pad(17).iterate(5, Vector::from(x.clone()), ())?;
        for _ in 0..5 {
            let at = |i: usize, d: isize| {
                let at = i.checked_add_signed(d).and_then(|i| x.get(i));
                at.copied().unwrap_or(17)
            };
            x = (0..n)
                .map(|i| {
                    at(i, -2).wrapping_add(3_u32.wrapping_mul(x[i]))
                        ^ at(i, 2).wrapping_sub(at(i, 1))
                })
                .collect();
        }
        same("five steps", &found.host()?, &x)?;
    }
    Ok(())
}

/// The elements of one colour, in place: their neighbours along axes have the other.
fn recolour(
    x: &mut [u32],
    colour: impl Fn(usize) -> usize,
    odd: bool,
    f: impl Fn(&[u32], usize) -> u32,
) {
    for i in 0..x.len() {
        if (colour(i) % 2 == 1) == odd {
            x[i] = f(x, i);
        }
    }
}

const UPDATES: [(Update, &[bool]); 3] = [
    (Update::RedBlack, &[true, false]),
    (Update::Red, &[true]),
    (Update::Black, &[false]),
];

fn coloured_vectors(context: &crate::Context, target: &Target, _: Sizes) -> Outcome {
    let f = map_overlap!(|w: Window1<u32, 1>| (w[-1] ^ w[1]).wrapping_mul(5));
    let f = f.within(context.clone()).on(target);
    for n in [0, 1, 2, 333] {
        for (update, colours) in UPDATES {
            let mut x = input::<u32>(n);
            let f = f.clone().update(update);
            let found = f.run((&Vector::from(x.clone()),))?;
            let longer = Vector::from([&[7], &x[..], &[9]].concat());
            let of_part = f.run((longer.part(1..n + 1),))?;
            let of_slice = f.run((&x[..],))?;
            for odd in colours {
                recolour(
                    &mut x,
                    |i| i,
                    *odd,
                    |x, i| (x[i.saturating_sub(1)] ^ x[(i + 1).min(n - 1)]).wrapping_mul(5),
                );
            }
            same(&format!("{update:?} of {n}"), &found.host()?, &x)?;
            same(&format!("{update:?} of a part, {n}"), &of_part.host()?, &x)?;
            same(
                &format!("{update:?} of a slice, {n}"),
                &of_slice.host()?,
                &x,
            )?;
        }
    }
    Ok(())
}

fn around(rows: usize, cols: usize) -> impl Fn(&[u32], usize) -> u32 {
    move |x, k| {
        let (i, j) = (k / cols, k % cols);
        let at = |i: usize, j: usize| x[(i % rows) * cols + j % cols];
        (at(i + rows - 1, j) ^ at(i, j + 1)).wrapping_add(at(i + 1, j) ^ at(i, j + cols - 1))
    }
}

fn coloured_matrices(context: &crate::Context, target: &Target, _: Sizes) -> Outcome {
    let f = map_overlap!(spread2)
        .within(context.clone())
        .on(target)
        .edge(Edge::Cyclic);
    // Even numbers, so that colours meet at no edge.
    for (rows, cols) in [(2, 2), (6, 10), (24, 34)] {
        let k = super::super::data::input::<u32>(rows * cols, 6);
        for (update, colours) in UPDATES {
            let mut x = input::<u32>(rows * cols);
            let m = Matrix::from_vec(rows, cols, x.clone())?;
            let factors = Matrix::from_vec(rows, cols, k.clone())?;
            let f = f.clone().update(update);
            let found = f.run((&m, &factors))?;
            let mut into = Matrix::filled(rows, cols, 0);
            f.run_into((&m, &factors), &mut into)?;
            for odd in colours {
                let near = around(rows, cols);
                recolour(
                    &mut x,
                    |k| k / cols + k % cols,
                    *odd,
                    |x, i| near(x, i).wrapping_mul(k[i]),
                );
            }
            same(
                &format!("{update:?} of {rows} × {cols}"),
                &found.host()?,
                &x,
            )?;
            same("into a matrix", &into.host()?, &x)?;
        }
    }
    Ok(())
}

fn coloured_tensors(context: &crate::Context, target: &Target, _: Sizes) -> Outcome {
    let (planes, rows, cols) = (4, 7, 5);
    let mut x = input::<u32>(planes * rows * cols);
    let t = Tensor3::from_vec(planes, rows, cols, x.clone())?;
    let f = map_overlap!(spread3).within(context.clone()).on(target);
    let found = f.update(Update::RedBlack).run((&t,))?;
    for odd in [true, false] {
        recolour(
            &mut x,
            |e| e / (rows * cols) + e / cols % rows + e % cols,
            odd,
            |x, e| {
                let (k, i, j) = (e / (rows * cols), e / cols % rows, e % cols);
                let at = |k: usize, i: usize, j: usize| x[(k * rows + i) * cols + j];
                let (up, down) = (
                    at(k.saturating_sub(1), i, j),
                    at((k + 1).min(planes - 1), i, j),
                );
                (up ^ at(k, (i + 1).min(rows - 1), j))
                    .wrapping_add(down ^ at(k, i, j.saturating_sub(1)))
            },
        );
    }
    same("red, then black", &found.host()?, &x)
}

fn coloured_given(context: &crate::Context, target: &Target, _: Sizes) -> Outcome {
    let (rows, cols) = (8, 12);
    let mut x = input::<u32>(rows * cols);
    let m = Matrix::from_vec(rows, cols, x.clone())?;
    let f = map_overlap!(with_index)
        .within(context.clone())
        .on(target)
        .edge(Edge::Cyclic);
    let found = f.update(Update::RedBlack).run((&m,))?;
    for odd in [true, false] {
        recolour(
            &mut x,
            |k| k / cols + k % cols,
            odd,
            |x, k| {
                let (i, j) = (k / cols, k % cols);
                x[i * cols + (j + 1) % cols].wrapping_add((i * j) as u32)
            },
        );
    }
    same("with an index", &found.host()?, &x)?;
    // Random numbers, of which only the last bit is used: the rest says which element was computed.
    let x: Vec<u32> = input::<u32>(100).into_iter().map(|x| x & !1).collect();
    let f = map_overlap!(with_random).within(context.clone()).on(target);
    let found = f.update(Update::Black).run((&x,))?.to_vec()?;
    let expected = |i: usize| if i.is_multiple_of(2) { x[i + 1] } else { x[i] };
    let expected: Vec<u32> = (0..100).map(expected).collect();
    let seen: Vec<u32> = found.iter().map(|x| x & !1).collect();
    same("with random numbers", &seen, &expected)?;
    let kept: Vec<u32> = found.into_iter().skip(1).step_by(2).collect();
    let before: Vec<u32> = x.into_iter().skip(1).step_by(2).collect();
    same("what is red", &kept, &before)
}

fn coloured_steps(context: &crate::Context, target: &Target, _: Sizes) -> Outcome {
    let (rows, cols) = (10, 14);
    let k = vec![3; rows * cols];
    let f = map_overlap!(spread2)
        .within(context.clone())
        .on(target)
        .edge(Edge::Cyclic);
    for (update, colours) in UPDATES {
        let mut x = input::<u32>(rows * cols);
        let m = Matrix::from_vec(rows, cols, x.clone())?;
        let factors = Matrix::from_vec(rows, cols, k.clone())?;
        let found = f.clone().update(update).iterate(3, m, (&factors,))?;
        for odd in [colours; 3].concat() {
            let near = around(rows, cols);
            recolour(
                &mut x,
                |k| k / cols + k % cols,
                odd,
                |x, i| near(x, i).wrapping_mul(3),
            );
        }
        same(&format!("{update:?}, three times"), &found.host()?, &x)?;
    }
    Ok(())
}
