//! What an instance is told that does not go with its function or its data: the data is not blamed.
#![allow(unused)]
use skel::prelude::*;

#[user_function]
fn add<T: Number>(a: T, b: T) -> T {
    a + b
}

#[user_function]
fn blur(w: Window1<f32, 1>) -> f32 {
    w[-1] + w[1]
}

#[user_function]
fn product(a: f32, b: f32) -> f32 {
    a * b
}

#[user_function]
fn half(x: f32) -> f32 {
    0.5 * x
}

fn main() {
    let x = Vector::from(vec![1.0_f32]);
    let m = Matrix::filled(1, 1, 1.0_f32);

    let _ = map!(half).edge(Edge::Cyclic).run((&x,)); // a setting of `map_overlap!`
    let _ = map!(half).pad(0.0).run((&x,));
    let _ = map_overlap!(blur).pad(0).run((&x,)); // a whole number
    let _ = reduce!(add).initial(0).run((&x,));
    let _ = reduce!(add).identity(0).rows().run((&m,));
    let _ = map_reduce!(product, add).initial(0).run((&x, &x));
    let _ = scan!(add).initial(0).run((&x,));
    let _ = scan!(add).exclusive(0).rows().run((&m,));
    let _ = map_pairs!(product).run((&x, &x)); // without `down` and `across`
    let _ = map_pairs_reduce!(product, add).run((&x, &x));
    let _ = reduce!(#[inline] |a: f32, b: f32| a + b); // what stands before a closure
    let _ = reduce!(#[commutative] add);
}
