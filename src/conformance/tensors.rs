//! Containers of three and four dimensions, and where their elements are.

use super::{
    Case, Check, Context, Failure, Outcome, Sizes, Target,
    data::{Sample, input, instead, same, scramble},
    refusals::if_bound,
};
use crate::{Error, prelude::*};

/// A number that tells all places of small tensors apart.
#[user_function]
fn in_plane(at: Index3, x: i32) -> i32 {
    x ^ (8_000 * at.plane as i32 + 100 * at.row as i32 + at.col as i32)
}

#[user_function]
fn in_volume(at: Index4, x: &mut u32) {
    let inner = 8_000 * at.plane as u32 + 100 * at.row as u32 + at.col as u32;
    *x ^= 500_000 * at.volume as u32 + inner;
}

pub(super) fn cases(sizes: Sizes) -> Vec<Case> {
    let checks: [(&str, Check); 7] = [
        ("three", three),
        ("four", four),
        ("fewer_dimensions", fewer),
        ("from_a_shape", shaped),
        ("read_at_random", at_random),
        ("four_read_at_random", four_at_random),
        ("out_of_range", out_of_range),
    ];
    let cases = checks.into_iter().map(|(name, check)| {
        let ns = sizes.elems();
        Case::new(format!("tensors::{name}"), move |context, target| {
            ns.iter().try_for_each(|n| check(context, target, *n))
        })
    });
    cases.collect()
}

/// Volume, plane, row and column of element `k`.
fn place(k: usize, [planes, rows, cols]: [usize; 3]) -> [usize; 4] {
    let (row, plane) = (k / cols, k / cols / rows);
    [plane / planes, plane % planes, row % rows, k % cols]
}

fn three(context: &Context, target: &Target, n: usize) -> Outcome {
    for (planes, rows, cols) in [
        (n / 35, 5, 7),
        (3, n / 15, 5),
        (2, 3, n / 6),
        (n, 1, 1),
        (2, 0, n),
    ] {
        let x = input::<i32>(planes * rows * cols, 1);
        let expected: Vec<i32> = (0..x.len())
            .map(|k| {
                let [_, plane, row, col] = place(k, [planes, rows, cols]);
                x[k] ^ (8_000 * plane + 100 * row + col) as i32
            })
            .collect();
        let t = Tensor3::from_vec(planes, rows, cols, x)?;
        let f = map!(in_plane).within(context.clone()).on(target);
        let found = f.run((&t,))?;
        if found.shape() != t.shape() {
            return Err(Failure::Wrong(format!("{found:?} from {t:?}")));
        }
        same("three dimensions", &found.host()?, &expected)?;
    }
    Ok(())
}

fn four(context: &Context, target: &Target, n: usize) -> Outcome {
    for (volumes, planes, rows, cols) in [(n / 30, 2, 3, 5), (2, 3, 5, n / 30), (2, n / 20, 2, 5)] {
        let x = input::<u32>(volumes * planes * rows * cols, 1);
        let expected: Vec<u32> = (0..x.len())
            .map(|k| {
                let [volume, plane, row, col] = place(k, [planes, rows, cols]);
                x[k] ^ (500_000 * volume + 8_000 * plane + 100 * row + col) as u32
            })
            .collect();
        let mut t = Tensor4::from_vec(volumes, planes, rows, cols, x)?;
        let f = map!(in_volume).within(context.clone()).on(target);
        f.run((&mut t,))?;
        same("four dimensions, in place", &t.host()?, &expected)?;
    }
    Ok(())
}

/// What has fewer dimensions is one row, one plane, one volume.
fn fewer(context: &Context, target: &Target, n: usize) -> Outcome {
    let f = map!(in_plane).within(context.clone()).on(target);
    let x = input::<i32>(n, 1);
    let expected: Vec<i32> = (0..n).map(|k| x[k] ^ k as i32).collect();
    same("a vector", &f.run((&x,))?.host()?, &expected)?;
    let (rows, cols) = (n / 7, 7);
    let m = Matrix::from_vec(rows, cols, input::<i32>(rows * cols, 1))?;
    let expected: Vec<i32> = (0..rows * cols)
        .map(|k| i32::sample(k + 1000) ^ (100 * (k / cols) + k % cols) as i32)
        .collect();
    same("a matrix", &f.run((&m,))?.host()?, &expected)
}

fn shaped(context: &Context, target: &Target, n: usize) -> Outcome {
    let f = map!(|at: Index4| (at.volume * 8 + at.plane * 4 + at.row * 2 + at.col) as u32);
    let f = f.within(context.clone()).on(target);
    let found: Tensor4<u32> = f.run_shaped((n / 8, 2, 2, 2), ())?;
    let expected: Vec<u32> = (0..n as u32 / 8 * 8).collect();
    same("from a shape", &found.host()?, &expected)
}

#[user_function]
fn of_tensor(t: Tensor3View<i32>, at: [u16; 3], at_plane: Index1) -> i32 {
    let plane = (at[0] as usize + at_plane.i) % t.planes();
    t[(plane, at[1] as usize, at[2] as usize)] + (t.rows() * 100 + t.cols()) as i32
}

