//! Found by `cargo xtask fuzz --seed 27110001`: cuda differed.

use skel::prelude::*;
use skel_core::param::{Each, EachMut, Uniform, Whole};
use skel_verify::{Case, ToValue, case};

#[user_function]
fn f_1048(mut a28: [bool; 1], a29: u32) -> bool {
    a28[7071_usize] &= (0_u32).overflowing_div_euclid(0_u32).1;
    false
}
pub(super) fn compared() -> Case {
    case::<f_1048, (Each<[bool; 1]>, Each<u32>)>()
}
