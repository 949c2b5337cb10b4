//! Calls of the commonest shapes. Nothing runs them: `cargo xtask assembly` looks for the vector instructions of their
//! loops, which it finds by the names of the user functions.
#![forbid(unsafe_code)]

use skel::{Result, prelude::*};

#[user_function]
fn saxpy(x: f32, y: f32, #[uniform] a: f32) -> f32 {
    a * x + y
}

/// One operation for two reads.
pub fn map_f32(x: &[f32], y: &[f32], out: &mut [f32]) -> Result<()> {
    map!(saxpy).on(Cpu).run_into((x, y, 2.0), out)
}

#[user_function]
fn triad(b: f64, c: f64, #[uniform] s: f64) -> f64 {
    b + s * c
}

/// The same of doubles.
pub fn map_f64(b: &[f64], c: &[f64], out: &mut [f64]) -> Result<()> {
    map!(triad).on(Cpu).run_into((b, c, 2.0), out)
}

#[user_function]
fn polynomial(x: f32) -> f32 {
    0.3 + x * (0.7 + x * (0.11 + x * (0.05 + x * 0.02)))
}

/// Many operations for each read.
pub fn map_of_many_operations(x: &[f32], out: &mut [f32]) -> Result<()> {
    map!(polynomial).on(Cpu).run_into((x,), out)
}

#[user_function]
fn brightened(pixel: u8) -> u8 {
    pixel.saturating_add(16)
}

/// Bytes.
pub fn map_u8(x: &[u8], out: &mut [u8]) -> Result<()> {
    map!(brightened).on(Cpu).run_into((x,), out)
}

#[user_function]
fn exponential(x: f32) -> f32 {
    x.exp()
}

/// The mathematics of the library.
pub fn map_of_mathematics(x: &[f32], out: &mut [f32]) -> Result<()> {
    map!(exponential).on(Cpu).run_into((x,), out)
}

#[user_function]
fn sine(x: f32) -> f32 {
    x.sin()
}

/// An angle: small ones by themselves.
pub fn map_of_angles(x: &[f32], out: &mut [f32]) -> Result<()> {
    map!(sine).on(Cpu).run_into((x,), out)
}

#[user_function]
fn hash(x: u32) -> u32 {
    let mut h = x ^ 0x9e37_79b9;
    for round in 0..16 {
        h = (h ^ (h >> 16))
            .wrapping_mul(0x85eb_ca6b)
            .wrapping_add(round);
        h = h.rotate_left(13);
    }
    h
}

/// A loop in each element.
pub fn map_of_loops(x: &[u32], out: &mut [u32]) -> Result<()> {
    map!(hash).on(Cpu).run_into((x,), out)
}

#[user_function(commutative)]
fn sum_of_floats(a: f32, b: f32) -> f32 {
    a + b
}

/// A sum.
pub fn reduce_f32(x: &[f32]) -> Result<f32> {
    reduce!(sum_of_floats).on(Cpu).run((x,))
}

#[user_function(commutative)]
fn largest(a: i32, b: i32) -> i32 {
    a.max(b)
}

/// A maximum.
pub fn reduce_i32(x: &[i32]) -> Result<i32> {
    reduce!(largest).on(Cpu).run((x,))
}

#[user_function]
fn product(x: f32, y: f32) -> f32 {
    x * y
}

/// A dot product.
pub fn map_reduce_f32(x: &[f32], y: &[f32]) -> Result<f32> {
    map_reduce!(product, sum_of_floats).on(Cpu).run((x, y))
}

#[user_function(commutative)]
fn running_sum(a: f32, b: f32) -> f32 {
    a + b
}

/// Prefix sums.
pub fn scan_f32(x: &[f32], out: &mut [f32]) -> Result<()> {
    scan!(running_sum).on(Cpu).run_into((x,), out)
}

#[user_function]
fn five_points(u: Window2<f32, 1, 1>) -> f32 {
    0.25 * (u[(-1, 0)] + u[(1, 0)] + u[(0, -1)] + u[(0, 1)]) - u[(0, 0)]
}

/// A stencil.
pub fn map_overlap_f32(u: &Matrix<f32>, out: &mut Matrix<f32>) -> Result<()> {
    map_overlap!(five_points)
        .pad(0.0)
        .on(Cpu)
        .run_into((u,), out)
}

/// Without the centre: nothing is read that lies where the result is written.
#[user_function]
fn four_points(u: Window2<f32, 1, 1>) -> f32 {
    0.25 * (u[(-1, 0)] + u[(1, 0)] + u[(0, -1)] + u[(0, 1)])
}

/// A step of Jacobi's method.
pub fn map_overlap_without_centre(u: &Matrix<f32>, out: &mut Matrix<f32>) -> Result<()> {
    map_overlap!(four_points)
        .pad(0.0)
        .on(Cpu)
        .run_into((u,), out)
}

#[user_function]
fn mean(u: Window2<f32, 2, 2>) -> f32 {
    let mut sum = 0.0;
    for y in -2..=2 {
        for x in -2..=2 {
            sum += u[(y, x)];
        }
    }
    sum / 25.0
}

/// Loops over a window, whose ends are among their rounds.
pub fn map_overlap_in_loops(u: &Matrix<f32>, out: &mut Matrix<f32>) -> Result<()> {
    map_overlap!(mean).pad(0.0).on(Cpu).run_into((u,), out)
}

#[user_function(commutative)]
fn sum_of_columns(a: f32, b: f32) -> f32 {
    a + b
}

/// The sums of columns.
pub fn reduce_cols_f32(x: &Matrix<f32>, out: &mut Vector<f32>) -> Result<()> {
    reduce!(sum_of_columns).cols().on(Cpu).run_into((x,), out)
}
