//! Written by hand beside `s9034417_f_511`: an exit that is never taken.

use skel::prelude::*;
use skel_core::param::{Each, EachMut, Uniform, Whole};
use skel_verify::{Case, ToValue, case};

#[user_function]
fn dead_exit_of_field(a4: f32, a5: i32) -> f32 {
    let mut p = (0_u32, 1_u32);
    while p.0 < 2 {
        p.0 += 1;
        if p.0 == 0 {
            if a5 == 0 {
                break;
            }
            return 7.0;
        }
    }
    a4
}

pub(super) fn compared() -> Case {
    case::<dead_exit_of_field, (Each<f32>, Each<i32>)>()
}
