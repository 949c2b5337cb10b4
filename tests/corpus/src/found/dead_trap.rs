//! Written by hand beside `s9034417_f_511`: an exit that is never taken.

use skel::prelude::*;
use skel_core::param::{Each, EachMut, Uniform, Whole};
use skel_verify::{Case, ToValue, case};

#[user_function]
fn dead_trap(a4: f32, a5: i32) -> f32 {
    for n in 0..3 {
        if n + 1 == 0 {
            assert!(a5 > 5, "small");
            panic!("dead");
        }
    }
    a4
}

pub(super) fn compared() -> Case {
    case::<dead_trap, (Each<f32>, Each<i32>)>()
}
