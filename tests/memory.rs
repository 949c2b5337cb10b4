//! Devices whose memory is short: a call that does not fit gives the same results, and takes no more.

#[path = "memory/calls.rs"]
mod calls;
#[cfg(feature = "wgpu")]
#[path = "memory/devices.rs"]
mod devices;
#[path = "memory/limits.rs"]
mod limits;
#[path = "memory/model.rs"]
mod model;
#[path = "memory/overwritten.rs"]
mod overwritten;
#[path = "memory/shares.rs"]
mod shares;
#[path = "memory/spills.rs"]
mod spills;
#[path = "memory/suite.rs"]
mod suite;

use skel::{Context, mock::Mock};

/// A context of one mock device with so much memory; it counts what is used of it.
fn capped(cap_bytes: u64) -> (Context, Mock) {
    let mock = Mock::named("small");
    let unit = mock.unit().expect("a mock device");
    let context = Context::builder().unit(unit.with_memory_cap(cap_bytes));
    (context.build().expect("a context of a mock"), mock)
}
