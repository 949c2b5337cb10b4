//! Calls of functions with loops, wherever a call may stand, with all that may be passed.

use super::Case;
use skel::prelude::*;
use skel_core::param::{Each, EachMut, Uniform, Whole, WholeMatrix};
use skel_verify::case;

#[user_function]
fn steps(x: u32, #[uniform] limit: u32) -> u32 {
    let (mut x, mut n) = (x, 0);
    while x > 1 && n < limit {
        x = if x % 2 == 0 { x / 2 } else { 3 * x + 1 };
        n += 1;
    }
    n
}

/// Its parameters stay as they are.
#[user_function]
fn power(x: f32, n: u32) -> f32 {
    let mut y = 1.0;
    for _ in 0..n {
        y *= x;
        if y > 1e20 {
            return x;
        }
    }
    y
}

/// It has no loops, so no lanes.
#[user_function]
fn twice(x: u32) -> u32 {
    x * 2
}

#[user_function]
fn traps(x: u32, by: u32) -> u32 {
    let (mut x, mut n) = (x, 0);
    while x > 7 {
        x /= by;
        n += 1;
        if n == 40 {
            break;
        }
    }
    n
}

#[user_function]
fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    let mut sum = 0.0;
    for k in 0..3 {
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    }
    sum
}

#[user_function]
fn found(x: u32, xs: &[u32]) -> (bool, usize) {
    for (k, y) in xs.iter().enumerate() {
        if x % 8 == y % 8 {
            return (true, k);
        }
    }
    (false, xs.len())
}

#[derive(Clone, Copy, PartialEq, Debug, Element)]
#[repr(C)]
struct Orbit {
    re: f32,
    im: f32,
    rounds: u32,
}

#[user_function]
fn orbit(start: Orbit, c: f32) -> Orbit {
    let mut o = start;
    while o.rounds < 20 {
        if o.re * o.re + o.im * o.im > 4.0 {
            break;
        }
        (o.re, o.im) = (o.re * o.re - o.im * o.im + c, 2.0 * o.re * o.im);
        o.rounds += 1;
    }
    o
}

mod elsewhere {
    use skel::prelude::*;

    #[user_function]
    pub fn ones<const N: u32>(x: u64) -> u32 {
        let (mut x, mut n) = (x, 0);
        for _ in 0..N {
            n += (x & 1) as u32;
            x >>= 1;
        }
        n
    }

    #[user_function]
    pub fn largest<T: Number>(x: T, y: T) -> T {
        let mut most = x;
        let mut k = 0;
        while k < 3 {
            if y > most {
                most = y;
            }
            k += 1;
        }
        most
    }

    #[user_function]
    pub fn plain<T: Number, const N: u32>(x: T) -> T {
        if N > 2 { x } else { x + x }
    }
}

use elsewhere::ones as bits;

#[user_function]
fn of_two_that_loop(x: u32, y: u32) -> u32 {
    steps(x, 50) + twice(steps(y, 9)) * steps(x ^ y, 3)
}

#[user_function]
fn only_the_last(x: u32) -> u32 {
    steps(x, 100)
}

#[user_function]
fn of_a_call(x: u32) -> u32 {
    steps(steps(x, 200) * 31 + 7, 60)
}

#[user_function]
fn in_branches(x: u32, y: u32) -> u32 {
    let mut sum = y;
    if x % 3 == 0 {
        sum += steps(x, 90);
    } else if steps(y, 40) > 12 {
        sum ^= steps(x + y, 25);
    } else {
        let n = steps(y + 5, 70);
        if n > 4 {
            return n;
        }
        sum -= n;
    }
    sum
}

#[user_function]
fn in_loops(x: u32, y: u32) -> u32 {
    let mut sum = 0;
    'outer: for i in 0..x % 7 {
        if (i ^ y) % 4 == 1 {
            continue;
        }
        let n = steps(y ^ i, 30);
        for j in 0..n % 5 {
            sum += steps(i * 13 + j, 11);
            if sum > 60 {
                break 'outer;
            }
        }
        if n == 3 {
            continue 'outer;
        }
        sum += 1;
    }
    sum
}

#[user_function]
fn in_a_condition(x: u32) -> u32 {
    let (mut x, mut n) = (x, 0);
    while steps(x, 40) > 6 && n < 10 {
        if x % 5 == 2 {
            x /= 2;
            continue;
        }
        x = x / 3 + n;
        n += 1;
    }
    n + x
}

#[user_function]
fn as_a_range(x: u32, y: f32) -> f32 {
    let mut sum = 0.5;
    for i in 0..steps(x, 9) {
        sum += power(y, i);
    }
    sum
}

#[user_function]
fn where_it_may_not_be_called(x: u32, y: u32) -> u32 {
    // Only what is evaluated in any case goes before the statement.
    if y != 0 && traps(x, y) > 2 {
        return 1;
    }
    let n = if y == 0 { 4 } else { 100 / y + traps(x, y) };
    n + steps(n, 8)
        + match x % 3 {
            0 => steps(x, 5),
            1 => 2,
            _ => 100 / (y + 1) + steps(y, 6),
        }
}

/// It does not come back if `y` is zero.
#[user_function]
fn until_it_is_not_zero(y: u32) -> u32 {
    let mut n = 1;
    while y == 0 {
        n += 1;
    }
    n
}

#[user_function]
fn behind_what_panics(x: u32, y: u32) -> u32 {
    steps(x, 5) + (100 / (y % 16) + until_it_is_not_zero(y % 16))
}

#[user_function]
fn that_panics(x: u32, y: u32) -> u32 {
    if x % 4 == 0 {
        return 9;
    }
    traps(x, y % 5) + 1
}

