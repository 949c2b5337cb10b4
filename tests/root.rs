//! The tests of the library as a whole, in one executable: each that is linked with the library costs seconds and a
//! hundred megabytes.
//!
//! Tests of one executable share its process, and run at the same time. One that needs a process with other variables
//! of its environment, or another standard error, runs itself as a child, by its name. Apart are those that count or
//! refuse allocations (`soak`, `short_memory`), fork (`fork`), or have a harness of their own (`conformance`, `cuda`).

mod adaptive;
mod auto;
mod bindings;
mod bounds;
mod by_columns;
mod dependencies;
mod determinism;
mod elements;
mod environment;
#[path = "common/every_unit.rs"]
mod every_unit;
mod faults;
mod foreign;
mod halves;
mod hostile_scopes;
mod hybrid;
mod import_circles;
mod in_a_row;
mod interface;
mod interop;
mod language_macros;
#[path = "common/limits.rs"]
mod limits;
mod lines_anywhere;
mod memory;
mod neighbourhoods;
mod overlap;
mod parameters;
mod parts_anywhere;
mod refusals;
mod residency;
mod scalars;
mod scan;
mod splits;
mod standard_error;
mod sweep;
mod sweep_orders;
mod tasks;
mod temporal;
mod trace;
mod traps;
mod tuned;
mod tuning_files;
#[path = "common/virtual_machine.rs"]
mod virtual_machine;
mod virtual_time;
