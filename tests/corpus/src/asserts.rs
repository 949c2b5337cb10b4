//! Assertions and panics, and items inside of functions.

use super::{Case, case};
use skel::prelude::*;
use skel_core::param::Each;

#[user_function]
fn plain_assert(n: i32) -> i32 {
    assert!(n > 0);
    assert!(n % 2 == 0 || n < 1000 && n != 7,);
    n / 2
}

#[user_function]
fn assert_with_message(x: f32) -> f32 {
    assert!(x >= 0.0, "the root of a negative number, as in {{0}}");
    x.sqrt()
}

#[user_function]
fn assert_over_lines(a: i32, b: i32) -> i32 {
    assert!(a.wrapping_add(b) != 12 && a != b && (a > -10 || b > -10));
    a ^ b
}

#[user_function]
fn assert_equal(a: i32, b: i32) -> i32 {
    let c = a & 3;
    assert_eq!(c + 1, b & 3);
    assert_ne!(a, 8);
    assert_ne!(0, b, "no zero");
    assert_eq!(b & 64, 0, "too large");
    c
}

#[user_function]
fn assert_order(n: i32, k: i32) -> i32 {
    let mut m = n;
    assert_eq!(
        {
            m += 1;
            m / k
        },
        {
            m *= 2;
            m / (k - 1)
        }
    );
    m
}

#[user_function]
fn debug_asserts(n: i32) -> i32 {
    debug_assert!(n != 5, "five");
    debug_assert_eq!(n & 8, 0);
    debug_assert_ne!(n, 3);
    n + 1
}

#[user_function]
fn panics(n: u32) -> u32 {
    if n == 0 {
        panic!();
    }
    if n > 30 {
        panic!("more than thirty");
    }
    match n % 5 {
        0 => 1,
        1 => unreachable!(),
        2 => unreachable!("two"),
        3 => 2,
        _ => panic!("it's 100 % \"wrong\" ()\n"),
    }
}

#[user_function]
#[allow(clippy::todo, clippy::unimplemented)]
fn unfinished(n: u32) -> u32 {
    match n {
        0 => todo!(),
        1 => unimplemented!(),
        2 => todo!("two"),
        3 => unimplemented!("three"),
        n => n,
    }
}

#[user_function]
fn panics_as_value(x: f32, n: i32) -> f32 {
    let y = if n > 0 { x } else { panic!("not positive") };
    let z: f32 = match n {
        1..=10 => y * 2.0,
        _ => unreachable!("n is small"),
    };
    z + 1.0
}

#[user_function]
fn always_panics(_x: f32) -> f32 {
    panic!("never {{again}}")
}

#[user_function]
fn first_trap_counts(a: i32, b: i32) -> i32 {
    let c = a / b + if a > 5 { panic!("too large") } else { a };
    for i in 0..3 {
        assert!(i < 2 || a != 4, "in round two");
    }
    c
}

#[user_function]
fn functions_inside(x: f32, n: i32) -> f32 {
    fn square(x: f32) -> f32 {
        x * x
    }
    fn twice<T: Number>(x: T) -> T {
        x + x
    }
    let n = doubled(n);
    fn doubled(n: i32) -> i32 {
        fn inner(n: i32) -> i32 {
            if n < 0 { 0 } else { n & 255 }
        }
        twice(inner(n))
    }
    square(x) + twice(x) + n as f32
}

#[user_function]
fn constants_inside(x: f32) -> f32 {
    const HALF: f32 = 0.5;
    const QUARTER: f32 = HALF * HALF;
    static OFFSET: f32 = 3.0;
    use std::f32::consts::PI as CIRCLE;
    let base = x * QUARTER + OFFSET;
    let inner = {
        const HALF: f32 = 100.0;
        match base {
            HALF => 1.0,
            QUARTER => 2.0,
            b => b + HALF,
        }
    };
    base + inner + CIRCLE + HALF
}

#[user_function]
fn items_hide_variables(n: i32) -> i32 {
    let scale = n & 7;
    let limit = 3;
    let inner = {
        #[allow(non_upper_case_globals)]
        const limit: i32 = 1000;
        fn scale(n: i32) -> i32 {
            n & 1
        }
        scale(n) + limit
    };
    inner + scale * limit
}

pub fn cases() -> Vec<Case> {
    vec![
        case::<plain_assert, (Each<i32>,)>(),
        case::<assert_with_message, (Each<f32>,)>(),
        case::<assert_over_lines, (Each<i32>, Each<i32>)>(),
        case::<assert_equal, (Each<i32>, Each<i32>)>(),
        case::<assert_order, (Each<i32>, Each<i32>)>(),
        case::<debug_asserts, (Each<i32>,)>(),
        case::<panics, (Each<u32>,)>(),
        case::<unfinished, (Each<u32>,)>(),
        case::<panics_as_value, (Each<f32>, Each<i32>)>(),
        case::<always_panics, (Each<f32>,)>(),
        case::<first_trap_counts, (Each<i32>, Each<i32>)>(),
        case::<functions_inside, (Each<f32>, Each<i32>)>(),
        case::<constants_inside, (Each<f32>,)>(),
        case::<items_hide_variables, (Each<i32>,)>(),
    ]
}
