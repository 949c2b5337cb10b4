//! Written by hand beside `s9034417_f_511`: an exit that is never taken.

use skel::prelude::*;
use skel_core::param::{Each, EachMut, Uniform, Whole};
use skel_verify::{Case, ToValue, case};

#[user_function]
fn dead_exit_of_array(a4: f32, a5: i32) -> f32 {
    let mut p = [0_u32; 2];
    while p[1] < 2 {
        p[1] += 1;
        if p[1] == 0 {
            if a5 == 0 {
                break;
            }
            return 7.0;
        }
    }
    a4
}

pub(super) fn compared() -> Case {
    case::<dead_exit_of_array, (Each<f32>, Each<i32>)>()
}
