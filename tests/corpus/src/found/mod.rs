//! Functions on which units once differed, as `cargo xtask fuzz` found and shrank them. It writes
//! this list, too.

#![allow(
    unused,
    arithmetic_overflow,
    unconditional_panic,
    reason = "generated code"
)]

use super::Case;

mod a_zero_divided;
mod dead_exit_of_array;
mod dead_exit_of_field;
mod dead_trap;
mod exits_at_two_depths;
mod s10_f_40;
mod s10_f_8;
mod s11_f_83;
mod s1_f_189;
mod s27110001_f_1048;
mod s41_f_320;
mod s66120451_f_52;
mod s9034417_f_511;

pub(super) fn cases() -> Vec<Case> {
    vec![
        a_zero_divided::compared(),
        dead_exit_of_array::compared(),
        dead_exit_of_field::compared(),
        dead_trap::compared(),
        exits_at_two_depths::compared(),
        s10_f_40::compared(),
        s10_f_8::compared(),
        s11_f_83::compared(),
        s1_f_189::compared(),
        s27110001_f_1048::compared(),
        s41_f_320::compared(),
        s66120451_f_52::compared(),
        s9034417_f_511::compared(),
    ]
}
