//! Found by `cargo xtask fuzz --seed 10`: cuda differed. A value that is not used was written as `(void)a +
//! b`, which is `((void)a) + b`.

use skel::prelude::*;
use skel_core::param::{Each, EachMut, Uniform};
use skel_verify::{Case, ToValue, case};

const TABLE3: [u32; 5] = [0_u32, 4294967295_u32, 27146346_u32, 4294967294_u32, 5_u32];

#[user_function]
fn f_40(a14: u32, a15: u32) -> u32 {
    let _ = (TABLE3[(a14 % 5) as usize] + TABLE3[(a15 % 7) as usize]);
    a14
}
pub(super) fn compared() -> Case {
    case::<f_40, (Each<u32>, Each<u32>)>()
}
