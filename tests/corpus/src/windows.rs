//! Neighbourhoods: windows and pools.

use super::{Case, case};
use skel::prelude::*;
use skel_core::param::{
    Each, EachMut, EachPool1, EachPool2, EachPool3, EachPool4, EachWindow1, EachWindow2,
    EachWindow3, EachWindow4, Uniform, Whole,
};

#[user_function]
fn blur(w: Window1<f32, 2>) -> f32 {
    (w[-2] + 4.0 * w[-1] + 6.0 * w[0] + 4.0 * w[1] + w[2]) / 16.0
}

#[user_function]
fn box_blur<const R: usize>(w: Window2<f32, R, R>) -> f32 {
    let r = R as isize;
    let mut sum = 0.0;
    for dy in -r..=r {
        for dx in -r..=r {
            sum += w[(dy, dx)];
        }
    }
    sum / (2 * r + 1) as f32
}

#[user_function]
fn sobel(w: Window2<u8, 1, 1>) -> u8 {
    let mut x = 0;
    let mut y = 0;
    for d in -1..=1 {
        let weight = if d == 0 { 2 } else { 1 };
        x += weight * (w[(d, 1)] as i32 - w[(d, -1)] as i32);
        y += weight * (w[(1, d)] as i32 - w[(-1, d)] as i32);
    }
    ((x * x + y * y) as f32).sqrt() as u8
}

#[user_function]
fn life(w: Window2<bool, 1, 1>) -> bool {
    let mut alive = 0;
    for dy in -1..=1 {
        for dx in -1..=1 {
            if (dy != 0 || dx != 0) && w[(dy, dx)] {
                alive += 1;
            }
        }
    }
    alive == 3 || alive == 2 && w[(0, 0)]
}

#[user_function]
fn sorted(a: &mut i32, b: &mut i32) {
    let (low, high) = ((*a).min(*b), (*a).max(*b));
    *a = low;
    *b = high;
}

#[user_function]
fn median(w: Window1<i32, 2>) -> i32 {
    let (mut a, mut b, mut c, mut d, mut e) = (w[-2], w[-1], w[0], w[1], w[2]);
    sorted(&mut a, &mut b);
    sorted(&mut d, &mut e);
    sorted(&mut a, &mut d);
    sorted(&mut b, &mut e);
    sorted(&mut b, &mut c);
    sorted(&mut c, &mut d);
    sorted(&mut b, &mut c);
    c
}

#[user_function]
fn laplacian(w: Window3<f64, 1, 1, 1>) -> f64 {
    w[(-1, 0, 0)] + w[(1, 0, 0)] + w[(0, -1, 0)] + w[(0, 1, 0)] + w[(0, 0, -1)] + w[(0, 0, 1)]
        - 6.0 * w[(0, 0, 0)]
}

#[user_function]
fn four_dimensions(w: Window4<u32, 1, 0, 2, 1>) -> u32 {
    let mut hash = w[(0, 0, 0, 0)];
    for a in -1..=1 {
        for c in -2..=2 {
            hash = hash.rotate_left(3) ^ w[(a, 0, c, 1)] ^ w[(a, 0, c, -1)];
        }
    }
    hash.wrapping_add(w[(-1, 0, 2, 0)])
}

#[user_function]
fn anywhere(w: Window1<i32, 2>, d: isize) -> i32 {
    w[d] ^ w[-d / 2]
}

#[user_function]
fn anywhere_in_two(k: i16, w: Window2<i64, 1, 2>) -> i64 {
    let at = (k as isize % 3, k as isize / 3 % 4);
    w[at].wrapping_sub(w[(0, at.1 / 2)])
}

#[user_function]
fn after_a_test(w: Window1<u16, 1>, d: isize) -> u16 {
    if d >= -1 && d <= 1 && w[d] > 100 {
        w[d]
    } else {
        w[0] / 2
    }
}

#[user_function]
fn largest<T: Number>(p: Pool2<T, 2, 3>) -> T {
    let mut most = p[(0, 0)];
    for row in 0..2 {
        for col in 0..3 {
            most = most.max(p[(row, col)]);
        }
    }
    most
}

#[user_function]
fn average(p: Pool1<u16, 4>) -> f32 {
    (p[0] as f32 + p[1] as f32 + p[2] as f32 + p[3] as f32) / 4.0
}

#[user_function]
fn sum_of_pool(p: Pool3<i32, 2, 1, 2>, q: Pool4<i8, 1, 2, 1, 2>) -> i32 {
    let mut sum: i32 = p[(0, 0, 0)] ^ p[(1, 0, 1)];
    for plane in 0..2 {
        sum = sum.wrapping_mul(3) ^ q[(0, plane, 0, 1)] as i32 ^ p[(plane, 0, 0)];
    }
    sum
}

