//! Map, on every kind of argument.

use super::{
    Case, Check, Context, Failure, Outcome, Sizes, Target,
    data::{Sample, input, same},
};
use crate::prelude::*;

#[user_function]
fn double<T: Number>(x: T) -> T {
    x + x
}

#[user_function]
fn saxpy<T: Number>(x: T, y: T, #[uniform] a: T) -> T {
    a * x + y
}

#[user_function]
#[expect(clippy::too_many_arguments, reason = "eight inputs are the point")]
fn weighted(a: u32, b: u32, c: u32, d: u32, e: u32, f: u32, g: u32, h: u32) -> u32 {
    a + 3 * b + 5 * c + 7 * d + 11 * e + 13 * f + 17 * g + 19 * h
}

#[user_function]
fn both(a: bool, b: bool, #[uniform] flip: bool) -> bool {
    (a && b) != flip
}

#[user_function]
fn mixed(a: f32, b: i32, c: bool) -> u32 {
    if c { a as u32 } else { (b >> 3) as u32 }
}

#[user_function]
fn grow<T: Number>(x: T, y: &mut T, #[uniform] k: T) {
    *y = *y * k + x;
}

#[user_function]
fn ramp(at: Index1, #[uniform] step: u32) -> u32 {
    at.i as u32 * step
}

#[user_function]
fn diagonal(at: Index2, x: i32) -> i32 {
    if at.row == at.col {
        x
    } else {
        at.row as i32 - 2 * at.col as i32
    }
}

#[user_function]
#[expect(
    clippy::manual_is_multiple_of,
    reason = "the language has no such method yet"
)]
fn collatz(n: u32) -> u32 {
    let mut n = n % 10_000 + 1;
    let mut steps = 0;
    while n != 1 {
        n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
        steps += 1;
    }
    steps
}

pub(super) fn cases(sizes: Sizes) -> Vec<Case> {
    let elems = sizes.elems();
    let mut cases = Vec::new();
    macro_rules! of_type {
        ($($t:ident)*) => { $(
            let ns = elems.clone();
            cases.push(Case::new(concat!("elementwise::one_input::", stringify!($t)), move |context, target| {
                ns.iter().try_for_each(|n| one_input::<$t>(context, target, *n))
            }));
            let ns = elems.clone();
            cases.push(Case::new(concat!("elementwise::uniform::", stringify!($t)), move |context, target| {
                ns.iter().try_for_each(|n| uniform::<$t>(context, target, *n))
            }));
            let ns = elems.clone();
            cases.push(Case::new(concat!("elementwise::in_place::", stringify!($t)), move |context, target| {
                ns.iter().try_for_each(|n| in_place::<$t>(context, target, *n))
            }));
        )* };
    }
    of_type!(f32 f64 i32 u32);
    let checks: [(&str, Check); 7] = [
        ("eight_inputs", eight_inputs),
        ("bools", bools),
        ("mixed_types", mixed_types),
        ("index", index),
        ("matrix", matrix),
        ("slices", slices),
        ("chain", chain),
    ];
    for (name, check) in checks {
        let ns = elems.clone();
        cases.push(Case::new(
            format!("elementwise::{name}"),
            move |context, target| ns.iter().try_for_each(|n| check(context, target, *n)),
        ));
    }
    cases.push(Case::new("elementwise::loops", |context, target| {
        loops(context, target, 5000)
    }));
    if sizes == Sizes::Huge {
        // 128 MiB and 12 bytes.
        let n = (1 << 25) + 3;
        cases.push(Case::new(
            "elementwise::over_the_binding_limit",
            move |context, target| uniform::<f32>(context, target, n),
        ));
    }
    cases
}

fn one_input<T: Sample + Number>(context: &Context, target: &Target, n: usize) -> Outcome {
    let x = input::<T>(n, 1);
    let expected: Vec<T> = x.iter().map(|x| *x + *x).collect();
    let f = map!(double).within(context.clone()).on(target);
    same("double", &f.run((&Vector::from(x),))?.host()?, &expected)
}

fn uniform<T: Sample + Number>(context: &Context, target: &Target, n: usize) -> Outcome {
    let (x, y, a) = (
        Vector::from(input::<T>(n, 1)),
        Vector::from(input::<T>(n, 2)),
        T::sample(7),
    );
    let f = map!(saxpy).within(context.clone()).on(target);
    let z = f.run((&x, &y, a))?;
    let expected: Vec<T> = x
        .host()?
        .iter()
        .zip(y.host()?)
        .map(|(x, y)| a * *x + *y)
        .collect();
    same("saxpy", &z.host()?, &expected)
}

fn in_place<T: Sample + Number>(context: &Context, target: &Target, n: usize) -> Outcome {
    let (x, k) = (input::<T>(n, 1), T::sample(3));
    let mut expected = input::<T>(n, 2);
    let (mut vector, mut slice) = (Vector::from(expected.clone()), expected.clone());
    let f = map!(grow).within(context.clone()).on(target);
    for _ in 0..2 {
        f.run((&x, &mut vector, k))?;
        f.run((&x, &mut slice, k))?;
        for (y, x) in expected.iter_mut().zip(&x) {
            *y = *y * k + *x;
        }
    }
    same("grow, a slice", &slice, &expected)?;
    same("grow, a vector", &vector.host()?, &expected)
}

