//! The part of [`skel`] that knows no device, and starts no thread that outlives a call: texts of user functions that are
//! nested deeply are read on a stack of their own. It asks the clock only for how fast lanes are.
//!
//! | module | what |
//! |---|---|
//! | [`space`] | index geometry: shapes, layouts, neighbourhoods, sets of indices |
//! | [`user_function`], [`param`] | what users write, and the kinds of its parameters |
//! | [`ir`] | what it means, typed, for devices and for the interpreter |
//! | [`container`] | data on several memory nodes |
//! | [`bind`], [`call`] | arguments, checked by rustc; a call on its way to an executor |
//! | [`skeleton`], [`plan`], [`frame`] | skeletons as plans with a host face and a device face |
//! | [`schedule`], [`mod@unit`] | which unit takes which elements |
//! | [`math`] | `exp`, `sin` and their like, the same on every unit |
//! | [`interop`] | element types, arrays and files of other crates (features) |
//! | [`hash`], [`short`] | hashes that are the same in every run; lists that are short as a rule |
//! | [`later`] | what a reduction gives: at once, or when it is asked for |
//! | [`setting`], [`notice`] | variables of the environment; lines on standard error |
//! | [`caught`], [`host_memory`] | panics of user functions; host memory that may be short |
//! | [`isa`], [`lanes`], [`streaming`] | loops compiled for several instruction sets; user functions with loops, in vectors; results past the caches |
//!
//! Users want the crate [`skel`]; this one is for code that adds units or skeletons.
//!
//! [`skel`]: https://docs.rs/skel-hybrid

#![deny(clippy::print_stderr, clippy::print_stdout)]

// What the macros write here names `::skel::__private`, which is this crate's own.
extern crate self as skel;
use private as __private;

pub mod bind;
pub mod call;
pub mod caught;
pub mod container;
mod element;
mod error;
pub mod frame;
pub mod hash;
pub mod host_memory;
pub mod interop;
pub mod ir;
pub mod isa;
pub mod lanes;
pub mod later;
pub mod math;
pub mod notice;
pub mod param;
pub mod plan;
#[doc(hidden)]
pub mod private;
pub mod schedule;
pub mod setting;
pub mod short;
pub mod skeleton;
pub mod space;
mod stack;
pub mod streaming;
mod sync;
pub mod unit;
pub mod user_function;

#[cfg(feature = "half")]
pub use half;
#[cfg(feature = "ndarray")]
pub use ndarray;
#[cfg(feature = "complex")]
pub use num_complex;

#[cfg(test)]
mod attacks;

pub use element::Element;
pub use error::{Cause, Error, Result};
