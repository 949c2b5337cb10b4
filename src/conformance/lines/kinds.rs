//! What stands in lines, beside lines, and where they are passed on.

use super::{
    super::{
        Context, Failure, Outcome, Target,
        data::{Sample, same, scramble},
    },
    bound, in_place, places,
};
use crate::{Shape, prelude::*};

#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
struct Cell {
    value: f32,
    parts: [i32; 3],
    seen: u32,
}

/// Elements are structs and arrays, of which parts are stored.
#[user_function]
fn carry(cells: &mut Line<Cell>, sums: &mut Line<[f32; 2]>) {
    for i in 0..cells.len() {
        let m = i % 3;
        cells[i].parts[m] -= 2 * cells[i].parts[(m + 1) % 3];
        cells[i].seen += 1;
        if i > 0 {
            cells[i].value += 0.5 * cells[i - 1].value;
            sums[i][0] += sums[i - 1][0];
            sums[i][1] -= sums[i - 1][1] * 0.25;
        }
    }
}

#[user_function]
fn bump(x: &mut i32, by: i32) {
    *x += by;
}

#[user_function]
fn first_half(l: &mut Line<i32>, until: usize) -> i32 {
    let mut changed = 0;
    for i in 0..until {
        bump(&mut l[i], 7);
        changed += 1;
    }
    changed
}

#[user_function]
pub(super) fn largest(l: &Line<i32>) -> i32 {
    let mut most = l[0];
    for i in 1..l.len() {
        most = most.max(l[i]);
    }
    most
}

/// Lines are passed on, to be read and to be written, and results belong to lines.
#[user_function]
fn passed_on(at: Index1, base: i32, l: &mut Line<i32>, other: &Line<i32>) -> (i32, u32) {
    let half = l.len() / 2;
    let changed = first_half(l, half) + largest(other);
    (changed + largest(l) - base, at.i as u32 + l.len() as u32)
}

#[user_function]
fn drawn(rng: &mut Random, l: &mut Line<u32>, at: Index2) {
    for i in 0..l.len() {
        l[i] = rng.next_u32() ^ (at.row * 100 + at.col) as u32;
    }
}

pub(super) fn structs_and_arrays(context: &Context, target: &Target) -> Outcome {
    let f = map_lines!(carry).within(context).on(target.clone());
    let cell = |i: usize| Cell {
        value: f32::sample(i),
        parts: [0, 1, 2].map(|k| scramble(5 * i + k) as i32 >> 8),
        seen: i as u32,
    };
    let shapes = [(9, 11), (23, 31)];
    for (rows, cols, axis) in shapes.iter().flat_map(|(r, c)| [(*r, *c, 0), (*r, *c, 1)]) {
        let shape = Shape::D2(rows, cols);
        let mut cells: Vec<Cell> = (0..shape.len()).map(cell).collect();
        let mut sums: Vec<[f32; 2]> = (0..shape.len())
            .map(|i| [f32::sample(i + 7), f32::sample(2 * i)])
            .collect();
        let mut own = Matrix::from_vec(rows, cols, cells.clone())?;
        let mut both = Matrix::from_vec(rows, cols, sums.clone())?;
        let ran = f.clone().along(axis).run((&mut own, &mut both));
        if bound(ran)?.is_none() {
            continue;
        }
        for line in places(shape, axis) {
            for (i, at) in line.iter().copied().enumerate() {
                let m = i % 3;
                cells[at].parts[m] -= 2 * cells[at].parts[(m + 1) % 3];
                cells[at].seen += 1;
                if i > 0 {
                    let before = line[i - 1];
                    cells[at].value += 0.5 * cells[before].value;
                    sums[at][0] += sums[before][0];
                    sums[at][1] -= sums[before][1] * 0.25;
                }
            }
        }
        if own.host()?[..] != cells[..] || both.host()?[..] != sums[..] {
            return Err(Failure::Wrong(format!("parts of elements along {axis}")));
        }
    }
    Ok(())
}

pub(super) fn lines_passed_on(context: &Context, target: &Target) -> Outcome {
    let f = map_lines!(passed_on).within(context).on(target.clone());
    let (rows, cols) = (26, 45);
    for axis in 0..2 {
        let lines = places(Shape::D2(rows, cols), axis);
        let small = |salt: usize| -> Vec<i32> {
            let all = (0..rows * cols).map(|i| scramble(i + salt) as i32 >> 4);
            all.collect()
        };
        let (mut x, other) = (small(1), small(2));
        let base: Vec<i32> = (0..lines.len() as i32).collect();
        let mut own = Matrix::from_vec(rows, cols, x.clone())?;
        let read = Matrix::from_vec(rows, cols, other.clone())?;
        let ran = f.clone().along(axis).run((&base, &mut own, &read));
        let Some((found, lengths)) = bound(ran)? else {
            continue;
        };
        let (mut expected, mut expected_lengths) = (Vec::new(), Vec::new());
        for (k, line) in lines.iter().enumerate() {
            let half = line.len() / 2;
            line[..half].iter().for_each(|at| x[*at] += 7);
            let most = |of: &[i32]| line.iter().map(|at| of[*at]).fold(i32::MIN, i32::max);
            expected.push(half as i32 + most(&other) + most(&x) - base[k]);
            expected_lengths.push((k + line.len()) as u32);
        }
        same("what lines give", &found.host()?, &expected)?;
        same("their second results", &lengths.host()?, &expected_lengths)?;
        same("what was changed", &own.host()?, &x)?;
        // Into a given container.
        let (mut a, mut b) = (vec![0; lines.len()], Vector::filled(lines.len(), 0_u32));
        let mut again = Matrix::from_vec(rows, cols, small(1))?;
        f.clone()
            .along(axis)
            .run_into((&base, &mut again, &read), (&mut a, &mut b))?;
        same("results in a given slice", &a, &expected)?;
        same("results in a given vector", &b.host()?, &expected_lengths)?;
    }
    Ok(())
}

pub(super) fn random(context: &Context, target: &Target) -> Outcome {
    let shape = Shape::D3(4, 6, 11);
    for axis in 0..3 {
        let of = |context: &Context, target: Target| {
            let f = map_lines!(drawn).within(context).on(target).seed(5);
            in_place!(f.along(axis), shape, vec![0; shape.len()])
        };
        let Some(found) = bound(of(context, target.clone()))? else {
            continue;
        };
        // The numbers themselves are those of a Map; here, each line has its own, on every unit.
        let mut seen: Vec<u32> = found.clone();
        seen.sort_unstable();
        seen.dedup();
        if seen.len() < shape.len() - 2 {
            return Err(Failure::Wrong(format!("{} numbers", seen.len())));
        }
        let alone = of(&Context::builder().build()?, Sequential.into())?;
        same("random numbers of lines", &found, &alone)?;
    }
    Ok(())
}
