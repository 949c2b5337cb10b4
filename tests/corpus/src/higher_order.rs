//! User functions as type parameters of others, policies as types, and calls with `&mut`.

use super::{Case, case};
use skel::prelude::*;
use skel_core::param::{Each, EachMut, Uniform};

#[user_function]
fn square(x: f32) -> f32 {
    x * x
}

#[user_function]
fn larger<T: Number>(a: T, b: T) -> T {
    if a > b { a } else { b }
}

#[user_function]
fn twice<F: Function1<f32, f32>>(x: f32) -> f32 {
    F::call(F::call(x))
}

#[user_function]
fn fold_three<T: Number, F>(a: T, b: T, c: T) -> T
where
    F: Function2<T, T, T>,
{
    F::call(F::call(a, b), c)
}

#[user_function]
fn compose<F: Function1<f32, f32>, G: Function1<f32, f32>>(x: f32) -> f32 {
    F::call(1.0 + G::call(x))
}

#[user_function]
fn newton<F: Function1<f64, f64>, D: Function1<f64, f64>>(start: f64) -> f64 {
    let mut x = start;
    for _ in 0..4 {
        x -= F::call(x) / D::call(x);
    }
    x
}

#[user_function]
fn cubic(x: f64) -> f64 {
    x * x * x - 2.0
}

#[user_function]
fn cubic_slope(x: f64) -> f64 {
    3.0 * x * x + 1.0
}

#[user_function]
fn names_them(x: f32, n: i32, d: f64) -> f64 {
    let a = twice::<square>(x) + compose::<square, self::square>(x);
    let b = fold_three::<i32, larger>(n, 3, n & 7);
    a as f64 + b as f64 + newton::<cubic, cubic_slope>(d)
}

/// A policy: a type that is no element.
pub struct Taxicab;
pub struct Chessboard;

#[user_function]
trait Metric {
    const SCALE: f32;
    fn distance(dx: f32, dy: f32) -> f32;
    fn scaled(dx: f32, dy: f32) -> f32 {
        Self::SCALE * Self::distance(dx, dy)
    }
}

#[user_function]
impl Metric for Taxicab {
    const SCALE: f32 = 0.5;
    fn distance(dx: f32, dy: f32) -> f32 {
        dx.abs() + dy.abs()
    }
}

#[user_function]
impl Metric for Chessboard {
    const SCALE: f32 = 2.0;
    fn distance(dx: f32, dy: f32) -> f32 {
        dx.abs().max(dy.abs())
    }
    fn scaled(dx: f32, dy: f32) -> f32 {
        Self::distance(dx, dy) - Self::SCALE
    }
}

#[user_function]
fn near<M: Metric>(x: f32, y: f32) -> bool {
    M::scaled(x, y) < 1.0 && <M as Metric>::distance(x, y) != M::SCALE
}

#[user_function]
fn bump(y: &mut i32, by: i32) -> bool {
    *y = y.wrapping_add(by);
    *y > 0
}

#[user_function]
fn exchange<T: Element>(a: &mut T, b: &mut T) {
    let t = *a;
    *a = *b;
    *b = t;
}

#[user_function]
fn calls_in_place(a: i32, b: i32) -> i32 {
    let mut x = a;
    let mut y = b;
    bump(&mut x, y);
    let grew = bump(&mut y, x) && bump(&mut x, 1);
    exchange(&mut x, &mut y);
    let before = x;
    let sum = x.wrapping_add(if bump(&mut x, 5) { x } else { 0 });
    if grew {
        sum ^ before
    } else {
        sum.wrapping_sub(y)
    }
}

#[user_function]
fn passes_on(z: &mut i32, #[uniform] k: i32) {
    if bump(z, k) {
        bump(&mut *z, 1);
    }
    let mut f = 1.5;
    let mut g = 0.25;
    exchange(&mut f, &mut g);
    exchange::<f64>(&mut f, &mut g);
    *z ^= f as i32;
    // A changed temporary is not read.
    bump(&mut 5, *z);
}

#[user_function(fast_math)]
fn fast(x: f32, y: f32) -> f32 {
    x * x - y
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        case::<twice<square>, (Each<f32>,)>(),
        case::<fold_three<larger>, (Each<u32>, Each<u32>, Each<u32>)>(),
        case::<fold_three<larger>, (Each<f64>, Each<f64>, Each<f64>)>(),
        case::<compose<square, square>, (Each<f32>,)>(),
        case::<newton<cubic, cubic_slope>, (Each<f64>,)>(),
        case::<names_them, (Each<f32>, Each<i32>, Each<f64>)>(),
        case::<near<Taxicab>, (Each<f32>, Each<f32>)>(),
        case::<near<Chessboard>, (Each<f32>, Each<f32>)>(),
        case::<calls_in_place, (Each<i32>, Each<i32>)>(),
        case::<passes_on, (EachMut<i32>, Uniform<i32>)>(),
        case::<bump, (EachMut<i32>, Each<i32>)>(),
        case::<fast, (Each<f32>, Each<f32>)>(),
    ]
}
