//! Orders of evaluation that are easy to get wrong.

use super::{Case, case};
use skel::prelude::*;
use skel_core::param::{Each, EachLineMut};

#[derive(Clone, Copy, PartialEq, Element)]
#[repr(C)]
struct Pair {
    a: i32,
    b: i32,
}

/// The block gives a copy, which the index does not change any more.
#[user_function]
fn copies_are_early(x: i32) -> i32 {
    let mut a = [x, 2, 3];
    let r = { a }[{
        a[0] = 7;
        0
    }];
    r * 100 + a[0]
}

/// The first index traps before the second one leaves.
#[user_function]
fn traps_before_leaving(x: u32, y: i32) -> i32 {
    let b = [[y, 1], [2, 3]];
    b[(x & 3) as usize][{
        if y > 5 {
            return y;
        }
        0
    }]
}

/// What stands behind `&&` is not computed without need.
#[user_function]
fn lets_behind_conditions(x: i32) -> u32 {
    let i = x as usize & 7;
    if i > 0
        && let n @ 0..=5 = i - 1
    {
        n as u32
    } else {
        77
    }
}

#[user_function]
fn guards_that_jump(x: i32, y: i32) -> i32 {
    let v = 'a: {
        match x & 3 {
            n if {
                if n > 1 {
                    break 'a 7;
                }
                n == y
            } =>
            {
                1
            }
            _ => 2,
        }
    };
    v + x
}

#[user_function]
fn guards_that_break_loops(x: i32, y: i32) -> i32 {
    let mut a = x & 15;
    let v = loop {
        match a {
            n if {
                if n > 9 {
                    break a * 2;
                }
                n == y
            } =>
            {
                a += 3;
            }
            _ => a += 1,
        }
    };
    v - y
}

#[user_function]
fn shorthand(p: Pair) -> i32 {
    let Pair { a, mut b } = p;
    b ^= a;
    match p {
        Pair { a: 0, b } => b,
        Pair { a, b: 0 } => a,
        _ => b,
    }
}

/// Of a compound assignment, the value traps before the index does.
#[user_function]
fn values_before_places(l: &mut Line<i32>, at: usize, by: i32) -> i32 {
    let mut a = [by, 2, 3];
    a[at % 6] -= 7 / (by % 3);
    l[at % 7] ^= a[(at + 1) % 4].clamp(by % 4, 2);
    l[7 / (at % 2)] += 7 / (by % 5);
    a[0]
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        case::<copies_are_early, (Each<i32>,)>(),
        case::<traps_before_leaving, (Each<u32>, Each<i32>)>(),
        case::<lets_behind_conditions, (Each<i32>,)>(),
        case::<guards_that_jump, (Each<i32>, Each<i32>)>(),
        case::<guards_that_break_loops, (Each<i32>, Each<i32>)>(),
        case::<shorthand, (Each<Pair>,)>(),
        case::<values_before_places, (EachLineMut<i32>, Each<usize>, Each<i32>)>(),
    ]
}
