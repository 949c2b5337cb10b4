//! Tuples, structs, arrays and enums taken apart.

use super::{Case, case};
use skel::prelude::*;
use skel_core::param::{Each, EachMut};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Element)]
#[repr(u8)]
pub enum Colour {
    Red,
    Green = 7,
    Blue = 200,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Element)]
#[repr(i16)]
pub enum Turn {
    Left = -1,
    None,
    Right,
}

#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
pub struct Spot {
    pub x: i32,
    pub y: i32,
}

#[derive(Clone, Copy, Debug, Element)]
#[repr(C)]
pub struct Mark {
    pub at: Spot,
    pub weights: [f32; 3],
    pub count: u16,
    pub colour: Colour,
    pub seen: bool,
}

#[derive(Clone, Copy, Debug, Element)]
#[repr(C)]
pub struct Both(pub i32, pub Spot);

skel_verify::to_value!(Colour Turn Spot Mark Both);

impl Spot {
    pub(super) const ORIGIN: Spot = Spot { x: 0, y: 0 };
    pub(super) const FAR: i32 = 15;
}

#[user_function]
fn match_enums(c: Colour, t: Turn) -> i32 {
    let base = match c {
        Colour::Red => 1,
        Colour::Green | Colour::Blue if t == Turn::Left => 2,
        Colour::Green => 3,
        Colour::Blue => 4,
    };
    let turn = match t {
        Turn::Left => -10,
        Turn::None => 0,
        Turn::Right => 10,
    };
    base + turn
}

#[user_function]
fn enums_in_scope(c: Colour) -> Colour {
    use Colour::*;
    match c {
        Red => Green,
        Green => Blue,
        Blue => Red,
    }
}

#[user_function]
fn match_tuples(a: i32, b: i32) -> i32 {
    match (a, b) {
        (0, 0) => 1,
        (0, y) | (y, 0) if y > 5 => y,
        (0, _) => 2,
        (_, 0) => 3,
        (x @ 1..=10, y @ (1 | 3 | 5)) => x * y,
        (x, y) if x == y => 4,
        (x, 7 | 8) => x.wrapping_sub(1),
        (.., -5..=-1) => 5,
        (5, ..) => 6,
        _ => 7,
    }
}

#[user_function]
fn alternatives_bind(a: u32, b: u32) -> u32 {
    let ((small, 0..3) | (_, small)) = (a % 4, b % 4);
    match (a % 4, b % 4, a % 3 == 0) {
        (0, x, true) | (x, 0, _) | (1 | 2, x, false) => x + 10,
        (x, y, true) => x * y + small,
        (3, 1 | 2, _) => 50,
        (x, _, _) => x + 100,
    }
}

#[user_function]
fn nested_alternatives(a: u32, b: u32, c: u32) -> u32 {
    match ((a % 3, b % 3), c % 4) {
        ((0, x) | (x, 0), 1 | 2) => x,
        ((1, x) | (x, 1), y @ (0 | 3)) if x != y => 10 + x * y,
        ((x, _), 3) | ((_, x), _) => 100 + x,
    }
}

#[user_function]
fn guards_try_each_binding(a: i32, b: i32) -> i32 {
    match (a & 15, b & 15) {
        (x, _) | (_, x) if x > 9 => x,
        (x, y) | (y, x) if x % 4 == 3 && y > 2 => x * 100 + y,
        _ => -1,
    }
}

#[user_function]
fn guards_with_effects_try_each_binding(a: i32, b: i32) -> i32 {
    let mut tried = 0;
    let found = match (a & 7, b & 7) {
        (x, _) | (_, x)
            if {
                tried = tried * 10 + x;
                x == 4
            } =>
        {
            x
        }
        (1 | 2, y) => y,
        _ => 9,
    };
    found * 1000 + tried
}

#[user_function]
fn guards_do_not_change_the_value(a: i32, b: i32) -> i32 {
    let mut a = a & 3;
    match (a, b & 1) {
        (0, _)
            if {
                a = 3;
                b > 10
            } =>
        {
            a
        }
        (3, _) => 100,
        (0, y) => a + y + 10,
        (x, y) => x + y,
    }
}

