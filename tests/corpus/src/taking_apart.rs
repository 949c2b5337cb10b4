//! Patterns in `let`, assignments and loops.

use super::{
    Case, case,
    patterns::{Both, Colour, Mark, Spot, Turn},
};
use skel::prelude::*;
use skel_core::param::{Each, EachMut};

#[user_function]
fn lets_take_apart(a: i32, b: i32, p: Spot) -> i32 {
    let (x, mut y) = (a, b);
    y ^= 5;
    let Spot { x: u, y: v } = p;
    let Spot { x: only, .. } = p;
    let Both(n, Spot { y: w, .. }) = Both(y, p);
    let [first, _, third, ..] = [a, b, u, v];
    let ((deep, _), _) = ((w, n), 3);
    let (typed, small): (i64, u8) = (5, 200);
    let whole @ (left, right) = (x, y);
    let (x, y) = (y, x);
    x ^ y & u
        ^ v
        ^ only
        ^ n
        ^ first
        ^ third
        ^ deep
        ^ typed as i32
        ^ small as i32
        ^ whole.0 & right
        ^ left
}

#[user_function]
fn lets_from_branches(a: i32, b: i32) -> i32 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    let (kind, size) = match low {
        ..0 => (-1, 3),
        0 => (0, high),
        _ => {
            let size = high / 2;
            (1, size)
        }
    };
    let [p, q] = loop {
        break [kind + 1, size];
    };
    p ^ q ^ high
}

#[user_function]
fn assignment_takes_apart(a: i32, b: i32, p: Spot) -> i32 {
    let (mut x, mut y) = (a, b);
    let mut spot = p;
    let mut table = [0; 4];
    (x, y) = (y, x);
    (x, _) = (x ^ 3, y);
    [x, y] = [y, x];
    (spot.x, table[1]) = (spot.y, spot.x);
    [table[(x & 1) as usize], .., y] = [x, 1, 2, y];
    Spot { x: table[3], y: x } = spot;
    (table[2], (x, ..)) = (7, (y, x, a, b));
    Both(x, Spot { y, .. }) = Both(y, Spot { x: 1, y: x });
    (_, _) = (x, y);
    x ^ y ^ spot.x ^ table[0] ^ table[1] ^ table[2] ^ table[3]
}

#[user_function]
fn fibonacci(n: u32) -> u32 {
    let (mut a, mut b) = (0_u32, 1);
    for _ in 0..n % 50 {
        (a, b) = (b, a.wrapping_add(b));
    }
    a
}

#[user_function]
fn assignment_in_order(n: usize) -> u32 {
    let mut table = [5, 6, 7, 8];
    let mut i = n % 3;
    (i, table[i + 1]) = (i + 1, 100);
    let before = table[1] * 1000 + table[2];
    (table[i], table[i], i) = (1, 2, 0);
    before + table[i] + table[1] + table[2] + table[3]
}

#[user_function]
#[allow(unused_assignments)]
fn assignment_traps(n: usize) -> u32 {
    let mut table = [5, 6, 7, 8];
    let mut x = 0;
    (x, table[n], x) = (1, 2, 3);
    table[0] + table[3] + x
}

#[user_function]
fn writes_apart(p: &mut Spot, n: &mut i32) {
    ((*p).x, (*p).y, *n) = ((*p).y, *n, (*p).x);
}

#[user_function]
fn lets_with_else(a: i32, m: Mark) -> f32 {
    let (x @ 0..=50, 0 | 1) = (a, a % 3) else {
        return -1.0;
    };
    let Mark {
        at: Spot { x: 0.., y },
        weights: [first, ..],
        seen: true,
        ..
    } = m
    else {
        return -2.0;
    };
    let [Colour::Red, c] = [m.colour, Colour::Blue] else {
        return x as f32;
    };
    first + y as f32 + (c == Colour::Blue) as i32 as f32
}

#[user_function]
fn while_let_parts(n: u32) -> u32 {
    let mut state = (n % 1000, 0);
    while let (x @ 2.., steps @ ..40) = state {
        state = match (x % 2, steps) {
            (0, s) => (x / 2, s + 1),
            (_, s) => (x + 3, s + 1),
        };
    }
    let (x, steps) = state;
    x * 100 + steps
}

#[user_function]
fn if_let_parts(c: Colour, p: Spot) -> i32 {
    let a = if let (Colour::Red, Spot { x, .. }) | (Colour::Blue, Spot { y: x, .. }) = (c, p) {
        x
    } else {
        7
    };
    if let Colour::Green = c
        && let Spot { x: 1.., y } = p
        && let (2..=100, z) | (z, 2..=100) = (y, a)
    {
        return z;
    }
    a + matches!(p, Spot { x: 0..=9, y } if y / (y - 3) > 0) as i32
}

#[user_function]
fn for_over_arrays(n: i32) -> i32 {
    let mut table = [3, n, n / 3, -7];
    let mut sum = 0;
    for x in table {
        table[3] = 100;
        if x < 0 {
            continue;
        }
        sum = sum ^ x;
    }
    for (k, w) in [(1, 10), (2, 20), (n & 3, 30)] {
        if k == 3 {
            break;
        }
        sum += k * w;
    }
    for mut x in [1, 2, 3] {
        x *= 2;
        sum += x;
    }
    'spots: for Spot { x, .. } in [Spot { x: 3, y: 1 }, Spot::ORIGIN] {
        for y in [x, x + 1] {
            if y == 4 {
                continue 'spots;
            }
            sum += y;
        }
    }
    sum + table[3]
}

#[user_function]
fn for_over_weights(m: Mark) -> f32 {
    let mut product = 1.0;
    for w in m.weights {
        product *= w + 0.5;
    }
    product
}

pub fn cases() -> Vec<Case> {
    vec![
        case::<lets_take_apart, (Each<i32>, Each<i32>, Each<Spot>)>(),
        case::<lets_from_branches, (Each<i32>, Each<i32>)>(),
        case::<assignment_takes_apart, (Each<i32>, Each<i32>, Each<Spot>)>(),
        case::<fibonacci, (Each<u32>,)>(),
        case::<assignment_in_order, (Each<usize>,)>(),
        case::<assignment_traps, (Each<usize>,)>(),
        case::<writes_apart, (EachMut<Spot>, EachMut<i32>)>(),
        case::<lets_with_else, (Each<i32>, Each<Mark>)>(),
        case::<while_let_parts, (Each<u32>,)>(),
        case::<if_let_parts, (Each<Colour>, Each<Spot>)>(),
        case::<for_over_arrays, (Each<i32>,)>(),
        case::<for_over_weights, (Each<Mark>,)>(),
    ]
}
