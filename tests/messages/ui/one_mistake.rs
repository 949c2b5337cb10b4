//! One mistake in a function is one error, wherever the function is used.
#![allow(unused)]
use skel::prelude::*;

#[user_function]
fn prints(x: f32) -> f32 {
    println!("{x}");
    x
}

#[user_function]
fn collects(x: f32) -> f32 {
    let all: Vec<f32> = Vec::new();
    x
}

#[user_function]
fn maps(x: f32, xs: &[f32]) -> f32 {
    let twice = |y: f32| 2.0 * y;
    x + xs.len() as f32
}

#[user_function]
fn checks(x: i32, y: i32) -> i32 {
    x.checked_div(y).unwrap_or(0)
}

#[user_function]
fn folds(x: f32, xs: &[f32]) -> f32 {
    x + xs.iter().fold(0.0, |a, b| a + b)
}

#[user_function]
fn adds(x: f32) -> f32 {
    let all = [x, 2.0 * x];
    all.iter().sum()
}

#[user_function]
fn names(x: f32, name: &str) -> f32 {
    x
}

#[user_function]
fn recurses(n: u32) -> u32 {
    if n < 2 { 1 } else { n * recurses(n - 1) }
}

#[user_function]
fn halves(x: f32, w: Window1<f32>) -> f32 {
    x + 0.5 * w[0]
}

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct V {
    x: f32,
}

#[user_function]
impl V {
    fn shown(self) -> f32 {
        dbg!(self.x)
    }
    fn norm(self) -> f32 {
        self.shown().abs()
    }
}

#[user_function]
trait Metric {
    fn distance(x: f32) -> f32;
}

struct Loud;

#[user_function]
impl Metric for Loud {
    fn distance(x: f32) -> f32 {
        println!("{x}");
        x
    }
}

#[user_function]
fn far<M: Metric>(x: f32) -> f32 {
    M::distance(x)
}

#[user_function]
fn uses_all(x: f32, xs: &[f32]) -> f32 {
    let v = V { x };
    prints(x) + collects(x) + maps(x, xs) + folds(x, xs) + v.norm() + far::<Loud>(x)
}

fn main() -> skel::Result<()> {
    let x = Vector::from([1.0_f32, 2.0]);
    let n = Vector::from([1_u32, 2]);
    let i = Vector::from([1_i32, 2]);
    let y = map!(prints).run((&x,))?;
    let y = map!(collects).run((&y,))?;
    let y = map!(maps).run((&y, &x))?;
    let z = map!(checks).run((&i, &i))?;
    let y = map!(folds).run((&y, &x))?;
    let z = map!(recurses).run((&n,))?;
    let y = map_overlap!(halves).run((&y, &x))?;
    let y = map!(far::<Loud>).run((&y,))?;
    let y = map!(uses_all).run((&y, &x))?;
    let y = map!(|v: V| v.norm()).run((&[V { x: 1.0 }],))?;
    let y = map!(|x: f32| { println!("{x}"); x }).run((&y,))?;
    let total = map_reduce!(prints, |a: f32, b: f32| a + b).run((&y,))?;
    Ok(())
}
