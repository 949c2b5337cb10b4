//! Parts of containers as windows, pools and whole arguments.

use super::{
    Case, Check, Context, Failure, Outcome, Sizes, Target,
    data::{input, same},
    refusals::if_bound,
};
use crate::{Error, prelude::*};

#[user_function]
fn mixed(at: Index1, x: u32, xs: &[u32], m: MatrixView<u32>, r: Row<u32>) -> u32 {
    x * 3 + xs[(at.i * 7) % xs.len()] + m[(at.i % m.rows(), m.cols() - 1)] * 5 + r[0]
}

#[user_function]
fn around(w: Window1<u32, 2>) -> u32 {
    w[-2] * 7 + w[-1] * 3 + w[0] + w[1] * 5 + w[2] * 11
}

#[user_function]
fn cross(w: Window2<u32, 1, 1>, centre: u32) -> u32 {
    w[(-1, 0)] * 3 + w[(1, 0)] * 5 + w[(0, -1)] * 7 + w[(0, 1)] * 9 + centre
}

#[user_function]
fn both(p: Pool1<u32, 2>) -> u32 {
    p[0] * 3 + p[1]
}

pub(super) fn cases(sizes: Sizes) -> Vec<Case> {
    let checks: [(&str, Check); 3] = [
        ("parts::read_at_random", at_random),
        ("parts::seen_through_windows", windows),
        ("parts::seen_through_planes_of_windows", planes),
    ];
    let elems: Vec<usize> = sizes.elems().into_iter().filter(|n| *n > 12).collect();
    let mut cases: Vec<Case> = checks
        .into_iter()
        .map(|(name, check)| {
            let ns = elems.clone();
            Case::new(name, move |context, target| {
                ns.iter()
                    .try_for_each(|n| if_bound(check(context, target, *n)))
            })
        })
        .collect();
    cases.push(Case::new("parts::gaps_are_refused", gaps));
    cases
}

fn at_random(context: &Context, target: &Target, n: usize) -> Outcome {
    if n > 5000 {
        return Ok(());
    }
    let copy = map!(|x: u32| x).within(context.clone()).on(target);
    let f = map!(mixed).within(context.clone()).on(target);
    let (x, y) = (input::<u32>(n, 1), input::<u32>(n, 2));
    let (v, w) = (copy.run((&x,))?, copy.run((&y,))?);
    let (rows, from) = (n / 4, n / 3);
    let part = v.part(from..);
    let m = w.part(..rows * 4).in_rows(rows, 4);
    let found = f.run((&x[..rows], part, m.part(1.., ..), m))?;
    let expected: Vec<u32> = (0..rows)
        .map(|i| {
            let last = y[(1 + i % (rows - 1)) * 4 + 3];
            x[i].wrapping_mul(3)
                .wrapping_add(x[from + (i * 7) % (n - from)])
                .wrapping_add(last.wrapping_mul(5))
                .wrapping_add(y[4 * i])
        })
        .collect();
    same("of vectors", &found.host()?, &expected)?;
    // Parts of slices, and of a tensor.
    let slice = crate::VectorPart::from(&x).part(from..);
    let rows_of_slice = crate::VectorPart::from(&y)
        .part(..rows * 4)
        .in_rows(rows, 4);
    let found = f.run((
        &x[..rows],
        slice,
        rows_of_slice.part(1.., ..),
        rows_of_slice,
    ))?;
    same("of slices", &found.host()?, &expected)?;
    let t = Tensor3::from_vec(2, rows, 2, y[..rows * 4].to_vec())?;
    let g = map!(|at: Index1, t: Tensor3View<u32>| t[(0, at.i, 1)] + t.planes() as u32);
    let g = g.within(context.clone()).on(target);
    let found = g.run_shaped(rows, (t.part(1.., .., ..),))?;
    let expected: Vec<u32> = (0..rows)
        .map(|i| y[rows * 2 + 2 * i + 1].wrapping_add(1))
        .collect();
    same("of a tensor", &found.host()?, &expected)
}

