//! Points in space, what user functions compute with them, and gravity in a plain program.

use skel::prelude::*;
use std::ops::{Add, Mul, Sub};

#[derive(Clone, Copy, Element)]
#[repr(C)]
pub(crate) struct Vec3(pub(crate) f32, pub(crate) f32, pub(crate) f32);

#[user_function]
impl Add for Vec3 {
    type Output = Vec3;
    fn add(self, b: Vec3) -> Vec3 {
        Vec3(self.0 + b.0, self.1 + b.1, self.2 + b.2)
    }
}

#[user_function]
impl Sub for Vec3 {
    type Output = Vec3;
    fn sub(self, b: Vec3) -> Vec3 {
        Vec3(self.0 - b.0, self.1 - b.1, self.2 - b.2)
    }
}

#[user_function]
impl Mul<f32> for Vec3 {
    type Output = Vec3;
    fn mul(self, k: f32) -> Vec3 {
        Vec3(self.0 * k, self.1 * k, self.2 * k)
    }
}

#[user_function]
impl Vec3 {
    /// The square of its length.
    pub(crate) fn square(self) -> f32 {
        self.0 * self.0 + self.1 * self.1 + self.2 * self.2
    }
}

impl Vec3 {
    /// For plain programs.
    pub(crate) fn to_f64(self) -> [f64; 3] {
        [self.0, self.1, self.2].map(f64::from)
    }
}

/// Moves bodies of mass 1 / n by the leapfrog rule, from half step to half step. They start at rest.
pub(crate) fn plain(places: &mut [[f64; 3]], steps: u32, dt: f64, soft: f64) {
    let mass = 1.0 / places.len() as f64;
    let mut speeds = vec![[0.0; 3]; places.len()];
    for step in 1..=steps {
        for (speed, [x, y, z]) in speeds.iter_mut().zip(&*places) {
            for [a, b, c] in &*places {
                let gap = [a - x, b - y, c - z];
                let square = gap.iter().map(|g| g * g).sum::<f64>() + soft * soft;
                (0..3).for_each(|k| speed[k] += dt * mass * gap[k] / square.powf(1.5));
            }
        }
        let time = if step < steps { dt } else { 0.5 * dt };
        for (x, v) in places.iter_mut().flatten().zip(speeds.iter().flatten()) {
            *x += time * v;
        }
    }
}

/// How far the farthest body is from where it should be, along an axis.
pub(crate) fn apart(bodies: impl Iterator<Item = Vec3>, places: &[[f64; 3]]) -> f64 {
    let axes = bodies.flat_map(Vec3::to_f64).zip(places.iter().flatten());
    super::largest(axes.map(|(a, b)| (a - b).abs()))
}
