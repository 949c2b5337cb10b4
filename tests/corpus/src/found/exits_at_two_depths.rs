//! As `cargo xtask fuzz --seed 27110002` found it, function 1017: a loop is left from a loop within it, and from one
//! within that. Devices took the second exit for done behind the innermost loop, and went on in the middle one.

use skel::prelude::*;
use skel_core::param::{Each, EachMut, Uniform, Whole};
use skel_verify::{Case, ToValue, case};

#[user_function]
fn exits_at_two_depths(x: u32) -> u32 {
    let x = x % 16;
    let mut n = 0_u32;
    'all: while n < 3 {
        n += 1;
        let mut k = 0_u32;
        'next: while k < 3 {
            k += 1;
            if x == 12 + k {
                break 'all;
            }
            if x == 9 + k {
                continue 'all;
            }
            let mut l = 0_u32;
            while l < 3 {
                l += 1;
                if x == 2 * l + k {
                    break 'all;
                }
                if x == 3 * l + n {
                    continue 'all;
                }
                if x == l {
                    continue 'next;
                }
            }
            if x > 7 {
                return 1000 + 100 * n + 10 * k + x;
            }
        }
    }
    100 * n + x
}

pub(super) fn compared() -> Case {
    case::<exits_at_two_depths, (Each<u32>,)>()
}
