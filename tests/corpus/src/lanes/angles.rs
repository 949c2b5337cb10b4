//! Functions of angles without loops, whose lanes compute small angles by themselves, and blocks with others by the
//! function.

use super::super::{Case, case};
use skel::prelude::*;
use skel_core::param::{Each, Uniform};

#[user_function]
fn single(x: f32, y: f32) -> (f32, f32, f32) {
    (x.sin(), y.cos(), (x * 0.001 - y).tan())
}

#[user_function]
fn double(x: f64, y: f64) -> (f64, f64, f64) {
    (x.sin(), y.cos(), (x * 0.001 - y).tan())
}

#[user_function]
fn small_ones(x: i16, y: i16) -> (f32, f64) {
    let (s, c) = (x as f32 * 0.1).sin_cos();
    (s - 2.0 * c, f64::tan(y as f64))
}

/// From just below the largest small angle to just above it.
#[user_function]
fn around_the_end(x: u8) -> (f32, f64) {
    let (n, m) = (x as f32 - 100.0, x as f64 - 100.0);
    ((8192.0 + n / 1024.0).sin(), (-131_072.0 - m / 4096.0).cos())
}

/// Of what another function of an angle gives, with an early end.
#[user_function]
fn of_each_other(x: f32, #[uniform] scale: f32) -> f32 {
    if x.is_nan() {
        return -1.0;
    }
    let outer = (x.sin() * scale).cos();
    if outer > 0.5 {
        outer
    } else {
        (outer + x).sin()
    }
}

/// Traps for some, whatever the angle.
#[user_function]
fn with_a_trap(x: f32, y: u8) -> u32 {
    let part = (x.sin() * 100.0) as i32;
    (part + 200) as u32 / (y as u32 % 16)
}

const TABLE: [u32; 5] = [3, 1, 4, 1, 5];

/// An index that only a sine can be.
#[user_function]
fn table_of_angles(x: f32) -> u32 {
    let k = (x.sin() * 2.0 + 2.0) as usize;
    TABLE[k]
}

#[user_function]
fn half_an_angle(x: f64, a: u8, b: u8) -> f64 {
    match a % 3 {
        0 => x.sin(),
        1 if b > 100 => (b as f64).cos(),
        1 => 1e300f64.sin() + x,
        _ => x / 2.0,
    }
}

/// Has methods of these names.
#[derive(Clone, Copy, Element)]
#[repr(C)]
struct Tone {
    phase: f32,
}

#[user_function]
impl Tone {
    fn sin(self, gain: f32) -> f32 {
        gain * self.phase.sin()
    }
    fn sin_cos(self) -> (f32, f32) {
        (self.phase * 2.0).sin_cos()
    }
}

#[user_function]
fn of_its_own(x: f32, y: f32) -> f32 {
    let tone = Tone { phase: x };
    tone.sin(2.0) + tone.sin_cos().0 + y.sin()
}

#[user_function]
fn of_any<T: Float>(x: T) -> T {
    x.sin() + x.cos() * x.tan()
}

#[user_function]
fn of_three_kinds(x: f32, y: f64) -> f64 {
    of_any(x) as f64 + of_any(y) - y.sin()
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        case::<single, (Each<f32>, Each<f32>)>(),
        case::<double, (Each<f64>, Each<f64>)>(),
        case::<small_ones, (Each<i16>, Each<i16>)>(),
        case::<around_the_end, (Each<u8>,)>(),
        case::<of_each_other, (Each<f32>, Uniform<f32>)>(),
        case::<with_a_trap, (Each<f32>, Each<u8>)>(),
        case::<table_of_angles, (Each<f32>,)>(),
        case::<half_an_angle, (Each<f64>, Each<u8>, Each<u8>)>(),
        case::<of_its_own, (Each<f32>, Each<f32>)>(),
        case::<of_three_kinds, (Each<f32>, Each<f64>)>(),
    ]
}
