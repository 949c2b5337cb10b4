//! Methods and associated functions of users' types.

use super::{
    Case, case,
    operators::{Dual, Vec2},
};
use skel::prelude::*;
use skel_core::param::{Each, EachMut, Uniform};

#[user_function]
impl Vec2 {
    pub const UNIT: Vec2 = Vec2 { x: 1.0, y: 0.0 };

    pub const fn new(x: f32, y: f32) -> Self {
        Self { x, y }
    }

    fn splat(both: f32) -> Vec2 {
        Self::new(both, both)
    }

    pub fn dot(&self, other: &Vec2) -> f32 {
        self.x * other.x + self.y * other.y
    }

    pub fn norm(self) -> f32 {
        self.dot(&self).sqrt()
    }

    fn unit(self) -> Self {
        let norm = self.norm();
        if norm == 0.0 {
            return Self::UNIT;
        }
        Self {
            x: self.x / norm,
            y: self.y / norm,
        }
    }

    /// Methods of these names numbers have, too.
    fn min(self, other: Vec2) -> Vec2 {
        Vec2::new(self.x.min(other.x), self.y.min(other.y))
    }

    fn abs(&self) -> Vec2 {
        Vec2::new(self.x.abs(), f32::abs(self.y))
    }

    fn scale(&mut self, k: f32) {
        self.x *= k;
        self.y *= k;
    }

    fn turn(&mut self) -> f32 {
        let old = self.x;
        self.x = -self.y;
        self.y = old;
        self.scale(0.5);
        old
    }

    fn swap_with(&mut self, other: &mut Vec2) {
        let mine = *self;
        *self = *other;
        *other = mine;
    }

    fn mapped<F: Function1<f32, f32>>(mut self) -> Vec2 {
        self.x = F::call(self.x);
        self.y = F::call(self.y);
        self
    }

    fn component<const N: usize>(self) -> f32 {
        if N == 0 { self.x } else { self.y }
    }
}

impl Default for Walker {
    fn default() -> Self {
        Walker {
            at: Vec2::UNIT,
            steps: [1, 2, 3],
        }
    }
}

#[derive(Clone, Copy, Debug, Element)]
#[repr(C)]
pub struct Walker {
    pub at: Vec2,
    pub steps: [u32; 3],
}

skel_verify::to_value!(Walker);

#[user_function]
impl Walker {
    const DIRECTIONS: [Vec2; 2] = [Vec2::UNIT, Vec2 { x: 0.0, y: 1.0 }];

    fn walk(&mut self, n: usize) -> bool {
        let k = n % self.steps.len();
        self.steps[k] = self.steps[k].wrapping_add(1);
        let direction = Self::DIRECTIONS[n % 2];
        self.at.x += direction.x;
        self.at.y += direction.y;
        self.steps[k] % 2 == 0
    }

    fn total(&self) -> u32 {
        let mut sum = 0_u32;
        for k in 0..3 {
            sum = sum.wrapping_add(self.steps[k]);
        }
        sum
    }
}

#[user_function]
impl<T: Number> Dual<T> {
    const ZERO: Self = Dual {
        re: T::ZERO,
        eps: T::ZERO,
    };

    fn constant(re: T) -> Self {
        Dual { re, eps: T::ZERO }
    }

    fn times(self, k: T) -> Self {
        Dual {
            re: self.re * k,
            ..Dual::constant(T::ONE)
        }
    }
}

#[user_function]
impl Dual<f32> {
    fn exact(self) -> bool {
        self.eps == 0.0
    }
}

#[user_function]
impl Dual<f64> {
    fn exact(self) -> bool {
        self.eps.abs() < 1e-9
    }
}

#[user_function]
fn doubled(x: f32) -> f32 {
    x + x
}

#[user_function]
fn lengths(a: Vec2, b: Vec2) -> f32 {
    let c = Vec2::new(1.0, 2.0);
    let u = (a + c).unit();
    u.dot(&b) + Vec2::norm(a) + Vec2::dot(&a, &c) + Vec2::splat(3.0).norm()
}

#[user_function]
fn built_in_names(a: Vec2, b: Vec2) -> Vec2 {
    let c = a.min(b).abs();
    let low = Vec2::min(c, a.abs());
    low.min(Vec2::new(a.x.min(0.5), 2.0))
}

#[user_function]
fn changes(a: Vec2, b: Vec2) -> Vec2 {
    let mut c = a;
    c.scale(2.0);
    c.scale(c.y);
    let old = c.turn();
    let mut d = b;
    d.swap_with(&mut c);
    Vec2::scale(&mut d, old);
    // A temporary changes, and is not read.
    Vec2::new(1.0, 2.0).scale(3.0);
    let mut both = [c, d];
    both[1].scale(0.25);
    both[0].turn() * both[1] + c
}

#[user_function]
fn in_place(v: &mut Vec2, #[uniform] k: f32) {
    v.scale(k);
    if v.norm() > 1.0 {
        let old = v.turn();
        v.scale(old);
    }
}

#[user_function]
fn generics(a: Vec2) -> f32 {
    let m = a.mapped::<doubled>();
    m.component::<0>() + Vec2::component::<1>(m) + Vec2::mapped::<doubled>(a).x
}

#[user_function]
fn walks(w: Walker, n: usize) -> Walker {
    let mut walker = w;
    let mut k = n % 5;
    while walker.walk(k) && k < 20 {
        k += 3;
        walker.at.scale(0.5);
    }
    walker.steps[0] = walker.total() + w.total();
    walker
}

#[user_function]
fn of_generic(x: f32, d: Dual<f64>) -> f64 {
    let a = Dual::constant(x).times(2.0);
    let b = Dual::<f64>::ZERO;
    let exact = a.exact() && !d.exact() && b.exact();
    if exact {
        a.re as f64
    } else {
        d.times(0.5).re + b.eps
    }
}

#[user_function]
fn generic_caller<T: Number>(x: T) -> Dual<T> {
    Dual::constant(x).times(x)
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        case::<lengths, (Each<Vec2>, Each<Vec2>)>(),
        case::<built_in_names, (Each<Vec2>, Each<Vec2>)>(),
        case::<changes, (Each<Vec2>, Each<Vec2>)>(),
        case::<in_place, (EachMut<Vec2>, Uniform<f32>)>(),
        case::<generics, (Each<Vec2>,)>(),
        case::<walks, (Each<Walker>, Each<usize>)>(),
        case::<of_generic, (Each<f32>, Each<Dual<f64>>)>(),
        case::<generic_caller, (Each<f32>,)>(),
        case::<generic_caller, (Each<i32>,)>(),
    ]
}
