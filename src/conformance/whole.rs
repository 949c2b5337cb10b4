//! Containers that are read at random, in Map and MapReduce.

use super::{
    Case, Check, Context, Failure, Outcome, Sizes, Target,
    data::{Sample, input, instead, same, same_value, scramble},
    refusals::if_bound,
};
use crate::{Error, prelude::*};

#[user_function]
fn pick<T: Number>(at: u32, xs: &[T]) -> T {
    xs[at as usize]
}

#[user_function]
fn pick_bool(at: u32, xs: &[bool]) -> bool {
    xs[at as usize]
}

#[user_function]
fn neighbours(at: Index1, xs: &[u32]) -> u32 {
    let left = if at.i > 0 { xs[at.i - 1] } else { 0 };
    let right = if at.i + 1 < xs.len() { xs[at.i + 1] } else { 0 };
    left ^ (right << 1)
}

/// `m · x`, row by row.
#[user_function]
fn row_by_vector(row: Row<f32>, x: &[f32]) -> f32 {
    let mut sum = 0.0;
    for j in 0..row.len() {
        sum += row[j] * x[j];
    }
    sum
}

#[user_function]
fn dot_of_row(m: MatrixView<f32>, i: usize, x: &[f32]) -> f32 {
    let mut sum = 0.0;
    for j in 0..m.cols() {
        sum += m[(i, j)] * x[j];
    }
    sum
}

/// The same, by way of another function, which is passed the containers.
#[user_function]
fn view_by_vector(at: Index1, m: MatrixView<f32>, x: &[f32]) -> f32 {
    dot_of_row(m, at.i, x)
}

#[user_function]
fn row_by_column(row: Row<i32>, col: Col<i32>) -> i32 {
    let mut sum = 0;
    for k in 0..row.len() {
        sum = sum * 3 + row[k] * col[k];
    }
    sum
}

#[user_function]
fn column_sum(col: Col<u32>, scale: u32) -> u32 {
    let mut sum = 0;
    for k in 0..col.len() {
        sum += col[k];
    }
    sum * scale
}

#[user_function]
fn transposed(at: Index2, m: MatrixView<u32>) -> u32 {
    m[(at.col, at.row)] + (m.rows() * 7 + m.cols()) as u32
}

/// The same container under two kinds, and element by element besides.
#[user_function]
#[expect(
    clippy::needless_range_loop,
    reason = "a whole container has no iterator"
)]
fn rank(x: u32, xs: &[u32]) -> u32 {
    let mut smaller = 0;
    for i in 0..xs.len() {
        if xs[i] < x {
            smaller += 1;
        }
    }
    smaller
}

#[user_function]
fn add<T: Number>(a: T, b: T) -> T {
    a + b
}

pub(super) fn cases(sizes: Sizes) -> Vec<Case> {
    let mut cases = Vec::new();
    let elems = sizes.elems();
    macro_rules! of_type {
        ($($t:ident)*) => { $(
            let ns = elems.clone();
            cases.push(Case::new(concat!("whole::gather::", stringify!($t)), move |context, target| {
                ns.iter().try_for_each(|n| if_bound(gather::<$t>(context, target, *n)))
            }));
        )* };
    }
    of_type!(f32 f64 i32 u32);
    let checks: [(&str, Check); 6] = [
        ("gather::bool", gather_bools),
        ("stencil_by_index", stencil),
        ("matrix_by_vector", matrix_by_vector),
        ("matrix_by_matrix", matrix_by_matrix),
        ("columns_of_a_vector_call", columns),
        ("transposed", transpose),
    ];
    for (name, check) in checks {
        let ns = elems.clone();
        cases.push(Case::new(
            format!("whole::{name}"),
            move |context, target| {
                ns.iter()
                    .try_for_each(|n| if_bound(check(context, target, *n)))
            },
        ));
    }
    cases.push(Case::new("whole::also_by_element", also_by_element));
    cases.push(Case::new("whole::transposed_in_strips", transpose_wide));
    cases.push(Case::new("whole::reduced", reduced));
    cases.push(Case::new("whole::out_of_range", out_of_range));
    cases.push(Case::new("whole::nothing_in_it", nothing_in_it));
    cases.push(Case::new("whole::shapes_must_fit", shapes_must_fit));
    cases.push(Case::new("whole::read_where_it_was_computed", chain));
    cases
}

/// `n` indices below `len`.
fn indices(n: usize, len: usize) -> Vec<u32> {
    (0..n).map(|i| scramble(i) % len as u32).collect()
}

fn gather<T: Sample + Number>(context: &Context, target: &Target, n: usize) -> Outcome {
    let (table, at) = (input::<T>(333, 1), indices(n, 333));
    let expected: Vec<T> = at.iter().map(|i| table[*i as usize]).collect();
    let f = map!(pick).within(context.clone()).on(target);
    let found = f.run((&at, &table))?;
    same("from a slice", &found.host()?, &expected)?;
    let (at, table) = (Vector::from(at), Vector::from(table));
    for _ in 0..2 {
        let found = f.run((&at, &table))?;
        same("from a vector", &found.host()?, &expected)?;
    }
    Ok(())
}

