//! Found by `cargo xtask fuzz --seed 20`: rustc differed.

use skel::prelude::*;
use skel_core::param::{Each, EachMut, Uniform, Whole};
use skel_verify::{Case, ToValue, case};

#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[element(eq)]
#[repr(C)]
pub struct S2_6 {
    pub p0: isize,
}
skel_verify::to_value!(S2_6);
#[user_function]
fn h18_6<T: Float>(mut a19: T, a20: u32) -> T {
    let v23: bool = ({
        a19 += 'b21: {
            if false {
                break 'b21 T::ZERO;
            }
            a19 = T::ZERO;
            T::ZERO
        };
        a19
    })
    .is_nan();
    a19
}
#[user_function]
fn f_6(a40: u8) -> (S2_6, bool) {
    ((S2_6 { p0: 0_isize }), false)
}
pub(super) fn compared() -> Case {
    case::<f_6, (Each<u8>,)>()
}
