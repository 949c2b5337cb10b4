//! Devices: units with memory of their own, behind a queue.
//!
//! The design is described in the README.md of this folder.
//!
//! ```text
//! caller ── DeviceUnit ──(queue)──► the device's thread: Memory { Driver, arrays, taints }
//!              │ coherence: what is missing there?            │
//!              └ Scope: lends memory to commands, and waits   └ sleeps while the device works
//! ```
//!
//! `watched` wraps the driver and notes the device's health in `watch`. The caller checks it there, and so
//! does a scope before it gives up a device that hangs (`lease`).
//!
//! ```text
//!   caller, Scope ──► Watch ◄── Watched { Driver }
//! ```
//!
//! The queue is bounded (`back_pressure`): callers wait while too much is in front of them. When the context is gone,
//! the thread stays for what only the device has, and ends with it (`retire`).
//!
//! Arrays have memory on the device while something needs it: `residency` says which leave when it is full,
//! `stream` takes pieces through that do not fit.
//!
//! A new device implements [`Driver`]; [`DeviceUnit`] makes a [`crate::Unit`] of it.

mod allowance;
mod arg;
mod asynchronous;
mod back_pressure;
mod begin_time;
mod bind;
#[cfg(any(feature = "wgpu", feature = "cuda"))]
pub(crate) mod blocks;
mod bring;
mod cap;
mod compile;
mod cover;
mod deadline;
mod delivery;
mod driver;
mod launch;
mod lease;
mod lent;
mod memory;
mod piece;
mod pinned;
mod pipeline;
mod presence;
mod queue;
mod reserve;
mod residency;
mod retire;
mod room;
mod scan;
mod scatter;
mod scope;
mod stream;
mod taint;
mod transfer;
mod under_way;
mod unit;
mod uploads;
mod virtual_time;
mod watch;
mod watched;
mod work;

pub use arg::{Arg, LaunchArg};
pub use compile::{COMPILE_BUDGET, Compilation};
pub(crate) use deadline::{Deadline, Fetch, duration, of_piece};
pub use driver::{Driver, Launched, Mark, TrapWords, Trapped};
pub use launch::Launch;
pub(crate) use scope::scopes;
pub use scope::{Scope, scope};
pub use unit::DeviceUnit;

pub use virtual_time::{Spent, VirtualTime};
