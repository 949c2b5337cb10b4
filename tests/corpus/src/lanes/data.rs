//! Structs, tuples, arrays, tables, indices, and calls.

use super::super::{Case, case};
use skel::prelude::*;
use skel_core::param::Each;
use std::ops::{Add, Mul};

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct Complex {
    re: f32,
    im: f32,
}

#[user_function]
impl Add for Complex {
    type Output = Complex;

    fn add(self, other: Complex) -> Complex {
        Complex {
            re: self.re + other.re,
            im: self.im + other.im,
        }
    }
}

#[user_function]
impl Mul for Complex {
    type Output = Complex;

    fn mul(self, other: Complex) -> Complex {
        Complex {
            re: self.re * other.re - self.im * other.im,
            im: self.re * other.im + self.im * other.re,
        }
    }
}

#[user_function]
impl Complex {
    fn norm2(self) -> f32 {
        self.re * self.re + self.im * self.im
    }
}

#[user_function]
fn complex_iteration(re: f32, im: f32) -> u32 {
    let c = Complex { re, im };
    let mut z = Complex { re: 0.0, im: 0.0 };
    let mut n = 0;
    while n < 60 {
        if z.norm2() > 4.0 {
            break;
        }
        z = z * z + c;
        n += 1;
    }
    n
}

#[user_function]
fn fields_and_tuples(x: f32, y: u32) -> f32 {
    let mut z = Complex { re: x, im: 1.0 };
    let mut t = (y % 20, 0u32);
    while t.0 > 0 {
        t = (t.0 - 1, t.1 + t.0);
        z.re *= 0.5;
        if t.1 > 50 {
            z.im = t.1 as f32;
            continue;
        }
        (z.re, z.im) = (z.im, z.re + 1.0);
    }
    let Complex { re, im } = z;
    re - im
}

const TABLE: [u32; 8] = [3, 1, 4, 1, 5, 9, 2, 6];

#[user_function]
fn tables(x: u32) -> u32 {
    let mut k = x % 16;
    let mut sum = 0;
    while sum < 60 {
        sum += TABLE[k as usize % 8] + 1;
        k = k + TABLE[(sum % 8) as usize];
    }
    sum * 100 + k
}

#[user_function]
fn leaves_the_table(x: u32) -> u32 {
    let mut k = x % 5;
    let mut sum = 0;
    while k < 6 {
        sum += TABLE[k as usize];
        k += x % 7 + 1;
        if k == 6 {
            k = 9 - x % 3;
            sum += TABLE[k as usize - 1];
        }
    }
    sum
}

#[user_function]
fn local_arrays(x: u32) -> [u32; 4] {
    let mut a = [x % 9, 1, 2, 3];
    let mut k = 0;
    while a[0] < 40 {
        a[k] += a[(k + 1) % 4];
        k = (k + 1) % 4;
        if a[3] > 30 {
            a[2] = 0;
            break;
        }
        a[0] += 1;
    }
    a
}

#[user_function]
fn at_its_place(at: Index2, x: u32) -> u32 {
    let (mut row, mut n) = (at.row % 30, x % 4);
    while row > n as usize {
        row /= 2;
        n += (at.col % 3) as u32;
    }
    n
}

#[user_function]
fn straight(x: u32, y: u32) -> u32 {
    if x > y { x - y } else { y + 1 }
}

#[user_function]
fn steps_of(x: u32) -> u32 {
    let (mut x, mut n) = (x % 50, 0);
    while x > 1 {
        x /= 2;
        n += 1;
    }
    n
}

#[user_function]
fn calls(x: u32, y: u32) -> u32 {
    let mut k = x % 15;
    let mut sum = 0;
    while k < 20 {
        sum += straight(k, y % 25);
        k += 1 + steps_of(sum);
    }
    sum
}

#[user_function]
fn bump(x: &mut u32, by: u32) {
    *x += by;
}

#[user_function]
fn lends(x: u32) -> u32 {
    let mut k = x % 10;
    let mut n = 0;
    while k < 30 {
        bump(&mut k, n % 3 + 1);
        n += 1;
        if k == 17 {
            break;
        }
    }
    k * 100 + n
}

#[user_function]
fn function_inside(x: u32) -> u32 {
    const STEP: u32 = 3;
    fn twice(x: u32) -> u32 {
        x * 2
    }
    let mut k = x % 20;
    while k < 50 {
        k = twice(k) + STEP;
    }
    k
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        case::<complex_iteration, (Each<f32>, Each<f32>)>(),
        case::<fields_and_tuples, (Each<f32>, Each<u32>)>(),
        case::<tables, (Each<u32>,)>(),
        case::<leaves_the_table, (Each<u32>,)>(),
        case::<local_arrays, (Each<u32>,)>(),
        case::<at_its_place, (Each<u32>,)>(),
        case::<calls, (Each<u32>, Each<u32>)>(),
        case::<lends, (Each<u32>,)>(),
        case::<function_inside, (Each<u32>,)>(),
    ]
}
