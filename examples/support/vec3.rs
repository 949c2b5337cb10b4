//! Points in space, and what user functions compute with them.

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
