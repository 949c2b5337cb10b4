//! Found by `cargo xtask fuzz --seed 1`: wgsl differed. Mesa 22.3 takes an `i64` that was an `i32` for positive where it is
//! made a float.

use skel::prelude::*;
use skel_core::param::{Each, EachMut, Uniform};
use skel_verify::{Case, ToValue, case};

#[user_function]
fn f_189(a: i32, b: i16) -> (f32, f64, f32) {
    (a as i64 as f32, a as i64 as f64, b as i64 as f32)
}
pub(super) fn compared() -> Case {
    case::<f_189, (Each<i32>, Each<i16>)>()
}
