//! Random numbers: the same on every unit and in every split.

use super::{
    Case, Context, Outcome, Sizes, Target,
    data::{same, same_value},
};
use crate::prelude::*;

#[user_function]
fn bits(rng: &mut Random) -> u32 {
    rng.next_u32()
}

#[user_function]
fn later_bits(rng: &mut Random, skip: u32) -> u32 {
    let mut last = rng.next_u32();
    for _k in 0..skip {
        last = rng.next_u32();
    }
    last
}

#[user_function]
fn hit(rng: &mut Random) -> u32 {
    let x = rng.uniform_f32();
    let y = rng.uniform_f32();
    if x * x + y * y < 1.0 { 1 } else { 0 }
}

#[user_function]
fn noisy(at: Index2, x: f32, rng: &mut Random) -> f32 {
    x + rng.uniform_f32() * (at.row + 1) as f32
}

#[user_function]
fn double(rng: &mut Random) -> f64 {
    rng.uniform_f64()
}

#[user_function]
fn add(a: u32, b: u32) -> u32 {
    a + b
}

/// Word `draw` of element `index`, by the definition of Philox 4×32-10.
fn word(seed: u64, call: u32, index: usize, draw: u32) -> u32 {
    let (mut key0, mut key1) = (seed as u32, call);
    let index = index as u64;
    let mut c = [index, index >> 32, u64::from(draw / 4), seed >> 32].map(|c| c as u32);
    for _ in 0..10 {
        let a = 0xd251_1f53_u64 * u64::from(c[0]);
        let b = 0xcd9e_8d57_u64 * u64::from(c[2]);
        c = [
            (b >> 32) as u32 ^ c[1] ^ key0,
            b as u32,
            (a >> 32) as u32 ^ c[3] ^ key1,
            a as u32,
        ];
        key0 = key0.wrapping_add(0x9e37_79b9);
        key1 = key1.wrapping_add(0xbb67_ae85);
    }
    c[draw as usize % 4]
}

fn unit(word: u32) -> f32 {
    (word >> 8) as f32 / 16_777_216.0
}

pub(super) fn cases(sizes: Sizes) -> Vec<Case> {
    let ns = sizes.elems();
    vec![
        Case::new("random::words", move |context, target| {
            ns.iter().try_for_each(|n| words(context, target, *n))
        }),
        Case::new("random::many_draws", many_draws),
        Case::new("random::matrix", matrix),
        Case::new("random::doubles", doubles),
        Case::new("random::monte_carlo", monte_carlo),
        Case::new("random::clones", clones),
    ]
}

fn words(context: &Context, target: &Target, n: usize) -> Outcome {
    let seed = 0x0123_4567_89ab_cdef;
    let f = map!(bits).within(context.clone()).on(target).seed(seed);
    for call in 0..3 {
        let expected: Vec<u32> = (0..n).map(|i| word(seed, call, i, 0)).collect();
        same("words", &f.run_shaped(n, ())?.host()?, &expected)?;
    }
    let f = f.seed(5);
    let expected: Vec<u32> = (0..n).map(|i| word(5, 0, i, 0)).collect();
    same("after a new seed", &f.run_shaped(n, ())?.host()?, &expected)
}

fn many_draws(context: &Context, target: &Target) -> Outcome {
    let skip: Vec<u32> = (0..1500).map(|i| i % 23).collect();
    let expected: Vec<u32> = (0..1500).map(|i| word(0, 0, i, skip[i])).collect();
    let f = map!(later_bits).within(context.clone()).on(target);
    same("later words", &f.run((&skip,))?.host()?, &expected)
}

fn matrix(context: &Context, target: &Target) -> Outcome {
    let (rows, cols) = (37, 41);
    let m = Matrix::from_fn(rows, cols, |i, j| (i * j) as f32);
    let element = |k: usize| {
        let (i, j) = (k / cols, k % cols);
        (i * j) as f32 + unit(word(9, 0, k, 0)) * (i + 1) as f32
    };
    let expected: Vec<f32> = (0..rows * cols).map(element).collect();
    let f = map!(noisy).within(context.clone()).on(target).seed(9);
    same("noisy", &f.run((&m,))?.host()?, &expected)?;
    let f = map!(|rng: &mut Random, x: f32, at: Index2| {
        let noise = rng.uniform_f32();
        x + noise * (at.row + 1) as f32
    });
    let f = f.within(context.clone()).on(target).seed(9);
    same("a closure", &f.run((&m,))?.host()?, &expected)
}

fn doubles(context: &Context, target: &Target) -> Outcome {
    let element = |i| {
        let high = u64::from(word(3, 0, i, 0) >> 5);
        let bits = high << 26 | u64::from(word(3, 0, i, 1) >> 6);
        bits as f64 / 9_007_199_254_740_992.0
    };
    let expected: Vec<f64> = (0..900).map(element).collect();
    let f = map!(double).within(context.clone()).on(target).seed(3);
    same("doubles", &f.run_shaped(900, ())?.host()?, &expected)
}

fn monte_carlo(context: &Context, target: &Target) -> Outcome {
    let n = 30_000;
    let hit_at = |i| {
        let (x, y) = (unit(word(1, 0, i, 0)), unit(word(1, 0, i, 1)));
        u32::from(x * x + y * y < 1.0)
    };
    let expected: u32 = (0..n).map(hit_at).sum();
    let f = map_reduce!(hit, add)
        .within(context.clone())
        .on(target)
        .seed(1);
    same_value("hits", f.run_shaped(n, ())?, expected)
}

/// A clone goes on where its original is.
fn clones(context: &Context, target: &Target) -> Outcome {
    let f = map!(bits).within(context.clone()).on(target);
    f.run_shaped(100, ())?;
    let g = f.clone();
    let expected: Vec<u32> = (0..100).map(|i| word(0, 1, i, 0)).collect();
    same("the original", &f.run_shaped(100, ())?.host()?, &expected)?;
    same("its clone", &g.run_shaped(100, ())?.host()?, &expected)
}
