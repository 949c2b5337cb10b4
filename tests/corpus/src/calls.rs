//! Calls of user functions, across modules.

use super::{Case, case};
use skel::prelude::*;
use skel_core::param::Each;

mod inner {
    use skel::prelude::*;

    #[user_function]
    pub fn half(x: f32) -> f32 {
        x * 0.5
    }

    pub mod deep {
        use skel::prelude::*;

        #[user_function]
        pub fn quarter(x: f32) -> f32 {
            super::half(super::half(x))
        }
    }
}

use inner::deep::*;

#[user_function]
fn square(x: f32) -> f32 {
    x * x
}

#[user_function]
fn across_modules(x: f32) -> f32 {
    square(inner::half(x)) + quarter(3.0) - self::inner::deep::quarter(x)
}

#[user_function]
fn ratio(a: i32, b: i32) -> i32 {
    a / b
}

#[user_function]
fn traps_in_callee(a: i32, b: i32) -> i32 {
    let guarded = if b != 0 && ratio(a, b) > 2 { 1 } else { 0 };
    guarded + ratio(a, b & 3)
}

#[user_function]
fn loop_over_calls(x: f32, n: u32) -> f32 {
    let mut sum = 0.0;
    for i in 0..n & 15 {
        sum += square(x + i as f32);
        if square(sum) > 1.0e12 {
            return sum;
        }
    }
    sum
}

/// A local of the callee's name, and a parameter of the function's own.
#[user_function]
fn same_names(same_names: f32) -> f32 {
    let square = square(same_names);
    square + 1.0
}

pub(super) fn cases() -> Vec<Case> {
    #[user_function]
    fn inside_of_a_function(x: f32) -> f32 {
        square(x) - 1.0
    }
    vec![
        case::<across_modules, (Each<f32>,)>(),
        case::<traps_in_callee, (Each<i32>, Each<i32>)>(),
        case::<loop_over_calls, (Each<f32>, Each<u32>)>(),
        case::<same_names, (Each<f32>,)>(),
        case::<inside_of_a_function, (Each<f32>,)>(),
    ]
}
