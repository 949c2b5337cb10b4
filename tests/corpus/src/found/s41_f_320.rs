//! Found by `cargo xtask fuzz --seed 41`: cuda differed.

use skel::prelude::*;
use skel_core::param::{Each, EachMut, Uniform, Whole};
use skel_verify::{Case, ToValue, case};

const TABLE3: [i32; 3] = [0_i32; 3];
#[user_function]
fn h4_320(mut a5: i32, a6: [i32; 3], a7: [i32; 3]) -> [i32; 3] {
    a6
}
#[user_function]
fn f_320(a10: bool) -> [i32; 3] {
    let mut n11 = 0_u32;
    'l12: while n11 < 1 && a10 {
        n11 += 1;
        let mut n13 = 0_i32;
        'l14: loop {
            n13 += 1;
            if n13 > 1 {
                break;
            }
            let _ = h4_320(
                0_i32,
                'b15: {
                    if a10 {
                        break 'b15 TABLE3;
                    }
                    [n13; 3]
                },
                [0_i32; 3],
            );
        }
    }
    'l21: for i20 in 0..((a10 as i64) & 3) {}
    [0_i32; 3]
}
pub(super) fn compared() -> Case {
    case::<f_320, (Each<bool>,)>()
}