#[user_function]
fn match_structs(p: Spot) -> i32 {
    match p {
        Spot::ORIGIN => 0,
        Spot { x: 0, y } => y,
        Spot { x, y: 0 } => x ^ 1,
        Spot { x: Spot::FAR, .. } => 15,
        Spot { x, y } if x == y => 2,
        Spot { x: a @ ..0, y: b } => a ^ b,
        Spot { .. } => 3,
    }
}

#[user_function]
fn match_nested_parts(m: Mark) -> f32 {
    match m {
        Mark {
            colour: Colour::Red,
            weights: [a, .., b],
            ..
        } => a + b,
        Mark {
            at: Spot { x: 1..=9, y },
            seen: true,
            ..
        } => y as f32,
        Mark {
            weights: [0.0, w, _] | [_, w, 0.0],
            count: 1..,
            ..
        } => w,
        Mark {
            weights,
            count,
            colour: c @ (Colour::Green | Colour::Blue),
            ..
        } => weights[2] + count as f32 + c as u8 as f32,
    }
}

#[user_function]
fn match_tuple_struct(n: i32, p: Spot) -> i32 {
    let both = Both(n, p);
    match both {
        Both(0, _) => 1,
        Both(1..=5, Spot { x, .. }) => x,
        Both(a, Spot { y: 0, x: b }) => a ^ b,
        Both(.., Spot { x, y }) => x & y,
    }
}

#[user_function]
fn match_arrays(n: i32) -> i32 {
    let table = [n & 1, n & 2, n & 4, 7];
    match table {
        [0, 0, 0, _] => 1,
        [1, rest @ ..] if rest[1] == 4 => rest[0] + rest[2],
        [first, .., last] if first == 1 => last + 10,
        [_, middle @ .., 7] => middle[0] * middle[1] + middle.len() as i32,
        [..] => -1,
    }
}

#[user_function]
fn ranges_of_all_integers(a: i64, b: u8) -> i64 {
    let mut sum = 0;
    for i in a..a.wrapping_add(5) {
        sum ^= i;
    }
    for i in i64::MAX - 2..=i64::MAX {
        sum ^= i;
    }
    for i in 250..=u8::MAX {
        sum += i as i64;
    }
    for i in (b..=b.wrapping_add(9)).rev().step_by(3) {
        sum += i as i64 * 7;
    }
    for i in (i8::MIN..=i8::MAX).step_by(100) {
        sum += i as i64;
    }
    for i in (i8::MIN..i8::MAX).rev().step_by(200) {
        sum += i as i64;
    }
    for i in (i64::MIN..i64::MAX).step_by(0x4000_0000_0000_0000) {
        sum ^= i >> 3;
    }
    for i in (-3_i16..3).rev() {
        sum += i as i64;
    }
    for i in (0_u16..b as u16).step_by(1000) {
        sum += i as i64 + 1;
    }
    for i in (-20_isize..=20).step_by(7) {
        sum += i as i64;
    }
    sum
}

#[user_function]
fn match_wide(a: i64, b: u8) -> i64 {
    match a {
        i64::MIN..=-1_000_000_000_000 => -2,
        0 => i64::from(b),
        1..=255 => match b {
            b'a'..=b'z' => 1,
            200.. => 2,
            _ => 3,
        },
        _ => 4,
    }
}

#[user_function]
fn match_small(a: i8, b: u16) -> i16 {
    match (a, b) {
        (i8::MIN, _) => 1,
        (-128..0, 0..=255) => 2,
        (0, u16::MAX) => 3,
        (127, b) => b as i16,
        (a, _) => a as i16,
    }
}

#[user_function]
fn blocks_give_tuples(n: i32) -> (i32, f32) {
    'found: {
        if n < 0 {
            break 'found (n, 0.5);
        }
        let (a, b) = 'inner: {
            if n % 2 == 0 {
                break 'inner (n / 2, 1.0);
            }
            (n, 2.0)
        };
        match a {
            0 => (7, b),
            a => (a ^ 1, b * 2.0),
        }
    }
}

