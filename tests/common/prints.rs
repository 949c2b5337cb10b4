//! Operators whose result shows the grouping: they hash both sides, and so are not associative.

use skel::prelude::*;

/// An element with a float, so that no unit takes it for one whose grouping does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
pub(crate) struct Print {
    pub(crate) hash: u32,
    pub(crate) zero: f32,
}

/// Of `left` and `right`, in this order and grouping, and no other.
#[user_function]
pub(crate) fn print(left: Print, right: Print) -> Print {
    let mixed = left.hash.wrapping_mul(0x9E37_79B1) ^ (right.hash.wrapping_add(0x7F4A_7C15));
    Print {
        hash: mixed.wrapping_mul(0x85EB_CA6B) ^ (mixed >> 13),
        zero: 0.0,
    }
}

/// In any order of two, but in no other grouping.
#[user_function(commutative)]
pub(crate) fn print_either(left: Print, right: Print) -> Print {
    let mixed = (left.hash ^ right.hash).wrapping_add(left.hash.wrapping_mul(right.hash));
    Print {
        hash: mixed.wrapping_mul(0x85EB_CA6B) ^ (mixed >> 13),
        zero: 0.0,
    }
}

/// With a loop: tiles of 16.
#[user_function]
pub(crate) fn print_slowly(left: Print, right: Print) -> Print {
    let mut mixed = left.hash;
    for _ in 0..3 {
        mixed = mixed.wrapping_mul(0x9E37_79B1) ^ right.hash;
    }
    Print {
        hash: mixed,
        zero: 0.0,
    }
}
