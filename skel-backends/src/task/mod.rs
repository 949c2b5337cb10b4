//! Tasks: calls as tasks, and graphs of tasks. The engine, the schedulers and the simulation are the crate
//! [`skel_tasks`], which is pure; here are the threads that drive it with real time.

mod call;
pub mod graph;

pub(crate) use call::{Measured, Seat, Team, execute};
