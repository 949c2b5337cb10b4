//! MapOverlapReduce: windows of every rank with every edge, combined by operators that commute and one that does not.

use super::{
    Sizes, Whole, input,
    oracle::{ALL, Radius, windows},
    windows::{plain_step, step},
};
use crate::{
    Context, Error, Scalar, Shape,
    conformance::{
        Failure, Outcome,
        data::{instead, same_value},
        fold::compose,
    },
    prelude::*,
};

#[user_function]
fn add<T: Number>(a: T, b: T) -> T {
    a + b
}

#[user_function]
fn larger<T: Number>(a: T, b: T) -> T {
    if a > b { a } else { b }
}

#[user_function]
fn of_row(w: Window1<u32, 1>) -> u32 {
    step(step(step(w[0], w[-1]), w[0]), w[1])
}

/// With a loop.
#[user_function]
fn of_wide_row(w: Window1<u32, 5>) -> u32 {
    let mut sum = w[0];
    for d in -5..=5 {
        sum = step(sum, w[d]);
    }
    sum
}

#[user_function]
fn of_plane(w: Window2<u32, 1, 1>) -> u32 {
    let above = step(step(step(w[(0, 0)], w[(-1, -1)]), w[(-1, 0)]), w[(-1, 1)]);
    let beside = step(step(step(above, w[(0, -1)]), w[(0, 0)]), w[(0, 1)]);
    step(step(step(beside, w[(1, -1)]), w[(1, 0)]), w[(1, 1)])
}

#[user_function]
fn of_space(w: Window3<u32, 1, 0, 1>) -> u32 {
    let mut sum = w[(0, 0, 0)];
    for dz in -1..=1 {
        for dx in -1..=1 {
            sum = step(sum, w[(dz, 0, dx)]);
        }
    }
    sum
}

#[user_function]
fn of_four(w: Window4<u32, 1, 0, 0, 1>) -> u32 {
    let mut sum = w[(0, 0, 0, 0)];
    for dw in -1..=1 {
        for dx in -1..=1 {
            sum = step(sum, w[(dw, 0, 0, dx)]);
        }
    }
    sum
}

pub(super) const CHECKS: &[(&str, Whole)] = &[
    ("reduced::vectors", vectors),
    ("reduced::matrices", matrices),
    ("reduced::tensors", tensors),
    ("reduced::several_results", several_results),
    ("reduced::bits", bits),
    ("reduced::empty", empty),
    ("reduced::traps", traps),
    ("reduced::refused", refused),
];

/// Reduces the results of `f` with every edge, and compares.
macro_rules! every_edge {
    ($context:expr, $target:expr, $f:path, $x:expr, $radius:expr, |$reduce:ident| $settings:expr) => {{
        let (x, radius): (_, Radius) = (&$x, $radius);
        let $reduce = map_overlap_reduce!($f, compose).within($context.clone());
        let in_order = $settings.on($target);
        let $reduce = map_overlap_reduce!($f, larger).within($context.clone());
        let largest = $settings.on($target);
        for edge in ALL {
            let (_, elements) = windows(x.shape(), &x.to_vec()?, radius, edge, 77, plain_step);
            let what = |operator: &str| format!("{operator}: {} with {edge:?}", x.shape());
            let found = in_order.clone().pad(77).edge(edge).run((x,));
            expect(
                &what("compose"),
                found,
                elements.iter().copied().reduce(compose),
            )?;
            let found = largest.clone().pad(77).edge(edge).run((x,));
            expect(&what("larger"), found, elements.into_iter().max())?;
        }
    }};
}

/// Without elements, there is no value.
fn expect(what: &str, found: crate::Result<u32>, expected: Option<u32>) -> Outcome {
    match (found, expected) {
        (found, Some(expected)) => same_value(what, found?, expected),
        (Err(Error::EmptyReduce { .. }), None) => Ok(()),
        (found, None) => Err(instead(&format!("no elements, {what}"), found)),
    }
}

fn vectors(context: &Context, target: &Target, sizes: Sizes) -> Outcome {
    let mut elems = vec![0, 1, 2, 3, 5, 11, 63, 64, 257, 2047];
    if sizes != Sizes::Small {
        elems.extend([17_001, 100_003]);
    }
    for n in elems {
        let x = Vector::from(input::<u32>(n));
        every_edge!(
            context,
            target,
            of_row,
            x,
            [None, None, None, Some(1)],
            |f| f
        );
        every_edge!(
            context,
            target,
            of_wide_row,
            x,
            [None, None, None, Some(5)],
            |f| f
        );
    }
    Ok(())
}

