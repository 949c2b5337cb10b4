//! Random numbers: how many are drawn, and in which order.

use super::{Case, case};
use skel::prelude::*;
use skel_core::param::{Each, EachMut, Uniform};

#[user_function]
fn order_of_draws(rng: &mut Random, x: u32) -> u32 {
    let a = rng.next_u32().wrapping_sub(rng.next_u32().wrapping_mul(3));
    if x % 2 == 0 && rng.next_u32() % 3 == 0 {
        return a ^ rng.next_u32();
    }
    a.wrapping_add(rng.next_u32() >> 3)
}

#[user_function]
fn drawn_by_another(rng: &mut Random, n: u32) -> u32 {
    let mut all = 0;
    for _ in 0..n % 6 {
        all = u32::rotate_left(all, 5) ^ rng.next_u32();
    }
    all
}

#[user_function]
fn passed_on(n: u32, rng: &mut Random) -> u32 {
    let first = drawn_by_another(rng, n % 6);
    first ^ drawn_by_another(rng, 2).wrapping_mul(rng.next_u32())
}

#[user_function]
fn walk(at: Index1, x: &mut f32, rng: &mut Random, #[uniform] steps: u32) {
    let mut k = 0;
    while k < steps % 5 {
        *x += rng.uniform_f32() - 0.5;
        k += 1;
    }
    if at.i % 7 == 0 {
        *x = 0.25;
    }
}

#[user_function]
fn of_doubles(x: f64, rng: &mut Random) -> f64 {
    x * rng.uniform_f64() + rng.uniform_f64()
}

#[user_function]
fn late_trap(rng: &mut Random, x: u32) -> u32 {
    let n = rng.next_u32() % 64;
    assert!(n != x % 64, "the same");
    n
}

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct Counter {
    n: u32,
}

#[user_function]
impl Counter {
    fn next_u32(self) -> u32 {
        self.n + 1
    }
}

/// No generator any more, but a name and a method like one's.
#[user_function]
fn hidden(rng: &mut Random, n: u32) -> u32 {
    let mut sum = rng.next_u32() >> 8;
    let rng = Counter { n };
    for _ in 0..n % 4 {
        sum = sum.wrapping_add(rng.next_u32());
    }
    sum
}

pub fn cases() -> Vec<Case> {
    vec![
        case::<order_of_draws, (Each<u32>,)>(),
        case::<drawn_by_another, (Each<u32>,)>(),
        case::<passed_on, (Each<u32>,)>(),
        case::<walk, (EachMut<f32>, Uniform<u32>)>(),
        case::<of_doubles, (Each<f64>,)>(),
        case::<late_trap, (Each<u32>,)>(),
        case::<hidden, (Each<u32>,)>(),
    ]
}