#[user_function]
impl Spot {
    const UNIT: Spot = Spot { x: 1, y: 1 };
    const EDGE: i32 = 20;

    fn region(self) -> i32 {
        match self {
            Self::UNIT => 1,
            Self { x: Self::EDGE.., y } if y > self.x => 2,
            Spot {
                x: 0 | Self::EDGE,
                y: 0,
            } => 3,
            Self { x, .. } => x & 7,
        }
    }

    fn checked(self, limit: i32) -> i32 {
        assert!(self.x <= Self::EDGE || self.y == limit);
        assert!(!matches!(self, Self { x: -3..=-1, y: k } if k == limit));
        'found: {
            for k in (0..5).rev() {
                if k * self.x == limit {
                    break 'found k;
                }
            }
            self.x
        }
    }

    fn swap(&mut self) {
        let Spot { x, y } = *self;
        (self.y, self.x) = (x, y);
    }
}

#[user_function]
fn patterns_in_methods(p: Spot, limit: i32) -> i32 {
    let mut q = p;
    q.swap();
    p.region() ^ q.region() ^ q.checked(limit & 15)
}

macro_rules! patterns_from_a_macro {
    ($name:ident, $n:ident, $k:ident, $value:expr, $pat:pat, $message:literal) => {
        #[user_function]
        fn $name($n: i32, $k: i32) -> i32 {
            assert!($value * 2 != 14, $message);
            let hit = matches!($value * 2, $pat if $k > 0);
            match $value * 3 {
                $pat => 1 + hit as i32,
                other => other,
            }
        }
    };
}
patterns_from_a_macro!(from_a_macro, n, k, n + k, 0..=9 | 20, "seven");

#[user_function]
fn generic_patterns<T: Number, const N: i32>(pair: (T, T), n: i32) -> T {
    fn pick(n: i32) -> bool {
        matches!(n & 3, 1 | 2)
    }
    let (a, b) = pair;
    let [first, second] = match n.min(N) {
        0..=9 if pick(n) => [a, b],
        10.. => [b, T::ONE],
        _ => [b, a],
    };
    assert!(first == first || n < N);
    first * second
}

#[user_function]
fn uses_generic_patterns(x: f32, n: i32) -> f32 {
    generic_patterns::<_, 30>((x, 2.0), n) - generic_patterns::<i32, 5>((3, n & 7), n) as f32
}

pub fn cases() -> Vec<Case> {
    vec![
        case::<match_enums, (Each<Colour>, Each<Turn>)>(),
        case::<enums_in_scope, (Each<Colour>,)>(),
        case::<match_tuples, (Each<i32>, Each<i32>)>(),
        case::<alternatives_bind, (Each<u32>, Each<u32>)>(),
        case::<nested_alternatives, (Each<u32>, Each<u32>, Each<u32>)>(),
        case::<guards_try_each_binding, (Each<i32>, Each<i32>)>(),
        case::<guards_with_effects_try_each_binding, (Each<i32>, Each<i32>)>(),
        case::<guards_do_not_change_the_value, (Each<i32>, Each<i32>)>(),
        case::<match_structs, (Each<Spot>,)>(),
        case::<match_nested_parts, (Each<Mark>,)>(),
        case::<match_tuple_struct, (Each<i32>, Each<Spot>)>(),
        case::<match_arrays, (Each<i32>,)>(),
        case::<ranges_of_all_integers, (Each<i64>, Each<u8>)>(),
        case::<match_wide, (Each<i64>, Each<u8>)>(),
        case::<match_small, (Each<i8>, Each<u16>)>(),
        case::<blocks_give_tuples, (Each<i32>,)>(),
        case::<patterns_in_methods, (Each<Spot>, Each<i32>)>(),
        case::<from_a_macro, (Each<i32>, Each<i32>)>(),
        case::<uses_generic_patterns, (Each<f32>, Each<i32>)>(),
    ]
}
