//! Parts of tensors, read and written where they lie.

use super::{
    Case, Context, Outcome, Sizes, Target,
    data::{Sample, input, same},
    refusals::if_bound,
};
use crate::prelude::*;

#[user_function]
fn mix(at: Index3, x: u32, y: u32) -> u32 {
    x * 3 + y + (100 * at.plane + 10 * at.row + at.col) as u32
}

pub(super) fn cases(sizes: Sizes) -> Vec<Case> {
    let mut cases = Vec::new();
    let extents = match sizes {
        Sizes::Small => vec![[1, 1, 1], [2, 3, 5], [7, 5, 3], [0, 4, 4], [4, 4, 0]],
        Sizes::Large | Sizes::Huge => vec![[2, 3, 5], [31, 17, 13], [3, 65, 257]],
    };
    cases.push(Case::new("parts::of_tensors", move |context, target| {
        let mut each = extents.iter();
        each.try_for_each(|extents| if_bound(of_tensors(context, target, *extents)))
    }));
    cases.push(Case::new("parts::of_volumes", of_volumes));
    cases.push(Case::new("parts::of_tensors_written", written));
    cases
}

/// What `mix` gives of two functions of the indices.
fn mixed(
    [planes, rows, cols]: [usize; 3],
    x: impl Fn(usize, usize, usize) -> u32,
    y: impl Fn(usize, usize, usize) -> u32,
) -> Vec<u32> {
    let mut out = Vec::new();
    for k in 0..planes {
        for i in 0..rows {
            for j in 0..cols {
                let (x, y) = (x(k, i, j), y(k, i, j));
                let at = (100 * k + 10 * i + j) as u32;
                out.push(x.wrapping_mul(3).wrapping_add(y).wrapping_add(at));
            }
        }
    }
    out
}

fn of_tensors(context: &Context, target: &Target, [a, b, c]: [usize; 3]) -> Outcome {
    let t = Tensor3::from_vec(a, b, c, input::<u32>(a * b * c, 1))?;
    let x = |k: usize, i: usize, j: usize| u32::sample((k * b + i) * c + j + 1000);
    let f = map!(mix).within(context.clone()).on(target);
    // A block, and the opposite one.
    let (k, i, j) = (a / 3, b / 2, c / 4);
    let found = f.run((t.part(k.., i.., j..), t.part(..a - k, ..b - i, ..c - j)))?;
    let expected = mixed([a - k, b - i, c - j], |p, q, r| x(p + k, q + i, r + j), x);
    same("blocks", &found.host()?, &expected)?;
    // Backwards along one dimension and along another.
    let all = t.part(.., .., ..);
    let found = f.run((
        all.reversed_along(0),
        all.reversed_along(2).reversed_along(1),
    ))?;
    let expected = mixed(
        [a, b, c],
        |p, q, r| x(a - 1 - p, q, r),
        |p, q, r| x(p, b - 1 - q, c - 1 - r),
    );
    same("backwards", &found.host()?, &expected)?;
    // Every other, and the dimensions in another order.
    let found = f.run((
        all.step_by_along(2, 2).swapped(0, 1),
        all.swapped(0, 1).step_by_along(2, 2).reversed_along(2),
    ))?;
    let half = c.div_ceil(2);
    let expected = mixed(
        [b, a, half],
        |p, q, r| x(q, p, 2 * r),
        |p, q, r| x(q, p, 2 * (half - 1 - r)),
    );
    same("turned", &found.host()?, &expected)?;
    if a > 0 {
        let sum = map!(|x: u32, y: u32| x * 3 + y);
        let sum = sum.within(context.clone()).on(target);
        let (first, last) = (t.plane(0), t.plane(a - 1));
        let found = sum.run((first.transposed(), last.transposed()))?;
        let mut expected = Vec::new();
        for j in 0..c {
            for i in 0..b {
                expected.push(x(0, i, j).wrapping_mul(3).wrapping_add(x(a - 1, i, j)));
            }
        }
        same("planes", &found.host()?, &expected)?;
    }
    Ok(())
}

