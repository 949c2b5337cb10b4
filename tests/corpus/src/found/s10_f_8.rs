//! Found by `cargo xtask fuzz --seed 10`: cuda differed. The host shim's `fmaxf` was a macro of two
//! arguments, and a struct in braces has commas.

use super::super::{Case, ToValue, case};
use skel::prelude::*;
use skel_core::param::{Each, EachMut, Uniform};

#[user_function]
fn f_8(a1: f32, a2: f32) -> f32 {
    ((a1, a2).0).max((a2, a1, 1.5).1) - (a1).min((a1, a2).1)
}
pub(super) fn compared() -> Case {
    case::<f_8, (Each<f32>, Each<f32>)>()
}
