//! Lines of containers: what goes from element to element along a dimension.

mod kinds;
mod refused;

use super::{
    Case, Context, Outcome, Sizes, Target,
    data::{Sample, input, same},
    refusals::bound,
};
use crate::{Shape, prelude::*};

/// Running sums, in the user's own way.
#[user_function]
fn running<T: Number>(l: &mut Line<T>) {
    for i in 1..l.len() {
        l[i] = l[i] + l[i - 1];
    }
}

/// Thomas' algorithm for `-k x[i - 1] + (1 + 2 k) x[i] - k x[i + 1] = d[i]`.
#[user_function]
fn thomas(x: &mut Line<f32>, c: &mut Line<f32>, d: &Line<f32>, #[uniform] k: f32) {
    let n = x.len();
    let b = 1.0 + 2.0 * k;
    c[0] = -k / b;
    x[0] = d[0] / b;
    for i in 1..n {
        let m = 1.0 / (b + k * c[i - 1]);
        c[i] = -k * m;
        x[i] = (d[i] + k * x[i - 1]) * m;
    }
    for i in (0..n - 1).rev() {
        x[i] -= c[i] * x[i + 1];
    }
}

pub(super) fn cases(sizes: Sizes) -> Vec<Case> {
    let mut cases = vec![
        Case::new("lines::running_f32", move |c, t| {
            running_sums::<f32>(c, t, sizes)
        }),
        Case::new("lines::running_i32", move |c, t| {
            running_sums::<i32>(c, t, sizes)
        }),
        Case::new("lines::running_f64", move |c, t| {
            running_sums::<f64>(c, t, sizes)
        }),
        Case::new("lines::structs_and_arrays", kinds::structs_and_arrays),
        Case::new("lines::passed_on", kinds::lines_passed_on),
        Case::new("lines::random", kinds::random),
        Case::new("lines::slices_and_parts", slices_and_parts),
        Case::new("lines::again_and_again", again_and_again),
        Case::new("lines::out_of_range", refused::out_of_range),
        Case::new("lines::refused", refused::refused),
    ];
    cases.push(Case::new("lines::thomas", move |c, t| solve(c, t, sizes)));
    cases
}

/// Shapes of all ranks; the last are large.
fn shapes(sizes: Sizes) -> Vec<Shape> {
    let mut shapes = vec![
        Shape::D1(1),
        Shape::D1(257),
        Shape::D2(1, 1),
        Shape::D2(1, 130),
        Shape::D2(130, 1),
        Shape::D2(37, 19),
        Shape::D2(2, 300),
        Shape::D3(5, 7, 9),
        Shape::D3(1, 64, 3),
        Shape::D4(2, 3, 4, 5),
    ];
    if sizes != Sizes::Small {
        shapes.extend([Shape::D2(1009, 997), Shape::D3(97, 89, 83)]);
    }
    shapes
}

/// The elements of each line, by the indices along all dimensions but one.
fn places(shape: Shape, axis: usize) -> Vec<Vec<usize>> {
    let rank = shape.rank();
    let extents = &shape.extents()[4 - rank..];
    let mut lines: Vec<Vec<usize>> = Vec::new();
    let mut known = std::collections::HashMap::new();
    for k in 0..shape.len() {
        let mut index = vec![0; rank];
        let mut rest = k;
        for d in (0..rank).rev() {
            index[d] = rest % extents[d];
            rest /= extents[d];
        }
        index.remove(axis);
        let line = *known.entry(index).or_insert_with(|| {
            lines.push(Vec::new());
            lines.len() - 1
        });
        lines[line].push(k);
    }
    lines
}

/// Runs an instance on the elements as a container of this shape, in place.
macro_rules! in_place {
    ($f:expr, $shape:expr, $x:expr $(, $rest:expr)*) => {{
        let x = $x;
        match $shape {
            Shape::D1(_) => {
                let mut v = Vector::from(x);
                $f.run((&mut v, $($rest,)*)).and_then(|()| Ok(v.host()?.to_vec()))
            }
            Shape::D2(i, j) => {
                let mut m = Matrix::from_vec(i, j, x)?;
                $f.run((&mut m, $($rest,)*)).and_then(|()| Ok(m.host()?.to_vec()))
            }
            Shape::D3(k, i, j) => {
                let mut t = Tensor3::from_vec(k, i, j, x)?;
                $f.run((&mut t, $($rest,)*)).and_then(|()| Ok(t.host()?.to_vec()))
            }
            Shape::D4(l, k, i, j) => {
                let mut t = Tensor4::from_vec(l, k, i, j, x)?;
                $f.run((&mut t, $($rest,)*)).and_then(|()| Ok(t.host()?.to_vec()))
            }
        }
    }};
}

use in_place;

fn running_sums<T: Sample + Number>(context: &Context, target: &Target, sizes: Sizes) -> Outcome {
    let f = map_lines!(running).within(context).on(target.clone());
    for shape in shapes(sizes) {
        let x = input::<T>(shape.len(), 1);
        for axis in 0..shape.rank() {
            let found = in_place!(f.clone().along(axis), shape, x.clone());
            let Some(found) = bound(found)? else {
                continue;
            };
            let mut expected = x.clone();
            for line in places(shape, axis) {
                for pair in line.windows(2) {
                    expected[pair[1]] = expected[pair[1]] + expected[pair[0]];
                }
            }
            same(&format!("sums along {axis} of {shape}"), &found, &expected)?;
        }
    }
    // By itself, the innermost dimension.
    let x = input::<T>(12, 2);
    let own = in_place!(f, Shape::D2(3, 4), x.clone())?;
    let along = in_place!(f.clone().along(1), Shape::D2(3, 4), x)?;
    same("sums along the innermost dimension", &own, &along)
}