fn gather_bools(context: &Context, target: &Target, n: usize) -> Outcome {
    let (table, at) = (input::<bool>(77, 1), indices(n, 77));
    let expected: Vec<bool> = at.iter().map(|i| table[*i as usize]).collect();
    let f = map!(pick_bool).within(context.clone()).on(target);
    same("pick_bool", &f.run((&at, &table))?.host()?, &expected)
}

fn stencil(context: &Context, target: &Target, n: usize) -> Outcome {
    let x = input::<u32>(n, 1);
    let at = |i: Option<usize>| i.and_then(|i| x.get(i)).copied().unwrap_or(0);
    let expected: Vec<u32> = (0..n)
        .map(|i| at(i.checked_sub(1)) ^ (at(Some(i + 1)) << 1))
        .collect();
    let f = map!(neighbours).within(context.clone()).on(target);
    same("neighbours", &f.run_shaped(n, (&x,))?.host()?, &expected)
}

fn matrix_by_vector(context: &Context, target: &Target, n: usize) -> Outcome {
    if n > 5000 {
        return Ok(());
    }
    let cols = n % 7 + 1;
    let (elements, x) = (input::<f32>(n * cols, 1), input::<f32>(cols, 2));
    let expected: Vec<f32> = elements
        .chunks(cols)
        .map(|row| row.iter().zip(&x).fold(0.0, |sum, (a, b)| sum + a * b))
        .collect();
    let m = Matrix::from_vec(n, cols, elements)?;
    let rows = map!(row_by_vector).within(context.clone()).on(target);
    let found = rows.run_shaped(n, (&m, &x))?;
    same("by rows", &found.host()?, &expected)?;
    let view = map!(view_by_vector).within(context.clone()).on(target);
    let found = view.run_shaped(n, (&m, &Vector::from(x.clone())))?;
    same("by a view", &found.host()?, &expected)?;
    let closure = map!(|at: Index1, m: MatrixView<f32>, x: &[f32]| dot_of_row(m, at.i, x));
    let closure = closure.within(context.clone()).on(target);
    let found = closure.run_shaped(n, (&m, &x))?;
    same("by a closure", &found.host()?, &expected)
}

fn matrix_by_matrix(context: &Context, target: &Target, n: usize) -> Outcome {
    if n > 600 {
        return Ok(());
    }
    let (rows, inner, cols) = (n, n % 5, n % 17 + 1);
    let a = Matrix::from_fn(rows, inner, |i, j| i32::sample(i * 31 + j));
    let b = Matrix::from_fn(inner, cols, |i, j| i32::sample(i + j * 57));
    let (av, bv) = (a.host()?.to_vec(), b.host()?.to_vec());
    let element = |k: usize| {
        let (i, j) = (k / cols, k % cols);
        (0..inner).fold(0_i32, |sum, k| {
            let product = av[i * inner + k].wrapping_mul(bv[k * cols + j]);
            sum.wrapping_mul(3).wrapping_add(product)
        })
    };
    let expected: Vec<i32> = (0..rows * cols).map(element).collect();
    let f = map!(row_by_column).within(context.clone()).on(target);
    let found = f.run_shaped((rows, cols), (&a, &b))?;
    same("the product", &found.host()?, &expected)
}

fn columns(context: &Context, target: &Target, n: usize) -> Outcome {
    if n > 5000 {
        return Ok(());
    }
    let rows = 3;
    let (elements, scale) = (input::<u32>(rows * n, 1), input::<u32>(n, 2));
    let expected: Vec<u32> = (0..n)
        .map(|j| {
            let sum = (0..rows).fold(0_u32, |sum, i| sum.wrapping_add(elements[i * n + j]));
            sum.wrapping_mul(scale[j])
        })
        .collect();
    let m = Matrix::from_vec(rows, n, elements)?;
    let f = map!(column_sum).within(context.clone()).on(target);
    same("column_sum", &f.run((&m, &scale))?.host()?, &expected)
}

/// Results whose rows are so long that a column of what is read has more cache lines than stay in a cache, or whose
/// columns share few sets of it.
fn transpose_wide(context: &Context, target: &Target) -> Outcome {
    for (rows, cols) in [(600, 256), (1025, 512), (2100, 5), (2049, 33), (513, 768)] {
        transposed_matrix(context, target, rows, cols)?;
    }
    Ok(())
}

fn transpose(context: &Context, target: &Target, n: usize) -> Outcome {
    transposed_matrix(context, target, n / 13, 13)
}

fn transposed_matrix(context: &Context, target: &Target, rows: usize, cols: usize) -> Outcome {
    let m = Matrix::from_fn(rows, cols, |i, j| (i * 1000 + j) as u32);
    let expected: Vec<u32> = (0..rows * cols)
        .map(|k| ((k % rows.max(1)) * 1000 + k / rows.max(1) + rows * 7 + cols) as u32)
        .collect();
    let f = map!(transposed).within(context.clone()).on(target);
    let found = f.run_shaped((cols, rows), (&m,))?;
    same("transposed", &found.host()?, &expected)
}