fn matrices(context: &Context, target: &Target, sizes: Sizes) -> Outcome {
    // As many elements as a device with low limits binds, at most.
    let mut shapes = vec![(0, 4), (1, 1), (2, 3), (7, 11), (23, 41), (40, 1), (3, 600)];
    if sizes != Sizes::Small {
        shapes.extend([(150, 130), (3, 20_000)]);
    }
    for (rows, cols) in shapes {
        let x = Matrix::from_vec(rows, cols, input::<u32>(rows * cols))?;
        every_edge!(
            context,
            target,
            of_plane,
            x,
            [None, None, Some(1), Some(1)],
            |f| f
        );
        every_edge!(
            context,
            target,
            of_row,
            x,
            [None, None, None, Some(1)],
            |f| f
        );
        every_edge!(
            context,
            target,
            of_row,
            x,
            [None, None, Some(1), None],
            |f| f.down_columns()
        );
    }
    Ok(())
}

fn tensors(context: &Context, target: &Target, _: Sizes) -> Outcome {
    for [a, b, c] in [[1, 1, 1], [3, 4, 5], [5, 2, 70], [11, 12, 13]] {
        let x = Tensor3::from_vec(a, b, c, input::<u32>(a * b * c))?;
        every_edge!(
            context,
            target,
            of_space,
            x,
            [None, Some(1), Some(0), Some(1)],
            |f| f
        );
        every_edge!(
            context,
            target,
            of_plane,
            x,
            [None, None, Some(1), Some(1)],
            |f| f
        );
    }
    let x = Tensor4::from_vec(3, 2, 4, 5, input::<u32>(120))?;
    every_edge!(
        context,
        target,
        of_four,
        x,
        [Some(1), Some(0), Some(0), Some(1)],
        |f| f
    );
    Ok(())
}

/// Beside a window: an element of another container, a value for all, and where it is.
#[user_function]
fn slopes(
    at: Index2,
    u: Window2<i32, 1, 0>,
    v: Window2<i32, 0, 1>,
    x: i32,
    #[uniform] k: i32,
) -> (i32, i32, u32) {
    let down = u[(1, 0)] - u[(-1, 0)] + k;
    let across = v[(0, 1)] - v[(0, -1)] - x;
    (
        down * across,
        down.max(across),
        (at.row * 100 + at.col) as u32,
    )
}

fn several_results(context: &Context, target: &Target, _: Sizes) -> Outcome {
    let (rows, cols) = (37, 29);
    let numbers = |salt: usize| {
        let small = |x: &u32| (x % 100) as i32 - 50;
        let all: Vec<i32> = crate::conformance::data::input::<u32>(rows * cols, salt)
            .iter()
            .map(small)
            .collect();
        all
    };
    let (u, v, x) = (numbers(1), numbers(2), numbers(3));
    let get = |of: &[i32], i: isize, j: isize| {
        let inside = (0..rows as isize).contains(&i) && (0..cols as isize).contains(&j);
        if inside {
            of[i as usize * cols + j as usize]
        } else {
            -9
        }
    };
    let (mut products, mut most, mut last) = (0_i32, i32::MIN, 0);
    for i in 0..rows as isize {
        for j in 0..cols as isize {
            let down = get(&u, i + 1, j) - get(&u, i - 1, j) + 5;
            let across = get(&v, i, j + 1) - get(&v, i, j - 1) - get(&x, i, j);
            products += down * across;
            most = most.max(down).max(across);
            last = i as u32 * 100 + j as u32;
        }
    }
    let f = map_overlap_reduce!(slopes, add, larger, |_a: u32, b: u32| b);
    let f = f.pad(-9).within(context.clone()).on(target);
    let [u, v] = [u, v].map(|of| Matrix::from_vec(rows, cols, of));
    let (a, b, c) = f.run((&u?, &v?, &Matrix::from_vec(rows, cols, x)?, 5))?;
    same_value("products", a, products)?;
    same_value("most", b, most)?;
    same_value("last", c, last)
}

#[user_function]
fn residual(u: Window2<f32, 1, 1>, f: f32) -> f32 {
    let r = f + u[(-1, 0)] + u[(1, 0)] + u[(0, -1)] + u[(0, 1)] - 4.0 * u[(0, 0)];
    r * r
}

