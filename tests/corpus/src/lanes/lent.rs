//! Calls that change what they are lent: methods with `&mut self`, and functions with `&mut`. Only lanes that take part
//! make them.

use super::super::{Case, case};
use skel::prelude::*;
use skel_core::param::{Each, EachMut, Uniform};

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct Body {
    at: [f32; 2],
    speed: [f32; 2],
}

#[user_function]
impl Body {
    fn kick(&mut self, a: f32, dt: f32) {
        self.speed[0] -= a * self.at[0] * dt;
        self.speed[1] -= a * self.at[1] * dt;
    }

    fn drift(&mut self, dt: f32) -> f32 {
        self.at[0] += self.speed[0] * dt;
        self.at[1] += self.speed[1] * dt;
        self.at[0] * self.at[0] + self.at[1] * self.at[1]
    }
}

/// Elements that are through keep what they have, which is what is given.
#[user_function]
fn orbit(x: f32, y: f32, #[uniform] dt: f32) -> ([f32; 2], [f32; 2]) {
    let mut q = Body {
        at: [x % 2.0, y % 2.0],
        speed: [0.1, -0.3],
    };
    let mut k = 0;
    while k < 60 {
        let r2 = q.at[0] * q.at[0] + q.at[1] * q.at[1];
        if r2 > 3.0 {
            break;
        }
        q.kick(1.0 / (0.1 + r2), dt % 0.5);
        q.drift(dt % 0.5);
        k += 1;
    }
    (q.at, q.speed)
}

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct Counter {
    n: u32,
    calls: u32,
}

#[user_function]
impl Counter {
    fn next(&mut self, by: u32) -> u32 {
        self.calls += 1;
        self.n += by;
        self.n
    }

    /// Named like the one of containers, which has no argument.
    fn len(&mut self, by: u32) -> u32 {
        self.next(by) + 1
    }

    /// Traps where `by` is 0.
    fn divide(&mut self, by: u32) -> bool {
        self.calls += 1;
        self.n = 1000 / by + self.n / 2;
        self.n > 700
    }
}

#[user_function]
fn in_conditions(x: u32, y: u32) -> [u32; 4] {
    let mut a = Counter {
        n: x % 30,
        calls: 0,
    };
    let mut b = Counter {
        n: y % 30,
        calls: 0,
    };
    while a.next(3) < 60 {
        if b.next(a.n % 3) > 40 {
            b.n = 0;
            continue;
        }
        if a.n % 7 == 0 && b.next(2) % 2 == 0 {
            break;
        }
        let seen = b.next(1);
        if seen % 11 == y % 11 {
            return [a.n, a.calls, seen, b.next(5)];
        }
    }
    for _ in 0..b.next(1) % 5 {
        a.next(1);
    }
    [a.n, a.calls, b.n, b.calls]
}

#[user_function]
fn named_like_that_of_containers(x: u32) -> [u32; 2] {
    let mut c = Counter {
        n: x % 20,
        calls: 0,
    };
    let mut sum = 0;
    while sum < 300 {
        let l = c.len(sum % 4);
        sum += l + x % 3;
    }
    [c.n, c.calls]
}

#[user_function]
fn traps_in_a_method(x: u32, y: u32) -> u32 {
    let mut c = Counter { n: 0, calls: 0 };
    let mut k = x % 64;
    while k != y % 8 {
        if c.divide(k) {
            break;
        }
        k = k * 5 % 63;
        if c.calls > 30 {
            return 7;
        }
    }
    c.n * 64 + c.calls
}

#[user_function]
fn grow(y: &mut f32, by: f32) -> f32 {
    let before = *y;
    *y = *y * 1.5 + by;
    before
}

#[user_function]
fn parts(x: f32, y: u32) -> ([f32; 2], [f32; 2]) {
    let mut pair = [Body {
        at: [x % 1.0; 2],
        speed: [0.5; 2],
    }; 2];
    let mut k = (y % 7) as usize;
    let mut sum = 0.0;
    while k < 40 {
        sum += grow(&mut pair[k % 2].at[k % 3 % 2], 0.25);
        pair[(k + 1) % 2].kick(0.1, sum % 0.7);
        if sum > 50.0 {
            grow(&mut sum, 1.0);
            break;
        }
        k += 1 + (y % 2) as usize;
    }
    pair[0].at[0] += sum;
    (pair[0].at, pair[1].speed)
}

#[user_function]
fn twice(c: &mut Counter, by: u32) {
    c.next(by);
    c.next(by + 1);
}

/// What the caller lends is lent further.
#[user_function]
fn lent_further(c: &mut Counter, x: u32) -> u32 {
    let mut rounds = 0;
    while c.n % 64 != 63 && rounds < 50 {
        twice(c, x % 5);
        if c.next(x % 2) % 9 == 4 {
            continue;
        }
        rounds += 1;
        if c.calls % 13 == 12 {
            twice(c, rounds);
            break;
        }
    }
    rounds
}

#[user_function]
trait Halve {
    fn halve(&mut self) -> bool;
}

#[user_function]
impl Halve for f32 {
    fn halve(&mut self) -> bool {
        *self *= 0.5;
        *self < 1.0
    }
}

#[user_function]
fn halved<T: Halve>(x: T) -> (T, u32) {
    let (mut x, mut n) = (x, 0);
    loop {
        if x.halve() || n > 20 {
            break;
        }
        n += 1;
    }
    (x, n)
}

#[user_function]
fn of_a_trait(x: f32) -> f32 {
    let mut y = x.abs();
    let mut n = 0;
    while !y.halve() {
        n += 1;
        if n == 9 {
            y.halve();
            let (z, _) = halved(y);
            return z;
        }
    }
    y + n as f32
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        case::<orbit, (Each<f32>, Each<f32>, Uniform<f32>)>(),
        case::<in_conditions, (Each<u32>, Each<u32>)>(),
        case::<named_like_that_of_containers, (Each<u32>,)>(),
        case::<traps_in_a_method, (Each<u32>, Each<u32>)>(),
        case::<parts, (Each<f32>, Each<u32>)>(),
        case::<lent_further, (EachMut<Counter>, Each<u32>)>(),
        case::<of_a_trait, (Each<f32>,)>(),
    ]
}
