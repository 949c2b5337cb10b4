//! User functions that together cover the language, and a way to run each natively from values.
//!
//! Shared by tests: `#[path = "corpus/mod.rs"] mod corpus;`. What a test asks is that another way to
//! run a function (the interpreter, a device) agrees with the native one.

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
mod calls;
mod constants;
mod control;
mod generic;
mod integers;
mod methods;
mod more_methods;
mod parameters;
mod run;
mod structs;
mod tuples;
mod values;

pub use run::{Case, Native, ToValue, case};
pub use values::{Random, arguments};

/// All functions.
pub fn corpus() -> Vec<Case> {
    [
        arithmetic::cases(),
        calls::cases(),
        constants::cases(),
        control::cases(),
        generic::cases(),
        methods::cases(),
        parameters::cases(),
        tuples::cases(),
        structs::cases(),
        more_methods::cases(),
        integers::cases(),
        arrays::cases(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