/// Sums that round have the bits that one thread gives, and those of what is mapped and then reduced.
fn bits(context: &Context, target: &Target, sizes: Sizes) -> Outcome {
    let (rows, cols) = if sizes == Sizes::Small {
        (31, 60)
    } else {
        (461, 370)
    };
    let real = |k: u32| (k % 10_007) as f32 * 0.37 - 1000.0;
    let data = |salt| {
        let numbers = crate::conformance::data::input::<u32>(rows * cols, salt);
        Matrix::from_vec(rows, cols, numbers.into_iter().map(real).collect())
    };
    let (u, f) = (data(5)?, data(6)?);
    let mapped = map_overlap!(residual)
        .within(context.clone())
        .on(Sequential);
    let mapped = mapped.edge(Edge::Cyclic).run((&u, &f))?;
    let summed = reduce!(add).within(context.clone()).on(Sequential);
    let expected = summed.run((&mapped,))?;
    let norm = map_overlap_reduce!(residual, add).edge(Edge::Cyclic);
    let norm = norm.within(context.clone()).on(target);
    same_value("the sum", norm.run((&u, &f))?.to_bits(), expected.to_bits())?;
    let mut value = Scalar::from(0.0);
    norm.run_into((&u, &f), &mut value)?;
    same_value("the scalar", value.get()?.to_bits(), expected.to_bits())
}

fn empty(context: &Context, target: &Target, _: Sizes) -> Outcome {
    let f = map_overlap_reduce!(of_row, compose).edge(Edge::None);
    let f = f.within(context.clone()).on(target);
    expect("too short", f.run((&[1, 2],)), None)?;
    same_value("identity", f.clone().identity(7).run((&[1, 2],))?, 7)?;
    same_value("initial", f.clone().initial(9).run((&[1, 2],))?, 9)?;
    let one = plain_step(plain_step(plain_step(2, 1), 2), 3);
    same_value("one", f.clone().identity(7).run((&[1, 2, 3],))?, one)?;
    let expected = compose(9 << 16 | 4, one);
    same_value(
        "after",
        f.initial(9 << 16 | 4).run((&[1, 2, 3],))?,
        expected,
    )
}

#[user_function]
fn ratio(w: Window2<i32, 1, 1>) -> i32 {
    w[(0, 1)] / w[(0, 0)]
}

#[user_function]
fn divided(a: i32, b: i32) -> i32 {
    a / b
}

#[user_function]
fn beside(w: Window1<i32, 1>) -> i32 {
    w[1]
}

fn traps(context: &Context, target: &Target, _: Sizes) -> Outcome {
    // In the interior, at an edge, and in a corner; the smallest one counts.
    for zero in [37 * 20 + 19, 37 * 20 + 36, 0] {
        let m = Matrix::from_fn(24, 37, |i, j| {
            i32::from(![zero, 23 * 37].contains(&(i * 37 + j)))
        });
        let f = map_overlap_reduce!(ratio, add).within(context.clone());
        match f.on(target).edge(Edge::Reflect).run((&m,)) {
            Err(Error::Trap {
                index: Some(index), ..
            }) if index == zero => {}
            found => return Err(instead(&format!("a trap at {zero}"), found)),
        }
    }
    let f = map_overlap_reduce!(beside, divided).within(context.clone());
    let f = f.on(target);
    let mut x = vec![1; 400];
    same_value("the operator", f.run((&x,))?, 1)?;
    x[300] = 0;
    match f.run((&x,)) {
        Err(Error::Trap { index: None, .. }) => {}
        found => return Err(instead("a trap of the operator", found)),
    }
    x[300] = 1;
    same_value("the next call", f.run((&x,))?, 1)
}

#[user_function]
fn of_two(a: Window1<i32, 1>, b: Window1<i32, 2>, c: i32) -> i32 {
    a[1] + b[2] + c
}

fn refused(context: &Context, target: &Target, _: Sizes) -> Outcome {
    let f = map_overlap_reduce!(of_two, add).within(context.clone());
    let f = f.on(target);
    let mismatch = |found: crate::Result<i32>, wanted: usize| match found {
        Err(Error::ShapeMismatch { argument, .. }) if argument == wanted => Ok(()),
        found => Err(Failure::Wrong(format!("{found:?} for argument {wanted}"))),
    };
    mismatch(f.run((&[1; 5], &[1; 6], &[1; 5])), 2)?;
    mismatch(f.run((&[1; 5], &[1; 5], &[1; 4])), 3)?;
    // Without edges, the largest window counts.
    let inner = f.clone().edge(Edge::None);
    mismatch(inner.run((&[1; 5], &[1; 5], &[1; 3])), 3)?;
    same_value("inside", inner.run((&[1; 5], &[1; 5], &[1; 1]))?, 3)?;
    match f.edge(Edge::Pad).run((&[1; 5], &[1; 5], &[1; 5])) {
        Err(Error::Neighbourhood { .. }) => {}
        found => return Err(instead("no value to pad with", found)),
    }
    let rows = map_overlap_reduce!(of_row, compose).within(context.clone());
    let x = Vector::from(input::<u32>(9));
    match rows.on(target).down_columns().run((&x,)) {
        Err(Error::Neighbourhood { .. }) => Ok(()),
        found => Err(instead(
            &format!("columns of a container of {}", Shape::D1(9)),
            found,
        )),
    }
}
