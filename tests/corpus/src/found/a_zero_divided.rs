//! Cut down from `s112511_f_1602`: a compiler that knows of a zero makes one of what it is divided or multiplied by.

use skel::prelude::*;
use skel_core::param::{Each, Uniform};
use skel_verify::{Case, ToValue, case};

/// Both zeros, by their quotients.
#[user_function]
fn a_zero_divided(x: f32, y: f32) -> [f32; 6] {
    let zero = matches!(14_u32, _ if false) as u32 as f32;
    [
        1.0 / (0.0_f32).div_euclid(x),
        1.0 / zero.div_euclid(x),
        1.0 / (-0.0_f32).div_euclid(y),
        1.0 / zero.rem_euclid(y),
        1.0 / zero.mul_add(x, -0.0),
        (0.0_f32).mul_add(x, y),
    ]
}

pub(super) fn compared() -> Case {
    case::<a_zero_divided, (Each<f32>, Each<f32>)>()
}
