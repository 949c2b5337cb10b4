//! The project's benchmark harness.
//!
//! A [`Race`] runs several contenders in one process, in interleaved rounds, so that what disturbs
//! the machine disturbs them all; what is compared are medians, and the medians of ratios within a
//! round. [`Machine`] says where a number was measured, [`limits`] what that machine can do at most.
#![forbid(unsafe_code)]

pub mod limits;
pub mod machine;
pub mod race;
pub mod stats;
pub mod table;

pub use machine::Machine;
pub use race::{Budget, Outcome, Race, Timing};
pub use table::Table;
