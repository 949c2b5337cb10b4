//! `==` that users write.

use super::{Case, case};
use skel::prelude::*;
use skel_core::param::{Each, Whole};

/// Equal to others of its remainder.
#[derive(Clone, Copy, Element)]
#[repr(C)]
struct Clock {
    hours: u32,
}
skel_verify::to_value!(Clock);

#[user_function]
impl PartialEq for Clock {
    fn eq(&self, other: &Clock) -> bool {
        self.hours % 12 == other.hours % 12
    }
}

#[user_function]
fn compared_by_hand(a: Clock, b: Clock) -> u32 {
    let mut all = 0;
    if a == b {
        all += 1;
    }
    if a != b {
        all += 2;
    }
    if b != a || a == (Clock { hours: 14 }) {
        all += 8;
    }
    all
}

#[user_function]
fn in_parts(a: Clock, b: Clock, n: u32) -> u32 {
    let mut all = 0;
    if (a, n) == (b, 5) {
        all += 1;
    }
    if [a, b] != [b, a] {
        all += 2;
    }
    if ([a; 3], b) == ([b, a, b], a) {
        all += 4;
    }
    if (n, 3) == (n % 7, 3) {
        all += 8;
    }
    all
}

#[user_function]
fn count_equal<T: Copy + PartialEq>(xs: &[T], wanted: T) -> u32 {
    let mut n = 0;
    for &x in xs {
        if x == wanted {
            n += 1;
        }
    }
    n
}

#[user_function]
fn equal_clocks(hours: [u32; 4]) -> u32 {
    let mut n = 0;
    for &h in &hours {
        if (Clock { hours: h }) == (Clock { hours: hours[0] }) {
            n += 1;
        }
    }
    n
}

/// Its `==` traps: how far the comparison goes can be seen.
#[derive(Clone, Copy, Element)]
#[repr(C)]
struct Divided {
    by: u32,
}

#[user_function]
impl PartialEq for Divided {
    fn eq(&self, other: &Self) -> bool {
        100 / self.by == 100 / other.by
    }
}

#[user_function]
fn stops_early(a: [Divided; 2], b: [Divided; 2], k: bool) -> bool {
    k && a == b || (a[1], a[0]) != (b[1], b[0])
}

pub fn cases() -> Vec<Case> {
    vec![
        case::<compared_by_hand, (Each<Clock>, Each<Clock>)>(),
        case::<in_parts, (Each<Clock>, Each<Clock>, Each<u32>)>(),
        case::<count_equal, (Whole<f32>, Each<f32>)>(),
        case::<equal_clocks, (Each<[u32; 4]>,)>(),
        case::<stops_early, (Each<[Divided; 2]>, Each<[Divided; 2]>, Each<bool>)>(),
    ]
}
