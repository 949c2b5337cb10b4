//! Operators of users' types.

use super::{Case, case};
use skel::prelude::*;
use skel_core::param::{Each, EachMut, Uniform};
use std::ops::{
    Add, AddAssign, BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Div, DivAssign,
    Mul, MulAssign, Neg, Not, Rem, RemAssign, Shl, ShlAssign, Shr, ShrAssign, Sub, SubAssign,
};

#[derive(Clone, Copy, Debug, Element)]
#[repr(C)]
pub struct Vec2 {
    pub x: f32,
    pub y: f32,
}

#[derive(Clone, Copy, Debug, Element)]
#[repr(C)]
pub struct Dual<T> {
    pub re: T,
    pub eps: T,
}

#[derive(Clone, Copy, Debug, Element)]
#[repr(C)]
pub struct Bits(pub u32, pub u32);

skel_verify::to_value!(Vec2 Dual<f32> Dual<f64> Dual<i32> Bits);

#[user_function]
impl Add for Vec2 {
    type Output = Vec2;
    fn add(self, other: Vec2) -> Vec2 {
        Vec2 {
            x: self.x + other.x,
            y: self.y + other.y,
        }
    }
}

#[user_function]
impl Sub for Vec2 {
    type Output = Self;
    fn sub(self, other: Self) -> Self::Output {
        Self {
            x: self.x - other.x,
            ..self + -other
        }
    }
}

#[user_function]
impl Mul<f32> for Vec2 {
    type Output = Vec2;
    fn mul(self, k: f32) -> Vec2 {
        Vec2 {
            x: self.x * k,
            y: k * self.y,
        }
    }
}

#[user_function]
impl Mul<Vec2> for f32 {
    type Output = Vec2;
    fn mul(self, v: Vec2) -> Vec2 {
        v * self
    }
}

/// The scalar product.
#[user_function]
impl Mul for Vec2 {
    type Output = f32;
    fn mul(self, other: Vec2) -> f32 {
        self.x * other.x + self.y * other.y
    }
}

#[user_function]
impl Neg for Vec2 {
    type Output = Vec2;
    fn neg(self) -> Vec2 {
        Vec2 {
            x: -self.x,
            y: -self.y,
        }
    }
}

/// Deliberately unlike `+`: a device must not run that instead.
#[user_function]
impl AddAssign for Vec2 {
    fn add_assign(&mut self, other: Vec2) {
        self.x += other.x;
        self.y -= other.y;
    }
}

#[user_function]
impl MulAssign<f32> for Vec2 {
    fn mul_assign(&mut self, k: f32) {
        *self = *self * k;
    }
}

#[user_function]
impl<T: Number> Add for Dual<T> {
    type Output = Dual<T>;
    fn add(self, other: Dual<T>) -> Dual<T> {
        Dual {
            re: self.re + other.re,
            eps: self.eps + other.eps,
        }
    }
}

#[user_function]
impl<T: Copy + Add<Output = T> + Mul<Output = T>> Mul for Dual<T> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let eps = self.re * other.eps + self.eps * other.re;
        Self {
            re: self.re * other.re,
            eps,
        }
    }
}

#[user_function]
impl<T> Mul<T> for Dual<T>
where
    T: Copy + Mul<Output = T>,
{
    type Output = Self;
    fn mul(self, k: T) -> Self {
        Self {
            re: self.re * k,
            eps: self.eps * k,
        }
    }
}

#[user_function]
impl<T: Number> SubAssign<T> for Dual<T> {
    fn sub_assign(&mut self, k: T) {
        self.re -= k;
    }
}

macro_rules! bits {
    ($($op:ident $name:ident $assign:ident $assign_name:ident $symbol:tt;)*) => { $(
        #[user_function]
        impl $op for Bits {
            type Output = Bits;
            fn $name(self, other: Bits) -> Bits {
                Bits(self.0 $symbol other.0, self.1 $symbol (other.1 | 1))
            }
        }

        #[user_function]
        impl $assign<u32> for Bits {
            fn $assign_name(&mut self, other: u32) {
                self.1 = self.0 $symbol (other | 1);
            }
        }
    )* };
}
bits! {
    BitAnd bitand BitAndAssign bitand_assign &;
    BitOr bitor BitOrAssign bitor_assign |;
    BitXor bitxor BitXorAssign bitxor_assign ^;
    Rem rem RemAssign rem_assign %;
    Div div DivAssign div_assign /;
}

