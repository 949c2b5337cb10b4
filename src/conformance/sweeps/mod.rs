//! Sweeps: elements that see what was made of those before them.

mod kinds;
mod plain;
mod refused;

use super::{
    Case, Context, Outcome, Sizes, Target,
    data::{Sample, input, same},
    refusals::bound,
};
use crate::prelude::*;
use plain::{Plain, directions};

/// What all elements above and to the left come to.
#[user_function]
fn integral<T: Number>(s: Sweep2<T, 1, 1>) -> T {
    s[(0, 0)] + s[(-1, 0)] + s[(0, -1)] - s[(-1, -1)]
}

/// The edit distance of the prefixes that end here.
#[user_function]
fn edit(d: Sweep2<u32, 1, 1>, a: u8, b: u8, at: Index2) -> u32 {
    let (row, col) = (at.row as u32, at.col as u32);
    let up = if at.row == 0 { col + 1 } else { d[(-1, 0)] };
    let left = if at.col == 0 { row + 1 } else { d[(0, -1)] };
    let both = if at.row == 0 {
        col
    } else if at.col == 0 {
        row
    } else {
        d[(-1, -1)]
    };
    let replaced = both + if a == b { 0 } else { 1 };
    replaced.min(up.min(left) + 1)
}

/// Gauss and Seidel, over-relaxed: neighbours before are new, those behind are old.
#[user_function]
fn relax(u: Sweep2<f32, 1, 1>, f: f32, #[uniform] omega: f32) -> f32 {
    let around = u[(-1, 0)] + u[(0, -1)] + u[(0, 1)] + u[(1, 0)];
    u[(0, 0)] + omega * (0.25 * (around + f) - u[(0, 0)])
}

#[user_function]
fn integral_i32(s: Sweep2<i32, 1, 1>) -> i32 {
    s[(0, 0)]
        .wrapping_add(s[(-1, 0)])
        .wrapping_add(s[(0, -1)])
        .wrapping_sub(s[(-1, -1)])
}

#[user_function]
fn filter(x: Sweep1<f32, 2>, by: f32) -> f32 {
    0.25 * x[-2] - 0.5 * x[-1] + x[0] + 0.125 * x[1] - by * x[2]
}

#[user_function]
fn chain(x: Sweep1<i32, 2>, by: i32) -> i32 {
    (x[-2] ^ x[-1])
        .wrapping_add(x[0])
        .wrapping_sub(x[1].wrapping_mul(by) ^ x[2])
}

#[user_function]
fn lower(v: Sweep3<[f32; 2], 1, 2, 1>, w: MatrixView<f32>, at: Index3) -> [f32; 2] {
    let k = w[(at.row % 3, at.col % 2)];
    let before = v[(-1, 0, 0)][0] + 0.5 * v[(0, -2, 0)][1] - v[(-1, -1, -1)][0];
    let behind = v[(0, 0, 1)][1] + v[(1, 2, 0)][0];
    [
        0.25 * (v[(0, 0, 0)][0] - k * before),
        v[(0, 0, 0)][1] * 0.5 + 0.125 * (v[(0, 0, -1)][1] - behind),
    ]
}

pub(super) fn cases(sizes: Sizes) -> Vec<Case> {
    let mut cases = vec![
        Case::new("sweeps::edit_distance", move |c, t| {
            edit_distance(c, t, sizes)
        }),
        Case::new("sweeps::integral_i32", move |c, t| integers(c, t, sizes)),
        Case::new("sweeps::integral_f32", move |c, t| {
            integrals::<f32>(c, t, sizes)
        }),
        Case::new("sweeps::integral_f64", move |c, t| {
            integrals::<f64>(c, t, sizes)
        }),
        Case::new("sweeps::relax", move |c, t| relaxed(c, t, sizes)),
        Case::new("sweeps::chains", chains),
    ];
    cases.extend([
        Case::new("sweeps::independent", kinds::independent),
        Case::new("sweeps::structs", kinds::structs),
        Case::new("sweeps::random", kinds::random),
        Case::new("sweeps::slices_and_parts", kinds::slices_and_parts),
        Case::new("sweeps::again_and_again", kinds::again_and_again),
        Case::new("sweeps::traps", refused::traps),
        Case::new("sweeps::loops_behind_traps", refused::loops_behind_traps),
        Case::new("sweeps::refused", refused::refused),
    ]);
    cases.push(Case::new("sweeps::tensor", move |c, t| {
        tensors(c, t, sizes)
    }));
    cases
}

fn matrices(sizes: Sizes) -> Vec<(usize, usize)> {
    let mut all = vec![
        (1, 1),
        (1, 70),
        (70, 1),
        (2, 2),
        (3, 65),
        (66, 64),
        (130, 37),
    ];
    if sizes != Sizes::Small {
        all.extend([(1009, 997), (40, 9001)]);
    }
    all
}

