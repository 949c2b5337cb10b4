//! Calls as tasks, and graphs of tasks.

#![allow(clippy::unit_arg, reason = "closures of one expression")]

mod ahead;
mod batches;
mod call_faults;
mod calls;
mod contributions;
mod device_faults;
mod drops;
mod faults;
mod graph;
mod merge;
mod options;
mod places;
mod random_graphs;
mod range_faults;
mod range_refusals;
mod ranges;
mod scope;
mod steps;
mod times;
mod wrong_schedulers;