fn of_volumes(context: &Context, target: &Target) -> Outcome {
    let (v, a, b, c) = (3, 4, 5, 6);
    let t = Tensor4::from_vec(v, a, b, c, input::<u32>(v * a * b * c, 2))?;
    let x =
        |l: usize, k: usize, i: usize, j: usize| u32::sample(((l * a + k) * b + i) * c + j + 2000);
    let f = map!(mix).within(context.clone()).on(target);
    let found = f.run((t.volume(2).part(1.., .., ..), t.volume(0).part(..3, .., ..)))?;
    let of_two = |k: usize, i: usize, j: usize| x(2, k + 1, i, j);
    let expected = mixed([3, b, c], of_two, |k, i, j| x(0, k, i, j));
    same("volumes", &found.host()?, &expected)?;
    let next = map!(|x: u32| x + 1).within(context.clone()).on(target);
    let found = next.run((t.part(1.., ..2, .., 3..).swapped(0, 3).reversed_along(1),))?;
    let mut expected = Vec::new();
    for j in 3..c {
        for k in [1, 0] {
            for i in 0..b {
                for l in 1..v {
                    expected.push(x(l, k, i, j).wrapping_add(1));
                }
            }
        }
    }
    same("turned", &found.host()?, &expected)
}

fn written(context: &Context, target: &Target) -> Outcome {
    let (a, b, c) = (7, 11, 13);
    let mut expected = input::<u32>(a * b * c, 3);
    let mut t = Tensor3::from_vec(a, b, c, expected.clone())?;
    let at = |k: usize, i: usize, j: usize| (k * b + i) * c + j;
    let f = map!(
        |at: Index3, x: &mut u32| *x = *x * 5 + (100 * at.plane + 10 * at.row + at.col) as u32
    );
    let f = f.within(context.clone()).on(target);
    // In place: a block, backwards; then whole planes, which lie in a row.
    f.run((t.part_mut(1..6, 2.., ..10).reversed_along(1),))?;
    for k in 1..6 {
        for i in 2..b {
            for j in 0..10 {
                let x = &mut expected[at(k, i, j)];
                *x = x
                    .wrapping_mul(5)
                    .wrapping_add((100 * (k - 1) + 10 * (b - 1 - i) + j) as u32);
            }
        }
    }
    f.run((t.part_mut(2..4, .., ..),))?;
    for k in 2..4 {
        for i in 0..b {
            for j in 0..c {
                let x = &mut expected[at(k, i, j)];
                *x = x
                    .wrapping_mul(5)
                    .wrapping_add((100 * (k - 2) + 10 * i + j) as u32);
            }
        }
    }
    // Anew: dimensions in another order.
    let g = map!(|at: Index3| (100 * at.plane + 10 * at.row + at.col) as u32);
    let g = g.within(context.clone()).on(target);
    g.run_into((), t.part_mut(.., 3..5, ..).swapped(0, 2))?;
    for k in 0..a {
        for i in 3..5 {
            for j in 0..c {
                expected[at(k, i, j)] = (100 * j + 10 * (i - 3) + k) as u32;
            }
        }
    }
    same("all", &t.host()?, &expected)?;
    let mut t4 = Tensor4::filled(3, 2, 2, 2, 1_u32);
    let h = map!(|x: &mut u32| *x += 1)
        .within(context.clone())
        .on(target);
    h.run((t4.volume_mut(1).plane(1).transposed(),))?;
    h.run((t4.part_mut(.., .., 1.., ..1),))?;
    let expected = (0..24).map(|k| {
        let one = u32::from((12..16).contains(&k));
        1 + one + u32::from(k % 4 == 2)
    });
    same("volumes", &t4.host()?, &expected.collect::<Vec<u32>>())
}
