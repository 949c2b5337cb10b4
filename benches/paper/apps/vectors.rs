//! The programs over vectors: CMA, Dotproduct, PPMCC, PSNR and Taylor.

use super::Size;
use crate::app::{App, data, expected_sample, sample};
use skel::{Context, prelude::*, with_slice};
use std::cell::RefCell;

#[user_function]
fn prefix_sum(a: f32, b: f32) -> f32 {
    a + b
}

#[user_function]
fn average(at: Index1, sum: f32) -> f32 {
    sum / (at.i + 1) as f32
}

/// The cumulative moving average: Scan and Map.
pub(crate) fn cma(context: &Context, size: Size) -> App {
    let n = size.of(2_000_000);
    let sums = scan!(prefix_sum).within(context.clone());
    let averages = map!(average).within(context.clone());
    let x = data(n, 11);
    let mut means = Vec::with_capacity(n);
    let mut sum = 0.0;
    for (k, x) in x.iter().enumerate() {
        sum += f64::from(*x);
        means.push(sum / (k + 1) as f64);
    }
    let expected = expected_sample(n, |i| means[i]);
    let out = RefCell::new(vec![0.0; n]);
    App::new(
        "CMA",
        &["Scan", "Map<1>"],
        n,
        (expected, 1e-4),
        move |[scan, map]| {
            let sums = sums.clone().on(scan).run((&x,))?;
            let mut out = out.borrow_mut();
            averages.clone().on(map).run_into((&sums,), &mut out[..])?;
            Ok(sample(&out))
        },
    )
}

#[user_function]
fn product(a: f32, b: f32) -> f32 {
    a * b
}

#[user_function]
fn plus(a: f32, b: f32) -> f32 {
    a + b
}

/// The dot product: MapReduce.
pub(crate) fn dotproduct(context: &Context, size: Size) -> App {
    let n = size.of(4_000_000);
    let dot = map_reduce!(product, plus).within(context.clone());
    let (x, y) = (data(n, 12), data(n, 13));
    let pairs = x.iter().zip(&y);
    let expected = pairs.map(|(x, y)| f64::from(*x) * f64::from(*y)).sum();
    let instances = &["MapReduce<2>"];
    App::new("Dotproduct", instances, n, (expected, 1e-4), move |[at]| {
        dot.clone().on(at).run((&x, &y)).map(f64::from)
    })
}

#[user_function]
fn column_sum(a: f32, b: f32) -> f32 {
    a + b
}

#[user_function]
fn squared_distance(x: f32, #[uniform] mean: f32) -> f32 {
    (x - mean) * (x - mean)
}

#[user_function]
fn co_distance(x: f32, y: f32, #[uniform] mean_x: f32, #[uniform] mean_y: f32) -> f32 {
    (x - mean_x) * (y - mean_y)
}

/// Pearson's correlation: Reduce, and MapReduce of one and of two vectors.
pub(crate) fn ppmcc(context: &Context, size: Size) -> App {
    let n = size.of(1_000_000);
    let sum = reduce!(column_sum).within(context.clone());
    let variance = map_reduce!(squared_distance, plus).within(context.clone());
    let covariance = map_reduce!(co_distance, plus).within(context.clone());
    let (x, noise) = (data(n, 14), data(n, 15));
    let y: Vec<f32> = x.iter().zip(&noise).map(|(x, e)| x + 0.5 * e).collect();
    // x and the noise are spread evenly over 1 and over 1/2.
    let expected = (1.0_f64 / (1.0 + 0.25)).sqrt();
    App::new(
        "PPMCC",
        &["Reduce", "MapReduce<1>", "MapReduce<2>"],
        n,
        (expected, if size == Size::Full { 0.01 } else { 0.1 }),
        move |[reduce, one, two]| {
            with_slice(&x, |x| {
                with_slice(&y, |y| {
                    let sum = sum.clone().on(reduce);
                    let variance = variance.clone().on(one);
                    let mean_x = sum.run((x,))? / n as f32;
                    let mean_y = sum.run((y,))? / n as f32;
                    let xx = variance.run((x, mean_x))?;
                    let yy = variance.run((y, mean_y))?;
                    let xy = covariance.clone().on(two).run((x, y, mean_x, mean_y))?;
                    Ok(f64::from(xy) / (f64::from(xx) * f64::from(yy)).sqrt())
                })
            })
        },
    )
}

/// A pixel and noise, within what a pixel can be.
#[user_function]
fn with_noise(pixel: f32, noise: f32) -> f32 {
    (pixel + noise).clamp(0.0, 255.0)
}

#[user_function]
fn squared_difference(a: f32, b: f32) -> f32 {
    (a - b) * (a - b)
}

/// The peak signal-to-noise ratio of a picture with noise: Map and MapReduce of two.
pub(crate) fn psnr(context: &Context, size: Size) -> App {
    let n = size.of(2048 * 2048);
    let noisy = map!(with_noise).within(context.clone());
    let error = map_reduce!(squared_difference, plus).within(context.clone());
    let picture: Vec<f32> = data(n, 16).iter().map(|v| (v * 255.0).round()).collect();
    let noise: Vec<f32> = data(n, 17)
        .iter()
        .map(|v| (v * 20.0 - 10.0).round())
        .collect();
    let squares = picture.iter().zip(&noise).map(|(p, e)| {
        let error = f64::from((p + e).clamp(0.0, 255.0) - p);
        error * error
    });
    let ratio = move |sum: f64| 10.0 * (255.0_f64.powi(2) * n as f64 / sum).log10();
    let expected = ratio(squares.sum());
    App::new(
        "PSNR",
        &["Map<2>", "MapReduce<2>"],
        n,
        (expected, 1e-5),
        move |[map, map_reduce]| {
            with_slice(&picture, |picture| {
                let noisy = noisy.clone().on(map).run((picture, &noise))?;
                let sum = error.clone().on(map_reduce).run((picture, &noisy))?;
                Ok(ratio(sum.into()))
            })
        },
    )
}

/// −(−x)^k / k, with k from 1.
#[user_function]
fn term(at: Index1, #[uniform] x: f32) -> f32 {
    let k = (at.i + 1) as f32;
    let size = x.powf(k) / k;
    if at.i % 2 == 1 { -size } else { size }
}

/// The logarithm of 1 + x by its series: MapReduce of the index alone.
pub(crate) fn taylor(context: &Context, size: Size) -> App {
    const X: f32 = 0.5;
    let n = size.of(100_000);
    let series = map_reduce!(term, plus).within(context.clone());
    let expected = f64::from(X).ln_1p();
    let instances = &["MapReduce<0>"];
    App::new("Taylor", instances, n, (expected, 1e-5), move |[at]| {
        series.clone().on(at).run_shaped(n, (X,)).map(f64::from)
    })
}
