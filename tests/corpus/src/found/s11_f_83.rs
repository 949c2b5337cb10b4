//! Found by `cargo xtask fuzz --seed 11`: wgsl differed. Mesa took what it knew of a value in 32 bits for
//! what it knew of it in 64, and so the comparison for false.

use skel::prelude::*;
use skel_core::param::{Each, EachMut, Uniform, Whole};
use skel_verify::{Case, ToValue, case};

#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[element(eq)]
#[repr(C)]
pub struct S1_83 {
    pub p0: i64,
}
skel_verify::to_value!(S1_83);
#[user_function]
fn f_83(a29: &[i64]) -> S1_83 {
    if ({ 10_i64 } >= i64::from((i8::BITS as i8))) {
        return (S1_83 { p0: 0_i64 });
    }
    (S1_83 { p0: i64::MIN })
}
pub(super) fn compared() -> Case {
    case::<f_83, (Whole<i64>,)>()
}