#[user_function]
impl Shl<u32> for Bits {
    type Output = Bits;
    fn shl(self, by: u32) -> Bits {
        Bits(self.0.wrapping_shl(by), self.1)
    }
}

#[user_function]
impl Shr<Bits> for u32 {
    type Output = u32;
    fn shr(self, by: Bits) -> u32 {
        self >> (by.0 & 31)
    }
}

#[user_function]
impl ShlAssign<i32> for Bits {
    fn shl_assign(&mut self, by: i32) {
        self.0 = self.0.wrapping_shl(by as u32);
    }
}

#[user_function]
impl ShrAssign<Bits> for Bits {
    fn shr_assign(&mut self, by: Bits) {
        self.1 = by >> *self;
    }
}

#[user_function]
impl Shr for Bits {
    type Output = u32;
    fn shr(self, by: Bits) -> u32 {
        self.1.wrapping_shr(by.0)
    }
}

#[user_function]
impl Not for Bits {
    type Output = Bits;
    fn not(self) -> Bits {
        Bits(!self.1, !self.0)
    }
}

#[user_function]
fn plane(a: Vec2, b: Vec2, #[uniform] k: f32) -> Vec2 {
    let c = a + b * k - 2.0 * -a;
    let along = a * b;
    c * along + (a + b) * 0.5
}

#[user_function]
fn assigns(a: Vec2, b: Vec2) -> Vec2 {
    let mut c = a;
    c += b;
    c *= b.x;
    c += c;
    let mut path = [a, b, c];
    path[1] += a;
    path[2] *= 0.5;
    path[0] + path[1] + path[2]
}

#[user_function]
fn in_place(a: &mut Vec2, b: Vec2) {
    *a += b;
    *a *= 2.0;
    a.x += 1.0;
    if a.y > 0.0 {
        *a = -*a;
    }
}

#[user_function]
fn derivative(x: f32) -> Dual<f32> {
    let t = Dual { re: x, eps: 1.0 };
    let mut p = t * t * t + t * 2.0;
    p -= 0.5;
    p
}

#[user_function]
fn power<T: Number>(x: Dual<T>) -> Dual<T> {
    let mut p = x;
    for _ in 0..3 {
        p = p * x + x;
        p -= T::ONE;
    }
    p
}

#[user_function]
fn generic_sum<T: Copy + Add<Output = T> + Mul<Output = T>>(a: T, b: T) -> T {
    a * b + b
}

#[user_function]
fn of_any(x: f32, n: i32) -> Dual<i32> {
    let d = generic_sum(Dual { re: n, eps: 1 }, Dual { re: 2, eps: n });
    let s = generic_sum(x, 2.0);
    d + Dual {
        re: s as i32,
        eps: 0,
    }
}

#[user_function]
fn bit_by_bit(a: Bits, b: Bits, n: u32) -> Bits {
    let mut c = (a & b) | (a ^ !b);
    c ^= n;
    c &= 0xFFFF;
    c |= 4;
    let d = a % b;
    c %= 1000;
    c /= 3;
    let mut e = c << (n & 7);
    e <<= 2;
    e >>= b;
    Bits(n >> e, d >> e) / Bits(3, 2)
}

#[user_function]
fn traps_in_operator(a: Bits, b: Bits) -> Bits {
    a / Bits(b.0 & 3, b.1)
}

/// Operands are evaluated from left to right, also where they are functions.
#[user_function]
fn order(a: Vec2, b: Vec2) -> Vec2 {
    let mut c = a;
    let first = c + {
        c += b;
        c
    };
    let mut k = 0;
    let mut cells = [a, b];
    cells[{
        k += 1;
        k
    }] += {
        k = 0;
        first
    };
    cells[1] - cells[k]
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        case::<plane, (Each<Vec2>, Each<Vec2>, Uniform<f32>)>(),
        case::<assigns, (Each<Vec2>, Each<Vec2>)>(),
        case::<in_place, (EachMut<Vec2>, Each<Vec2>)>(),
        case::<derivative, (Each<f32>,)>(),
        case::<power, (Each<Dual<f64>>,)>(),
        case::<power, (Each<Dual<i32>>,)>(),
        case::<generic_sum, (Each<Dual<f32>>, Each<Dual<f32>>)>(),
        case::<of_any, (Each<f32>, Each<i32>)>(),
        case::<bit_by_bit, (Each<Bits>, Each<Bits>, Each<u32>)>(),
        case::<traps_in_operator, (Each<Bits>, Each<Bits>)>(),
        case::<order, (Each<Vec2>, Each<Vec2>)>(),
    ]
}
