//! Every operator, built-in function and cast on special values, against Rust.
//!
//! Many operations make one kernel, which gives an array of results; so few programs are compiled.

mod floats;
mod integers;
mod table;

use crate::Test;

pub(crate) const TESTS: &[Test] = &[
    ("integers_are_rusts", integers::all),
    ("floats_are_rusts", floats::all),
    ("min_max_clamp_are_rusts_but_for_zeros", floats::zeros),
];
