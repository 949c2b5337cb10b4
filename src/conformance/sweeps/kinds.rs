//! What is swept, and what stands beside it.

use super::{
    super::{
        Context, Failure, Outcome, Target,
        data::{Sample, input, same, scramble},
    },
    Plain, bound,
};
use crate::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
struct Cell {
    best: i32,
    gaps: [i32; 2],
    weight: f32,
}

/// Gotoh's affine gaps, by a function that what is seen is passed on to.
#[user_function]
fn gaps(c: Sweep2<Cell, 1, 1>, open: i32) -> [i32; 2] {
    [
        (c[(-1, 0)].best - open).max(c[(-1, 0)].gaps[0] - 1),
        (c[(0, -1)].best - open).max(c[(0, -1)].gaps[1] - 1),
    ]
}

#[user_function]
fn align(c: Sweep2<Cell, 1, 1>, a: u8, b: u8, #[uniform] open: i32) -> Cell {
    let gaps = gaps(c, open);
    let matched = c[(-1, -1)].best + if a == b { 5 } else { -4 };
    let best = matched.max(gaps[0].max(gaps[1])).max(0);
    Cell {
        best,
        gaps,
        weight: 0.5 * c[(0, 0)].weight + c[(0, -1)].weight,
    }
}

#[user_function]
fn along_rows<T: Number>(x: Sweep2<T, 0, 1>) -> T {
    x[(0, 0)] + x[(0, -1)]
}

#[user_function]
fn down_columns(x: Sweep2<i32, 1, 0>) -> i32 {
    x[(0, 0)].wrapping_add(x[(-1, 0)])
}

#[user_function]
fn each_plane(x: Sweep3<i32, 0, 1, 1>) -> i32 {
    x[(0, 0, 0)].wrapping_sub(x[(0, -1, 0)].max(x[(0, 0, -1)]))
}

#[user_function]
fn rows_of_planes(x: Sweep3<i32, 1, 0, 1>) -> i32 {
    x[(0, 0, 0)].wrapping_add(x[(-1, 0, 0)] ^ x[(0, 0, -1)])
}

#[user_function]
fn drawn(rng: &mut Random, x: Sweep2<u32, 1, 1>, at: Index2) -> u32 {
    x[(-1, -1)] ^ rng.next_u32() ^ (at.row * 100 + at.col) as u32
}

#[user_function]
fn running(x: Sweep1<i32, 1>) -> i32 {
    x[0].wrapping_add(x[-1])
}

/// Rows, columns and planes that do not see each other.
pub(super) fn independent(context: &Context, target: &Target) -> Outcome {
    independent_of(context, target, [20, 66], [3, 22, 9])?;
    independent_of(context, target, [70, 130], [6, 66, 9])
}

