//! User functions that together cover the language, and a way to run each natively from values.
//!
//! What tests ask is that another way to run a function (the interpreter, a device) agrees with the
//! native one: see `skel-verify`.

#![allow(
    dead_code,
    missing_docs,
    unreachable_pub,
    unused_imports,
    reason = "each test uses a part of it"
)]
#![allow(
    clippy::all,
    clippy::pedantic,
    reason = "the functions show constructs, not style"
)]

mod arithmetic;
mod arrays;
mod asserts;
mod calls;
mod complex;
mod composed;
mod constants;
mod control;
mod draws;
mod elements;
mod equality;
mod found;
mod generic;
mod half;
mod higher_order;
pub mod in_bounds;
mod integers;
mod labels;
mod lanes;
mod limits;
mod lines;
mod matching;
mod methods;
mod methods_own;
mod more_methods;
mod operators;
mod order;
mod parameters;
mod patterns;
mod structs;
mod sweep;
mod sweeps;
mod taking_apart;
mod traits;
mod tuples;
mod windows;

use skel_verify::{Case, ToValue, case};
pub use sweep::{Swept, swept};

/// All functions.
pub fn corpus() -> Vec<Case> {
    [
        arithmetic::cases(),
        asserts::cases(),
        calls::cases(),
        complex::cases(),
        composed::cases(),
        constants::cases(),
        control::cases(),
        draws::cases(),
        elements::cases(),
        equality::cases(),
        found::cases(),
        generic::cases(),
        half::cases(),
        higher_order::cases(),
        labels::cases(),
        lanes::cases(),
        limits::cases(),
        in_bounds::cases(),
        lines::cases(),
        sweeps::cases(),
        matching::cases(),
        methods::cases(),
        methods_own::cases(),
        operators::cases(),
        order::cases(),
        parameters::cases(),
        patterns::cases(),
        traits::cases(),
        tuples::cases(),
        windows::cases(),
        structs::cases(),
        sweep::cases(),
        taking_apart::cases(),
        more_methods::cases(),
        integers::cases(),
        arrays::cases(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Those among them that were written for the lane-wise face of functions with loops.
pub fn for_lanes() -> Vec<Case> {
    lanes::cases()
}
