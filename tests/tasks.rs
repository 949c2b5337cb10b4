//! Calls as tasks, and graphs of tasks.

mod calls;
mod faults;
mod graph;