#[user_function]
fn from_the_pool(p: Pool1<i16, 3>, k: usize) -> i16 {
    p[k] & p[2]
}

#[user_function]
fn gathered(
    at: Index2,
    #[uniform] weight: f32,
    w: Window2<f32, 1, 1>,
    table: &[f32],
    x: f32,
) -> f32 {
    let chosen = table[at.col % table.len()];
    weight * (w[(-1, 0)] - w[(1, 0)]) + chosen + x * at.row as f32
}

#[user_function]
fn difference(a: Window1<f32, 1>, b: Window1<f32, 1>) -> f32 {
    a[1] - b[-1]
}

#[user_function]
fn far(w: Window1<f32, 1>, d: isize) -> f32 {
    w[d] * 2.0
}

#[user_function]
fn passed_on(a: Window1<f32, 1>, b: Window1<f32, 1>, d: isize) -> f32 {
    let ab = difference(a, b);
    let ba = difference(b, a);
    ab * far(a, 0) + ba + if d > 0 { far(b, d) } else { a[0] }
}

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct Cell {
    heat: f32,
    flow: [i32; 2],
    age: u32,
}

#[user_function]
fn of_structs(w: Window2<Cell, 0, 1>, d: isize) -> f32 {
    let (left, right) = (w[(0, -1)], w[(0, 1)]);
    let here = w[(0, d)];
    left.heat + right.heat * (here.flow[1] as f32) - (here.age % 7) as f32
}

#[user_function]
fn of_arrays(w: Window1<[i32; 3], 1>) -> [i32; 3] {
    let mut sum = w[0];
    for k in 0..3 {
        sum[k] ^= w[-1][2 - k] ^ w[1][k];
    }
    sum
}

#[user_function]
fn in_place(y: &mut f64, w: Window1<f64, 1>) {
    *y = 0.5 * *y + w[-1] - w[1];
}

#[user_function]
fn two_results(w: Window1<usize, 3>) -> (usize, bool) {
    ((w[-3] + w[3]) / 2, w[0] > w[1])
}

#[user_function]
fn nothing_around(w: Window2<u64, 0, 0>) -> u64 {
    w[(0, 0)] >> 1
}

#[user_function]
fn early(w: Window1<i32, 1>) -> i32 {
    let mut k = 0;
    while k < 3 {
        if w[k - 1] < 0 {
            return k as i32;
        }
        k += 1;
    }
    w[0] / 2
}

#[user_function]
fn wide(w: Window1<f32, 9>) -> f32 {
    let mut most = w[-9];
    for d in -8..10 {
        most = if w[d] > most { w[d] } else { most };
    }
    most
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        case::<blur, (EachWindow1<f32, 2>,)>(),
        case::<box_blur, (EachWindow2<f32, 1, 1>,)>(),
        case::<box_blur, (EachWindow2<f32, 3, 3>,)>(),
        case::<sobel, (EachWindow2<u8, 1, 1>,)>(),
        case::<life, (EachWindow2<bool, 1, 1>,)>(),
        case::<median, (EachWindow1<i32, 2>,)>(),
        case::<laplacian, (EachWindow3<f64, 1, 1, 1>,)>(),
        case::<four_dimensions, (EachWindow4<u32, 1, 0, 2, 1>,)>(),
        case::<anywhere, (EachWindow1<i32, 2>, Each<isize>)>(),
        case::<anywhere_in_two, (Each<i16>, EachWindow2<i64, 1, 2>)>(),
        case::<after_a_test, (EachWindow1<u16, 1>, Each<isize>)>(),
        case::<largest, (EachPool2<f32, 2, 3>,)>(),
        case::<largest, (EachPool2<i8, 2, 3>,)>(),
        case::<average, (EachPool1<u16, 4>,)>(),
        case::<sum_of_pool, (EachPool3<i32, 2, 1, 2>, EachPool4<i8, 1, 2, 1, 2>)>(),
        case::<from_the_pool, (EachPool1<i16, 3>, Each<usize>)>(),
        case::<gathered, (Uniform<f32>, EachWindow2<f32, 1, 1>, Whole<f32>, Each<f32>)>(),
        case::<passed_on, (EachWindow1<f32, 1>, EachWindow1<f32, 1>, Each<isize>)>(),
        case::<of_structs, (EachWindow2<Cell, 0, 1>, Each<isize>)>(),
        case::<of_arrays, (EachWindow1<[i32; 3], 1>,)>(),
        case::<in_place, (EachMut<f64>, EachWindow1<f64, 1>)>(),
        case::<two_results, (EachWindow1<usize, 3>,)>(),
        case::<nothing_around, (EachWindow2<u64, 0, 0>,)>(),
        case::<early, (EachWindow1<i32, 1>,)>(),
        case::<wide, (EachWindow1<f32, 9>,)>(),
    ]
}
