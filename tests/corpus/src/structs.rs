//! Structs and enums of users.

use super::{Case, case};
use skel::prelude::*;
use skel_core::param::{Each, EachMut, Uniform};

#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[element(eq)]
#[repr(C)]
pub struct Point {
    pub x: f32,
    pub y: f32,
}

#[derive(Clone, Copy, Debug, Element)]
#[repr(C)]
pub struct Particle {
    pub at: Point,
    pub speed: [f32; 2],
    pub charge: i16,
    pub kind: Kind,
    pub alive: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Element)]
#[repr(u8)]
pub enum Kind {
    Light,
    Heavy = 7,
    Dark = 200,
}

#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(i32)]
pub enum Way {
    Back = -1,
    Stay,
    On,
}

#[derive(Clone, Copy, Debug, Element)]
#[repr(C)]
pub struct Pair<T>(pub T, pub T);

#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(transparent)]
pub struct Meters(pub f64);

#[derive(Clone, Copy, Debug, Element)]
#[repr(C)]
pub struct Line<T: Number, const N: usize> {
    pub cells: [T; N],
    pub sum: T,
}

skel_verify::to_value!(Point Particle Kind Way Pair<f32> Pair<u16> Meters Line<i64, 3>);

impl Point {
    pub const ORIGIN: Point = Point { x: 0.0, y: 0.0 };
}

const CORNERS: [Point; 3] = [
    Point { x: 1.0, y: 0.5 },
    Point::ORIGIN,
    Point { x: -2.0, y: 8.0 },
];

#[user_function]
fn makes(x: f32, y: f32) -> Point {
    let p = Point { x, y: 2.0 };
    Point { y: p.y + y, ..p }
}

#[user_function]
fn reads(p: Point, q: Point) -> f32 {
    p.x * q.x + p.y * q.y
}

#[user_function]
fn updates(p: &mut Point, #[uniform] by: Point) {
    let mut r = *p;
    r.x += by.x;
    r.y = r.x - by.y;
    *p = r;
}

#[user_function]
fn moved(p: Point, dx: f32) -> Point {
    Point { x: p.x + dx, ..p }
}

#[user_function]
fn step(p: Particle, dt: f32) -> Particle {
    let mut next = p;
    next.at.x += p.speed[0] * dt;
    next.at = moved(next.at, next.speed[1]);
    next.speed[(p.charge & 1) as usize] *= -0.5;
    if next.kind == Kind::Heavy || !next.alive {
        next.charge -= 1;
        next.kind = Kind::Dark;
    }
    next
}

#[user_function]
fn built(x: f32, n: i16) -> Particle {
    Particle {
        charge: n,
        alive: n > 0,
        at: Point { x: 1.0, y: x },
        speed: [x, 0.0],
        kind: if n < 0 { Kind::Light } else { Kind::Heavy },
    }
}

#[user_function]
fn enums(k: Kind, w: Way, n: i32) -> i32 {
    let other = if n > 0 { Way::On } else { Way::Back };
    let same = (w == other) as i32 + (k != Kind::Dark) as i32 * 2;
    k as i32 + w as i32 * n + same + k as u8 as i8 as i32
}

#[user_function]
fn gives_enum(x: f32) -> Way {
    if x < 0.0 {
        return Way::Back;
    }
    if x > 0.0 { Way::On } else { Way::Stay }
}

#[user_function]
fn equal(p: Point, q: Point) -> u32 {
    let on = p == Point::ORIGIN;
    let moved = Point { x: q.x, ..p } != q;
    (p == q) as u32 + on as u32 * 2 + moved as u32 * 4 + ((p, 1) == (q, 1)) as u32 * 8
}

#[user_function]
fn of_tuple_structs(m: Meters, k: f64) -> Meters {
    let one = Meters(1.0);
    Meters(m.0 * k + one.0)
}

#[user_function]
fn swapped<T: Number>(p: Pair<T>) -> Pair<T> {
    Pair(p.1, p.0 + T::ONE)
}

#[user_function]
fn of_generics(x: f32, n: u16) -> f32 {
    let p = swapped(Pair(x, 2.0));
    let q = swapped(Pair(n, 3));
    p.0 * p.1 - (q.0 + q.1) as f32
}

#[user_function]
fn row(r: Line<i64, 3>, k: usize) -> Line<i64, 3> {
    let mut r = r;
    r.cells[k % 3] = r.sum / r.cells[k % 2];
    r.sum = r.cells[0] + r.cells[1] + r.cells[2];
    r
}

#[user_function]
fn table_of_structs(k: usize, x: f32) -> f32 {
    let p = CORNERS[k % 3];
    p.x * x + CORNERS[(k + 1) % 3].y
}

#[user_function]
fn array_of_structs(x: f32, k: usize) -> f32 {
    let mut all = [Point::ORIGIN; 3];
    all[k % 3].x = x;
    all[(k + 1) % 3] = Point { x: 1.0, y: -x };
    all[k % 3].y -= all[(k + 1) % 3].y;
    all[0].x + all[1].y * 2.0 + all[2].x * all[2].y
}

#[user_function]
fn selected(a: Point, b: Point, left: bool) -> Point {
    let chosen = if left { a } else { b };
    let chosen = Point {
        y: {
            if chosen.x.is_nan() {
                return Point { x: 0.0, y: 0.0 };
            }
            chosen.y * 2.0
        },
        ..chosen
    };
    chosen
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        case::<makes, (Each<f32>, Each<f32>)>(),
        case::<reads, (Each<Point>, Each<Point>)>(),
        case::<updates, (EachMut<Point>, Uniform<Point>)>(),
        case::<step, (Each<Particle>, Each<f32>)>(),
        case::<built, (Each<f32>, Each<i16>)>(),
        case::<enums, (Each<Kind>, Each<Way>, Each<i32>)>(),
        case::<gives_enum, (Each<f32>,)>(),
        case::<equal, (Each<Point>, Each<Point>)>(),
        case::<of_tuple_structs, (Each<Meters>, Each<f64>)>(),
        case::<swapped, (Each<Pair<u16>>,)>(),
        case::<of_generics, (Each<f32>, Each<u16>)>(),
        case::<row, (Each<Line<i64, 3>>, Each<usize>)>(),
        case::<table_of_structs, (Each<usize>, Each<f32>)>(),
        case::<array_of_structs, (Each<f32>, Each<usize>)>(),
        case::<selected, (Each<Point>, Each<Point>, Each<bool>)>(),
    ]
}
