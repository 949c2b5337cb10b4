//! The part of [`skel`] that knows no thread and no device.
//!
//! | module | what |
//! |---|---|
//! | [`user_function`], [`param`] | what users write, and the kinds of its parameters |
//! | [`ir`] | what it means, typed, for devices and for the interpreter |
//! | [`container`] | data on several memory nodes |
//! | [`bind`], [`call`] | arguments, checked by rustc; a call on its way to an executor |
//! | [`skeleton`], [`plan`], [`frame`] | skeletons as plans with a host face and a device face |
//! | [`schedule`], [`mod@unit`] | which unit takes which elements |
//! | `complex` | complex numbers (feature `complex`) |
//! | `float16` | floats of 16 bits (feature `half`) |
//! | [`model`] | how long calls take: measured, predicted |
//! | [`disk`] | what is kept between runs |
//! | [`setting`], [`notice`] | variables of the environment; lines on standard error |
//! | [`caught`], [`room`] | panics of user functions; host memory that may be short |
//! | [`isa`] | loops compiled for several instruction sets |
//!
//! Users want the crate [`skel`]; this one is for code that adds units or skeletons.
//!
//! [`skel`]: https://docs.rs/skel

#![deny(clippy::print_stderr, clippy::print_stdout)]

pub mod bind;
pub mod call;
pub mod caught;
#[cfg(feature = "complex")]
pub mod complex;
pub mod container;
pub mod disk;
mod element;
mod error;
#[cfg(feature = "half")]
pub mod float16;
pub mod frame;
pub mod ir;
pub mod isa;
pub mod model;
pub mod notice;
pub mod param;
pub mod plan;
pub mod private;
pub mod room;
pub mod schedule;
pub mod setting;
pub mod short;
pub mod skeleton;
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
