//! Traits of users, on primitive types and their own.

use super::{Case, case};
use skel::prelude::*;
use skel_core::param::Each;
use std::ops::{Add, Mul};

#[user_function]
trait Curve: Copy {
    fn at(self, t: f32) -> f32;
    fn slope(&self, t: f32) -> f32 {
        (self.at(t + 0.5) - self.at(t - 0.5)) * Self::unit()
    }
    fn unit() -> f32 {
        1.0
    }
    fn shift(&mut self, by: f32);
}

#[user_function]
impl Curve for f32 {
    fn at(self, t: f32) -> f32 {
        self * t + 1.0
    }
    fn shift(&mut self, by: f32) {
        *self += by;
    }
}

#[user_function]
impl Curve for i32 {
    fn at(self, t: f32) -> f32 {
        (self & 0xFF) as f32 - t
    }
    fn slope(&self, t: f32) -> f32 {
        if *self < 0 {
            return t;
        }
        -1.0 + self.at(t) * 0.0
    }
    fn unit() -> f32 {
        2.0
    }
    fn shift(&mut self, by: f32) {
        *self ^= by as i32;
    }
}

#[user_function]
fn steepest<C: Curve>(curve: C, t: f32) -> f32 {
    let mut moved = curve;
    moved.shift(3.0);
    curve.slope(t).max(moved.at(t)) + C::unit() + C::at(curve, 0.5) + <C as Curve>::slope(&moved, t)
}

#[user_function]
fn of_numbers(x: f32, n: i32) -> f32 {
    let mut y = x;
    y.shift(0.5);
    Curve::shift(&mut y, 0.25);
    x.at(2.0) + n.slope(y) + f32::unit() + i32::at(n, x) + Curve::at(y, 1.0)
}

/// Supertraits of `std::ops` are known to devices, since the trait is marked.
#[user_function]
trait Ring: Copy + Add<Output = Self> + Mul<Output = Self> {
    const ONE: Self;
    fn cube(self) -> Self {
        self * self * self
    }
}

#[user_function]
impl Ring for f64 {
    const ONE: f64 = 1.0;
}

#[user_function]
impl Ring for u32 {
    const ONE: u32 = 1;
    fn cube(self) -> u32 {
        self.wrapping_mul(self) * self
    }
}

#[user_function]
fn polynomial<R: Ring>(x: R) -> R {
    R::ONE + x + x.cube() * x
}

/// Parameters of the trait itself.
#[user_function]
trait Scale<K: Number, const N: u32>: Sized {
    fn scaled(self, k: K) -> K;
    fn many(self, k: K) -> K
    where
        Self: Copy,
    {
        let mut sum = K::ZERO;
        for _ in 0..N {
            sum += self.scaled(k);
        }
        sum
    }
}

#[user_function]
impl Scale<f32, 3> for i32 {
    fn scaled(self, k: f32) -> f32 {
        self as f32 * k
    }
}

#[user_function]
impl<T: Number> Scale<T, 2> for f32 {
    fn scaled(self, k: T) -> T {
        if self < 0.0 { T::ZERO } else { k + k }
    }
}

#[user_function]
fn scales(x: f32, n: i32, u: u32) -> f32 {
    n.many(x) + x.many(u) as f32 + x.scaled(n) as f32 + Scale::<f32, 3>::scaled(n, 0.5)
}

#[user_function]
fn by_any<S: Scale<K, N> + Copy, K: Number, const N: u32>(s: S, k: K) -> K {
    s.many(k) + s.scaled(k)
}

#[user_function]
fn uses_any(x: f32, n: i32) -> f32 {
    by_any(n, x) + by_any(x, n) as f32
}

/// A supertrait of ours, and a method with a type parameter of its own.
#[user_function]
trait Path: Curve {
    fn walk<F: Function1<f32, f32>>(self, steps: u32) -> f32 {
        let mut t = 0.0;
        for k in 0..steps % 5 {
            t = F::call(self.at(t)) + k as f32;
        }
        t
    }
}

#[user_function]
impl Path for f32 {}

#[user_function]
fn half(x: f32) -> f32 {
    x * 0.5
}

#[user_function]
fn walks<P: Path>(p: P, n: u32) -> f32 {
    p.walk::<half>(n) + p.slope(1.0)
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        case::<steepest, (Each<f32>, Each<f32>)>(),
        case::<steepest, (Each<i32>, Each<f32>)>(),
        case::<of_numbers, (Each<f32>, Each<i32>)>(),
        case::<polynomial, (Each<f64>,)>(),
        case::<polynomial, (Each<u32>,)>(),
        case::<scales, (Each<f32>, Each<i32>, Each<u32>)>(),
        case::<uses_any, (Each<f32>, Each<i32>)>(),
        case::<walks, (Each<f32>, Each<u32>)>(),
    ]
}