fn eight_inputs(context: &Context, target: &Target, n: usize) -> Outcome {
    let v: Vec<Vec<u32>> = (0..8).map(|k| input(n, k)).collect();
    let weights = [1, 3, 5, 7, 11, 13, 17, 19];
    let term = |i: usize| {
        v.iter()
            .zip(weights)
            .fold(0_u32, |s, (v, w)| s.wrapping_add(v[i].wrapping_mul(w)))
    };
    let expected: Vec<u32> = (0..n).map(term).collect();
    let f = map!(weighted).within(context.clone()).on(target);
    let found = f.run((&v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7]))?;
    same("weighted", &found.host()?, &expected)
}

fn bools(context: &Context, target: &Target, n: usize) -> Outcome {
    let (a, b) = (input::<bool>(n, 1), input::<bool>(n, 2));
    let expected: Vec<bool> = a.iter().zip(&b).map(|(a, b)| !(*a && *b)).collect();
    let f = map!(both).within(context.clone()).on(target);
    same("both", &f.run((&a, &b, true))?.host()?, &expected)
}

fn mixed_types(context: &Context, target: &Target, n: usize) -> Outcome {
    let (a, b, c) = (input::<f32>(n, 1), input::<i32>(n, 2), input::<bool>(n, 3));
    let expected: Vec<u32> = (0..n)
        .map(|i| {
            if c[i] {
                a[i] as u32
            } else {
                (b[i] >> 3) as u32
            }
        })
        .collect();
    let f = map!(mixed).within(context.clone()).on(target);
    same("mixed", &f.run((&a, &b, &c))?.host()?, &expected)
}

fn index(context: &Context, target: &Target, n: usize) -> Outcome {
    let expected: Vec<u32> = (0..n).map(|i| (i as u32).wrapping_mul(12345)).collect();
    let f = map!(ramp).within(context.clone()).on(target);
    same("ramp", &f.run_shaped(n, (12345,))?.host()?, &expected)
}

fn matrix(context: &Context, target: &Target, n: usize) -> Outcome {
    // About as many elements, with rows that are no multiple of anything; also without rows.
    for (rows, cols) in [(n / 37, 37), (37, n / 37), (n, 1), (1, n), (n, 0)] {
        let m = Matrix::from_vec(rows, cols, input::<i32>(rows * cols, 1))?;
        let f = map!(diagonal).within(context.clone()).on(target);
        let found = f.run((&m,))?;
        let expected: Vec<i32> = (0..rows * cols)
            .map(|k| (k / cols, k % cols, k))
            .map(|(i, j, k)| {
                if i == j {
                    i32::sample(k + 1000)
                } else {
                    i as i32 - 2 * j as i32
                }
            })
            .collect();
        if (found.rows(), found.cols()) != (rows, cols) {
            return Err(Failure::Wrong(format!("{found:?} from {rows} × {cols}")));
        }
        same("diagonal", &found.host()?, &expected)?;
    }
    Ok(())
}

fn slices(context: &Context, target: &Target, n: usize) -> Outcome {
    let (x, y) = (input::<i32>(n, 1), input::<i32>(n, 2));
    let expected: Vec<i32> = x
        .iter()
        .zip(&y)
        .map(|(x, y)| x.wrapping_mul(3).wrapping_add(*y))
        .collect();
    let f = map!(saxpy).within(context.clone()).on(target);
    let mut out = vec![0; n];
    f.run_into((&x[..], &y, 3), &mut out[..])?;
    same("into a slice", &out, &expected)?;
    let mut out = Vector::filled(n, 0);
    f.run_into((&x, &Vector::from(y), 3), &mut out)?;
    same("into a vector", &out.host()?, &expected)
}

/// Results are read where they lie; the host writes in between.
fn chain(context: &Context, target: &Target, n: usize) -> Outcome {
    let f = map!(saxpy).within(context.clone()).on(target);
    let mut v = Vector::from(input::<u32>(n, 1));
    let mut expected = input::<u32>(n, 1);
    for round in 0..4_u32 {
        v = f.run((&v, &v, round))?;
        for x in &mut expected {
            *x = round.wrapping_mul(*x).wrapping_add(*x);
        }
        if round == 1 && n > 2 {
            v.host_mut()?[n / 2] = 77;
            expected[n / 2] = 77;
        }
    }
    same("chain", &v.host()?, &expected)
}

fn loops(context: &Context, target: &Target, n: usize) -> Outcome {
    let x = input::<u32>(n, 1);
    let expected: Vec<u32> = x.iter().map(|x| collatz(*x)).collect();
    let f = map!(collatz).within(context.clone()).on(target);
    same("collatz", &f.run((&x,))?.host()?, &expected)
}
