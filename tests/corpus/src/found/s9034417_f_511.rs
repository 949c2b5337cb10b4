//! Found by `cargo xtask fuzz --seed 9034417`: wgsl differed.

use skel::prelude::*;
use skel_core::param::{Each, EachMut, Uniform, Whole};
use skel_verify::{Case, ToValue, case};

#[user_function]
fn f_511(a3: f32, a4: f32, a5: i64) -> bool {
    let v11 = 0_i64;
    ({
        let mut v12: (bool, f32, f32) = (false, 0.0_f32, 0.0_f32);
        let mut n13 = 0_u32;
        'l14: while n13 < 2 {
            n13 += 1;
            if (n13 > 0) {
                continue;
            }
            if (a5 == v11) {
                break 'l14;
            }
            let v6: bool = true;
            if (a5 > 0) {
                return v6;
            }
            if v6 {
                return v6;
            }
        }
        a4
    })
    .is_sign_positive()
}
pub(super) fn compared() -> Case {
    case::<f_511, (Each<f32>, Each<f32>, Each<i64>)>()
}