fn solve(context: &Context, target: &Target, sizes: Sizes) -> Outcome {
    let f = map_lines!(thomas).within(context).on(target.clone());
    let k = 0.375_f32;
    for (planes, rows, cols) in [(1, 1, 1), (3, 40, 5), (7, 6, 50)]
        .into_iter()
        .chain((sizes != Sizes::Small).then_some((40, 90, 110)))
    {
        let shape = Shape::D3(planes, rows, cols);
        let d = input::<f32>(shape.len(), 3);
        for axis in 0..3 {
            let mut x = Tensor3::filled(planes, rows, cols, 0.0);
            let mut c = Tensor3::filled(planes, rows, cols, 0.0);
            let given = Tensor3::from_vec(planes, rows, cols, d.clone())?;
            let ran = f.clone().along(axis).run((&mut x, &mut c, &given, k));
            if bound(ran)?.is_none() {
                continue;
            }
            let mut expected = vec![0.0_f32; d.len()];
            for line in places(shape, axis) {
                let b = 1.0 + 2.0 * k;
                let mut c = vec![-k / b];
                expected[line[0]] = d[line[0]] / b;
                for i in 1..line.len() {
                    let m = 1.0 / (b + k * c[i - 1]);
                    c.push(-k * m);
                    expected[line[i]] = (d[line[i]] + k * expected[line[i - 1]]) * m;
                }
                for i in (0..line.len() - 1).rev() {
                    expected[line[i]] -= c[i] * expected[line[i + 1]];
                }
            }
            same(
                &format!("solved along {axis} of {shape}"),
                &x.host()?,
                &expected,
            )?;
            same("what was only read", &given.host()?, &d)?;
        }
    }
    Ok(())
}

fn slices_and_parts(context: &Context, target: &Target) -> Outcome {
    let f = map_lines!(running).within(context).on(target.clone());
    let x = input::<i32>(120, 4);
    let sums = |x: &mut [i32], line: &[usize]| {
        for pair in line.windows(2) {
            x[pair[1]] = x[pair[1]].wrapping_add(x[pair[0]]);
        }
    };
    let mut slice = x.clone();
    if bound(f.run((&mut slice[3..],)))?.is_none() {
        return Ok(());
    }
    let mut expected = x.clone();
    sums(&mut expected[3..], &(0..117).collect::<Vec<_>>());
    same("a slice", &slice, &expected)?;

    // Rows of a matrix, and planes of a tensor, without gaps: what is around stays.
    for axis in 0..2 {
        let mut m = Matrix::from_vec(12, 10, x.clone())?;
        f.clone().along(axis).run((m.part_mut(2..9, ..),))?;
        let mut expected = x.clone();
        for line in places(Shape::D2(7, 10), axis) {
            sums(&mut expected[20..90], &line);
        }
        same(
            &format!("rows of a matrix, along {axis}"),
            &m.host()?,
            &expected,
        )?;
    }
    for axis in 0..3 {
        let mut t = Tensor3::from_vec(6, 4, 5, x.clone())?;
        f.clone().along(axis).run((t.part_mut(1..4, .., ..),))?;
        let mut expected = x.clone();
        for line in places(Shape::D3(3, 4, 5), axis) {
            sums(&mut expected[20..80], &line);
        }
        same(
            &format!("planes of a tensor, along {axis}"),
            &t.host()?,
            &expected,
        )?;
    }
    let largest = map_lines!(kinds::largest)
        .within(context)
        .on(target.clone());
    let m = Matrix::from_vec(12, 10, x.clone())?;
    let found = largest.run((m.part(3..5, ..),))?;
    let most = |r: std::ops::Range<usize>| x[r].iter().copied().max().unwrap_or(0);
    same("of a part", &found.host()?, &[most(30..40), most(40..50)])
}

/// What a call leaves on a device is where the next one begins, along whatever dimension.
fn again_and_again(context: &Context, target: &Target) -> Outcome {
    let f = map_lines!(running).within(context).on(target.clone());
    let shape = Shape::D3(9, 8, 7);
    let mut expected = input::<u32>(shape.len(), 6);
    let mut t = Tensor3::from_vec(9, 8, 7, expected.clone())?;
    let odd = map!(|x: u32| x | 1).within(context).on(target.clone());
    for round in 0..6 {
        let axis = round % 3;
        if bound(f.clone().along(axis).run((&mut t,)))?.is_none() {
            return Ok(());
        }
        for line in places(shape, axis) {
            for pair in line.windows(2) {
                expected[pair[1]] = expected[pair[1]].wrapping_add(expected[pair[0]]);
            }
        }
        let found = odd.run((&t,))?;
        let all_odd: Vec<u32> = expected.iter().map(|x| x | 1).collect();
        same("what a call leaves", &found.host()?, &all_odd)?;
    }
    same("in the end", &t.host()?, &expected)
}
