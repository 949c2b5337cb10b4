//! What one tries first, coming from Rust: one error each, which says what to write.
#![allow(unused)]
use skel::prelude::*;

#[user_function]
fn reference_to_vec(i: usize, xs: &Vec<f32>) -> f32 {
    xs[i]
}

#[user_function]
fn reference_to_vector(i: usize, xs: &Vector<f32>) -> f32 {
    xs[i] + xs.len() as f32
}

#[user_function]
fn reference_to_matrix(i: usize, m: &Matrix<f32>) -> f32 {
    m[(i, 0)]
}

#[user_function]
fn reference_to_tensor(i: usize, t: &Tensor4<f32>) -> f32 {
    t[(i, 0, 0, 0)]
}

#[user_function]
fn by_function<F: Fn(f32) -> f32>(x: f32) -> f32 {
    x
}

#[user_function]
fn by_function_below<F>(x: f32) -> f32
where
    F: FnMut(f32, u32) -> f32,
{
    x
}

#[user_function]
fn by_pointer(f: fn(f32) -> f32, x: f32) -> f32 {
    x
}

#[user_function]
fn by_impl(f: impl Fn(f32) -> f32, x: f32) -> f32 {
    x
}

#[user_function]
fn without_a_bound<T>(a: T, b: T) -> T {
    a * b + a
}

#[user_function]
fn root<T: Copy>(a: T) -> T {
    a.sqrt()
}

#[user_function]
fn nested(x: f32) -> ((f32, f32), f32) {
    ((x, x), x)
}

#[user_function]
fn sum(xs: &[f32]) -> f32 {
    let mut sum = 0.0;
    for x in xs {
        sum += x;
    }
    sum
}

#[user_function]
fn part(x: f32, xs: &[f32]) -> f32 {
    x + sum(&xs[1..3])
}

#[user_function]
fn iterators(x: f32, xs: &[f32]) -> f32 {
    let mut all = x;
    for (a, b) in xs.iter().zip(xs) {
        all += a * b;
    }
    for pair in xs.windows(2) {
        all += pair[0];
    }
    all + xs.iter().sum::<f32>()
}

#[user_function]
fn optional(x: f32) -> Option<f32> {
    Some(x)
}

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct V {
    x: f32,
}

#[user_function]
impl V {
    fn norm(self) -> f32 {
        self.x.abs()
    }
}

#[user_function]
impl PartialEq<f32> for V {
    fn eq(&self, other: &f32) -> bool {
        self.x == *other
    }
}

#[user_function]
impl PartialEq for V {
    fn eq(&self, other: &V) -> bool {
        self.x == other.x
    }
    fn ne(&self, other: &V) -> bool {
        self.x != other.x
    }
}

#[user_function]
fn scale(x: f32, k: f32) -> f32 {
    x * k
}

#[user_function]
fn calls_refused(x: f32, xs: &[f32]) -> f32 {
    reference_to_vec(0, xs) + x
}

fn main() {
    let x = Vector::from(vec![1.0_f32]);
    let i = Vector::from(vec![0_usize]);
    let m = Matrix::filled(1, 1, 1.0_f32);

    // No error follows from those above.
    let _ = map!(reference_to_vec).run((&i, &x));
    let _ = map!(reference_to_vector).run((&i, &x));
    let _ = map!(reference_to_matrix).run((&i, &m));
    let _ = map!(optional).run((&x,));
    let _ = map!(without_a_bound).run((&x, &x));

    let _ = map!(nested).run((&x,));
    let _ = map!(V::norm);
    let _ = map!(scale).run((&x, 2.0));
}
