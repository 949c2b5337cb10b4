//! Complex numbers, and a type with operators from another crate.

use super::{Case, case};
use skel::{
    conformance::Affine,
    num_complex::{Complex, Complex32, Complex64},
    prelude::*,
};
use skel_core::param::{Each, EachMut, Uniform};

#[user_function]
fn mandelbrot_step(z: Complex32, c: Complex32) -> Complex32 {
    z * z + c
}

#[user_function]
fn escapes(c: Complex<f32>) -> u32 {
    let mut z = Complex::new(0.0, 0.0);
    let mut n = 0;
    while n < 20 && z.norm_sqr() <= 4.0 {
        z = mandelbrot_step(z, c);
        n += 1;
    }
    n
}

#[user_function]
fn with_reals(z: Complex64, x: f64) -> Complex64 {
    let a = (z * x - 1.0) / 2.0 + x;
    let b = x / z + 2.0 * z.conj() - (1.5 - z);
    -(a - b) * Complex64::i()
}

#[user_function]
fn in_place(z: &mut Complex<f64>, w: Complex<f64>, #[uniform] k: f64) {
    *z += w;
    *z *= Complex::new(0.5, k);
    *z -= k;
    *z /= w + 1.0;
    z.re += 1.0;
    z.im = -z.im;
    *z *= k;
}

#[user_function]
fn functions(z: Complex<f64>) -> f64 {
    let w = z.scale(0.5).inv() / Complex64::new(1.0, 2.0).unscale(3.0);
    let total = Complex::norm_sqr(&w) + w.l1_norm();
    if w == z || z != z { -total } else { total }
}

#[user_function]
fn half_turn(z: Complex<f32>) -> Complex<f32> {
    let Complex { re, im } = z;
    let all = [z, Complex { re: im, im: re }];
    all[1] * all[0] + Complex::new(1.0, 0.0)
}

/// Operators, methods and constants of a type of another crate.
#[user_function]
fn of_another_crate(f: Affine, x: u32) -> [Affine; 1] {
    let mut g = f * Affine::IDENTITY;
    g.square();
    g *= x;
    let other = Affine {
        factor: g.at(3),
        offset: Affine::at(f, 5),
    };
    [other * g]
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        case::<mandelbrot_step, (Each<Complex<f32>>, Each<Complex<f32>>)>(),
        case::<escapes, (Each<Complex<f32>>,)>(),
        case::<with_reals, (Each<Complex<f64>>, Each<f64>)>(),
        case::<in_place, (EachMut<Complex<f64>>, Each<Complex<f64>>, Uniform<f64>)>(),
        case::<functions, (Each<Complex<f64>>,)>(),
        case::<half_turn, (Each<Complex<f32>>,)>(),
        case::<of_another_crate, (Each<Affine>, Each<u32>)>(),
    ]
}
