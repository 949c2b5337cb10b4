//! The CPU: the calling thread, alone or with the idle workers of the current rayon pool.
//!
//! Work goes to a *crew*: the caller takes pieces from a counter, and invites helpers, which may come
//! late; it waits only for those that came. So short work never leaves the calling thread, a busy pool
//! costs nothing, and neither a pool of one thread, nor a call from within the pool, nor one under a
//! lock can hang: user functions are leaves, and a crew waits for nothing but itself.

mod carries;
mod chunk;
mod crew;
mod gate;
mod guard;
mod in_hand;
mod in_order;
#[cfg(all(test, loom))]
mod interleavings;
mod job;
mod name;
mod pieces;
mod scan;
mod steps;
mod sweep;
mod temporal;
mod two_pass;
mod unit;

pub(crate) use carries::{Carries, Released};
pub(crate) use chunk::ScanChunk;
pub(crate) use crew::{run as run_crew, run_of as run_crew_of, threads};
pub(crate) use in_hand::InHand;
pub(crate) use temporal::may_pay as steps_may_pay;
pub use unit::CpuUnit;
pub(crate) use unit::kernel;