fn edit_distance(context: &Context, target: &Target, sizes: Sizes) -> Outcome {
    let f = sweep!(edit).within(context).on(target.clone());
    let text = |n: usize, salt: usize| -> Vec<u8> {
        (0..n)
            .map(|i| b"acgt"[(i * i / 3 + salt * i) % 4])
            .collect()
    };
    for (rows, cols) in matrices(sizes) {
        let (a, b) = (text(rows, 1), text(cols, 2));
        let mut d = Matrix::filled(rows, cols, 7);
        let (down_a, across_b) = (Vector::from(a.clone()), Vector::from(b.clone()));
        let ran = f.run((&mut d, down(&down_a), across(&across_b)));
        if bound(ran)?.is_none() {
            continue;
        }
        // Wagner and Fischer, with a row and a column for the empty prefixes.
        let mut all = vec![0_u32; (rows + 1) * (cols + 1)];
        let at = |i: usize, j: usize| i * (cols + 1) + j;
        (0..=rows).for_each(|i| all[at(i, 0)] = i as u32);
        (0..=cols).for_each(|j| all[at(0, j)] = j as u32);
        for i in 1..=rows {
            for j in 1..=cols {
                let replaced = all[at(i - 1, j - 1)] + u32::from(a[i - 1] != b[j - 1]);
                let gap = all[at(i - 1, j)].min(all[at(i, j - 1)]) + 1;
                all[at(i, j)] = replaced.min(gap);
            }
        }
        let inner = (0..rows * cols).map(|k| all[at(k / cols + 1, k % cols + 1)]);
        let inner: Vec<u32> = inner.collect();
        same(
            &format!("edit distances of {rows} × {cols}"),
            &d.host()?,
            &inner,
        )?;
    }
    Ok(())
}

fn integrals<T: Sample + Number>(context: &Context, target: &Target, sizes: Sizes) -> Outcome {
    let zero = T::sample(0) - T::sample(0);
    let f = sweep!(integral)
        .within(context)
        .on(target.clone())
        .pad(zero);
    for (rows, cols) in matrices(sizes) {
        let x = input::<T>(rows * cols, 1);
        for (turned, down) in directions(2) {
            let mut m = Matrix::from_vec(rows, cols, x.clone())?;
            let ran = match turned {
                0 => f.run((&mut m,)),
                1 => f.clone().descending([1]).run((&mut m,)),
                2 => f.clone().descending([0]).run((&mut m,)),
                _ => f.clone().descending([1, 0]).run((&mut m,)),
            };
            if bound(ran)?.is_none() {
                continue;
            }
            let mut plain = Plain::new([1, rows, cols], down, Some(zero), x.clone());
            plain.sweep(|s, at| {
                s.see(at, [0, 0, 0]) + s.see(at, [0, -1, 0]) + s.see(at, [0, 0, -1])
                    - s.see(at, [0, -1, -1])
            });
            let what = format!("integral of {rows} × {cols}, {down:?}");
            same(&what, &m.host()?, &plain.elements)?;
        }
    }
    Ok(())
}

fn integers(context: &Context, target: &Target, sizes: Sizes) -> Outcome {
    let f = sweep!(integral_i32)
        .within(context)
        .on(target.clone())
        .pad(5);
    for (rows, cols) in matrices(sizes) {
        let x = input::<i32>(rows * cols, 8);
        let mut m = Matrix::from_vec(rows, cols, x.clone())?;
        if bound(f.run((&mut m,)))?.is_none() {
            continue;
        }
        let mut plain = Plain::new([1, rows, cols], [false; 3], Some(5), x);
        plain.sweep(|s, at| {
            let before = s.see(at, [0, -1, 0]).wrapping_add(s.see(at, [0, 0, -1]));
            let here = s.see(at, [0, 0, 0]).wrapping_add(before);
            here.wrapping_sub(s.see(at, [0, -1, -1]))
        });
        same(
            &format!("integral of {rows} × {cols}"),
            &m.host()?,
            &plain.elements,
        )?;
    }
    Ok(())
}

fn relaxed(context: &Context, target: &Target, sizes: Sizes) -> Outcome {
    let f = sweep!(relax).within(context).on(target.clone());
    let omega = 1.5_f32;
    for (rows, cols) in matrices(sizes) {
        let (u, given) = (input::<f32>(rows * cols, 1), input::<f32>(rows * cols, 2));
        let right = Matrix::from_vec(rows, cols, given.clone())?;
        // Beyond the edges is one value, or the nearest element.
        for pad in [None, Some(0.5_f32)] {
            for (turned, down) in directions(2) {
                let mut m = Matrix::from_vec(rows, cols, u.clone())?;
                let args = (&mut m, &right, omega);
                let ran = match (turned, pad) {
                    (0, None) => f.run(args),
                    (3, None) => f.clone().descending([0, 1]).run(args),
                    (0, Some(pad)) => f.clone().pad(pad).run(args),
                    (3, Some(pad)) => f.clone().pad(pad).descending([0, 1]).run(args),
                    _ => continue,
                };
                if bound(ran)?.is_none() {
                    continue;
                }
                let mut plain = Plain::new([1, rows, cols], down, pad, u.clone());
                plain.sweep(|s, at| {
                    let around = s.see(at, [0, -1, 0])
                        + s.see(at, [0, 0, -1])
                        + s.see(at, [0, 0, 1])
                        + s.see(at, [0, 1, 0]);
                    let here = s.see(at, [0, 0, 0]);
                    here + omega * (0.25 * (around + given[at[1] * cols + at[2]]) - here)
                });
                let what = format!("relaxed {rows} × {cols}, {down:?}, {pad:?}");
                same(&what, &m.host()?, &plain.elements)?;
                same("what was only read", &right.host()?, &given)?;
            }
        }
    }
    Ok(())
}