#[user_function]
fn with_what_differs(x: u32, y: u32) -> u32 {
    // The parameter is uniform there.
    steps(x, y % 20) + steps(1000, y % 8)
}

#[user_function]
fn with_the_same(#[uniform] x: u32, y: u32) -> u32 {
    let n = steps(x, 30);
    if y > n { steps(x + 1, x % 16) } else { n }
}

#[user_function]
fn nearest(p: [f32; 3], centres: &[[f32; 3]], #[uniform] most: f32) -> (u32, f32) {
    let (mut best, mut least) = (99, most);
    for (k, c) in centres.iter().enumerate() {
        let d = distance(p, *c);
        if d < least {
            least = d;
            best = k as u32;
        }
    }
    (best, least)
}

#[user_function]
fn with_a_whole_container(x: u32, xs: &[u32]) -> u32 {
    let (is, at) = found(x, xs);
    if is {
        xs[at]
    } else {
        found(x / 2, xs).1 as u32
    }
}

#[user_function]
fn sum_of(x: f32, xs: &[f32]) -> f32 {
    let mut sum = x;
    for y in xs.iter() {
        sum += *y;
    }
    sum
}

#[user_function]
fn with_slices(x: f32, xs: &[f32]) -> f32 {
    let mut sum = sum_of(x, xs);
    let mut n = 0;
    while sum > 1.0 && n < 5 {
        sum = 0.5 * sum_of(-sum, &xs);
        n += 1;
    }
    sum
}

#[user_function]
fn row_sum(i: usize, m: MatrixView<i32>) -> i32 {
    let mut sum = 0;
    for j in 0..m.cols() {
        sum += m[(i, j)];
    }
    sum
}

#[user_function]
fn with_a_matrix(x: u32, m: MatrixView<i32>) -> i32 {
    let mut most = i32::MIN;
    for i in 0..m.rows() {
        if (i as u32 + x) % 3 != 0 {
            most = most.max(row_sum(i, m));
        }
    }
    most
}

#[user_function]
fn of_structs(c: f32) -> (f32, u32) {
    let begin = Orbit {
        re: c,
        im: 0.5,
        rounds: 0,
    };
    let o = orbit(begin, c);
    let half = Orbit {
        rounds: o.rounds / 2,
        ..o
    };
    (
        orbit(half, -c).im,
        orbit(Orbit { re: o.im, ..half }, c).rounds,
    )
}

#[user_function]
fn of_generics(x: u64, y: f32) -> (u32, f32, u16) {
    let n = bits::<12>(x) + bits::<3>(x >> 12);
    let y = elsewhere::largest(y, n as f32 - 3.5);
    let z = elsewhere::largest::<u16>(x as u16, 77);
    (
        elsewhere::plain::<u32, 1>(n),
        elsewhere::plain::<_, 4>(y),
        z,
    )
}

#[user_function]
fn of_one_inside(x: u32) -> u32 {
    #[user_function]
    fn steps(x: u32) -> u32 {
        let mut n = 0;
        while n < 30 && x >> n > 0 {
            n += 3;
        }
        n
    }
    let mut k = 0;
    while k < 4 {
        k += 1 + steps(x) / 16;
    }
    k + steps(x)
}

#[user_function]
fn changes(x: u32, y: &mut u32) -> u32 {
    let mut n = 0;
    while *y > x {
        *y /= 2;
        n += 1;
        if n > 30 {
            break;
        }
    }
    n
}

#[user_function]
fn lends(x: u32, y: &mut u32) -> u32 {
    let mut z = x ^ 0xff;
    let n = changes(x, y) + changes(x / 3, &mut z);
    if n % 2 == 0 {
        *y += steps(*y, 12);
    }
    n + z + steps(z, 5)
}

#[user_function]
fn four_deep(x: u32) -> u32 {
    let mut sum = 0;
    for i in 0..3 {
        if (x >> i) % 2 == 1 {
            sum += of_a_call(x + i) + in_branches(x, sum);
        }
    }
    sum
}

#[user_function]
fn shadows(x: u32) -> u32 {
    let steps = steps(x, 17);
    let x = self::steps(steps + x, 4);
    let x = x + twice(x);
    x * steps
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        case::<of_two_that_loop, (Each<u32>, Each<u32>)>(),
        case::<only_the_last, (Each<u32>,)>(),
        case::<of_a_call, (Each<u32>,)>(),
        case::<in_branches, (Each<u32>, Each<u32>)>(),
        case::<in_loops, (Each<u32>, Each<u32>)>(),
        case::<in_a_condition, (Each<u32>,)>(),
        case::<as_a_range, (Each<u32>, Each<f32>)>(),
        case::<where_it_may_not_be_called, (Each<u32>, Each<u32>)>(),
        case::<behind_what_panics, (Each<u32>, Each<u32>)>(),
        case::<that_panics, (Each<u32>, Each<u32>)>(),
        case::<with_what_differs, (Each<u32>, Each<u32>)>(),
        case::<with_the_same, (Uniform<u32>, Each<u32>)>(),
        case::<nearest, (Each<[f32; 3]>, Whole<[f32; 3]>, Uniform<f32>)>(),
        case::<with_a_whole_container, (Each<u32>, Whole<u32>)>(),
        case::<with_slices, (Each<f32>, Whole<f32>)>(),
        case::<with_a_matrix, (Each<u32>, WholeMatrix<i32>)>(),
        case::<of_structs, (Each<f32>,)>(),
        case::<of_generics, (Each<u64>, Each<f32>)>(),
        case::<of_one_inside, (Each<u32>,)>(),
        case::<lends, (Each<u32>, EachMut<u32>)>(),
        case::<four_deep, (Each<u32>,)>(),
        case::<shadows, (Each<u32>,)>(),
    ]
}