fn independent_of(
    context: &Context,
    target: &Target,
    [rows, cols]: [usize; 2],
    extents: [usize; 3],
) -> Outcome {
    let [planes, of_plane, of_row] = extents;
    let x = input::<f32>(rows * cols, 1);
    let mut m = Matrix::from_vec(rows, cols, x.clone())?;
    let f = sweep!(along_rows)
        .within(context)
        .on(target.clone())
        .pad(0.0_f32);
    if bound(f.run((&mut m,)))?.is_none() {
        return Ok(());
    }
    let mut plain = Plain::new([1, rows, cols], [false; 3], Some(0.0), x);
    plain.sweep(|s, at| s.see(at, [0, 0, 0]) + s.see(at, [0, 0, -1]));
    same("each row", &m.host()?, &plain.elements)?;

    let x = input::<i32>(rows * cols, 2);
    let mut m = Matrix::from_vec(rows, cols, x.clone())?;
    let f = sweep!(down_columns)
        .within(context)
        .on(target.clone())
        .pad(3);
    f.descending([0]).run((&mut m,))?;
    let mut plain = Plain::new([1, rows, cols], [false, true, false], Some(3), x);
    plain.sweep(|s, at| s.see(at, [0, 0, 0]).wrapping_add(s.see(at, [0, -1, 0])));
    same("each column", &m.host()?, &plain.elements)?;

    let n = extents.iter().product();
    let x = input::<i32>(n, 3);
    let mut t = Tensor3::from_vec(planes, of_plane, of_row, x.clone())?;
    let f = sweep!(each_plane).within(context).on(target.clone());
    f.run((&mut t,))?;
    let mut plain = Plain::new(extents, [false; 3], None, x.clone());
    plain.sweep(|s, at| {
        let before = s.see(at, [0, -1, 0]).max(s.see(at, [0, 0, -1]));
        s.see(at, [0, 0, 0]).wrapping_sub(before)
    });
    same("each plane", &t.host()?, &plain.elements)?;

    let mut t = Tensor3::from_vec(planes, of_plane, of_row, x.clone())?;
    let f = sweep!(rows_of_planes).within(context).on(target.clone());
    f.descending([2]).run((&mut t,))?;
    let mut plain = Plain::new(extents, [false, false, true], None, x);
    plain.sweep(|s, at| {
        let before = s.see(at, [-1, 0, 0]) ^ s.see(at, [0, 0, -1]);
        s.see(at, [0, 0, 0]).wrapping_add(before)
    });
    same("each row of all planes", &t.host()?, &plain.elements)
}

pub(super) fn structs(context: &Context, target: &Target) -> Outcome {
    structs_of(context, target, 7, 66)?;
    structs_of(context, target, 83, 71)
}

fn structs_of(context: &Context, target: &Target, rows: usize, cols: usize) -> Outcome {
    let outside = Cell {
        best: 0,
        gaps: [-100; 2],
        weight: 1.0,
    };
    let open = 7;
    let letter = |i: usize| b"acgt"[scramble(i) as usize % 4];
    let a: Vec<u8> = (0..rows).map(letter).collect();
    let b: Vec<u8> = (0..cols).map(|i| letter(i + 9)).collect();
    let cell = |i: usize| Cell {
        weight: f32::sample(i),
        ..outside
    };
    let x: Vec<Cell> = (0..rows * cols).map(cell).collect();
    let mut m = Matrix::from_vec(rows, cols, x.clone())?;
    let f = sweep!(align)
        .within(context)
        .on(target.clone())
        .pad(outside);
    let (down_a, across_b) = (Vector::from(a.clone()), Vector::from(b.clone()));
    if bound(f.run((&mut m, down(&down_a), across(&across_b), open)))?.is_none() {
        return Ok(());
    }
    let mut plain = Plain::new([1, rows, cols], [false; 3], Some(outside), x);
    plain.sweep(|s, at| {
        let (up, left) = (s.see(at, [0, -1, 0]), s.see(at, [0, 0, -1]));
        let gaps = [
            (up.best - open).max(up.gaps[0] - 1),
            (left.best - open).max(left.gaps[1] - 1),
        ];
        let matched = s.see(at, [0, -1, -1]).best + if a[at[1]] == b[at[2]] { 5 } else { -4 };
        Cell {
            best: matched.max(gaps[0].max(gaps[1])).max(0),
            gaps,
            weight: 0.5 * s.see(at, [0, 0, 0]).weight + left.weight,
        }
    });
    match m.host()?[..] == plain.elements[..] {
        true => Ok(()),
        false => Err(Failure::Wrong("cells of an alignment".into())),
    }
}

pub(super) fn random(context: &Context, target: &Target) -> Outcome {
    random_of(context, target, 20, 66)?;
    random_of(context, target, 40, 90)
}

