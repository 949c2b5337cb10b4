//! The command `cargo tune`, and the project's benchmark harness.
//!
//! The command ([`command`]) builds a program through [`cargo`], runs it so that the library measures
//! its calls, follows what that writes down ([`journal`]), makes models of it ([`merge`]), and draws
//! them ([`report`]). `docs/tuning.md` says how it is used.
//!
//! Of the harness: a [`Race`] runs several contenders in one process, in interleaved rounds, so that what disturbs
//! the machine disturbs them all; what is compared are medians, and the medians of ratios within a
//! round. [`Machine`] says where a number was measured, [`limits`] what that machine can do at most.
#![forbid(unsafe_code)]

pub mod cargo;
pub mod command;
pub mod exit;
pub mod journal;
pub mod limits;
pub mod machine;
pub mod merge;
pub mod predict;
pub mod race;
pub mod report;
pub mod show;
pub mod stats;
pub mod table;
pub mod term;

pub use exit::{Exit, Failure};
pub use machine::Machine;
pub use race::{Budget, Race, RaceResult, Timing};
pub use table::Table;