fn at_random(context: &Context, target: &Target, n: usize) -> Outcome {
    let (planes, rows, cols) = (4, 1 + n / 50, 7);
    let t = Tensor3::from_vec(planes, rows, cols, input::<i32>(planes * rows * cols, 1))?;
    let at: Vec<[u16; 3]> = (0..n)
        .map(|k| {
            let part =
                |salt, below: usize| (scramble(k + salt) as usize % below.min(60_000)) as u16;
            [part(0, planes), part(1, rows), part(2, cols)]
        })
        .collect();
    let expected: Vec<i32> = at
        .iter()
        .enumerate()
        .map(|(k, [plane, row, col])| {
            let plane = (usize::from(*plane) + k) % planes;
            let element = (plane * rows + usize::from(*row)) * cols + usize::from(*col);
            i32::sample(element + 1000) + (rows * 100 + cols) as i32
        })
        .collect();
    let f = map!(of_tensor).within(context.clone()).on(target);
    if_bound(
        f.run((&t, &at))
            .map_err(Failure::from)
            .and_then(|found| same("a tensor", &found.host()?, &expected)),
    )
}

/// The convolution of an image of several channels: weights by output, channel, row and column.
#[user_function]
fn convolved(at: Index3, image: Tensor3View<u32>, weights: Tensor4View<u32>) -> u32 {
    let mut sum = weights.volumes() as u32;
    for channel in 0..weights.planes() {
        for i in 0..weights.rows() {
            for j in 0..weights.cols() {
                let weight = weights[(at.plane, channel, i, j)];
                sum =
                    sum.wrapping_add(weight.wrapping_mul(image[(channel, at.row + i, at.col + j)]));
            }
        }
    }
    sum
}

fn four_at_random(context: &Context, target: &Target, n: usize) -> Outcome {
    let (outputs, channels, height, width) = (3, 2, 2, 3);
    let (rows, cols) = (2 + n / 60, 7);
    let pixels = input::<u32>(channels * rows * cols, 1);
    let numbers = input::<u32>((outputs + 1) * channels * height * width, 2);
    let image = Tensor3::from_vec(channels, rows, cols, pixels.clone())?;
    let weights = Tensor4::from_vec(outputs + 1, channels, height, width, numbers.clone())?;
    let expected = |first: usize, outputs: usize| -> Vec<u32> {
        let at = |o: usize, y: usize, x: usize| {
            let mut sum = outputs as u32;
            for c in 0..channels {
                for i in 0..height {
                    for j in 0..width {
                        let weight = (((first + o) * channels + c) * height + i) * width + j;
                        let pixel = (c * rows + y + i) * cols + x + j;
                        sum = sum.wrapping_add(numbers[weight].wrapping_mul(pixels[pixel]));
                    }
                }
            }
            sum
        };
        let places = (0..outputs).flat_map(|o| {
            (0..=rows - height).flat_map(move |y| (0..=cols - width).map(move |x| (o, y, x)))
        });
        places.map(|(o, y, x)| at(o, y, x)).collect()
    };
    let f = map!(convolved).within(context.clone()).on(target);
    let space = |outputs| (outputs, rows - height + 1, cols - width + 1);
    let found = f.run_shaped(space(outputs + 1), (&image, &weights))?;
    same("a tensor", &found.host()?, &expected(0, outputs + 1))?;
    let part = weights.part(1.., .., .., ..);
    let found = f.run_shaped(space(outputs), (&image, part))?;
    same("a part of one", &found.host()?, &expected(1, outputs))
}

/// Just outside of a plane is inside of the next one: that is out of range all the same.
fn out_of_range(context: &Context, target: &Target, _: usize) -> Outcome {
    let t = Tensor3::from_fn(3, 4, 5, |k, i, j| (20 * k + 5 * i + j) as u32);
    let f = map!(|at: Index1, t: Tensor3View<u32>| t[(1, at.i, 2)]);
    let f = f.within(context.clone()).on(target);
    match f
        .run_shaped(6, (&t,))
        .and_then(|v: Vector<u32>| v.host().map(|_| ()))
    {
        Err(Error::Trap { index: Some(4), .. }) => {}
        other => return Err(instead("a trap at 4", other)),
    }
    let found = f.run_shaped(4, (&t,))?;
    same("the next call", &found.host()?, &[22, 27, 32, 37])?;
    // The same of a plane in a volume.
    let t = Tensor4::from_fn(2, 3, 2, 2, |l, k, i, j| (12 * l + 4 * k + 2 * i + j) as u32);
    let f = map!(|at: Index1, t: Tensor4View<u32>| t[(0, at.i, 1, 0)]);
    let f = f.within(context.clone()).on(target);
    match f
        .run_shaped(6, (&t,))
        .and_then(|v: Vector<u32>| v.host().map(|_| ()))
    {
        Err(Error::Trap { index: Some(3), .. }) => {}
        other => return Err(instead("a trap at 3", other)),
    }
    let found = f.run_shaped(3, (&t,))?;
    same("and the next", &found.host()?, &[2, 6, 10])
}