/// Sweeps of one dimension.
fn chains(context: &Context, target: &Target) -> Outcome {
    let filter = sweep!(filter).within(context).on(target.clone());
    let chain = sweep!(chain).within(context).on(target.clone());
    for n in [1, 2, 3, 64, 100, 5000] {
        let (x, by) = (input::<f32>(n, 3), vec![0.0625_f32; n]);
        let (i, times) = (input::<i32>(n, 3), input::<i32>(n, 4));
        for (turned, down) in directions(1) {
            let (mut v, mut w) = (Vector::from(x.clone()), Vector::from(i.clone()));
            let (ran, also) = match turned {
                0 => (filter.run((&mut v, &by)), chain.run((&mut w, &times))),
                _ => {
                    let (filter, chain) = (filter.clone(), chain.clone());
                    (
                        filter.descending([0]).run((&mut v, &by)),
                        chain.descending([0]).run((&mut w, &times)),
                    )
                }
            };
            if bound(ran)?.is_none() || bound(also)?.is_none() {
                continue;
            }
            let mut plain = Plain::new([1, 1, n], down, None, x.clone());
            plain.sweep(|s, at| {
                let see = |offset| s.see(at, [0, 0, offset]);
                0.25 * see(-2) - 0.5 * see(-1) + see(0) + 0.125 * see(1) - by[at[2]] * see(2)
            });
            same(
                &format!("a filter of {n}, {down:?}"),
                &v.host()?,
                &plain.elements,
            )?;
            let mut plain = Plain::new([1, 1, n], down, None, i.clone());
            plain.sweep(|s, at| {
                let see = |offset| s.see(at, [0, 0, offset]);
                let behind = see(1).wrapping_mul(times[at[2]]) ^ see(2);
                (see(-2) ^ see(-1))
                    .wrapping_add(see(0))
                    .wrapping_sub(behind)
            });
            same(
                &format!("a chain of {n}, {down:?}"),
                &w.host()?,
                &plain.elements,
            )?;
        }
    }
    Ok(())
}

fn tensors(context: &Context, target: &Target, sizes: Sizes) -> Outcome {
    let f = sweep!(lower).within(context).on(target.clone());
    let w = vec![0.25_f32, -0.5, 0.125, 0.5, -0.25, 0.375];
    let weights = Matrix::from_vec(3, 2, w.clone())?;
    for extents in [[1, 1, 1], [3, 4, 5], [9, 10, 70], [17, 3, 33]]
        .into_iter()
        .chain((sizes != Sizes::Small).then_some([60, 50, 70]))
    {
        let [planes, rows, cols] = extents;
        let n = planes * rows * cols;
        let parts = (input::<f32>(n, 6), input::<f32>(n, 7));
        let x: Vec<[f32; 2]> = parts
            .0
            .into_iter()
            .zip(parts.1)
            .map(|(a, b)| [a, b])
            .collect();
        for (turned, down) in directions(3) {
            let mut t = Tensor3::from_vec(planes, rows, cols, x.clone())?;
            let args = (&mut t, &weights);
            let f = f.clone().pad([1.0, -2.0]);
            let ran = match turned {
                0 => f.run(args),
                2 => f.descending([1]).run(args),
                5 => f.descending([0, 2]).run(args),
                7 => f.descending([0, 1, 2]).run(args),
                _ => continue,
            };
            if bound(ran)?.is_none() {
                continue;
            }
            let mut plain = Plain::new(extents, down, Some([1.0, -2.0]), x.clone());
            plain.sweep(|s, at| {
                let k = w[at[1] % 3 * 2 + at[2] % 2];
                let before = s.see(at, [-1, 0, 0])[0] + 0.5 * s.see(at, [0, -2, 0])[1]
                    - s.see(at, [-1, -1, -1])[0];
                let behind = s.see(at, [0, 0, 1])[1] + s.see(at, [1, 2, 0])[0];
                let here = s.see(at, [0, 0, 0]);
                [
                    0.25 * (here[0] - k * before),
                    here[1] * 0.5 + 0.125 * (s.see(at, [0, 0, -1])[1] - behind),
                ]
            });
            let flat = |all: &[[f32; 2]]| -> Vec<f32> { all.iter().flatten().copied().collect() };
            let what = format!("{planes} × {rows} × {cols}, {down:?}");
            same(&what, &flat(&t.host()?), &flat(&plain.elements))?;
        }
    }
    Ok(())
}
