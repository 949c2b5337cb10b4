//! `for` over elements: of slices and arrays, by value, by reference, with their indices.

use super::{Case, case};
use skel::prelude::*;
use skel_core::param::{Each, Whole, WholeMatrix, WholeTensor3, WholeTensor4};

#[user_function]
fn sum_of_references(xs: &[f32], start: f32) -> f32 {
    let mut sum = start;
    for x in xs {
        sum += *x * 0.5;
        sum -= x.abs();
    }
    sum
}

#[user_function]
fn sum_of_values(xs: &[u32], start: u32) -> u32 {
    let mut sum = start;
    for &x in xs {
        sum = sum.wrapping_mul(31) ^ x;
    }
    for x in xs.iter().copied() {
        sum = sum.rotate_left(3).wrapping_add(x);
    }
    for &mut_free in xs.iter() {
        sum = sum.wrapping_sub(mut_free);
    }
    sum
}

#[user_function]
fn position(xs: &[i32], wanted: i32) -> usize {
    let mut at = xs.len();
    for (i, &x) in xs.iter().enumerate() {
        if x % 5 == wanted % 5 {
            at = i;
            break;
        }
    }
    at
}

#[user_function]
fn of_pairs(xs: &[f32], x: f32) -> f32 {
    let mut best = x;
    'all: for (i, a) in xs.iter().enumerate() {
        for (k, b) in xs.iter().copied().enumerate() {
            if k == i {
                continue 'all;
            }
            best = best.max(*a - b);
        }
    }
    best
}

#[user_function]
fn generic<T: Number>(xs: &[T], start: T) -> T {
    let mut all = start;
    for &x in xs {
        all = if x < all { x } else { all * T::ONE };
    }
    for x in xs {
        if *x == all {
            all = T::ZERO - *x;
        }
    }
    all
}

#[user_function]
fn of_arrays(a: [i32; 4], start: i32) -> i32 {
    let mut b = a;
    let mut sum = start;
    for x in &a {
        sum = sum.wrapping_add(*x);
    }
    for (i, x) in a.iter().enumerate() {
        b[i] = b[i].wrapping_mul(*x ^ 3);
    }
    for (i, x) in b.into_iter().enumerate() {
        b[3 - i] = b[3 - i].wrapping_sub(x);
    }
    for mut x in b.iter().copied() {
        x = x.wrapping_mul(3);
        sum ^= x;
    }
    sum
}

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct Span {
    from: f32,
    to: f32,
}

#[user_function]
impl Span {
    fn length(&self) -> f32 {
        self.to - self.from
    }
}

#[user_function]
fn of_structs(xs: [Span; 3], k: f32) -> f32 {
    let mut sum = k;
    for span in xs.iter() {
        sum += span.length() * span.to;
    }
    for &Span { from, to } in &xs {
        sum = sum * from - to;
    }
    sum
}

/// A column beyond the last is none, though an element follows there.
#[user_function]
fn of_matrix(m: MatrixView<i32>, i: u32, j: u32) -> i32 {
    let (row, col) = (i as usize % m.rows(), j as usize % m.cols());
    m[(row, if i % 16 == 5 { col + 1 } else { col })] ^ m[(m.rows() - 1, col)]
}

#[user_function]
fn of_tensor(t: Tensor3View<f32>, i: u32, x: f32) -> f32 {
    let plane = i as usize % t.planes();
    let mut sum = x;
    for row in 0..t.rows() {
        for col in 0..t.cols() {
            sum += t[(plane, row, col)] * x;
        }
    }
    sum
}

/// A column, row or plane beyond the last is none, though an element follows there; a volume has none behind it.
#[user_function]
fn of_four_dimensions(t: Tensor4View<i16>, i: u32, j: u32) -> i32 {
    let (volume, plane) = (i as usize % t.volumes(), j as usize % t.planes());
    let (row, col) = (i as usize / 2 % t.rows(), j as usize / 4 % t.cols());
    let beyond = j % 64;
    let (volume_too_far, plane_too_far) = ((beyond == 1) as usize, (beyond == 7) as usize);
    let (row_too_far, col_too_far) = ((beyond == 13) as usize, (beyond == 21) as usize);
    let far = t[(
        volume + volume_too_far,
        plane + plane_too_far,
        row + row_too_far,
        col + col_too_far,
    )];
    far as i32 * 3 ^ t[(t.volumes() - 1 - volume, plane, row, col)] as i32
}

pub fn cases() -> Vec<Case> {
    vec![
        case::<sum_of_references, (Whole<f32>, Each<f32>)>(),
        case::<sum_of_values, (Whole<u32>, Each<u32>)>(),
        case::<position, (Whole<i32>, Each<i32>)>(),
        case::<of_pairs, (Whole<f32>, Each<f32>)>(),
        case::<generic, (Whole<f64>, Each<f64>)>(),
        case::<of_matrix, (WholeMatrix<i32>, Each<u32>, Each<u32>)>(),
        case::<of_tensor, (WholeTensor3<f32>, Each<u32>, Each<f32>)>(),
        case::<of_four_dimensions, (WholeTensor4<i16>, Each<u32>, Each<u32>)>(),
        case::<of_arrays, (Each<[i32; 4]>, Each<i32>)>(),
        case::<of_structs, (Each<[Span; 3]>, Each<f32>)>(),
    ]
}