fn windows(context: &Context, target: &Target, n: usize) -> Outcome {
    let copy = map!(|x: u32| x).within(context.clone()).on(target);
    let x = input::<u32>(n, 3);
    let v = copy.run((&x,))?;
    let (start, end) = (n / 5, n - n / 7);
    let part = &x[start..end];
    let at = |i: usize, d: isize| {
        let place = (i as isize + d).clamp(0, part.len() as isize - 1);
        part[place as usize]
    };
    let expected: Vec<u32> = (0..part.len())
        .map(|i| {
            at(i, -2)
                .wrapping_mul(7)
                .wrapping_add(at(i, -1).wrapping_mul(3))
                .wrapping_add(at(i, 0))
                .wrapping_add(at(i, 1).wrapping_mul(5))
                .wrapping_add(at(i, 2).wrapping_mul(11))
        })
        .collect();
    let f = map_overlap!(around).within(context.clone()).on(target);
    // The edges are those of the part, not of what it is a part of.
    let found = f.run((v.part(start..end),))?;
    same("a range", &found.host()?, &expected)?;
    let found = f.run((crate::VectorPart::from(&x).part(start..end),))?;
    same("a range of a slice", &found.host()?, &expected)?;
    let pool = map_pool!(both).within(context.clone()).on(target);
    let found = pool.run((v.part(start..end),))?;
    let expected: Vec<u32> = part
        .chunks_exact(2)
        .map(|pair| pair[0].wrapping_mul(3).wrapping_add(pair[1]))
        .collect();
    same("pools", &found.host()?, &expected)
}

fn planes(context: &Context, target: &Target, n: usize) -> Outcome {
    if n > 5000 {
        return Ok(());
    }
    let copy = map!(|x: u32| x).within(context.clone()).on(target);
    let (rows, cols) = (n / 6, 6);
    let x = input::<u32>(rows * cols, 4);
    let m = copy.run((&Matrix::from_vec(rows, cols, x.clone())?,))?;
    let first = rows / 3;
    let part = &x[first * cols..];
    let height = rows - first;
    let at = |i: usize, j: usize, di: isize, dj: isize| {
        let (i, j) = (i as isize + di, j as isize + dj);
        let inside = (0..height as isize).contains(&i) && (0..cols as isize).contains(&j);
        if inside {
            part[i as usize * cols + j as usize]
        } else {
            1000
        }
    };
    let expected: Vec<u32> = (0..part.len())
        .map(|k| {
            let (i, j) = (k / cols, k % cols);
            at(i, j, -1, 0)
                .wrapping_mul(3)
                .wrapping_add(at(i, j, 1, 0).wrapping_mul(5))
                .wrapping_add(at(i, j, 0, -1).wrapping_mul(7))
                .wrapping_add(at(i, j, 0, 1).wrapping_mul(9))
                .wrapping_add(part[k])
        })
        .collect();
    let f = map_overlap!(cross)
        .pad(1000)
        .within(context.clone())
        .on(target);
    let found = f.run((m.part(first.., ..), m.part(first.., ..)))?;
    same("rows", &found.host()?, &expected)
}

/// What has gaps is no whole.
fn gaps(context: &Context, target: &Target) -> Outcome {
    let m = Matrix::filled(6, 6, 1_u32);
    let refused = |found: crate::Result<()>, wanted: usize| match found {
        Err(Error::Scattered { argument, .. }) if argument == wanted => Ok(()),
        other => Err(Failure::Wrong(format!("argument {wanted}: {other:?}"))),
    };
    let f = map_overlap!(around).within(context.clone()).on(target);
    refused(f.run((m.part(.., 1..),)).map(|_| ()), 1)?;
    refused(f.run((m.col(2),)).map(|_| ()), 1)?;
    let g = map!(|at: Index1, m: MatrixView<u32>| m[(0, at.i)]);
    let g = g.within(context.clone()).on(target);
    refused(g.run_shaped(2, (m.transposed(),)).map(|_| ()), 1)?;
    let found = f.run((m.part(1..3, ..),))?;
    same("the next call", &found.host()?, &[27; 12])
}
