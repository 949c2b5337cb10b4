//! Found by `cargo xtask fuzz --seed 20`: eval differed.

use skel::prelude::*;
use skel_core::param::{Each, EachMut, Uniform, Whole};
use skel_verify::{Case, ToValue, case};

#[derive(Clone, Copy, Debug, Element)]
#[repr(C)]
pub struct S1_110 {
    pub p0: i8,
    pub p1: u8,
}
skel_verify::to_value!(S1_110);
#[user_function]
fn h8_110(a9: [bool; 4], a10: i8) -> bool {
    assert!(((S1_110 { p0: 0_i8, p1: 0_u8 }).p1 ^ (a10 as u8)) != 11);
    (a10 > 0)
}
#[user_function]
fn f_110(at30: Index1, mut a31: i8, a32: u8, mut a33: [bool; 4], a34: S1_110) -> S1_110 {
    let mut a32 = a34;
    a32.p1 = (h8_110(a33, a31) as u8);
    (S1_110 { p0: 0_i8, p1: 0_u8 })
}
pub(super) fn compared() -> Case {
    case::<f_110, (Each<i8>, Each<u8>, Each<[bool; 4]>, Each<S1_110>)>()
}
