//! Found by `cargo xtask fuzz --seed 66120451`: lanes differed.

use skel::prelude::*;
use skel_core::param::{Each, EachMut, Uniform, Whole};
use skel_verify::{Case, ToValue, case};

#[user_function]
fn f_52(a43: &mut i32, a44: u32, a45: i32) {
    let mut v46: bool = (*a43 > 0);
    if v46 {
        for i54 in 0..4_i8 {}
        *a43 = 0_i32;
    }
}
pub(super) fn compared() -> Case {
    case::<f_52, (EachMut<i32>, Each<u32>, Each<i32>)>()
}
