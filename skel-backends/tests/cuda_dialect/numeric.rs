//! Every operator, built-in function and cast on special values, against Rust.
//!
//! Many operations make one kernel, which gives an array of results; so few programs are compiled.

mod floats;
mod integers;
mod table;

use crate::Test;
use skel_core::plan::Kernel;
use std::sync::Arc;

pub(crate) const TESTS: &[Test] = &[
    ("integers_are_rusts", || integers::all().check(false)),
    ("floats_are_rusts", || floats::all().check(false)),
    ("min_max_clamp_are_rusts_but_for_zeros", || {
        floats::zeros().check(true);
    }),
];

/// All kernels of these tests, with names.
pub(crate) fn kernels() -> Vec<(String, Arc<Kernel>)> {
    [integers::all(), floats::all(), floats::zeros()]
        .iter()
        .flat_map(table::Table::kernels)
        .collect()
}
