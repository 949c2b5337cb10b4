//! Figure 6: each skeleton on its own, with typical user functions.

use crate::app::{App, data, expected_sample, sample};
use skel::{Context, prelude::*};
use std::cell::RefCell;

/// Terms of the polynomial: an element of Map takes some work.
const DEGREE: u32 = 20;
/// How far MapOverlap sees.
const RADIUS: usize = 4;

#[user_function]
fn polynomial(x: f32, #[uniform] degree: u32) -> f32 {
    let mut sum = 0.0;
    for _term in 0..degree {
        sum = 0.75 * sum * x + 0.25;
    }
    sum
}

#[user_function]
fn single_sum(a: f32, b: f32) -> f32 {
    a + b
}

#[user_function]
fn single_product(a: f32, b: f32) -> f32 {
    a * b
}

#[user_function]
fn plus(a: f32, b: f32) -> f32 {
    a + b
}

#[user_function]
fn mean_around(w: Window1<f32, RADIUS>) -> f32 {
    let mut sum = 0.0;
    for d in -(RADIUS as isize)..=RADIUS as isize {
        sum += w[d];
    }
    sum / (2 * RADIUS + 1) as f32
}

#[user_function]
fn running_sum(a: f32, b: f32) -> f32 {
    a + b
}

/// Makes a program of so many elements.
type Make = fn(&Context, usize) -> App;

/// All of them.
pub(crate) const SINGLES: [(&str, Make); 5] = [
    ("Map", map),
    ("Reduce", reduce),
    ("MapReduce", map_reduce),
    ("MapOverlap", map_overlap),
    ("Scan", scan),
];

fn map(context: &Context, n: usize) -> App {
    let (f, x) = (map!(polynomial).within(context.clone()), data(n, 1));
    let expected = expected_sample(n, |i| polynomial(x[i], DEGREE).into());
    let y = RefCell::new(vec![0.0; n]);
    App::new("Map", &["Map<1>"], n, (expected, 1e-5), move |[at]| {
        let mut y = y.borrow_mut();
        f.clone().on(at).run_into((&x, DEGREE), &mut y[..])?;
        Ok(sample(&y))
    })
}

fn reduce(context: &Context, n: usize) -> App {
    let (f, x) = (reduce!(single_sum).within(context.clone()), data(n, 2));
    let expected = x.iter().map(|x| f64::from(*x)).sum();
    App::new("Reduce", &["Reduce"], n, (expected, 1e-4), move |[at]| {
        f.clone().on(at).run((&x,)).map(f64::from)
    })
}

fn map_reduce(context: &Context, n: usize) -> App {
    let f = map_reduce!(single_product, plus).within(context.clone());
    let (x, y) = (data(n, 3), data(n, 4));
    let pairs = x.iter().zip(&y);
    let expected = pairs.map(|(x, y)| f64::from(*x) * f64::from(*y)).sum();
    App::new(
        "MapReduce",
        &["MapReduce<2>"],
        n,
        (expected, 1e-4),
        move |[at]| f.clone().on(at).run((&x, &y)).map(f64::from),
    )
}

fn map_overlap(context: &Context, n: usize) -> App {
    let (f, x) = (
        map_overlap!(mean_around).within(context.clone()),
        data(n, 5),
    );
    let near = |i: usize| {
        let around = (i..=i + 2 * RADIUS).map(|k| k.saturating_sub(RADIUS).min(n - 1));
        around.map(|k| f64::from(x[k])).sum::<f64>() / (2 * RADIUS + 1) as f64
    };
    let expected = expected_sample(n, near);
    let y = RefCell::new(vec![0.0; n]);
    App::new(
        "MapOverlap",
        &["MapOverlap"],
        n,
        (expected, 1e-5),
        move |[at]| {
            let mut y = y.borrow_mut();
            f.clone().on(at).run_into((&x,), &mut y[..])?;
            Ok(sample(&y))
        },
    )
}

fn scan(context: &Context, n: usize) -> App {
    let (f, x) = (scan!(running_sum).within(context.clone()), data(n, 6));
    let mut sums = Vec::with_capacity(n);
    let mut sum = 0.0;
    for x in &x {
        sum += f64::from(*x);
        sums.push(sum);
    }
    let expected = expected_sample(n, |i| sums[i]);
    let y = RefCell::new(vec![0.0; n]);
    App::new("Scan", &["Scan"], n, (expected, 1e-4), move |[at]| {
        let mut y = y.borrow_mut();
        f.clone().on(at).run_into((&x,), &mut y[..])?;
        Ok(sample(&y))
    })
}
