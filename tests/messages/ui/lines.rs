//! Lines, where they cannot be.
#![allow(unused)]
use skel::prelude::*;

#[user_function]
fn by_value(a: Line<f32>, #[uniform] b: &mut Line<f32>) {
}

#[user_function]
fn kept(l: &mut Line<f32>, other: &Line<f32>) {
    let m = l;
    l = other;
    *l = 1.0;
}

#[user_function]
fn asked(l: &mut Line<f32>) -> f32 {
    l.swap(0, 1);
    for x in l {
        x
    }
    l[1..2][0]
}

#[user_function]
fn read(l: &Line<f32>) {
    l[0] = 1.0;
}

#[user_function]
fn fine(l: &mut Line<f32>) {
    l[0] = 1.0;
}

fn main() {
    let mut m = Matrix::filled(2, 2, 1.0_f32);
    let v = Vector::filled(2, 1.0_f32);
    map_lines!(fine).run((&m,));
    map_lines!(fine).run((&mut Matrix::filled(2, 2, 1.0_f64),));
    map_lines!(fine).along(1.0).run((&mut m,));
}