fn random_of(context: &Context, target: &Target, rows: usize, cols: usize) -> Outcome {
    let of = |context: &Context, target: Target| -> crate::Result<Vec<u32>> {
        let f = sweep!(drawn).within(context).on(target).seed(5).pad(0);
        let mut m = Matrix::filled(rows, cols, 0);
        f.run((&mut m,))?;
        Ok(m.host()?.to_vec())
    };
    let Some(found) = bound(of(context, target.clone()))? else {
        return Ok(());
    };
    let alone = of(&Context::builder().build()?, Sequential.into())?;
    same("random numbers of a sweep", &found, &alone)
}

pub(super) fn slices_and_parts(context: &Context, target: &Target) -> Outcome {
    let f = sweep!(running).within(context).on(target.clone()).pad(0);
    let x = input::<i32>(120, 4);
    let sums = |x: &mut [i32]| {
        for i in 1..x.len() {
            x[i] = x[i].wrapping_add(x[i - 1]);
        }
    };
    let (mut slice, mut expected) = (x.clone(), x.clone());
    if bound(f.run((&mut slice[3..],)))?.is_none() {
        return Ok(());
    }
    sums(&mut expected[3..]);
    same("a slice", &slice, &expected)?;

    let (mut v, mut expected) = (Vector::from(x.clone()), x.clone());
    f.run((v.part_mut(7..90),))?;
    sums(&mut expected[7..90]);
    same("a part of a vector", &v.host()?, &expected)?;

    let f = sweep!(down_columns)
        .within(context)
        .on(target.clone())
        .pad(0);
    let (mut m, mut expected) = (Matrix::from_vec(12, 10, x.clone())?, x.clone());
    f.run((m.part_mut(2..9, ..),))?;
    for k in 30..90 {
        expected[k] = expected[k].wrapping_add(expected[k - 10]);
    }
    same("rows of a matrix", &m.host()?, &expected)?;

    let f = sweep!(each_plane).within(context).on(target.clone()).pad(0);
    let mut t = Tensor3::from_vec(6, 4, 5, x.clone())?;
    f.run((t.part_mut(1..4, .., ..),))?;
    let mut plain = Plain::new([3, 4, 5], [false; 3], Some(0), x[20..80].to_vec());
    plain.sweep(|s, at| {
        let before = s.see(at, [0, -1, 0]).max(s.see(at, [0, 0, -1]));
        s.see(at, [0, 0, 0]).wrapping_sub(before)
    });
    let mut expected = x;
    expected[20..80].copy_from_slice(&plain.elements);
    same("planes of a tensor", &t.host()?, &expected)
}

/// What a call leaves on a device is where the next one begins, in whatever direction.
pub(super) fn again_and_again(context: &Context, target: &Target) -> Outcome {
    again_and_again_of(context, target, 3)?;
    again_and_again_of(context, target, 9)
}

fn again_and_again_of(context: &Context, target: &Target, planes: usize) -> Outcome {
    let f = sweep!(each_plane).within(context).on(target.clone());
    let odd = map!(|x: i32| x | 1).within(context).on(target.clone());
    let mut x = input::<i32>(planes * 8 * 70, 6);
    let mut t = Tensor3::from_vec(planes, 8, 70, x.clone())?;
    for round in 0..6 {
        let f = f.clone();
        let (ran, down) = match round % 3 {
            0 => (f.run((&mut t,)), [false; 3]),
            1 => (f.descending([1, 2]).run((&mut t,)), [false, true, true]),
            _ => (f.descending([0, 1]).run((&mut t,)), [true, true, false]),
        };
        if bound(ran)?.is_none() {
            return Ok(());
        }
        let mut plain = Plain::new([planes, 8, 70], down, None, x);
        plain.sweep(|s, at| {
            let before = s.see(at, [0, -1, 0]).max(s.see(at, [0, 0, -1]));
            s.see(at, [0, 0, 0]).wrapping_sub(before)
        });
        x = plain.elements;
        let all_odd: Vec<i32> = x.iter().map(|x| x | 1).collect();
        same("what a sweep leaves", &odd.run((&t,))?.host()?, &all_odd)?;
    }
    same("in the end", &t.host()?, &x)
}
