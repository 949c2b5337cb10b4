//! Lines of containers: read, written in whole and in parts, and passed on.

use super::{Case, case};
use skel::prelude::*;
use skel_core::param::{Each, EachLine, EachLineMut, Uniform};

#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
struct Knot {
    at: [f32; 2],
    mass: f32,
    kind: u32,
}

#[user_function]
fn running_sum(l: &mut Line<i32>) {
    for i in 1..l.len() {
        l[i] = l[i].wrapping_add(l[i - 1]);
    }
}

#[user_function]
fn backwards(l: &mut Line<u8>) {
    let last = l.len() - 1;
    for i in 0..=last / 2 {
        let first = l[i];
        l[i] = l[last - i];
        l[last - i] = first;
    }
}

#[user_function]
fn eliminate(x: &mut Line<f32>, c: &mut Line<f32>, d: &Line<f32>, #[uniform] k: f32) {
    let n = x.len();
    let b = 1.0 + 2.0 * k;
    c[0] = -k / b;
    x[0] = d[0] / b;
    for i in 1..n {
        let m = 1.0 / (b + k * c[i - 1]);
        c[i] = -k * m;
        x[i] = (d[i] + k * x[i - 1]) * m;
    }
    for i in (0..n - 1).rev() {
        x[i] -= c[i] * x[i + 1];
    }
}

#[user_function]
fn parts_of_elements(l: &mut Line<Knot>, by: &Line<[i32; 3]>, from: u32) -> u32 {
    let mut seen = 0;
    for i in 0..l.len() {
        let k = (from as usize + i) % 2;
        l[i].at[k] -= 0.5 * l[(i + 1) % 5].mass;
        l[i].at[1 - k] = l[i].mass;
        l[i].kind ^= by[i][(from % 3) as usize] as u32;
        seen += l[i].kind % 7;
    }
    seen
}

#[user_function]
fn whole_elements(l: &mut Line<[i32; 3]>) {
    let first = l[0];
    for i in 1..l.len() {
        l[i - 1] = l[i];
        l[i - 1][i % 3] += 1;
    }
    l[4] = [first[2], first[0], first[1]];
}

#[user_function]
fn grow(x: &mut i32, by: i32) -> i32 {
    let before = *x;
    *x = before.wrapping_mul(3) ^ by;
    before
}

#[user_function]
fn tail(l: &mut Line<i32>, from: usize) -> i32 {
    let mut all = 0;
    for i in from..l.len() {
        all ^= grow(&mut l[i], i as i32);
    }
    all
}

#[user_function]
fn total(l: &Line<i32>) -> i32 {
    let mut sum = 0_i32;
    for i in 0..l.len() {
        sum = sum.wrapping_add(l[i]);
    }
    sum
}

#[user_function]
fn passed_on(a: &mut Line<i32>, b: &mut Line<i32>, c: &Line<i32>) -> (i32, i32) {
    let first = tail(a, 1).wrapping_add(total(b));
    let second = tail(b, 3).wrapping_sub(total(c));
    (first, second.wrapping_add(total(a)))
}

/// The value is computed first, then the index; both may trap.
#[user_function]
fn beyond(l: &mut Line<i32>, at: usize, by: i32) {
    let n = l.len();
    l[at % 8] = l[(at + 1) % n] / by;
    if l[2] > 5 {
        l[(at % 6) + 1] += 1;
    }
}

#[user_function]
fn of_parts_beyond(l: &mut Line<[u16; 2]>, at: usize) -> u16 {
    l[at % 6][at % 3] = 7;
    l[0][0]
}

#[user_function]
fn in_order(l: &mut Line<i32>) -> i32 {
    let before = l[0] ^ {
        l[0] = l[1];
        l[0]
    };
    l[3] = {
        l[2] = before;
        l[2] ^ l[4]
    };
    before
}

#[user_function]
fn truths(l: &mut Line<bool>, x: &Line<f32>) -> bool {
    let mut any = false;
    for i in 0..l.len() {
        l[i] = l[i] != (x[i] > 0.5);
        any = any || l[i];
    }
    any
}

#[user_function]
fn generic<T: Number>(l: &mut Line<T>, by: T) {
    for i in 0..l.len() {
        l[i] = l[i].max(by);
    }
}

pub fn cases() -> Vec<Case> {
    vec![
        case::<running_sum, (EachLineMut<i32>,)>(),
        case::<backwards, (EachLineMut<u8>,)>(),
        case::<
            eliminate,
            (
                EachLineMut<f32>,
                EachLineMut<f32>,
                EachLine<f32>,
                Uniform<f32>,
            ),
        >(),
        case::<parts_of_elements, (EachLineMut<Knot>, EachLine<[i32; 3]>, Each<u32>)>(),
        case::<whole_elements, (EachLineMut<[i32; 3]>,)>(),
        case::<passed_on, (EachLineMut<i32>, EachLineMut<i32>, EachLine<i32>)>(),
        case::<beyond, (EachLineMut<i32>, Each<usize>, Each<i32>)>(),
        case::<of_parts_beyond, (EachLineMut<[u16; 2]>, Each<usize>)>(),
        case::<in_order, (EachLineMut<i32>,)>(),
        case::<truths, (EachLineMut<bool>, EachLine<f32>)>(),
        case::<generic, (EachLineMut<f32>, Each<f32>)>(),
        case::<generic, (EachLineMut<i64>, Each<i64>)>(),
    ]
}