fn also_by_element(context: &Context, target: &Target) -> Outcome {
    let x = input::<u32>(700, 1);
    let smaller = |x0: &u32| x.iter().filter(|x| *x < x0).count() as u32;
    let expected: Vec<u32> = x.iter().map(smaller).collect();
    let v = Vector::from(x.clone());
    let f = map!(rank).within(context.clone()).on(target);
    same("rank", &f.run((&v, &v))?.host()?, &expected)
}

fn reduced(context: &Context, target: &Target) -> Outcome {
    let (table, at) = (input::<u32>(333, 1), indices(5000, 333));
    let expected = at
        .iter()
        .fold(0_u32, |sum, i| sum.wrapping_add(table[*i as usize]));
    let f = map_reduce!(pick, add).within(context.clone()).on(target);
    same_value("a sum", f.run((&at, &table))?, expected)
}

fn out_of_range(context: &Context, target: &Target) -> Outcome {
    let table = Vector::from(input::<i32>(50, 1));
    let f = map!(pick).within(context.clone()).on(target);
    for (odd, first) in [(vec![0], 0), (vec![2999, 17, 1800], 17), (vec![2999], 2999)] {
        let mut at = indices(3000, 50);
        odd.into_iter().for_each(|i| at[i] = 50);
        match f.run((&at, &table)).and_then(|v| v.host().map(|_| ())) {
            Err(Error::Trap {
                function,
                index: Some(index),
                message,
                line,
                ..
            }) if function == "pick"
                && index == first
                && line > 0
                && message.contains("out of bounds") => {}
            other => return Err(instead(&format!("a trap at {first}"), other)),
        }
    }
    // Just outside of a row is inside of the next one: that is out of range all the same.
    let m = Matrix::from_fn(4, 4, |i, j| (i * 4 + j) as u32);
    let f = map!(|at: Index1, m: MatrixView<u32>| m[(1, at.i)]);
    let f = f.within(context.clone()).on(target);
    match f.run_shaped(6, (&m,)).and_then(|v| v.host().map(|_| ())) {
        Err(Error::Trap { index: Some(4), .. }) => {}
        other => return Err(instead("a trap at 4", other)),
    }
    let f = f.run_shaped(4, (&m,))?;
    same("the next call", &f.host()?, &[4, 5, 6, 7])
}

fn nothing_in_it(context: &Context, target: &Target) -> Outcome {
    let f = map!(|x: u32, xs: &[u32]| x + xs.len() as u32);
    let f = f.within(context.clone()).on(target);
    let x = input::<u32>(300, 1);
    same("a slice", &f.run((&x, &[0; 0]))?.host()?, &x)?;
    same("a vector", &f.run((&x, &Vector::from(vec![])))?.host()?, &x)?;
    let f = map!(|at: Index1, m: MatrixView<u32>| (at.i + m.rows() * 10 + m.cols()) as u32);
    let m = Matrix::from_vec(7, 0, vec![])?;
    let found = f.within(context.clone()).on(target).run_shaped(2, (&m,))?;
    same("a matrix", &found.host()?, &[70, 71])
}

fn shapes_must_fit(context: &Context, target: &Target) -> Outcome {
    let (m, x) = (Matrix::filled(3, 4, 1.0_f32), [1.0; 4]);
    let f = map!(row_by_vector).within(context.clone()).on(target);
    match f.run_shaped(5, (&m, &x)) {
        Err(Error::ShapeMismatch {
            argument: 1,
            expected: crate::Shape::D2(5, 4),
            ..
        }) => {}
        other => return Err(Failure::Wrong(format!("{:?}", other.map(|_| ())))),
    }
    match f.run((&m, &x)) {
        Err(Error::NoShape { .. }) => {}
        other => return Err(Failure::Wrong(format!("{:?}", other.map(|_| ())))),
    }
    let m = Matrix::filled(3, 4, 1_u32);
    let f = map!(column_sum).within(context.clone()).on(target);
    match f.run((&m, &[1, 2, 3])) {
        Err(Error::ShapeMismatch {
            argument: 1,
            expected: crate::Shape::D2(3, 3),
            ..
        }) => Ok(()),
        other => Err(Failure::Wrong(format!("{:?}", other.map(|_| ())))),
    }
}

/// What one call writes, part here, part there, the next one reads at random.
fn chain(context: &Context, target: &Target) -> Outcome {
    let step = map!(|at: Index1, xs: &[u32]| xs[xs.len() - 1 - at.i] * 3 + at.i as u32);
    let step = step.within(context.clone()).on(target);
    let mut expected = input::<u32>(1000, 1);
    let mut v = Vector::from(expected.clone());
    for _ in 0..4 {
        v = step.run_shaped(1000, (&v,))?;
        expected = (0..1000)
            .map(|i| expected[999 - i].wrapping_mul(3).wrapping_add(i as u32))
            .collect();
    }
    same("chain", &v.host()?, &expected)
}
